"""What the reference reaches itself, and what it does not: the rule of spans.py and steps.py by examples."""

import unittest
from types import SimpleNamespace

from spans import ABSENT, Reach, Span
from steps import step_of

# 1 of 31 rows more or less, in results with six places.
STEP = 1 / 31


class ASpan(unittest.TestCase):
    def test_reaches_what_a_run_gave(self):
        self.assertEqual(Span([0.25, 0.5, 0.75]).reach(0.75), Reach.GIVEN)

    def test_reaches_what_lies_between_two_runs(self):
        self.assertEqual(Span([0.25, 0.75, 0.25]).reach(0.4), Reach.INSIDE)

    def test_is_widened_on_each_side_by_its_own_width(self):
        span = Span([0.4, 0.5, 0.4])
        self.assertEqual(span.reach(0.6), Reach.MARGIN, "0.5 and once the width of 0.1")
        self.assertEqual(span.reach(0.3), Reach.MARGIN)
        self.assertEqual(span.reach(0.600001), Reach.OUTSIDE)
        self.assertEqual(span.reach(0.299999), Reach.OUTSIDE)

    def test_of_last_digits_is_widened_by_one_digit_only(self):
        span = Span([0.095693, 0.095694])
        self.assertEqual(span.reach(0.095695), Reach.MARGIN)
        self.assertEqual(span.reach(0.095696), Reach.OUTSIDE)

    def test_of_a_single_moved_run_is_no_wider_than_that_run_makes_it(self):
        span = Span([0.5] * 17 + [0.51])
        self.assertEqual(span.reach(0.51), Reach.GIVEN)
        self.assertEqual(span.reach(0.49), Reach.MARGIN)
        self.assertEqual(span.reach(0.9), Reach.OUTSIDE, "a key that moves does not excuse any value")

    def test_of_a_count_is_widened_by_one_row_whatever_its_width(self):
        span = Span([round(count * STEP, 6) for count in (10, 16, 12)], STEP)
        self.assertEqual(span.reach(round(14 * STEP, 6)), Reach.INSIDE)
        self.assertEqual(span.reach(round(17 * STEP, 6)), Reach.MARGIN)
        self.assertEqual(span.reach(round(9 * STEP, 6)), Reach.MARGIN)
        self.assertEqual(span.reach(round(18 * STEP, 6)), Reach.OUTSIDE)

    def test_of_a_key_that_the_reference_never_moves_excuses_nothing(self):
        self.assertEqual(Span([0.5] * 18).reach(0.500001), Reach.OUTSIDE)
        one_row_more = 0.5 + STEP
        self.assertEqual(Span([0.5] * 18, STEP).reach(one_row_more), Reach.OUTSIDE, "not even one row")

    def test_of_one_run_alone_excuses_nothing(self):
        self.assertEqual(Span([0.5]).reach(0.6), Reach.OUTSIDE)

    def test_reaches_no_value_or_an_absent_key_only_if_a_run_has_the_same(self):
        self.assertEqual(Span([0.5, None, 0.6]).reach(None), Reach.GIVEN)
        self.assertEqual(Span([0.5, 0.6]).reach(None), Reach.OUTSIDE)
        self.assertEqual(Span([0.5, 0.6]).reach(ABSENT), Reach.OUTSIDE)
        self.assertEqual(Span([None, None]).reach(0.5), Reach.OUTSIDE)
        self.assertEqual(Span([None, 0.5]).reach(0.50001), Reach.OUTSIDE, "no value does not widen a number")

    def test_is_not_widened_without_end_by_what_is_infinite(self):
        self.assertEqual(Span([1.0, float("inf"), 2.0]).reach(4.0), Reach.OUTSIDE)

    def test_says_its_ends_its_runs_and_what_they_are_widened_to(self):
        self.assertEqual(Span([0.4, 0.5]).words(), "0.4 to 0.5 in 2 runs, 0.3 to 0.6 if widened by its width")
        self.assertEqual(Span([0.4, 0.5], 0.05).words(), "0.4 to 0.5 in 2 runs, 0.35 to 0.55 if widened by a step of 0.05")
        self.assertEqual(Span([0.4, None, 0.4]).words(), "0.4 in 2 runs, no value in 1 run")
        self.assertEqual(Span([ABSENT, ABSENT]).words(), "absent in 2 runs")


class AStep(unittest.TestCase):
    def test_of_an_accuracy_is_a_row_and_of_its_mean_a_row_of_one_experiment(self):
        case = case_of("Classification", {("default", "test"): [{"text": "a", "label": 1}] * 20}, experiments=5)
        self.assertEqual(step_of(case, "test default /scores_per_experiment[3]/accuracy"), 1 / 20)
        self.assertEqual(step_of(case, "test default /accuracy"), 1 / 100)
        self.assertIsNone(step_of(case, "test default /f1"), "a mean of ratios counts nothing")

    def test_is_unknown_where_folds_have_several_sizes_or_rows_are_drawn(self):
        rows = {("default", "test"): [{"text": "a", "label": [1]}] * 20}
        self.assertIsNone(step_of(case_of("Classification", rows, cross_validation=3), "test default /accuracy"))
        drawn = case_of("MultilabelClassification", rows, experiments=2, max_eval_samples=12)
        self.assertIsNone(step_of(drawn, "test default /accuracy"))

    def test_of_pairs_that_stand_in_one_row_is_one_pair(self):
        case = case_of("PairClassification", {("de", "test"): [{"sentence1": ["a"] * 8, "labels": [1] * 8}]}, subsets=["de"])
        self.assertEqual(step_of(case, "test de /max_accuracy"), 1 / 8)
        self.assertIsNone(step_of(case, "test de /max_ap"))

    def test_of_a_ranking_is_a_query_or_one_rank_of_a_query(self):
        qrels = [{"query-id": f"q{topic}-{half}"} for topic in range(3) for half in ("og", "changed")] * 2
        case = case_of("InstructionReranking", {("en-fr-qrels", "test"): qrels}, subsets=["en-fr"])
        self.assertEqual(step_of(case, "test en-fr /hit_rate_at_3"), 1 / 6)
        self.assertEqual(step_of(case, "test en-fr /precision_at_10"), 1 / 60)
        self.assertEqual(step_of(case, "test en-fr /og/hit_rate_at_3"), 1 / 3)
        self.assertIsNone(step_of(case, "test en-fr /nauc_precision_at_10_max"))


def case_of(kind: str, tables: dict, subsets=None, **options):
    return SimpleNamespace(type=kind, tables=tables, subsets=subsets, options=options)


if __name__ == "__main__":
    unittest.main()
