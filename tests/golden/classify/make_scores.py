"""Scores of random predictions by scikit-learn's metrics: few and many labels, labels that only one side has.

Run with scikit-learn 1.9.1: `python make_scores.py` writes `scores.json` beside this file.
"""
import json
import pathlib
import warnings

import numpy as np
from sklearn.metrics import accuracy_score, average_precision_score, f1_score, precision_score, recall_score

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).parent


def case(truth, predicted):
    scores = [accuracy_score(truth, predicted)]
    for score in (f1_score, precision_score, recall_score):
        scores += [score(truth, predicted, average=average) for average in ("macro", "weighted")]
    present = np.unique(truth)
    precision = average_precision_score(truth, predicted) if len(present) == 2 and 1 in present else None
    return {
        "truth": truth.tolist(),
        "predicted": predicted.tolist(),
        "scores": [float(score) for score in scores],
        "f1_micro": float(f1_score(truth, predicted, average="micro")),
        "average_precision": precision,
    }


def cases(rng):
    for index in range(300):
        labels = int(rng.choice([2, 2, 3, 5, 12, 80]))
        rows = int(rng.integers(1, 60 if labels < 80 else 400))
        first = int(rng.integers(0, 2))
        truth = rng.integers(first, first + labels, size=rows)
        predicted = np.where(rng.random(rows) < rng.random(), truth, rng.integers(0, labels + 2, size=rows))
        yield case(truth, predicted)


if __name__ == "__main__":
    text = ",\n".join(json.dumps(one, separators=(",", ":")) for one in cases(np.random.default_rng(11)))
    (HERE / "scores.json").write_text(f"[\n{text}\n]\n")
