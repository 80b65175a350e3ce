"""`run`: score a model on tasks."""

from __future__ import annotations

import contextlib
import inspect
import os
import re
import sys
from dataclasses import dataclass
from typing import Any, cast

from ._binary import FAILED, USAGE, MtebHostError, UnitsFailed, ask
from ._chosen import chosen, is_narrowed_in_mteb, several
from ._live.models import Live, takes_texts
from ._live.raised import own, with_note
from ._live.server import Server
from ._live.traces import of_model
from ._given import check_given, check_text
from ._habits import refuse_foreign
from ._options import errors_of, in_words_of_the_program, option, options_of
from ._placed import Placed, explained, placed
from ._progress import tell
from ._results import Results, here
from ._searched import search_tasks
from ._units import UNDEFINED
from ._worker.frames import Refused
from ._worker.reference import searches

# Options that say where and how a model is made, which one of this process is already.
_OF_MAKING = ("device", "dtype", "trust_remote_code")
# What the program says of a model that is slower than `batch_timeout`, which it asks as it asks a worker.
_OF_WORKER = re.compile(r"builtin:python: the worker process gave no answer for (.+?), and was ended")
# Names of folders that say nothing about the model in them.
_COMMON = re.compile(r"live/(model|models|final|best|last|output|outputs|checkpoint(-\d+)?)")


def run(
    model: Any,
    tasks: Any = None,
    *,
    registry: str | os.PathLike[str] | None = None,
    benchmark: Any = None,
    output_folder: str | os.PathLike[str] = "results",
    name: str | None = None,
    revision: str | None = None,
    live: bool | None = None,
    quiet: bool = False,
    raise_on_failure: bool = True,
    **options: Any,
) -> Results:
    """Score `model` on tasks and return the main scores. The result files are written to `output_folder`.

    Args:
        model: A name that `--model` takes, such as `"st:NAME"`, or a folder (also a `pathlib.Path`). Or any object in this process with
            `encode(texts)` or `predict(pairs)`: a `SentenceTransformer`, a `CrossEncoder`, an object with mteb's interface, or an instance,
            class, closure or lambda from a notebook. `encode` may be `async def`. An object that only searches, by mteb's `index` and
            `search`, is scored on tasks that rank documents.
        tasks: Names of tasks, optionally with subsets, such as `"NusaX-senti:ind,jav"`, or with a split of the data, such as
            `"STSBenchmark@validation"`; tasks of `get_tasks`, or one of `get_benchmarks`; or those of mteb, with their splits and subsets. None
            selects all tasks of the registry or benchmark.
        registry: A registry, by name or file.
        benchmark: A benchmark: its name, or one of `get_benchmarks`, or of mteb.
        output_folder: Folder for the result files.
        name: Name of the model in results.
        revision: Its revision in results. An object without one is scored again in each call, unless it is a torch module.
        live: True runs even a class or function from a file in this process. False refuses anything that only this process can run.
        quiet: Do not show the output of the program.
        raise_on_failure: Raise `UnitsFailed` if a unit failed. One whose main score is undefined, as where all embeddings are alike, has not
            failed; `failures` has it, too.
        options: Any other option of `mteb-host run`: `max_tokens=256` means `--max-tokens 256`, `offline=True` means `--offline`.

    Raises:
        TypeError: If an option is mteb's, and called otherwise here, or `tasks` and `benchmark` are none of those above.
        MtebHostError: If the program refuses the request; it has the program's message.
        UnitsFailed: If units failed. Its `results` has the others.
        Exception: The exception that an object in this process raised, if units failed because of it. The program's message is added as a
            note, and its attribute `mteb_host` is the `UnitsFailed` with the other units.
        KeyboardInterrupt: If the run was interrupted. The same call resumes it.
    """
    refuse_foreign(options)
    check_given(name, revision, output_folder, options)
    options = in_words_of_the_program(options)
    if "task" in options:
        # The program's own word.
        task = options.pop("task")
        tasks = task if tasks is None else tasks
    asked = {"registry": registry, "benchmark": benchmark, **options}
    call = _Call(model, live, name, revision, output_folder, quiet, raise_on_failure)
    found = _found(call, tasks, asked)
    if isinstance(found, BaseException):
        raise found
    return found


@dataclass(frozen=True)
class _Call:
    """What the caller gave besides tasks and the program's options."""

    model: Any
    live: bool | None
    name: str | None
    revision: str | None
    output_folder: Any
    quiet: bool
    raise_on_failure: bool


def _found(call: _Call, tasks: Any, asked: dict[str, Any]) -> Results | BaseException:
    """The results, or what the caller is to see raised, with the part of its traceback that a caller can use."""
    try:
        return _run(call, tasks, asked)
    except MtebHostError as error:
        return explained(error, asked).with_traceback(None)
    except _Raised as raised:
        return raised.error
    except KeyboardInterrupt as stopped:
        # Where the model was when it was interrupted.
        return stopped.with_traceback(of_model(stopped.__traceback__))


class _Raised(Exception):
    """The exception that the caller's model raised, with its own traceback."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error


def _run(call: _Call, tasks: Any, asked: dict[str, Any]) -> Results:
    if os.environ.get("MTEB_HOST_IMPORTING"):
        # The worker reads this program for its model alone.
        raise SystemExit("expected the model above the call of `mteb_host.run`")
    tasks = several(tasks)
    names, benchmark = chosen(tasks, asked["benchmark"])
    if names == []:
        raise MtebHostError(
            "expected names of tasks, found an empty list; leave `tasks` out for all tasks of a registry or benchmark", USAGE
        )
    asked = {**asked, "benchmark": benchmark}
    if asked.get("draws") is None and isinstance(tasks, list) and any(is_narrowed_in_mteb(task) for task in cast("list[Any]", tasks)):
        # So does mteb.
        asked["draws"] = "selected"
    with placed(tasks, names, asked) as places:
        asked = {**asked, "task": places.names, "registry": places.registry}
        return _run_placed(call, places, asked)


def _run_placed(call: _Call, places: Placed, asked: dict[str, Any]) -> Results:
    model, live = call.model, call.live
    is_named = isinstance(model, (str, os.PathLike))
    said = os.fspath(cast("str | os.PathLike[str]", model)) if is_named else None if live else _name_of(model)
    if said is None:
        if live is False:
            raise MtebHostError(
                f"expected a name, or a class or function at the top of a file, as another process is to compute the model, found: {model!r}", USAGE
            )
        return _run_live(call, asked, places.hushed)
    arguments = ["run", "--json", option("--output-folder", call.output_folder), option("--model", said)]
    if said.startswith(("st:", "mteb:", "python:")) and "python" not in asked:
        asked["python"] = sys.executable
    arguments += options_of({**asked, "name": call.name, "revision": call.revision})
    code, report, message = ask(arguments, quiet=call.quiet, hushed=places.hushed)
    _tell_of_files(asked, report, call.quiet)
    return _results(code, report, message, call.raise_on_failure)


def _tell_of_files(asked: dict[str, Any], report: Any, quiet: bool) -> None:
    """Says which scores were read from files, and that no predictions are written where no task ranks documents."""
    if quiet or not isinstance(report, dict):
        return
    run = cast("dict[str, Any]", report)
    tasks = cast("list[dict[str, Any]]", run.get("tasks") or [])
    # The plan of a run has only their numbers.
    states = [unit.get("state") for task in tasks if isinstance(task["units"], list) for unit in cast("list[dict[str, Any]]", task["units"])]
    if "found" in states:
        share = f"{states.count('found')} of {len(states)} unit{'' if len(states) == 1 else 's'}"
        tell(f"{share} scored before: read from {run.get('results_folder')}; `overwrite=\"always\"` scores again")
    wanted = next((name for name in ("predictions", "rankings") if asked.get(name)), None)
    if wanted and states and not any(str(task.get("type")).endswith(("Retrieval", "Reranking")) for task in tasks):
        tell(f"warning: `{wanted}=True` wrote no file, because only tasks that rank documents have {wanted}")


def _results(code: int, report: Any, message: str, raise_on_failure: bool, within: str = "") -> Results:
    if report is None:
        raise MtebHostError(errors_of(message), code)
    results = Results.of_report(report, within)
    if code == FAILED and results.failures and raise_on_failure:
        raise UnitsFailed(errors_of(message), results)
    return results


def _run_live(call: _Call, chosen: dict[str, Any], hushed: tuple[str, ...]) -> Results:
    """Serves the object to the program, and raises what it raised."""
    quiet, raise_on_failure = call.quiet, call.raise_on_failure
    made = [key for key in _OF_MAKING if chosen.get(key) not in (None, False, "auto")]
    if made:
        found = f"{made[0]}={chosen[made[0]]!r}"
        raise MtebHostError(f"expected no `{made[0]}=` with an object, which exists already, found: {found}; set it when you create the object", USAGE)
    try:
        live = Live(call.model, call.name, call.revision, _describer(chosen.get("registry"), chosen))
    except Refused as refused:
        raise MtebHostError(str(refused), USAGE) from None
    check_text("name", live.called)
    check_text("revision", live.said_revision)
    # The model may go elsewhere.
    within = here()
    if searches(live.given):
        return _run_searching(call, live, chosen)
    with contextlib.closing(live), Server(live.load, live.called) as server:
        if not live.is_told and not quiet:
            tell(f"{live.called}: no revision, so results and embeddings are not reused across calls; give it `name=` and `revision=` to reuse them")
        if _COMMON.fullmatch(live.called) and not quiet:
            tell(f"{live.called}: named after its folder, as other models may be; `name=` names it in results")
        if live.shares_embeddings and not quiet:
            tell(
                f"warning: {live.called} at revision {live.said_revision} was a different object earlier, whose embeddings and results are "
                "reused for this one; give it another `revision=` if it computes something else"
            )
        if not live.is_told:
            # It was just said.
            server.hushed = "its model names no `revision`"
        # Who looks around in a debugger takes his time.
        options = {"python": sys.executable, "batch_timeout": 0, **chosen}
        arguments = [option("--output-folder", call.output_folder), option("--model", f"live:{server.folder}"), *options_of(options)]
        code, report, message = ask(["run", "--json", *arguments], quiet=quiet, server=server, hushed=hushed)
        _tell_of_files(chosen, report, quiet)
        try:
            return _results(code, report, _OF_WORKER.sub(r"the model gave no answer for \1", message), raise_on_failure, within)
        except MtebHostError as failed:
            error = own(server.errors, failed)
    if isinstance(error, MtebHostError):
        raise error
    raise _Raised(error)


def _run_searching(call: _Call, live: Live, chosen: dict[str, Any]) -> Results:
    """Scores what a model finds that searches by itself, and raises what it raised."""
    with contextlib.closing(live):
        results, error = search_tasks(live, chosen, call.output_folder, call.quiet)
    reasons = [
        f"{unit.task}, split {unit.split}, subset {unit.subset}: {unit.failure}" for unit in results.failures if unit.failure != UNDEFINED
    ]
    if not reasons or not call.raise_on_failure:
        return results
    failed = UnitsFailed("\n".join(reasons), results)
    if error is None:
        raise failed
    raise _Raised(with_note(error, failed))


def _describer(registry: Any, chosen: dict[str, Any]) -> Any:
    def describe(task: str) -> dict[str, Any] | None:
        from ._catalog import metadata_of_task

        return metadata_of_task(task, registry=registry, plugin_dir=chosen.get("plugin_dir"))

    return describe


def _name_of(model: Any) -> str | None:
    """`python:FILE.py:NAME` of a class or function that is defined at the top of a file and makes a model without values."""
    called = getattr(model, "__qualname__", None)
    if called is None or not (inspect.isclass(model) or inspect.isfunction(model)) or takes_texts(model) or searches(model):
        return None
    try:
        file, source = inspect.getsourcefile(model), inspect.getsource(model)
    except (TypeError, OSError):
        # What was typed into a notebook or executed as text has no file.
        return None
    is_there = file is not None and os.path.isfile(file) and re.search(rf"\b(class|def)\s+{called}\b", source)
    if "." in called or file is None or not is_there:
        return None
    return f"python:{os.path.abspath(file)}:{called}"
