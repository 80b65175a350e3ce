"""`compare` and `stats`: test the difference between two models, and describe the data of a task."""

from __future__ import annotations

import os
from typing import Any, Dict, Union

from ._binary import DONE, MtebHostError, ask
from ._html import table
from ._options import errors_of, option, options_of
from ._results import Results

Folder = Union[str, "os.PathLike[str]"]


class Comparison(Dict[str, Any]):
    """The result of `compare`, which a notebook shows as a table."""

    def _repr_html_(self) -> str:
        """The table for a notebook."""
        rows = [(task["task"], *task["scores"], task["difference"]) for task in self["tasks"]]
        rows.append(("Mean(Task)", *self["means"], self["difference"]))
        return table("Comparison", ("Task", *self["models"], "Difference"), rows)


def compare(
    first: str | Results, second: str | Results, *, results: Folder | list[Folder] | None = None, quiet: bool = True, **options: Any
) -> Comparison:
    """Compare two models, as `mteb-host compare --json` does: means, their difference, its interval, and each task.

    Args:
        first: Name of a model, or its results.
        second: The other model. Differences are its scores minus those of the first.
        results: Folders with result files; `results` by default.
        quiet: Do not show the output of the program.
        options: Any other option: `benchmark="MTEB(eng, v2)"` means `--benchmark "MTEB(eng, v2)"`.

    Raises:
        MtebHostError: If the program refuses the request; it has the program's message.
    """
    __tracebackhide__ = True
    folders = results if isinstance(results, list) else [] if results is None else [results]
    places = [option("--results", folder) for folder in folders]
    names = [found.model if isinstance(found, Results) else found for found in (first, second)]
    return Comparison(_asked(["compare", "--json", *places, *options_of(options), "--", *names], quiet))


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
