"""Correlations and p-values of scipy for small random lists: ties, constants, tiny and near-perfect inputs.

Run with scipy 1.17.1: `python make.py` writes `correlation.json` beside this file.
"""
import json
import pathlib
import warnings

import numpy as np
from scipy import special, stats

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).parent


def number(value):
    value = float(value)
    return None if np.isnan(value) else value


def case(x, y):
    pearson, spearman = stats.pearsonr(x, y), stats.spearmanr(x, y)
    return {
        "x": [float(v) for v in x],
        "y": [float(v) for v in y],
        "pearson": [number(pearson.statistic), number(pearson.pvalue)],
        "spearman": [number(spearman.statistic), number(spearman.pvalue)],
        "ranks": [float(v) for v in stats.rankdata(x)],
    }


def cases(rng):
    for _ in range(250):
        n = int(rng.integers(2, 13))
        x, y = rng.normal(size=n), rng.normal(size=n)
        digits = int(rng.integers(0, 4))
        if rng.random() < 0.3:
            y = x * rng.normal() + y * 10.0 ** -float(rng.integers(0, 6))
        yield case(np.round(x, digits), np.round(y, int(rng.integers(0, 4))))
    for n in (40, 100, 129, 300):
        x = np.round(rng.normal(size=n), 1)
        yield case(x, np.round(x + rng.normal(size=n), 3))
    for n in (2, 3, 7):
        line = np.arange(n, dtype=float)
        for y in (line, -line, np.full(n, 3.0), 0.1 * line + 0.3, line**3):
            yield case(line, y)
        yield case(np.full(n, 0.1), np.full(n, 0.1))
    # Values so close together, or so large, that a careless formula loses them.
    for offset, step in ((1e8, 1e-3), (1e3, 1e-9), (-5e3, 1.0), (0.0, 1e-300), (0.0, 1e200)):
        yield case(offset + step * rng.normal(size=9), np.round(rng.normal(size=9), 2))


def p_values(rng):
    """(n, r, two-sided p of Pearson's r, of Spearman's r) straight from scipy's special functions."""
    for n in (3, 4, 5, 7, 16, 17, 64, 333, 1379, 10_000, 100_000):
        for r in [0.0, 1e-9, 0.01, 0.3, 0.5, 0.9, 0.999, 1.0, *rng.uniform(-1, 1, size=4)]:
            r = float(r)
            half = n / 2 - 1
            pearson = 2 * special.betaincc(half, half, (abs(r) + 1) / 2)
            with np.errstate(divide="ignore"):
                t = r * np.sqrt((n - 2) / ((np.float64(r) + 1.0) * (1.0 - np.float64(r))))
            yield [n, r, float(pearson), float(2 * special.stdtr(n - 2, -abs(t)))]


if __name__ == "__main__":
    rng = np.random.default_rng(7)
    fixture = {"cases": list(cases(rng)), "p_values": list(p_values(rng))}
    (HERE / "correlation.json").write_text(json.dumps(fixture, separators=(",", ":")) + "\n")
