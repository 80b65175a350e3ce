"""What a run with `dry_run=True` says: the plan of a run."""

from __future__ import annotations

from typing import Any, cast

from ._html import table


def is_plan(report: Any) -> bool:
    """True of a report of a run that scores nothing."""
    return isinstance(report, dict) and {"tasks", "bytes_to_fetch"} <= cast("dict[str, Any]", report).keys()


def plan_in_words(report: dict[str, Any]) -> str:
    """What the run would do.

    >>> tasks = [{"task": "SciFact", "type": "Retrieval", "units": 1, "scored": 0, "texts": 5483}]
    >>> plan_in_words({"tasks": tasks, "bytes_to_fetch": 0, "texts": 5483, "seconds_to_encode": 9.5})
    '1 of 1 unit of 1 task would be scored, at most 5,483 texts encoded, 0 bytes downloaded; about 10 s to encode'
    """
    tasks: list[dict[str, Any]] = report["tasks"]
    units, scored = sum(task["units"] for task in tasks), sum(task["scored"] for task in tasks)
    texts, fetched, seconds = report.get("texts"), report.get("bytes_to_fetch"), report.get("seconds_to_encode")
    parts = [
        f"{units - scored} of {_count(units, 'unit')} of {_count(len(tasks), 'task')} would be scored",
        "texts unknown" if texts is None else f"at most {texts:,} texts encoded",
        "download unknown" if fetched is None else f"{fetched:,} bytes downloaded",
    ]
    faults: list[Any] = report.get("faults") or []
    said = "; ".join(str(fault) for fault in faults)
    return ", ".join(parts) + (f"; about {seconds:.0f} s to encode" if seconds is not None else "") + (f"; {said}" if said else "")


def plan_as_table(report: dict[str, Any]) -> str:
    """The plan for a notebook."""
    rows = [[task.get(key) for key in ("task", "type", "units", "scored", "texts")] for task in report["tasks"]]
    return table("Plan", ("Task", "Type", "Units", "Scored before", "Texts to encode"), rows, [plan_in_words(report)])


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
