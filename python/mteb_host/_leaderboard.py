"""`leaderboard` and `report`: rank the results of models."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Union

from ._binary import DONE, MtebHostError, ask, start
from ._options import errors_of, option, options_of

Folder = Union[str, "os.PathLike[str]"]


def leaderboard(*folders: Folder, quiet: bool = True, **options: Any) -> list[dict[str, Any]]:
    """Rank the results in `folders` (`results` by default). Returns the rows of `mteb-host leaderboard --json`, best first.

    Args:
        folders: Folders with result files.
        quiet: Do not show the output of the program.
        options: Any other option: `registry="indonesia"` means `--registry indonesia`.

    Raises:
        MtebHostError: If the program refuses the request; it has the program's message.
    """
    __tracebackhide__ = True
    code, board, said = ask(["leaderboard", "--json", *_places(folders), *options_of(options)], quiet=quiet)
    if code != DONE or board is None:
        raise MtebHostError(errors_of(said), code)
    return board


def report(*folders: Folder, output: Folder = "report", quiet: bool = True, **options: Any) -> Path:
    """Write the page of the results in `folders` into the folder `output` and return its path.

    Args:
        folders: Folders with result files; `results` by default.
        output: Folder for the page.
        quiet: Do not show the output of the program.
        options: Any other option: `benchmark="MTEB(eng, v1)"` means `--benchmark "MTEB(eng, v1)"`.

    Raises:
        MtebHostError: If the program refuses the request; it has the program's message.
    """
    __tracebackhide__ = True
    arguments = ["report", option("--output", output), *_places(folders), *options_of(options)]
    code, printed, said = start(arguments, quiet=quiet)
    if code != DONE:
        raise MtebHostError(errors_of(said), code)
    return Path(printed.rstrip("\n"))


def _places(folders: tuple[Folder, ...]) -> list[str]:
    return [option("--results", folder) for folder in folders]
