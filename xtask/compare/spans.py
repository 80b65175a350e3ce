"""Whether the reference reaches a value itself: the span of all values that it gave for a key, widened once, and never more.

The rule (docs/protocol.md, section 16). Every run of the reference on a case gives a value for a key: the run beside
which the host is compared, and the runs in which kernels, sizes of products or orders are moved. A value of the host's
is excused only if one of these holds:

- a run of the reference gave exactly this value;
- it lies between the lowest and the highest number that the runs gave;
- it lies outside by at most the width of that span, or, for a score that counts rows out of n, by at most one step:
  one row more or less.

A key that the reference never moves has no span to widen: not even one row is excused there. What is not a number (no
value, an absent key, a text) is excused only if a run gave the same.
"""

import enum
import math
from typing import NamedTuple

# The value of a key that a result does not have.
ABSENT = "absent"
# By how much the ends of a span and a value may miss a step, because results round counts to five places.
ROUNDED = 1e-5
# What subtracting two rounded numbers may leave in their last digits.
SLACK = 1e-9


class Reach(enum.IntEnum):
    """How near the reference comes to a value, from the strongest excuse to none."""

    GIVEN = 0
    INSIDE = 1
    MARGIN = 2
    OUTSIDE = 3


class Span(NamedTuple):
    """What the runs of the reference gave for one key; `step` is what one row more or less changes, if the key counts rows."""

    values: list
    step: float | None = None

    @property
    def numbers(self) -> list:
        return [value for value in self.values if is_number(value)]

    @property
    def ends(self) -> tuple:
        """The lowest and the highest number; equal ones if the reference never moves the key. Needs a number."""
        return min(self.numbers), max(self.numbers)

    @property
    def margin(self) -> float:
        """By how much either end is widened: not at all where the reference has one number only."""
        low, high = self.ends
        if low == high:
            return 0.0
        return high - low if self.step is None else self.step

    def reach(self, ours) -> Reach:
        """How near the reference comes to the host's value."""
        if any(value == ours for value in self.values):
            return Reach.GIVEN
        if not is_number(ours) or not self.numbers:
            return Reach.OUTSIDE
        low, high = self.ends
        if low <= ours <= high:
            return Reach.INSIDE
        beyond = low - ours if ours < low else ours - high
        slack = SLACK if self.step is None else ROUNDED
        return Reach.MARGIN if low < high and beyond <= self.margin + slack else Reach.OUTSIDE

    def is_moved(self) -> bool:
        """True if the runs gave several values."""
        return any(value != self.values[0] for value in self.values)

    def words(self) -> str:
        """The span as a message has it: its ends and how many runs gave them, and to what they are widened."""
        others = [value for value in self.values if not is_number(value)]
        counted = [f"{shown(value)} in {runs(others.count(value))}" for value in dict.fromkeys(others)]
        if not self.numbers:
            return ", ".join(counted)
        low, high = self.ends
        ends = shown(low) if low == high else f"{shown(low)} to {shown(high)}"
        counted.insert(0, f"{ends} in {runs(len(self.numbers))}")
        if low < high:
            why = "its width" if self.step is None else f"a step of {shown(self.step)}"
            counted.append(f"{shown(low - self.margin)} to {shown(high + self.margin)} if widened by {why}")
        return ", ".join(counted)


def runs(count: int) -> str:
    return f"{count} run" if count == 1 else f"{count} runs"


def is_number(value) -> bool:
    """True for what a span can hold; what is infinite would widen it to everything."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def shown(value) -> str:
    """A value as messages have it: as result files round it, `no value` for null."""
    if value is None:
        return "no value"
    return f"{value:.6f}".rstrip("0").rstrip(".") if is_number(value) else str(value)
