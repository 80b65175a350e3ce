"""Whole results of mteb's classification task on small given embeddings: kinds of labels, two classes, labels that only
one split has, other numbers of samples and experiments, cross-validation.

Run with mteb 2.26.24: `HF_HUB_OFFLINE=1 python tasks.py` writes `tasks.json` beside this file. Every case holds the
rows of both splits, the embedding of every text, the scores in the order of the result file, and the phases.
"""
import json
import pathlib
import warnings

import mteb
import numpy as np
from datasets import Dataset, DatasetDict
from mteb.mocks.mock_tasks import MockClassificationTask

from given import GivenEncoder

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).parent
DIMENSION = 6
OUTSIDE = ("main_score", "hf_subset", "languages", "mteb_version")


class Rows:
    """Gives each label a centre and rows scattered about it."""

    def __init__(self, seed, labels, noise):
        self.rng = np.random.default_rng(seed)
        self.labels = labels
        self.centres = self.rng.normal(size=(len(labels), DIMENSION))
        self.noise = noise
        self.embeddings = {}

    def draw(self, count, labels=None):
        labels = labels or self.labels
        rows = {"text": [], "label": []}
        for _ in range(count):
            # Labels are drawn unequally: the first is the most frequent.
            place = int(len(labels) * self.rng.random() ** 1.5)
            centre = self.centres[self.labels.index(labels[place])]
            text = f"t{len(self.embeddings)}"
            vector = centre + self.noise * self.rng.normal(size=DIMENSION)
            self.embeddings[text] = [round(float(value), 2) for value in vector]
            rows["text"].append(text)
            rows["label"].append(labels[place])
        return rows


def number(value):
    return None if value is None else "NaN" if np.isnan(value) else value


def run(splits, embeddings, attributes):
    def load_data(self, num_proc=None, **kwargs):
        self.dataset = DatasetDict({split: Dataset.from_dict(rows) for split, rows in splits.items()})
        self.data_loaded = True

    task = type("Task", (MockClassificationTask,), {"load_data": load_data, **attributes})()
    results = mteb.evaluate(
        GivenEncoder(embeddings), task, cache=None, co2_tracker=False, show_progress_bar=False,
        encode_kwargs={"batch_size": 32},
    )
    result = results.task_results[0].to_dict()
    entry = result["scores"]["test"][0]
    scores = []
    for key, value in entry.items():
        if key == "scores_per_experiment":
            value = [[[name, number(score)] for name, score in one.items()] for one in value]
        elif key not in OUTSIDE:
            value = number(value)
        if key not in OUTSIDE:
            scores.append([key, value])
    phases = [phase["name"] for phase in result["evaluation_phases"] if phase["split"] == "test"]
    # The reference runs its experiments one after the other and notes a phase within `Scoring` for each.
    phases = [phase for phase in phases if not phase.startswith("Running experiment")]
    return scores, phases


def case(name, labels, options=None, train=90, test=60, noise=0.8, train_labels=None, test_labels=None, seed=1):
    options = options or {}
    rows = Rows(seed, labels, noise)
    splits = {"train": rows.draw(train, train_labels), "test": rows.draw(test, test_labels)}
    attributes = {"n_experiments": options.get("experiments", 10), "samples_per_label": options.get("samples_per_label", 8)}
    if "cross_validation" in options:
        attributes |= {"is_cross_validation": True, "n_splits": options["cross_validation"], "train_split": "test"}
        del splits["train"]
    scores, phases = run(splits, rows.embeddings, attributes)
    return {"name": name, "options": options, "splits": splits, "embeddings": rows.embeddings, "scores": scores, "phases": phases}


def cases():
    yield case("three numbers", [0, 1, 2])
    yield case("texts", ["positif", "negatif", "netral", "Zzz"], noise=1.2)
    yield case("numbers sort by value", [10, 9, -1, 100], noise=1.5)
    yield case("two classes", [0, 1], noise=2.0)
    yield case("two classes called 1 and 2", [1, 2], noise=2.0)
    yield case("two classes called -3 and 1", [-3, 1], noise=2.0)
    yield case("two labels to predict, three to learn", [0, 1, 2], noise=2.0, test_labels=[1, 2])
    yield case("a label that is only in the evaluation rows", [0, 1, 2, 3], noise=2.0, train_labels=[0, 1, 3])
    yield case("two booleans", [False, True], noise=2.0)
    yield case("one label to predict", [0, 1, 2], noise=2.0, test_labels=[2])
    yield case("fewer rows than samples", ["a", "b", "c"], {"samples_per_label": 32}, train=40)
    yield case("three experiments of two samples", [0, 1, 2, 3, 4], {"samples_per_label": 2, "experiments": 3})
    yield case("cross-validated", [0, 1, 2], {"cross_validation": 5}, test=83, noise=1.5)
    yield case("cross-validated, two classes", [0, 1], {"cross_validation": 4, "samples_per_label": 4}, test=70, noise=2.0)


if __name__ == "__main__":
    text = ",\n".join(json.dumps(one, separators=(",", ":"), allow_nan=False) for one in cases())
    (HERE / "tasks.json").write_text(f"[\n{text}\n]\n")
