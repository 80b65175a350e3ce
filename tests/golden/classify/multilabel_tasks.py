"""Whole results of mteb's multilabel classification task on small given embeddings: kinds of labels, labels that only one
split has, rows without labels, a capped evaluation split, and two subsets that continue one random state.

Run with mteb 2.26.24: `HF_HUB_OFFLINE=1 python multilabel_tasks.py` writes `multilabel_tasks.json` beside this file.
Every case holds the rows of both splits of every subset, the embedding of every text, the scores of every subset in the
order of the result file, and the phases.
"""
import json
import pathlib
import warnings

import mteb
import numpy as np
from datasets import Dataset, DatasetDict
from mteb.mocks.mock_tasks import MockMultilingualMultilabelClassification

from given import GivenEncoder

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).parent
DIMENSION = 16
OUTSIDE = ("main_score", "hf_subset", "languages", "mteb_version")


class Rows:
    """Adds the directions of a row's labels and noise."""

    def __init__(self, seed, labels, noise, share):
        self.rng = np.random.default_rng(seed)
        self.labels = labels
        self.directions = {label: self.rng.normal(size=DIMENSION) for label in labels}
        self.noise = noise
        self.share = share
        self.embeddings = {}

    def draw(self, count, labels=None):
        rows = {"text": [], "label": []}
        for _ in range(count):
            own = [label for label in labels or self.labels if self.rng.random() < self.share]
            own = [own[place] for place in self.rng.permutation(len(own))]
            vector = sum((self.directions[label] for label in own), self.noise * self.rng.normal(size=DIMENSION))
            text = f"t{len(self.embeddings)}"
            self.embeddings[text] = [round(float(value), 1) for value in vector]
            rows["text"].append(text)
            rows["label"].append(own)
        return rows


def run(subsets, embeddings, attributes):
    def load_data(self, num_proc=None, **kwargs):
        self.dataset = {
            subset: DatasetDict({split: Dataset.from_dict(rows) for split, rows in splits.items()})
            for subset, splits in subsets.items()
        }
        self.data_loaded = True

    task = type("Task", (MockMultilingualMultilabelClassification,), {"load_data": load_data, **attributes})()
    task = task.filter_languages(None, hf_subsets=list(subsets))
    results = mteb.evaluate(
        GivenEncoder(embeddings), task, cache=None, co2_tracker=False, show_progress_bar=False,
        encode_kwargs={"batch_size": 32},
    )
    result = results.task_results[0].to_dict()
    scores = {}
    for entry in result["scores"]["test"]:
        scores[entry["hf_subset"]] = [
            [key, [list(one.items()) for one in value] if key == "scores_per_experiment" else value]
            for key, value in entry.items()
            if key not in OUTSIDE
        ]
    phases = [phase["name"] for phase in result["evaluation_phases"] if phase["subset"] == "eng"]
    # The reference runs its experiments one after the other and notes a phase within `Scoring` for each.
    phases = [phase for phase in phases if not phase.startswith("Running experiment")]
    return scores, phases


def case(name, labels, options=None, train=90, test=60, noise=0.8, share=0.35, train_labels=None, test_labels=None, subsets=("eng",)):
    options = options or {}
    rows = Rows(len(name), labels, noise, share)
    given = {
        subset: {"train": rows.draw(train, train_labels), "test": rows.draw(test, test_labels)} for subset in subsets
    }
    attributes = {
        "n_experiments": options.get("experiments", 10),
        "samples_per_label": options.get("samples_per_label", 8),
        "max_eval_samples": options.get("max_eval_samples", 3000) or None,
    }
    scores, phases = run(given, rows.embeddings, attributes)
    return {"name": name, "options": options, "subsets": given, "embeddings": rows.embeddings, "scores": scores, "phases": phases}


def cases():
    few = {"experiments": 4}
    yield case("numbers", [0, 1, 2, 3])
    yield case("texts", ["senang", "marah", "sedih", "takut", "Zzz"], few)
    yield case("two labels", [10, 9], few)
    yield case("labels that only one split has", list(range(8)), few, train_labels=[0, 1, 2, 3, 4, 5], test_labels=[2, 3, 4, 5, 6, 7])
    yield case("few samples", list(range(6)), {"experiments": 3, "samples_per_label": 2})
    yield case("rows without labels", list(range(4)), few, share=0.15)
    yield case("a capped split", list(range(5)), {"experiments": 3, "max_eval_samples": 40}, test=150)
    yield case("a split without a cap", list(range(5)), {"experiments": 2, "max_eval_samples": 0}, test=70)
    yield case("two subsets", list(range(4)), few, subsets=("eng", "fra"))


if __name__ == "__main__":
    text = ",\n".join(json.dumps(one, separators=(",", ":"), allow_nan=False) for one in cases())
    (HERE / "multilabel_tasks.json").write_text(f"[\n{text}\n]\n")
