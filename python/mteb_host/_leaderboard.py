"""`leaderboard` and `report`: compare the results of models."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Union

from ._binary import DONE, MtebHostError, ask, errors_of, option, options_of, start

Folder = Union[str, "os.PathLike[str]"]


def leaderboard(*folders: Folder, quiet: bool = True, **options: Any) -> list[dict[str, Any]]:
    """The rows that `mteb-host leaderboard --json` prints of the results in `folders` (`results` if there are none), best first.

    Args:
        folders: Folders of result files.
        quiet: Show nothing of what the program says.
        options: Any other option: `registry="indonesia"` is `--registry indonesia`.

    Raises:
        MtebHostError: If the program refuses what is asked, with its message.
    """
    code, board, said = ask(["leaderboard", "--json", *_places(folders), *options_of(options)], quiet=quiet)
    if code != DONE or board is None:
        raise MtebHostError(errors_of(said), code)
    return board


def report(*folders: Folder, output: Folder = "report", quiet: bool = True, **options: Any) -> Path:
    """Writes the page of the results in `folders` into the folder `output`, and gives its path.

    Args:
        folders: Folders of result files (`results` if there are none).
        output: Folder of the page.
        quiet: Show nothing of what the program says.
        options: Any other option: `benchmark="MTEB(eng, v1)"` is `--benchmark "MTEB(eng, v1)"`.

    Raises:
        MtebHostError: If the program refuses what is asked, with its message.
    """
    arguments = ["report", option("--output", output), *_places(folders), *options_of(options)]
    code, printed, said = start(arguments, quiet=quiet)
    if code != DONE:
        raise MtebHostError(errors_of(said), code)
    return Path(printed.rstrip("\n"))


def _places(folders: tuple[Folder, ...]) -> list[str]:
    return [option("--results", folder) for folder in folders]
