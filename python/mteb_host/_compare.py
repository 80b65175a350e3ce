"""`compare` and `stats`: what a difference of two models is worth, and what the data of a task looks like."""

from __future__ import annotations

import os
from typing import Any, Union

from ._binary import DONE, MtebHostError, ask, errors_of, option, options_of
from ._results import Results

Folder = Union[str, "os.PathLike[str]"]


def compare(
    first: str | Results, second: str | Results, *, results: Folder | list[Folder] | None = None, quiet: bool = True, **options: Any
) -> dict[str, Any]:
    """What `mteb-host compare --json` says of two models: means, their difference, its interval, and each task.

    Args:
        first: Name of a model, or its results.
        second: Another one; differences are its scores less those of the first.
        results: Folders of result files (`results` if there are none).
        quiet: Show nothing of what the program says.
        options: Any other option: `benchmark="MTEB(eng, v2)"` is `--benchmark "MTEB(eng, v2)"`.

    Raises:
        MtebHostError: If the program refuses what is asked, with its message.
    """
    folders = results if isinstance(results, list) else [] if results is None else [results]
    places = [option("--results", folder) for folder in folders]
    names = [found.model if isinstance(found, Results) else found for found in (first, second)]
    return _asked(["compare", "--json", *places, *options_of(options), "--", *names], quiet)


def stats(task: str, *, quiet: bool = True, **options: Any) -> dict[str, Any]:
    """What `mteb-host stats --json` says of the data of a task: sizes, lengths, repeated texts, labels, languages.

    Args:
        task: Its name, with subsets if some are meant, as `"NusaX-senti:ind"`.
        quiet: Show nothing of what the program says.
        options: Any other option: `registry="indonesia"` is `--registry indonesia`.

    Raises:
        MtebHostError: If the program refuses what is asked, with its message.
    """
    return _asked(["stats", "--json", *options_of(options), "--", task], quiet)


def _asked(arguments: list[str], quiet: bool) -> dict[str, Any]:
    code, found, said = ask(arguments, quiet=quiet)
    if code != DONE or found is None:
        raise MtebHostError(errors_of(said), code)
    answer: dict[str, Any] = found
    return answer
