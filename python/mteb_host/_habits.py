"""What people bring from mteb: names of arguments, functions and attributes, and what to write here in their place."""

from __future__ import annotations

import sys
from typing import Any

# Names of arguments of mteb's calls, in its versions 1 and 2.
_ARGUMENTS = {
    "batch_size": "`batch_tokens=N` bounds a batch by its tokens; without it the model or the host chooses",
    "cache": "results go to `output_folder=`, and `no_cache=True` keeps no embeddings",
    "co2_tracker": "energy is measured where the machine tells it, and stands in the result files",
    "encode_kwargs": "`batch_tokens=N` bounds a batch by its tokens; other settings belong to the object, set when it is made",
    "eval_splits": "write `TASK@SPLIT` as the name of a task, or `split=`",
    "eval_subsets": "write `TASK:SUBSET,SUBSET` as the name of a task",
    "exclude_aggregate": "tasks that are means of others are listed, too; choose by name or by type",
    "exclude_private": "tasks that cannot be run are left out, unless with `supported=False`",
    "exclude_superseded": "superseded tasks are listed, too; choose by name, or by `since=`",
    "exclusive_language_filter": "write `TASK:SUBSET,SUBSET` as the name of a task for the subsets that you mean",
    "exclusive_modality_filter": "all tasks here are of texts; leave it out",
    "hf_subsets": "write `TASK:SUBSET,SUBSET` as the name of a task",
    "modalities": "all tasks here are of texts; leave it out",
    "model_name": "write `name=`",
    "model_names": "index the listing by name, as `mteb_host.get_models()[NAME]`",
    "names": "index the listing by name, as `mteb_host.get_benchmarks()[NAME]`",
    "num_proc": "one run reads, encodes and scores side by side; leave it out",
    "overwrite_results": "write `overwrite=\"always\"`",
    "overwrite_strategy": "write `overwrite=`: \"missing\", \"always\" or \"never\"",
    "prediction_folder": "write `predictions=True`, which keeps the files beside the results",
    "public_only": "tasks that cannot be run are left out where they are not named; leave it out",
    "raise_error": "write `raise_on_failure=`",
    "save_predictions": "write `predictions=True`, which keeps the files beside the results",
    "script": "write it behind the language, as `languages=\"eng-Latn\"`",
    "show_progress_bar": "write `quiet=True` for no bar",
    "task_types": "write `types=`",
    "timer": "the seconds of each phase stand in the result files",
    "verbosity": "write `quiet=True` or `verbose=True`",
}
# Names of functions and classes of mteb itself.
_FUNCTIONS = {
    "Evaluator": "write `from mteb_host.sentence_transformers import Evaluator`",
    "MTEB": "write `mteb_host.run(model, tasks)`",
    "ResultCache": "write `mteb_host.load_results(FOLDER)`",
    "evaluate": "write `mteb_host.run(model, tasks)`",
    "get_benchmark": "write `mteb_host.get_benchmarks()[NAME]`",
    "get_model": "write `mteb_host.run(\"mteb:NAME\", tasks)`, or give `run` what `mteb.get_model` returns",
    "get_model_meta": "write `mteb_host.get_models()[NAME]`",
    "get_model_metas": "write `mteb_host.get_models()`",
    "get_task": "write `mteb_host.get_tasks(NAME)[0]`",
    "validate": "run `mteb-host validate` in a shell",
}
# Names of attributes of mteb's results.
_OF_RESULTS = {
    "get_score": "write `results[TASK].main_score`",
    "main_score": "write `results[TASK].main_score`",
    "model_name": "write `model`",
    "model_revision": "write `revision`",
    "scores": "write `results[TASK].main_score`, or `to_mteb().task_results` for all scores",
    "task_results": "write `results[TASK]` or `units`, or `to_mteb().task_results` for all scores",
    "to_dataframe": "write `to_pandas()`",
}


def refuse_foreign(options: dict[str, Any]) -> None:
    """Refuses arguments that only mteb's calls have.

    >>> refuse_foreign({"task_types": ["STS"]})
    Traceback (most recent call last):
    TypeError: unexpected argument `task_types=`, which is one of mteb; write `types=`

    Raises:
        TypeError: With what to write in its place.
    """
    found = next((name for name in options if name in _ARGUMENTS), None)
    if found is not None:
        raise TypeError(f"unexpected argument `{found}=`, which is one of mteb; {_ARGUMENTS[found]}")


def no_function(name: str) -> AttributeError:
    """What is raised for a name that this package has not.

    >>> no_function("evaluate")
    AttributeError('mteb_host has no `evaluate`; write `mteb_host.run(model, tasks)`')
    """
    if name in _FUNCTIONS:
        return AttributeError(f"mteb_host has no `{name}`; {_FUNCTIONS[name]}")
    return _missing("module 'mteb_host'", sys.modules.get("mteb_host"), name)


def no_attribute(of: object, name: str) -> AttributeError:
    """What is raised for an attribute that results have not.

    >>> no_attribute([], "to_dataframe")
    AttributeError('list has no `to_dataframe`; write `to_pandas()`')
    """
    kind = type(of).__name__
    if name in _OF_RESULTS:
        return AttributeError(f"{kind} has no `{name}`; {_OF_RESULTS[name]}")
    return _missing(f"{kind!r} object", of, name)


def _missing(what: str, of: object, name: str) -> AttributeError:
    """What Python itself raises; from 3.10 on it names what is near."""
    error = AttributeError(f"{what} has no attribute {name!r}")
    error.name, error.obj = name, of  # type: ignore[attr-defined] # Python 3.10
    return error
