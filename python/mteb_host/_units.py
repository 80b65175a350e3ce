"""Units of tasks: one task, split and subset each, with its main score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence, overload

from ._visible import visible_line

UNDEFINED = "the main score is undefined; the other scores are in the result file"


@dataclass(frozen=True)
class Unit:
    """One task, split and subset. `main_score` is None if the unit failed or its score is undefined; `failure` then says why. `dimension`
    and `bytes` are the size of an embedding, if the run scored several sizes."""

    task: str
    type: str
    split: str
    subset: str
    metric: str
    main_score: float | None
    failure: str | None = None
    dimension: int | None = None
    bytes: int | None = None


class TaskUnits(Sequence[Unit]):
    """The units of one task.

    >>> units = TaskUnits([Unit("T", "STS", "test", "en", "cosine_spearman", 0.5), Unit("T", "STS", "test", "id", "cosine_spearman", 0.7)])
    >>> round(units.main_score, 3), len(units)
    (0.6, 2)
    """

    def __init__(self, units: Sequence[Unit]) -> None:
        self._units = list(units)

    @property
    def task(self) -> str:
        """The task's name."""
        return self._units[0].task

    @property
    def main_score(self) -> float | None:
        """The mean over splits of the means over subsets. None if a unit has no score."""
        splits: dict[str, list[float]] = {}
        for unit in self._units:
            if unit.main_score is None:
                return None
            splits.setdefault(unit.split, []).append(unit.main_score)
        means = [sum(scores) / len(scores) for scores in splits.values()]
        return sum(means) / len(means)

    @overload
    def __getitem__(self, index: int) -> Unit: ...
    @overload
    def __getitem__(self, index: slice) -> TaskUnits: ...
    def __getitem__(self, index: int | slice) -> Unit | TaskUnits:
        return TaskUnits(self._units[index]) if isinstance(index, slice) else self._units[index]

    def __len__(self) -> int:
        return len(self._units)

    def __repr__(self) -> str:
        return f"<{visible_line(self.task)}: {shown(self.main_score)} of {len(self)} unit{'' if len(self) == 1 else 's'}>"


def failure_of(unit: dict[str, Any]) -> str | None:
    """Why a unit of a report has no score."""
    if unit.get("main_score") is None and unit.get("reason") is None:
        return UNDEFINED
    return unit.get("reason")


def in_short(units: TaskUnits) -> str:
    """The main score of a task, by size where there are several sizes of embeddings."""
    sizes: dict[tuple[int | None, int | None], list[Unit]] = {}
    for unit in units:
        sizes.setdefault((unit.dimension, unit.bytes), []).append(unit)
    if len(sizes) < 2:
        return shown(units.main_score)
    several = len({dimension for dimension, _ in sizes}) < len(sizes)
    told = [
        f"{shown(TaskUnits(found).main_score)} ({dimension}{f' numbers, {size} bytes' if several else ''})"
        for (dimension, size), found in sizes.items()
    ]
    return ", ".join(told)


def shown(score: float | None) -> str:
    return "–" if score is None else f"{score:.4f}"
