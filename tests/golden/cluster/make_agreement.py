"""V-measure, adjusted and normalised mutual information and adjusted Rand index of scikit-learn for random pairs of labelings.

Run with scikit-learn 1.9.1: `python make_agreement.py` writes `agreement.json` beside this file.
"""
import json
import pathlib
import random

from sklearn.metrics import (
    adjusted_mutual_info_score,
    adjusted_rand_score,
    normalized_mutual_info_score,
    v_measure_score,
)

HERE = pathlib.Path(__file__).parent


def case(classes, clusters):
    return {
        "classes": classes,
        "clusters": clusters,
        "v_measure": float(v_measure_score(classes, clusters)),
        "ami": float(adjusted_mutual_info_score(classes, clusters)),
        "nmi": float(normalized_mutual_info_score(classes, clusters, average_method="geometric")),
        "ari": float(adjusted_rand_score(classes, clusters)),
    }


def labeling(rng, n, k):
    """Labels of uneven frequency; some of the k may not occur."""
    weights = [rng.random() ** 2 + 0.01 for _ in range(k)]
    return rng.choices(range(k), weights, k=n)


def cases(rng):
    yield case([0], [3])
    yield case([0, 0, 0], [1, 1, 1])
    yield case([0, 1, 2], [1, 1, 1])
    yield case([2, 2, 2], [0, 1, 2])
    yield case([0, 1, 2, 3], [3, 2, 1, 0])
    yield case([0, 0, 1, 1], [0, 1, 0, 1])
    for index in range(300):
        n = rng.randint(2, 60) if index % 30 else rng.randint(800, 1500)
        classes = labeling(rng, n, rng.randint(1, 12))
        clusters = labeling(rng, n, rng.randint(1, 12))
        luck = rng.choice([0.0, 0.3, 0.9, 1.0])
        clusters = [label if rng.random() < luck else cluster for label, cluster in zip(classes, clusters)]
        yield case(classes, clusters)


if __name__ == "__main__":
    text = ",\n".join(json.dumps(one, separators=(",", ":")) for one in cases(random.Random(11)))
    (HERE / "agreement.json").write_text(f"[\n{text}\n]\n")
