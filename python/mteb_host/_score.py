"""`score`: scores rankings that anyone made."""

from __future__ import annotations

import os
from typing import Any

from ._binary import DONE, MtebHostError, ask, errors_of, options_of


def score(
    rankings: str | os.PathLike[str], task: str, *, split: str | None = None, quiet: bool = True, **options: Any
) -> dict[str, Any]:
    """What `mteb-host score --json` says of a file of rankings: the task, its split and subset, and all scores.

    Args:
        rankings: A TREC run file, or a prediction file of mteb.
        task: A task that ranks documents, with a subset if it has several, as `"NanoNQ"` or `"MIRACL:id"`.
        split: A split, if the task has several.
        quiet: Show nothing of what the program says.
        options: Any other option: `registry="mine.toml"` is `--registry mine.toml`.

    Raises:
        MtebHostError: If the program refuses what is asked, with its message.
    """
    arguments = options_of({"rankings": rankings, "task": task, "split": split, **options})
    code, scores, said = ask(["score", "--json", *arguments], quiet=quiet)
    if code != DONE or scores is None:
        raise MtebHostError(errors_of(said), code)
    return scores
