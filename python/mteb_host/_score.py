"""`score`: score a ranking from any system."""

from __future__ import annotations

import os
from typing import Any

from ._binary import DONE, MtebHostError, ask
from ._options import errors_of, options_of


def score(
    rankings: str | os.PathLike[str], task: str, *, split: str | None = None, quiet: bool = True, **options: Any
) -> dict[str, Any]:
    """Score a file of rankings, as `mteb-host score --json` does. Returns the task, its split and subset, and all scores.

    Args:
        rankings: A TREC run file, or a prediction file of mteb.
        task: A task that ranks documents, with a subset if it has several, such as `"NanoNQRetrieval"` or `"MIRACLRetrieval:id"`.
        split: A split, if the task has several.
        quiet: Do not show the output of the program.
        options: Any other option: `registry="mine.toml"` means `--registry mine.toml`.

    Raises:
        MtebHostError: If the program refuses the request; it has the program's message.
    """
    __tracebackhide__ = True
    arguments = options_of({"rankings": rankings, "task": task, "split": split, **options})
    code, scores, said = ask(["score", "--json", *arguments], quiet=quiet)
    if code != DONE or scores is None:
        raise MtebHostError(errors_of(said), code)
    return scores
