"""Pair-classification scores of mteb for random score lists: ties, no positives, no negatives, tiny lists.

Run with mteb 2.26.24: `python make.py` writes `pair.json` beside this file.
"""
import json
import pathlib
import random
import warnings

import numpy as np
from mteb.mocks.mock_tasks import MockPairClassificationTask

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).parent
KEYS = ("accuracy", "f1", "precision", "recall", "ap")
TASK = MockPairClassificationTask()


def case(scores, labels):
    more_alike = TASK._compute_metrics_values(scores, np.array(labels), True)
    less_alike = TASK._compute_metrics_values(scores, np.array(labels), False)
    return {
        "scores": scores,
        "labels": labels,
        "similarity": [more_alike[key] for key in KEYS],
        "distance": [less_alike[key] for key in KEYS],
    }


def cases(rng):
    for _ in range(300):
        n = rng.randint(2, 40)
        share = rng.choice([0.5, 0.5, 0.5, 0.1, 0.9, 0.0, 1.0])
        digits = rng.choice([0, 1, 2, 6])
        labels = [int(rng.random() < share) for _ in range(n)]
        scores = [round(rng.gauss(0, 1) + label * rng.choice([0, 1]), digits) for label in labels]
        yield case(scores, labels)
    yield case([0.5], [1])
    yield case([0.5], [0])
    yield case([0.0, -0.0, 0.0, 1.0], [1, 0, 1, 0])


if __name__ == "__main__":
    text = json.dumps(list(cases(random.Random(11))), separators=(",", ":"))
    (HERE / "pair.json").write_text(text + "\n")
