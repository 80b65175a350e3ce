"""Whole results of mteb's regression task on small given embeddings: floats, whole numbers, more rows than are learned from.

Run with mteb 2.26.24: `HF_HUB_OFFLINE=1 python tasks.py` writes `tasks.json` beside this file. Every case holds the rows of both
splits, the scores in the order of the result file, and the phases. A text is a number of its own, and its embedding four numbers that
follow from it: `embedding` below.
"""
import json
import pathlib
import sys
import warnings

import mteb
import numpy as np
from datasets import Dataset, DatasetDict
from mteb.mocks.mock_tasks import MockRegressionTask

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "classify"))
from given import GivenEncoder  # noqa: E402

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).parent
OUTSIDE = ("main_score", "hf_subset", "languages", "mteb_version")


def embedding(number):
    """Four whole numbers from 0 to 96, exact in 32 bits."""
    return [float(number * factor % 97) for factor in (31, 57, 71, 83)]


def run(splits, attributes):
    def load_data(self, num_proc=None, **kwargs):
        self.dataset = DatasetDict({split: Dataset.from_dict(rows) for split, rows in splits.items()})
        self.data_loaded = True

    task = type("Task", (MockRegressionTask,), {"load_data": load_data, **attributes})()
    texts = [text for rows in splits.values() for text in rows["text"]]
    results = mteb.evaluate(
        GivenEncoder({text: embedding(int(text[1:])) for text in texts}), task, cache=None, co2_tracker=False,
        show_progress_bar=False, encode_kwargs={"batch_size": 32},
    )
    result = results.task_results[0].to_dict()
    entry = result["scores"]["test"][0]
    number = lambda value: "NaN" if np.isnan(value) else float(value)
    scores = []
    for key, value in entry.items():
        if key == "scores_per_experiment":
            value = [[[name, number(score)] for name, score in one.items()] for one in value]
        elif key not in OUTSIDE:
            value = number(value)
        if key not in OUTSIDE:
            scores.append([key, value])
    phases = [phase["name"] for phase in result["evaluation_phases"] if phase["split"] == "test"]
    return scores, [phase for phase in phases if not phase.startswith("Running experiment")]


def case(name, draw, train, test, options=None, seed=1):
    options = options or {}
    rng = np.random.default_rng(seed)
    rows = lambda first, count: {"text": [f"t{first + row}" for row in range(count)], "value": [draw(rng) for _ in range(count)]}
    splits = {"train": rows(0, train), "test": rows(train, test)}
    scores, phases = run(splits, {"n_experiments": options.get("experiments", 10)})
    return {"name": name, "options": options, "splits": splits, "scores": scores, "phases": phases}


def cases():
    yield case("floats", lambda rng: round(float(rng.uniform(-3, 3)), 2), 60, 40)
    yield case("whole numbers, many of them 0", lambda rng: int(rng.exponential(2.0)), 80, 50, {"experiments": 3})
    yield case("more rows than are learned from", lambda rng: int(rng.integers(1998, 2024)), 2300, 60, {"experiments": 4})
    yield case("one value to predict", lambda rng: 2, 20, 10, {"experiments": 2})


if __name__ == "__main__":
    text = ",\n".join(json.dumps(one, separators=(",", ":"), allow_nan=False) for one in cases())
    (HERE / "tasks.json").write_text(f"[\n{text}\n]\n")
