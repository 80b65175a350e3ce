"""Samples, predictions and scores of mteb's multilabel classification on random embeddings.

Run with mteb 2.26.24: `HF_HUB_OFFLINE=1 python make_multilabel.py` writes `multilabel.json` beside this file. The
embeddings are numbers in [0, 1) of `default_rng(seed)`, training rows before evaluation rows; row i is a copy of row
i - 7 where i is a multiple of 10 and `copies` is set, so that some distances tie.
"""
import json
import pathlib
import warnings

import numpy as np
from mteb.abstasks.multilabel_classification import AbsTaskMultilabelClassification, _evaluate_classifier
from sklearn.metrics import f1_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import MultiLabelBinarizer

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).parent


def embeddings(seed, rows, dimension, copies):
    values = np.random.default_rng(seed).random((rows, dimension), dtype=np.float32)
    if copies:
        for row in range(10, rows, 10):
            values[row] = values[row - 7]
    return values


class Sampler:
    """Stands for a task that was just made."""

    def __init__(self):
        self.np_rng = np.random.default_rng(42)

    sample = AbsTaskMultilabelClassification._undersample_data_indices


def cases():
    # training rows, evaluation rows, labels, share of labels a row, samples per label, dimension, copies
    shapes = [
        (200, 300, 5, 0.35, 8, 32, False),
        (200, 300, 5, 0.35, 8, 64, True),
        (90, 150, 28, 0.06, 8, 384, True),
        (400, 130, 12, 0.1, 16, 48, True),
        (60, 40, 3, 0.5, 4, 16, False),
        (300, 200, 6, 0.3, 8, 8, False),
    ]
    for seed, (train, test, labels, share, samples, dimension, copies) in enumerate(shapes):
        rng = np.random.default_rng(1000 + seed)
        centres = rng.random((labels, 4))
        drawn = []
        for _ in range(train + test):
            drawn.append(np.flatnonzero(rng.random(labels) < share * 2 * centres[:, 0]).tolist())
        values = embeddings(seed, train + test, dimension, copies)
        for row, own in enumerate(drawn):
            for label in own:
                values[row, label % dimension] += np.float32(0.75)
        y_train, y_test = drawn[:train], drawn[train:]
        binarizer = MultiLabelBinarizer().fit(y_test)
        truth = binarizer.transform(y_test)
        sampler = Sampler()
        experiments = []
        for _ in range(3):
            rows, _ = sampler.sample(y_train, samples)
            predicted, classifier = _evaluate_classifier(
                values[rows], binarizer.transform([y_train[row] for row in rows]), values[train:],
                KNeighborsClassifier(n_neighbors=5),
            )
            scores = AbsTaskMultilabelClassification._calculate_scores(
                sampler, truth, predicted, values[train:], classifier
            )
            experiments.append({
                "rows": [int(row) for row in rows],
                "predicted": [np.flatnonzero(row).tolist() for row in predicted],
                "scores": [float(scores[key]) for key in ("accuracy", "lrap", "f1", "hamming")],
                "f1_micro": float(f1_score(truth, predicted, average="micro", zero_division=0)),
            })
        yield {
            "seed": seed, "dimension": dimension, "copies": copies, "samples_per_label": samples,
            "labels": [int(label) for label in binarizer.classes_],
            "train": y_train, "test": y_test, "experiments": experiments,
        }


if __name__ == "__main__":
    text = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases())
    (HERE / "multilabel.json").write_text(f"[\n{text}\n]\n")
