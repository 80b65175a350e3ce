"""Bins, fits and scores of numbers as mteb 2.26.24 has them: regress.json.

Run with pandas 3.0, scikit-learn 1.9.1 and scipy 1.17: `python make.py` writes beside itself. The rows are not stored: numpy's
`default_rng(seed)` draws the training rows and the test rows as 32-bit floats; `copies` training rows are the first ones again,
and every `constant`-th column is 1.
"""
import json
import pathlib
import warnings

import numpy as np
import pandas as pd
from mteb.abstasks.regression import AbsTaskRegression
from sklearn.linear_model import LinearRegression

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).parent

# name, dimension, training rows, test rows, copies, every how many columns a constant (0: none), whether values are years
SHAPES = [
    ("many rows", 8, 120, 40, 0, 0, False),
    ("years", 16, 200, 60, 0, 0, True),
    ("rows again", 12, 90, 40, 30, 0, False),
    ("constant columns", 12, 90, 40, 0, 4, False),
    ("fewer rows than columns", 48, 20, 30, 0, 0, False),
    ("fewer rows than columns, some again", 48, 24, 30, 6, 0, False),
    ("one column", 1, 30, 20, 0, 0, True),
    ("one row", 4, 1, 10, 0, 0, False),
]


def values(rng, count, are_years):
    if are_years:
        return [int(year) for year in rng.integers(1998, 2024, count)]
    return [round(float(value), 3) for value in rng.uniform(-3, 3, count)]


def fit(seed, name, dimension, train, test, copies, constant, are_years):
    rng = np.random.default_rng(seed)
    rows = rng.random((train + test, dimension), dtype=np.float32)
    if constant:
        rows[:, ::constant] = 1
    if copies:
        rows[train - copies : train] = rows[:copies]
    learned, truth = values(rng, train, are_years), values(rng, test, are_years)
    model = LinearRegression().fit(rows[:train], learned)
    predicted = model.predict(rows[train:])
    assert predicted.dtype == np.float32
    scores = AbsTaskRegression._calculate_scores(None, truth, predicted)
    return {
        "name": name,
        "seed": seed,
        "dimension": dimension,
        "copies": copies,
        "constant": constant,
        "values": learned,
        "truth": truth,
        "predicted": [float(value) for value in predicted],
        "scores": {key: None if np.isnan(value) else float(value) for key, value in scores.items()},
    }


def bins():
    rng = np.random.default_rng(7)
    numbers = [
        [int(value) for value in rng.integers(0, 40, 300)],
        [int(value) for value in rng.integers(1990, 2024, 2051)],
        [int(value) for value in np.floor(rng.exponential(2.0, 500))],
        [round(float(value), 2) for value in rng.normal(size=211)],
        [float(value) for value in rng.permutation(31)],
        [5, 5, 5, 5, 7],
    ]
    for found in numbers:
        yield {"values": found, "bins": [int(code) for code in pd.qcut(found, q=10, labels=False, duplicates="drop")]}


if __name__ == "__main__":
    golden = {"bins": list(bins()), "fits": [fit(seed, *shape) for seed, shape in enumerate(SHAPES)]}
    lines = [f'"{name}": [\n' + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "\n]"
             for name, cases in golden.items()]
    (HERE / "regress.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
