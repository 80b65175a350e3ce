"""Curves, averages, thresholds and agreement of graded judgements, computed with numpy alone; and the reference's own numbers.

Run with numpy 2.4.6, scipy 1.17.1 and pytrec-eval-terrier 0.5.11 (on which mteb 2.26.24 rests): `python make.py` writes `graded.json` beside this
file. Nothing here is taken from the code that it checks: a ranking is a list, a judgement a dictionary, a measure its formula.
"""
import json
import pathlib

import numpy as np
import pytrec_eval
from scipy import stats

HERE = pathlib.Path(__file__).parent
RANKS = [1, 2, 3, 5, 10, 20, 50, 100]


def curves(ranking, judged, threshold, skip):
    """nDCG, recall and share judged of one query at RANKS; None where there is nothing to find."""
    original = ranking
    if skip:
        ranking = [document for document in ranking if document in judged]
    gains = np.array([max(judged.get(document, 0.0), 0.0) for document in ranking])
    best = np.sort([grade for grade in judged.values() if grade > 0])[::-1]
    relevant = sum(grade > 0 and grade >= threshold for grade in judged.values())
    if not len(best):
        return None
    out = {"ndcg": [], "recall": [], "judged": []}
    for k in RANKS:
        dcg = np.sum(gains[:k] / np.log2(np.arange(2, len(gains[:k]) + 2)))
        ideal = np.sum(best[:k] / np.log2(np.arange(2, len(best[:k]) + 2)))
        out["ndcg"].append(dcg / ideal)
        hits = sum(1 for d in ranking[:k] if judged.get(d, 0.0) > 0 and judged.get(d, 0.0) >= threshold)
        out["recall"].append(hits / relevant if relevant else None)
        shown = original[:k]
        out["judged"].append(np.mean([d in judged for d in shown]) if shown else 1.0)
    return out


def means(rankings, judgements, threshold, skip):
    """The means over queries, as a table row has them."""
    found = [curves(*both, threshold, skip) for both in zip(rankings, judgements)]
    with_gain = [f for f in found if f is not None]
    with_relevant = [f for f in with_gain if f["recall"][0] is not None]

    def mean(of, name):
        return np.mean([f[name] for f in of], axis=0).tolist() if of else [0.0] * len(RANKS)

    return {
        "ndcg": mean(with_gain, "ndcg"),
        "recall": mean(with_relevant, "recall"),
        "judged": mean(with_gain, "judged"),
        "queries": len(with_gain),
        "without_gain": len(found) - len(with_gain),
        "without_relevant": len(found) - len(with_relevant),
    }


def case(rng):
    queries, pool = int(rng.integers(1, 6)), int(rng.integers(1, 130))
    judges, systems = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    digits = int(rng.integers(0, 4))
    grades = np.round(rng.uniform(0, 10, (judges, queries, pool)), digits)
    grades[rng.random(grades.shape) < 0.4] = 0.0
    grades[rng.random(grades.shape) < rng.choice([0.0, 0.2])] = np.nan
    if rng.random() < 0.4:
        grades[:, 0] = np.where(np.isnan(grades[:, 0]), np.nan, 0.0)
    thresholds = [float(t) for t in rng.choice([0.0, 4.0, 6.0, 6.5, 7.0, 9.5], judges)]
    skip = bool(rng.random() < 0.4)
    # Documents from `pool` on are found but not in the pool.
    rankings = [
        [rng.permutation(pool + 10)[: int(rng.integers(0, pool + 11))].tolist() for _ in range(queries)]
        for _ in range(systems)
    ]
    expected = []
    for ranking in rankings:
        row = []
        for judge in range(judges):
            judged = [
                {d: float(g) for d, g in enumerate(grades[judge, q]) if not np.isnan(g)} for q in range(queries)
            ]
            row.append(means(ranking, judged, thresholds[judge], skip))
        expected.append(row)
    return {
        "grades": [[[None if np.isnan(g) else float(g) for g in q] for q in judge] for judge in grades],
        "pool": pool,
        "thresholds": thresholds,
        "skip": skip,
        "rankings": rankings,
        "curves": expected,
    }


def integer_case(rng):
    """Whole grades, and what pytrec_eval, on which the reference rests, makes of them."""
    queries, pool = 6, 40
    grades = rng.integers(0, 4, (queries, pool))
    grades[:, 0] = 3
    rankings = [rng.permutation(pool)[:30].tolist() for _ in range(queries)]
    qrels = {str(q): {str(d): int(g) for d, g in enumerate(grades[q])} for q in range(queries)}
    run = {str(q): {str(d): float(-r) for r, d in enumerate(rankings[q])} for q in range(queries)}
    ks = ",".join(map(str, RANKS))
    found = pytrec_eval.RelevanceEvaluator(qrels, {f"ndcg_cut.{ks}", f"recall.{ks}"}).evaluate(run)
    mean = lambda name: [float(np.mean([q[f"{name}_{k}"] for q in found.values()])) for k in RANKS]
    return {
        "grades": grades.tolist(),
        "rankings": rankings,
        "ndcg": mean("ndcg_cut"),
        "recall": mean("recall"),
    }


def alpha(units):
    """Krippendorff's alpha from its definition: all pairs of values within units against all pairs there are."""
    units = [[v for v in unit if v is not None] for unit in units]
    units = [unit for unit in units if len(unit) > 1]
    values = [v for unit in units for v in unit]
    if not values:
        return None
    n = len(values)
    observed = sum(sum((a - b) ** 2 for a in unit for b in unit) / (len(unit) - 1) for unit in units) / n
    expected = sum((a - b) ** 2 for a in values for b in values) / (n * (n - 1))
    return 1 - observed / expected if expected else None


def agreement_case(rng):
    judges, pairs = int(rng.integers(2, 5)), int(rng.integers(3, 60))
    truth = rng.uniform(0, 10, pairs)
    scores = np.clip(np.round(truth + rng.normal(scale=2, size=(judges, pairs)), int(rng.integers(0, 3))), 0, 10)
    scores = [[None if rng.random() < 0.1 else float(s) for s in judge] for judge in scores]
    left, right = zip(*[(a, b) for a, b in zip(scores[0], scores[1]) if a is not None and b is not None] or [(0, 0)])
    x, y = rng.integers(0, 8, 20).tolist(), rng.integers(0, 8, 20).tolist()
    lists = [np.array([s for s in judge if s is not None]) for judge in scores]
    shares = lambda values: (stats.rankdata(values) - 0.5) / len(values)
    grid = lambda values: (np.arange(len(values)) + 0.5) / len(values)
    normalised = [
        np.mean([np.interp(shares(values), grid(other), np.sort(other)) for other in lists], axis=0).tolist()
        for values in lists
    ]
    return {
        "scores": scores,
        "common": len(left),
        "pearson": float(stats.pearsonr(left, right).statistic),
        "spearman": float(stats.spearmanr(left, right).statistic),
        "alpha": alpha([list(unit) for unit in zip(*scores)]),
        "kendall": [x, y, float(stats.kendalltau(x, y).statistic)],
        "percentiles": [[float(np.percentile(values, p)) for p in (0, 12.5, 50, 90, 100)] for values in lists],
        "normalised": normalised,
    }


def main():
    rng = np.random.default_rng(22)
    golden = {
        "ranks": RANKS,
        "cases": [case(rng) for _ in range(200)],
        "integers": [integer_case(rng) for _ in range(10)],
        "agreement": [agreement_case(rng) for _ in range(40)],
    }
    text = json.dumps(golden, allow_nan=False, separators=(",", ":"))
    (HERE / "graded.json").write_text(text + "\n")


main()
