"""`leaderboard`: compares the results of models."""

from __future__ import annotations

import os
from typing import Any

from ._binary import DONE, MtebHostError, ask, errors_of
from ._run import _option


def leaderboard(*folders: str | os.PathLike[str], quiet: bool = True, **options: Any) -> Any:
    """What `mteb-host leaderboard --json` says of result folders; `registry="indonesia"` is `--registry indonesia`.

    Raises:
        MtebHostError: If the program refuses what is asked, with its message.
    """
    arguments = ["leaderboard", "--json", *(os.fspath(folder) for folder in folders)]
    for option, value in options.items():
        arguments += _option(option, value)
    code, board, said = ask(arguments, quiet=quiet)
    if code != DONE or board is None:
        raise MtebHostError(errors_of(said), code)
    return board
