"""What becomes of a case in which keys differ: explained by what the reference gives if it is moved, or not at all.

Every key that differs must be within reach of the reference (spans.py). The key that is farthest decides the verdict of
its case. The runs stop early once the reference has given every one of the host's values itself. They go on beyond the
planned ones, up to MOST_RUNS, while too few of them have a key, or while the reference moves a key without reaching
the host's value, because a span of few values says little.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import judge
from spans import ABSENT, Reach, Span, shown

# Numbers of a key, the unmoved one among them, below which its span says too little.
FEWEST_RUNS = 8
# Moved runs that a case has unless the reference gives the host's values before.
PLANNED_RUNS = 16
# Moved runs after which a case is judged by what there is.
MOST_RUNS = 32
# Keys that a message names of a case without an explanation; of the others it names one.
SHOWN = 6

UNEXPLAINED = "unexplained"
# By the excuse of the farthest key, without and with the run of exact sums among the reference's.
EXPLAINED = {Reach.GIVEN: "the reference gives it", Reach.INSIDE: "inside its span", Reach.MARGIN: "in the margin"}
WITH_EXACT = {Reach.GIVEN: "equal with exact sums", Reach.INSIDE: "inside with exact sums", Reach.MARGIN: "in the margin with exact sums"}
# What explains a case that no move explains alone.
TOGETHER = "several moves together"
EXACT = "exact sums"


class Run(NamedTuple):
    """One run of the reference: what was moved in it, and its scores, or a text that says why there are none."""

    moved: str
    scores: dict | str


class Verdict(NamedTuple):
    """What a case is counted as, what explains it (empty if nothing does), and a message."""

    name: str
    source: str
    message: str


def explain(theirs: dict, ours: dict, step_of: Callable, moved: Iterable, exact: Callable) -> Verdict:
    """Judges the keys that differ; `moved` scores the case again as often as it is asked, `exact` with exact sums."""
    keys = judge.differences(theirs, ours)
    runs = [Run("", theirs)]
    for made, run in enumerate(moved, 1):
        runs += [run] if isinstance(run.scores, dict) else []
        if is_enough(spans(keys, runs, step_of), ours, made):
            break
    found = farthest(spans(keys, runs, step_of), ours)
    if found < Reach.OUTSIDE:
        return Verdict(EXPLAINED[found], source(keys, runs, ours, step_of, found), message(spans(keys, runs, step_of), ours, found))
    # The last resort, because it is no order of sums that the reference ever has.
    last = Run(EXACT, exact())
    runs += [last] if isinstance(last.scores, dict) else []
    found = farthest(spans(keys, runs, step_of), ours)
    name = WITH_EXACT.get(found, UNEXPLAINED)
    return Verdict(name, "" if name == UNEXPLAINED else EXACT, message(spans(keys, runs, step_of), ours, found))


def spans(keys: list, runs: list, step_of: Callable) -> dict:
    """Of each key, the values that the runs gave."""
    return {key: Span([run.scores.get(key, ABSENT) for run in runs], step_of(key)) for key in keys}


def is_enough(found: dict, ours: dict, made: int) -> bool:
    """True if another run could not change the verdict, or none may be made."""
    worst = farthest(found, ours)
    if worst == Reach.GIVEN or made >= MOST_RUNS:
        return True
    if made < PLANNED_RUNS:
        return False
    has_few = any(len(span.numbers or span.values) < FEWEST_RUNS for span in found.values())
    return not has_few and not any(span.is_moved() and reach_of(key, span, ours) == Reach.OUTSIDE for key, span in found.items())


def reach_of(key: str, span: Span, ours: dict) -> Reach:
    return span.reach(ours.get(key, ABSENT))


def farthest(found: dict, ours: dict) -> Reach:
    return max(reach_of(key, span, ours) for key, span in found.items())


def source(keys: list, runs: list, ours: dict, step_of: Callable, found: Reach) -> str:
    """What was moved where it alone, beside the unmoved run, excuses as much as all runs together."""
    for moved in dict.fromkeys(run.moved for run in runs[1:]):
        alone = [runs[0], *(run for run in runs[1:] if run.moved == moved)]
        if farthest(spans(keys, alone, step_of), ours) == found:
            return moved
    return TOGETHER


def message(found: dict, ours: dict, worst: Reach) -> str:
    """The keys that have no stronger excuse than the case, with the span of each."""
    named = [key for key, span in found.items() if reach_of(key, span, ours) == worst]
    most = SHOWN if worst == Reach.OUTSIDE else 1
    lines = [f"{key}: expected {found[key].words()}, found {shown(ours.get(key, ABSENT))}" for key in named[:most]]
    more = f"; {len(named) - most} more" if len(named) > most else ""
    return f"{len(named)} keys; " + "; ".join(lines) + more if len(named) > 1 else "".join(lines)
