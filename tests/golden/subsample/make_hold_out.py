"""Rows of `cym` that mteb 2.26.24's MultilingualSentimentClassification learns from and scores: hold_out.json.

Run with a Python that has mteb; writes beside itself.
"""

import json
import os
import pathlib
import random

os.environ["HF_HUB_OFFLINE"] = "1"
import mteb  # noqa: E402
from datasets import Dataset, DatasetDict  # noqa: E402

HERE = pathlib.Path(__file__).parent
draw = random.Random(42)


def case(name, labels):
    """Of more than 2048 rows that are held out, 2048 are scored."""
    task = mteb.get_task("MultilingualSentimentClassification")
    rows = Dataset.from_dict({"text": [str(row) for row in range(len(labels))], "label": labels})
    task.dataset = {"cym": DatasetDict({"test": rows})}
    task.dataset_transform()
    found = task.dataset["cym"]
    return {"name": name, "labels": labels, **{split: [int(row) for row in found[split]["text"]] for split in ("train", "test")}}


CASES = [
    case("two numbers", draw.choices([0, 1], [3, 7], k=41)),
    case("four texts", draw.choices(["a", "b", "c", "d"], k=100)),
    case("twelve numbers, ordered as texts", draw.choices(range(12), k=257)),
    case("more than are scored", draw.choices([0, 1], [4, 6], k=7000)),
]
(HERE / "hold_out.json").write_text(json.dumps(CASES, separators=(",", ":")) + "\n")
