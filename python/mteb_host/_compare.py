"""`compare` and `stats`: test the difference between two models, and describe the data of a task."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Dict, Sequence, Union, cast

from ._binary import DONE, MtebHostError, ask
from ._html import table, text_table
from ._options import errors_of, option, options_of
from ._results import Results

Folder = Union[str, "os.PathLike[str]"]


class Comparison(Dict[str, Any]):
    """The result of `compare`, which a notebook and a terminal show as a table."""

    def __repr__(self) -> str:
        return text_table(*self._shown())

    def _repr_html_(self) -> str:
        """The table for a notebook."""
        return table("Comparison", *self._shown())

    def _shown(self) -> tuple[list[str], list[list[Any]], list[str]]:
        """Heads, rows, and what is to be said of them."""
        rows = [[task["task"], *task["scores"], task["difference"]] for task in self["tasks"]]
        rows.append(["Mean(Task)", *self["means"], self["difference"]])
        return ["Task", *self["models"], "Difference"], rows, [self._test(), self._counts(), *self["warnings"]]

    def _test(self) -> str:
        interval, p_value = self["interval"], self["p_value"]
        found = f"95 % interval of the difference {interval[0]:.4f} to {interval[1]:.4f}" if interval else "No interval of the difference"
        return found + (f", p = {p_value:.3g}" if p_value is not None else "")

    def _counts(self) -> str:
        counts: dict[str, int] = self["tasks_won_tied_lost"]
        return f"{self['models'][1]} won {counts['won']}, tied {counts['tied']} and lost {counts['lost']} of {sum(counts.values())} tasks"


def compare(
    first: str | Results, second: str | Results, *, results: Folder | list[Folder] | None = None, quiet: bool = True, **options: Any
) -> Comparison:
    """Compare two models, as `mteb-host compare --json` does: means, their difference, its interval, and each task.

    Args:
        first: Name of a model, or its `Results`.
        second: The other model. Differences are its scores minus those of the first, and it is the one that wins tasks or loses them.
        results: Folders with result files; by default those of the `Results`, else `results`. Of two `Results`, the tasks that both have are
            compared, unless an option chooses others.
        quiet: Do not show the output of the program.
        options: Any other option: `benchmark="MTEB(eng, v2)"` means `--benchmark "MTEB(eng, v2)"`.

    Raises:
        TypeError: If one of them is neither a name nor `Results`, or an option is one of `run`.
        MtebHostError: If the program refuses the request; it has the program's message.
    """
    __tracebackhide__ = True
    if "output_folder" in options:
        raise TypeError("unexpected argument `output_folder=`; write `results=` for the folder with result files")
    models = (first, second)
    wrong = next((found for found in cast("tuple[Any, Any]", models) if not isinstance(found, (str, Results))), None)
    if wrong is not None:
        raise TypeError(f"expected the name of a model, or `Results` of `run` or `load_results`, found: {type(wrong).__name__}")
    folders = results if isinstance(results, list) else _folders_of(models) if results is None else [results]
    places = [option("--results", folder) for folder in folders]
    if isinstance(first, Results) and isinstance(second, Results) and not any(options.get(name) for name in _CHOOSING):
        known = {task["name"] for task in _asked_list(["list", "tasks", "--json", *options_of({"registry": options.get("registry")})])}
        options = {**options, "task": [name for name in first.tasks if name in second.tasks and name in known] or None}
    names = _names_of(models)
    try:
        return Comparison(_asked(["compare", "--json", *places, *options_of(options), "--", *names], quiet))
    except MtebHostError as error:
        failed = _with_folders(error, folders or ["results"])
    raise failed


# Options that choose tasks.
_CHOOSING = ("task", "benchmark", "types", "task_type", "languages", "language", "split", "domain", "domains", "since", "category", "licence")


def _folders_of(models: tuple[str | Results, str | Results]) -> list[Folder]:
    """The folders in which the folders of the models lie."""
    if not any(isinstance(found, Results) and found.folder for found in models):
        return []
    found = [_top(found) if isinstance(found, Results) and found.folder else "results" for found in models]
    return list(dict.fromkeys(found))


def _top(results: Results) -> str:
    folder = Path(results.folder)
    if not results.revision:
        # Of files without a description, whose folder alone has a name.
        return str(folder.absolute().parent)
    # `MODEL/REVISION`, and `experiments/NAME` in it.
    model = folder.absolute().parents[1] if folder.parent.name == "experiments" else folder.absolute()
    return str(model.parents[1])


def _names_of(models: tuple[str | Results, str | Results]) -> list[str]:
    """What the program calls them: two results of one model are told by their revisions."""
    names = [_name_of(found) for found in models]
    revisions = [found.revision for found in models if isinstance(found, Results) and found.revision]
    return revisions if names[0] == names[1] and len(set(revisions)) == 2 else names


def _name_of(model: str | Results) -> str:
    if not isinstance(model, Results):
        return model
    folder = Path(model.folder)
    return f"{model.model}, experiment {folder.name}" if folder.parent.name == "experiments" else model.model


def _with_folders(error: MtebHostError, folders: Sequence[Folder]) -> MtebHostError:
    if not str(error).startswith("expected a model with results"):
        return error
    read = ", ".join(os.fspath(folder) for folder in folders)
    return MtebHostError(f"{read}: {error}; `results=` names other folders", error.exit_code)


def _asked_list(arguments: list[str]) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", _asked(arguments, True))


def stats(task: str, *, quiet: bool = True, **options: Any) -> dict[str, Any]:
    """Describe the data of a task, as `mteb-host stats --json` does: sizes, lengths, duplicate texts, labels, languages.

    Args:
        task: Name of the task, optionally with subsets, such as `"NusaX-senti:ind"`.
        quiet: Do not show the output of the program.
        options: Any other option: `registry="indonesia"` means `--registry indonesia`.

    Raises:
        MtebHostError: If the program refuses the request; it has the program's message.
    """
    __tracebackhide__ = True
    return _asked(["stats", "--json", *options_of(options), "--", task], quiet)


def _asked(arguments: list[str], quiet: bool) -> dict[str, Any]:
    # A notebook shows the caller's line alone.
    __tracebackhide__ = True
    code, found, said = ask(arguments, quiet=quiet)
    if code != DONE or found is None:
        raise MtebHostError(errors_of(said), code)
    answer: dict[str, Any] = found
    return answer
