"""What becomes of a case: its farthest key decides, with as many runs as its spans need (verdicts.py)."""

import itertools
import unittest

from verdicts import FEWEST_RUNS, MOST_RUNS, PLANNED_RUNS, TOGETHER, UNEXPLAINED, Run, explain

KEY, OTHER = "test default /cosine_pearson", "test default /cosine_spearman"


class ACase(unittest.TestCase):
    def test_is_explained_by_the_first_run_that_gives_the_value_of_the_host(self):
        moved = Moved(Run("orders", {KEY: 0.25}), Run("processors", {KEY: 0.3}), ...)
        verdict = judged({KEY: 0.2}, {KEY: 0.3}, moved)
        self.assertEqual((verdict.name, verdict.source), ("the reference gives it", "processors"))
        self.assertEqual(moved.count, 2, "no other run could excuse it better")

    def test_is_decided_by_its_farthest_key(self):
        moved = Moved(Run("orders", {KEY: 0.3, OTHER: 0.6}), ...)
        inside, margin, outside = ({KEY: 0.25, OTHER: value} for value in (0.55, 0.65, 0.9))
        self.assertEqual(judged({KEY: 0.2, OTHER: 0.5}, inside, moved).name, "inside its span")
        self.assertEqual(judged({KEY: 0.2, OTHER: 0.5}, margin, moved).name, "in the margin")
        self.assertEqual(judged({KEY: 0.2, OTHER: 0.5}, outside, moved).name, UNEXPLAINED)

    def test_beside_a_key_that_moves_is_not_explained_by_it(self):
        verdict = judged({KEY: 0.2, OTHER: 0.5}, {KEY: 0.2, OTHER: 0.500001}, Moved(Run("orders", {KEY: 0.9, OTHER: 0.5}), ...))
        self.assertEqual((verdict.name, verdict.source), (UNEXPLAINED, ""))

    def test_may_need_several_moves_together(self):
        moved = Moved(Run("orders", {KEY: 0.3, OTHER: 0.5}), Run("processors", {KEY: 0.2, OTHER: 0.6}), ...)
        verdict = judged({KEY: 0.2, OTHER: 0.5}, {KEY: 0.3, OTHER: 0.6}, moved)
        self.assertEqual((verdict.name, verdict.source), ("the reference gives it", TOGETHER))

    def test_is_asked_with_exact_sums_last(self):
        still = Moved(Run("orders", {KEY: 0.2}), ...)
        names = [judged({KEY: 0.2}, {KEY: 0.3}, still, exact).name for exact in ({KEY: 0.3}, {KEY: 0.4}, {KEY: 0.26}, {KEY: 0.24})]
        expected = ["equal with exact sums", "inside with exact sums", "in the margin with exact sums", UNEXPLAINED]
        self.assertEqual(names, expected, "a third value does not excuse any other")

    def test_that_is_not_explained_says_key_value_span_and_runs(self):
        verdict = judged({KEY: 0.2}, {KEY: 0.9}, Moved(Run("orders", {KEY: 0.3}), ...), "it crashed")
        self.assertEqual(verdict.name, UNEXPLAINED)
        runs = MOST_RUNS + 1
        self.assertEqual(verdict.message, f"{KEY}: expected 0.2 to 0.3 in {runs} runs, 0.1 to 0.4 if widened by its width, found 0.9")


class Runs(unittest.TestCase):
    def test_are_as_many_as_planned_where_no_key_moves(self):
        moved = Moved(Run("orders", {KEY: 0.2}), ...)
        judged({KEY: 0.2}, {KEY: 0.3}, moved)
        self.assertEqual(moved.count, PLANNED_RUNS)

    def test_go_on_while_the_reference_moves_without_reaching_the_host(self):
        values = [0.2] * PLANNED_RUNS + [0.9, 0.2]
        moved = Moved(Run("orders", {KEY: 0.25}), *(Run("orders", {KEY: value}) for value in values), ...)
        self.assertEqual(judged({KEY: 0.2}, {KEY: 0.8}, moved).name, "inside its span")
        self.assertLess(moved.count, MOST_RUNS)

    def test_that_fail_are_made_up_for_and_are_bounded(self):
        fails = [Run("processors", "it crashed")] * PLANNED_RUNS
        moved = Moved(*fails, Run("orders", {KEY: 0.2}), ...)
        judged({KEY: 0.2}, {KEY: 0.3}, moved)
        self.assertEqual(moved.count, PLANNED_RUNS + FEWEST_RUNS - 1, "its own value is one of them")
        never = Moved(*fails, ...)
        verdict = judged({KEY: 0.2}, {KEY: 0.3}, never)
        self.assertEqual((verdict.name, never.count), (UNEXPLAINED, MOST_RUNS))


class Moved:
    """Runs one after the other, the last of which repeats where `...` follows it; counts those that are taken."""

    def __init__(self, *runs):
        self.runs, self.count = runs[:-1], 0

    def __iter__(self):
        self.count = 0
        for run in itertools.chain(self.runs, itertools.repeat(self.runs[-1])):
            self.count += 1
            yield run


def judged(theirs: dict, ours: dict, moved: Moved, exact="no exact sums"):
    return explain(theirs, ours, lambda key: None, moved, lambda: exact)


if __name__ == "__main__":
    unittest.main()
