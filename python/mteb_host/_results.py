"""What a run came to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import polars


@dataclass(frozen=True)
class Unit:
    """One task, split and subset. `main_score` is None where it failed, and `failure` says why."""

    task: str
    type: str
    split: str
    subset: str
    metric: str
    main_score: float | None
    failure: str | None = None


@dataclass(frozen=True)
class Results:
    """The units of a run, in the order in which they were asked for, and the folder of the result files."""

    model: str
    revision: str
    folder: str
    units: list[Unit] = field(default_factory=list)
    report: dict[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of_report(cls, report: dict[str, Any]) -> Results:
        """From what the program prints with `--json`."""
        units = [
            Unit(
                task=task["task"],
                type=task["type"],
                split=unit["split"],
                subset=unit["subset"],
                metric=task["main_score_name"],
                main_score=unit.get("main_score"),
                failure=unit.get("reason"),
            )
            for task in report["tasks"]
            for unit in task["units"]
        ]
        return cls(report["model"], report["revision"], report["results_folder"], units, report)

    @property
    def failures(self) -> list[Unit]:
        """The units that have no score."""
        return [unit for unit in self.units if unit.main_score is None]

    def rows(self) -> list[dict[str, Any]]:
        """One dictionary a unit."""
        return [{"model": self.model, **vars(unit)} for unit in self.units]

    def to_pandas(self) -> pandas.DataFrame:
        """One row a unit. Needs pandas."""
        import pandas

        return pandas.DataFrame(self.rows())

    def to_polars(self) -> polars.DataFrame:
        """One row a unit. Needs polars."""
        import polars

        return polars.DataFrame(self.rows())
