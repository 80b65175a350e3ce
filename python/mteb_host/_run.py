"""`run`: scores a model on tasks."""

from __future__ import annotations

import inspect
import os
import sys
from typing import Any, Iterable

from ._binary import FAILED, USAGE, MtebHostError, UnitsFailed, ask, errors_of, option, options_of
from ._results import Results


def run(
    model: str | os.PathLike[str] | type | Any,
    tasks: str | Iterable[str] | None = None,
    *,
    registry: str | os.PathLike[str] | None = None,
    benchmark: str | None = None,
    output_folder: str | os.PathLike[str] = "results",
    quiet: bool = False,
    raise_on_failure: bool = True,
    **options: Any,
) -> Results:
    """Scores `model` and gives the main scores; the result files lie in `output_folder`.

    Args:
        model: What `--model` takes, as `"st:NAME"`, a folder (also as `pathlib.Path`), or a class or function of a file of yours: it is called without
            arguments, and what it gives has `encode(list[str])`.
        tasks: Names of tasks, each perhaps with subsets, as `"NusaX-senti:ind,jav"`; None for all of the registry or benchmark.
        registry: A registry by its name or its file.
        benchmark: A benchmark by its name.
        output_folder: Folder of the result files.
        quiet: Show nothing of what the program says.
        raise_on_failure: Raise `UnitsFailed` if a unit has no score.
        options: Any other option of `mteb-host run`: `max_tokens=256` is `--max-tokens 256`, `offline=True` is `--offline`.

    Raises:
        MtebHostError: If the program refuses what is asked, with its message.
        UnitsFailed: If units failed; the rest is in its `results`.
        KeyboardInterrupt: If it was interrupted; the same call goes on where it ended.
    """
    if os.environ.get("MTEB_HOST_IMPORTING"):
        # The worker reads this program for its model alone.
        raise SystemExit("expected the model above the call of `mteb_host.run`")
    tasks = [tasks] if isinstance(tasks, str) else None if tasks is None else list(tasks)
    if tasks == []:
        raise MtebHostError(
            "expected names of tasks, found an empty list; leave `tasks` out for all tasks of a registry or benchmark", USAGE
        )
    arguments = ["run", "--json", option("--output-folder", output_folder)]
    name = os.fspath(model) if isinstance(model, (str, os.PathLike)) else _name_of(model)
    arguments.append(option("--model", name))
    if name.startswith(("st:", "mteb:", "python:")) and "python" not in options:
        options["python"] = sys.executable
    arguments += options_of({"task": tasks, "registry": registry, "benchmark": benchmark, **options})
    code, report, said = ask(arguments, quiet=quiet)
    if report is None:
        raise MtebHostError(errors_of(said), code)
    results = Results.of_report(report)
    if code == FAILED and results.failures and raise_on_failure:
        raise UnitsFailed(errors_of(said), results)
    return results


def _name_of(model: Any) -> str:
    """`python:FILE.py:NAME` of a class or function that is defined at the top of a file."""
    name, file = getattr(model, "__qualname__", None), None
    try:
        file = inspect.getsourcefile(model)
    except (TypeError, OSError):
        # What was typed into a notebook or executed as text has no file.
        pass
    if name is None or "." in name or file is None or not os.path.isfile(file):
        raise MtebHostError(
            "expected a name, or a class or function at the top of a file, as another process computes the model, "
            f"found: {model!r}; write it into a file and import it, or name it `python:FILE.py:NAME`",
            FAILED,
        )
    return f"python:{os.path.abspath(file)}:{name}"
