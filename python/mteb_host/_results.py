"""What a run came to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import polars


@dataclass(frozen=True)
class Unit:
    """One task, split and subset. `main_score` is None where it failed or is undefined, and `failure` says why. `dimension` and `bytes`
    of an embedding are those of the size it was scored at, where a run was asked for several."""

    task: str
    type: str
    split: str
    subset: str
    metric: str
    main_score: float | None
    failure: str | None = None
    dimension: int | None = None
    bytes: int | None = None


@dataclass(frozen=True)
class Results:
    """The units of a run, in the order in which they were asked for, and the folder of the result files; of several sizes of
    embeddings all units of each, and the folder of the first."""

    model: str
    revision: str
    folder: str
    units: list[Unit] = field(default_factory=list)
    report: Any = field(default_factory=dict, repr=False)

    @classmethod
    def of_report(cls, report: Any) -> Results:
        """From what the program prints with `--json`: a report, or a list of one for each size of embeddings."""
        runs = report if isinstance(report, list) else [report]
        units = [
            Unit(
                task=task["task"],
                type=task["type"],
                split=unit["split"],
                subset=unit["subset"],
                metric=task["main_score_name"],
                main_score=unit.get("main_score"),
                failure=_failure(unit),
                dimension=run.get("dimension"),
                bytes=run.get("bytes"),
            )
            for run in runs
            for task in run["tasks"]
            for unit in task["units"]
        ]
        first = runs[0]
        return cls(first["model"], first["revision"], first["results_folder"], units, report)

    @property
    def failures(self) -> list[Unit]:
        """The units that have no score."""
        return [unit for unit in self.units if unit.main_score is None]

    def rows(self) -> list[dict[str, Any]]:
        """One dictionary a unit, with the size of embeddings where a run was asked for several."""
        rows = [{"model": self.model, **vars(unit)} for unit in self.units]
        if any(unit.dimension is not None for unit in self.units):
            return rows
        return [{key: value for key, value in row.items() if key not in ("dimension", "bytes")} for row in rows]

    def to_pandas(self) -> pandas.DataFrame:
        """One row a unit. Needs pandas."""
        import pandas

        return pandas.DataFrame(self.rows())

    def to_polars(self) -> polars.DataFrame:
        """One row a unit. Needs polars."""
        import polars

        return polars.DataFrame(self.rows())


def _failure(unit: dict[str, Any]) -> str | None:
    """Why a unit of a report has no score."""
    if unit.get("main_score") is None and unit.get("reason") is None:
        return "the main score is undefined; the other scores are in the result file"
    return unit.get("reason")
