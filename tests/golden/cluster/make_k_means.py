"""Clusters and step counts of scikit-learn's MiniBatchKMeans on data that a small generator makes.

Run with scikit-learn 1.9.1 and again with 1.8.0: `python make_k_means.py` writes `k_means_1_9.json` or
`k_means_1_8.json` beside this file. A label is two base-36 digits; where rows are drawn with repetition, the labels
are those of the distinct rows, in order, `..` for one that was never drawn.
"""
import json
import pathlib
import warnings

import numpy as np
import sklearn
from sklearn.cluster import MiniBatchKMeans

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).parent
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

# rows, dimension, groups in the data, distance of the groups (0: none), clusters, batch size, rows drawn (0: each once)
SHAPES = [
    (1500, 64, 20, 1, 20, 512, 0),
    (1500, 64, 20, 1, 20, 500, 0),
    (4000, 32, 7, 2, 7, 512, 0),
    (4000, 384, 10, 1, 10, 512, 0),
    (1700, 768, 12, 1, 12, 500, 0),
    (1200, 1000, 8, 1, 8, 512, 0),
    (300, 16, 5, 3, 5, 512, 0),
    (400, 8, 40, 1, 40, 512, 0),
    (5, 3, 2, 4, 2, 500, 0),
    (2000, 20, 4, 2, 1, 512, 0),
    (3000, 24, 30, 2, 200, 512, 0),
    (3000, 1, 5, 4, 5, 512, 0),
    (2500, 50, 1, 0, 33, 500, 0),
    (2500, 17, 6, 30, 6, 500, 0),
    (1004, 384, 7, 1, 7, 512, 16384),
    (700, 96, 60, 2, 60, 512, 16384),
    (60, 12, 9, 1, 50, 512, 4096),
]


class Numbers:
    """A linear congruential generator; every number is exact in single precision."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return self.state >> 33

    def matrix(self, rows, dimension):
        values = [self.next() % 8192 - 4096 for _ in range(rows * dimension)]
        return np.array(values, dtype=np.float32).reshape(rows, dimension)

    def indices(self, count, below):
        return [self.next() % below for _ in range(count)]


def data(seed, rows, dimension, groups, distance):
    numbers = Numbers(seed)
    centres = numbers.matrix(groups, dimension)
    group = numbers.indices(rows, groups)
    return (numbers.matrix(rows, dimension) * 4 + centres[group] * distance) / 4096, numbers


def digits(label):
    return ".." if label is None else DIGITS[label // 36] + DIGITS[label % 36]


def case(seed, shape):
    rows, dimension, groups, distance, clusters, batch_size, draws = shape
    values, numbers = data(seed, rows, dimension, groups, distance)
    drawn = numbers.indices(draws, rows) if draws else list(range(rows))
    model = MiniBatchKMeans(n_clusters=clusters, batch_size=batch_size, n_init=1, random_state=42)
    model.fit(values[drawn])
    label_of = [None] * rows
    for row, label in zip(drawn, model.labels_.tolist()):
        label_of[row] = label
    return {
        "seed": seed,
        "shape": shape,
        "steps": model.n_steps_,
        "labels": "".join(digits(label) for label in label_of),
    }


if __name__ == "__main__":
    cases = [case(seed, shape) for seed, shape in enumerate(SHAPES, start=1)]
    text = ",\n".join(json.dumps(one, separators=(",", ":")) for one in cases)
    version = "_".join(sklearn.__version__.split(".")[:2])
    (HERE / f"k_means_{version}.json").write_text(f"[\n{text}\n]\n")
