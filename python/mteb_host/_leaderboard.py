"""`leaderboard` and `report`: rank the results of models."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Dict, List, Union

from ._binary import DONE, MtebHostError, ask, start
from ._html import table, text_table
from ._options import errors_of, option, options_of

Folder = Union[str, "os.PathLike[str]"]
# Columns of tasks where means over all are lacking.
_MOST_TASKS = 6


class Board(List[Dict[str, Any]]):
    """The rows of a leaderboard, which a notebook and a terminal show as a table."""

    def __repr__(self) -> str:
        return text_table(*self._shown())

    def _repr_html_(self) -> str:
        """The table for a notebook."""
        return table("Leaderboard", *self._shown())

    def to_pandas(self) -> Any:
        """A data frame with one row per model: its rank, its means, and the score of each task. Needs pandas."""
        import pandas

        keys = ("rank", "model", "revision", "mean_task", "mean_task_type", "mean_common")
        return pandas.DataFrame([{**{key: row.get(key) for key in keys}, **row["task_types"], **row["tasks"]} for row in self])

    def _shown(self) -> tuple[list[str], list[list[Any]], list[str]]:
        """Heads, rows, and what is to be said of them."""
        all_types: dict[str, Any] = self[0]["task_types"] if self else {}
        types = [name for name in all_types if any(row["task_types"].get(name) is not None for row in self)]
        if all(row["mean_task"] is not None for row in self):
            heads = ["Rank", "Model", "Mean(Task)", "Mean(TaskType)", *types]
            rows = [[row["rank"], row["model"], row["mean_task"], row["mean_task_type"], *(row["task_types"][name] for name in types)] for row in self]
            return heads, rows, []
        return self._shown_in_part(types)

    def _shown_in_part(self, types: list[str]) -> tuple[list[str], list[list[Any]], list[str]]:
        """Of models that lack tasks there is no mean over all: what they have in common is shown, and the tasks of each."""
        common, all_tasks = list(self[0]["common_tasks"]), list(self[0]["tasks"])
        heads = ["Rank", "Model", "Mean(Task)", "Mean(TaskType)", *types, "Mean (in common)", "Tasks", *common[:_MOST_TASKS]]
        rows = [
            [
                *(row["rank"], row["model"], row["mean_task"], row["mean_task_type"]),
                *(row["task_types"].get(name) for name in types),
                *(row["mean_common"], f"{sum(score is not None for score in row['tasks'].values())} of {len(row['tasks'])}"),
                *(row["tasks"].get(name) for name in common[:_MOST_TASKS]),
            ]
            for row in self
        ]
        note = f"Only models with all {len(all_tasks)} tasks have ranks and means; the mean in common is over {len(common)} of them."
        return heads, rows, [note, "`task=` chooses tasks that have results."]


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
