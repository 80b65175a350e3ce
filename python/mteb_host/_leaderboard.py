"""`leaderboard` and `report`: rank the results of models."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Dict, List, Union

from ._binary import DONE, MtebHostError, ask, start
from ._html import table
from ._options import errors_of, option, options_of

Folder = Union[str, "os.PathLike[str]"]


class Board(List[Dict[str, Any]]):
    """The rows of a leaderboard, which a notebook shows as a table."""

    def _repr_html_(self) -> str:
        """The table for a notebook."""
        types = list(self[0]["task_types"]) if self else []
        heads = ("Rank", "Model", "Mean(Task)", "Mean(TaskType)", *types)
        rows = [
            (row["rank"], row["model"], row["mean_task"], row["mean_task_type"], *(row["task_types"].get(name) for name in types)) for row in self
        ]
        return table("Leaderboard", heads, rows)


def leaderboard(*folders: Folder, quiet: bool = True, **options: Any) -> Board:
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
    return Board(board)


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
