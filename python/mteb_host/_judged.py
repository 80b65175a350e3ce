"""Whether the scores of a result file can be right, by the rules of every command that reads results (docs/results.md, "Contradictions")."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any, Iterator, NamedTuple, cast

from ._files import unfit

# How far a score may be from itself: files of others round some to four decimals.
_ROUNDING = 1.01e-4
_EXPERIMENTS = "scores_per_experiment"


class Entry(NamedTuple):
    """The scores of a unit. `main_score` is None if it is undefined, or if it does not count because of `fault`."""

    split: str
    subset: str
    type: str
    metric: str
    main_score: float | None
    fault: str | None


def entries_of(file: Path, task: dict[str, Any]) -> Iterator[Entry]:
    """The units of a result file, which `has_scores`.

    Raises:
        MtebHostError: If it has another form than result files have.
    """
    own = _own_units(task)
    splits: dict[str, list[dict[str, Any]]] = task["scores"]
    for split, entries in splits.items():
        subsets = [_subset_of(file, split, scores) for scores in entries]
        counts = Counter(subsets)
        for subset in dict.fromkeys(subsets):
            scores = entries[subsets.index(subset)]
            about = _map(_map(_map(own.get(split)).get(subset)).get("options"))
            named = about.get("main_score")
            main = _main_of(file, split, subset, scores)
            metric = named if isinstance(named, str) else _metric_of(scores)
            fault = "expected one entry, found two" if counts[subset] > 1 else _fault(scores, main, named)
            kind = about.get("type")
            yield Entry(split, subset, kind if isinstance(kind, str) else "", metric, None if fault else main, fault)


def has_scores(task: dict[str, Any]) -> bool:
    """True of the form of result files."""
    splits: Any = task.get("scores")
    if not isinstance(splits, dict):
        return False
    lists = list(cast("dict[str, Any]", splits).values())
    return all(isinstance(entries, list) and all(isinstance(entry, dict) for entry in cast("list[Any]", entries)) for entries in lists)


def _subset_of(file: Path, split: str, scores: dict[str, Any]) -> str:
    subset = scores.get("hf_subset", "default")
    if not isinstance(subset, str):
        raise unfit(file, f"split {split}: expected `hf_subset` to be text, found: {subset!r:.80}")
    return subset


def _main_of(file: Path, split: str, subset: str, scores: dict[str, Any]) -> float | None:
    place = f"split {split}, subset {subset}"
    if "main_score" not in scores:
        raise unfit(file, f"{place}: expected a result file: missing field `main_score`")
    main = scores["main_score"]
    if main is not None and not _is_number(main):
        raise unfit(file, f"{place}: expected `main_score` to be a number, found: {main!r:.80}")
    return _finite(main)


def _fault(scores: dict[str, Any], main: float | None, named: Any) -> str | None:
    """Why the main score cannot be right; `named` is the score that it is, where the program has said so."""
    own = _finite(scores.get(named)) if isinstance(named, str) else None
    if main is None:
        return None if own is None else f"expected `main_score` to be the score `{named}`, which is {own}, found no number"
    others = [number for name, value in scores.items() if name != "main_score" for number in _numbers(value)]
    if not _is_among(main, others):
        return f"expected `main_score` to be one of the scores, found: {main}"
    if own is not None and not _is_among(main, [own]):
        return f"expected `main_score` to be the score `{named}`, found: {main}"
    if not _is_mean_over(main, scores.get(_EXPERIMENTS)):
        return f"expected `main_score` to be the mean of a measure over `{_EXPERIMENTS}`, found: {main}"
    if isinstance(named, str) and abs(main) > 1 + _ROUNDING:
        return f"expected `main_score` to be a number from -1 to 1, or none, found {main}"
    return None


def _is_among(main: float, scores: list[float]) -> bool:
    return not scores or any(abs(score - main) <= _ROUNDING for score in scores)


def _is_mean_over(main: float, experiments: Any) -> bool:
    """True also where no measure is in all of the experiments, so that nothing can be said."""
    each = [_map(scores) for scores in cast("list[Any]", experiments)] if isinstance(experiments, list) else []
    if not each:
        return True
    measures = [[_finite(scores.get(name)) for scores in each] for name in each[0]]
    means = [sum(cast("list[float]", values)) / len(values) for values in measures if None not in values]
    return _is_among(main, means)


def _numbers(value: Any) -> Iterator[float]:
    """Every number of a value, however deep."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            waiting += cast("dict[str, Any]", part).values()
        elif isinstance(part, list):
            waiting += cast("list[Any]", part)
        elif (number := _finite(part)) is not None:
            yield number


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _finite(value: Any) -> float | None:
    try:
        return float(value) if _is_number(value) and math.isfinite(value) else None
    except OverflowError:
        # A whole number beyond all others.
        return None


def _metric_of(scores: dict[str, Any]) -> str:
    """The name of the only score that is the main one; empty if several have its value."""
    main = scores.get("main_score")
    names = [name for name, value in scores.items() if name != "main_score" and _is_number(value) and value == main]
    return names[0] if len(names) == 1 else ""


def _own_units(task: dict[str, Any]) -> dict[str, Any]:
    return _map(_map(task.get("mteb_host")).get("units"))


def _map(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
