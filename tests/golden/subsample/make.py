"""Subsamples that mteb 2.26.24 draws in its dataset transforms: subsample.json.

Run with a Python that has mteb; writes beside itself.
"""

import json
import os
import pathlib
import random

os.environ["HF_HUB_OFFLINE"] = "1"
from datasets import ClassLabel, Dataset, DatasetDict  # noqa: E402
from mteb.abstasks.abstask import AbsTask  # noqa: E402

HERE = pathlib.Path(__file__).parent
draw = random.Random(42)


def labels(names, count, weights=None):
    return draw.choices(names, weights=weights, k=count)


def case(name, card, test, train, rows, feature=None, splits=("test",)):
    data = DatasetDict({
        split: Dataset.from_dict({"text": [str(row) for row in range(len(own))], "label": own})
        for split, own in [("train", train), ("test", test)]
    })
    if feature is not None:
        data = data.cast_column("label", feature)
    found = AbsTask.stratified_subsampling(data, seed=42, splits=list(splits), label="label", n_samples=rows)
    return {
        "name": name,
        "card": card,
        "test": test,
        "train": train,
        "expected": {"text": found["test"]["text"][:], "label": found["test"]["label"][:], "train": found["train"]["label"][:]},
    }


many = [f"k{number}" for number in range(12)]
sets = [sorted(draw.sample(range(6), draw.randint(1, 3))) for _ in range(90)]
CASES = [
    case("two texts", "encode_labels = true\nsubsample = { rows = 40 }\n",
         labels(["negatif", "positif"], 100, [3, 7]), labels(["negatif", "positif"], 20), 40),
    case("twelve texts", "encode_labels = true\nsubsample = { rows = 60 }\n", labels(many, 300), labels(many, 60), 60),
    case("twelve numbers as texts", "encode_labels = true\nsubsample = { rows = 60 }\n",
         labels(range(12), 300), labels(range(12), 60), 60),
    case("twelve class numbers", "subsample = { rows = 60, class_numbers = true }\n", labels(range(12), 300),
         labels(range(12), 60), 60, ClassLabel(names=many)),
    case("no more rows than asked for", "encode_labels = true\nsubsample = { rows = 60 }\n",
         labels(["a", "b"], 50), labels(["a", "b"], 20), 60),
    case("train too", "encode_labels = true\nsubsample = { rows = 30, splits = [\"train\", \"test\"] }\n",
         labels(["a", "b", "c"], 90), labels(["a", "b", "c"], 80), 30, splits=("train", "test")),
    case("lists", "subsample = { rows = 30 }\n", sets, sets[:20], 30),
]
(HERE / "subsample.json").write_text(json.dumps(CASES) + "\n")
