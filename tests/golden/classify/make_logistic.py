"""Logistic regressions of scikit-learn: iterations, weights and predictions on rows that a generator draws.

Run with scikit-learn 1.9.1 and numpy 2.4.6: `python make_logistic.py` writes `logistic.json` beside this file. The rows
themselves are not stored: numpy's `default_rng(seed)` draws the centres of the classes, the training rows and the test
rows, all as 32-bit floats, and a row is (draws + spread * centre) * scale.

Sums of 32-bit products are added in an order that depends on the processor, and long fits amplify the difference. So
every fit runs with the kernels of three processors: `iterations` are theirs, `flips` is the largest number of
predictions in which two of them differ, and weights and predictions are the first one's.
"""
import json
import os
import pathlib
import subprocess
import sys
import warnings

import numpy as np
from sklearn.linear_model import LogisticRegression

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).parent
KERNELS = ["SkylakeX", "Haswell", "Prescott"]

# name, classes, dimension, training rows, test rows, spread, scale, every how many columns a constant (0: none)
SHAPES = [
    ("two classes", 2, 32, 16, 400, 0.5, 1.0, 0),
    ("two classes without signal", 2, 32, 64, 400, 0.0, 1.0, 0),
    ("two classes, large values", 2, 24, 16, 400, 0.5, 20.0, 0),
    ("two classes, separable", 2, 16, 40, 400, 8.0, 1.0, 0),
    ("two classes, unequal shares", 2, 16, 33, 400, 0.7, 1.0, 0),
    ("three classes", 3, 32, 24, 400, 0.3, 1.0, 0),
    ("seven classes without signal", 7, 32, 56, 400, 0.0, 1.0, 0),
    ("five classes, short rows", 5, 128, 40, 400, 0.5, 0.06, 0),
    ("ten classes, large values", 10, 48, 80, 400, 1.0, 10.0, 0),
    ("four classes, separable", 4, 24, 64, 400, 10.0, 1.0, 0),
    ("six classes, constant columns", 6, 30, 48, 400, 1.0, 1.0, 3),
    ("three classes, one column", 3, 1, 30, 400, 2.0, 1.0, 0),
    ("77 classes", 77, 32, 616, 700, 0.2, 1.0, 0),
    ("77 classes, short rows", 77, 96, 616, 700, 1.0, 0.1, 0),
    ("30 classes, stopped by the limit", 30, 64, 240, 400, 0.1, 3.0, 0),
]


def rows(rng, centres, count, spread, scale, constant):
    labels = np.arange(count) % len(centres)
    rows = rng.random((count, centres.shape[1]), dtype=np.float32)
    rows = (rows + np.float32(spread) * centres[labels]) * np.float32(scale)
    if constant:
        rows[:, ::constant] = 1
    return rows, labels


def case(seed, name, classes, dimension, train, test, spread, scale, constant):
    rng = np.random.default_rng(seed)
    centres = rng.random((classes, dimension), dtype=np.float32)
    train_rows, labels = rows(rng, centres, train, spread, scale, constant)
    test_rows, _ = rows(rng, centres, test, spread, scale, constant)
    if "unequal" in name:
        labels[labels == 1] = np.arange(np.sum(labels == 1)) % 3 == 0
    model = LogisticRegression(max_iter=100).fit(train_rows, labels)
    assert model.coef_.dtype == np.float32
    last = model.coef_[-1]
    return {
        "name": name,
        "seed": seed,
        "classes": classes,
        "dimension": dimension,
        "labels": labels.tolist(),
        "test": test,
        "spread": spread,
        "scale": scale,
        "constant": constant,
        "iterations": int(model.n_iter_[0]),
        "last_weights": [float(weight) for weight in last[:16]],
        "intercepts": [float(intercept) for intercept in model.intercept_],
        "predictions": model.predict(test_rows).tolist(),
    }


def merged(runs):
    first = runs[0]
    first["iterations"] = [run["iterations"] for run in runs]
    first["flips"] = max(
        sum(left != right for left, right in zip(one["predictions"], other["predictions"]))
        for one in runs
        for other in runs
    )
    return first


def run(kernel):
    environment = {**os.environ, "OPENBLAS_CORETYPE": kernel}
    command = [sys.executable, __file__, "--print"]
    return json.loads(subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout)


if __name__ == "__main__":
    if "--print" in sys.argv:
        print(json.dumps([case(index, *shape) for index, shape in enumerate(SHAPES)]))
        sys.exit()
    cases = [merged(runs) for runs in zip(*map(run, KERNELS))]
    for one in cases:
        print(one["name"], one["iterations"], one["flips"])
    text = ",\n".join(json.dumps(one, separators=(",", ":")) for one in cases)
    (HERE / "logistic.json").write_text(f"[\n{text}\n]\n")
