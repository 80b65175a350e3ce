"""Stratified subsamples as datasets and mteb draw them.

Run with mteb 2.26.24: `HF_HUB_OFFLINE=1 python make.py` writes `stratify.json` beside this file.
"""
import json
import pathlib

import numpy as np
from datasets import Dataset, DatasetDict
from mteb.abstasks.abstask import AbsTask, _multilabel_subsampling

HERE = pathlib.Path(__file__).parent


def proportional():
    shapes = [
        (400, 2, 100, 42),
        (400, 5, 101, 42),
        (97, 7, 20, 42),
        (60, 20, 20, 42),
        (40, 20, 20, 42),
        (1000, 3, 999 - 3, 42),
        (500, 77, 200, 42),
        (900, 4, 333, 7),
        (10, 1, 3, 42),
        (20, 3, 20, 42),
    ]
    for rows, labels, count, seed in shapes:
        rng = np.random.default_rng(rows + labels)
        drawn = rng.permutation([i % labels for i in range(2 * labels)] + [
            int(labels * rng.random() ** 2) for _ in range(rows - 2 * labels)
        ]).tolist()
        dataset = DatasetDict({"test": Dataset.from_dict({"label": [f"{i:03}" for i in drawn], "row": range(rows)})})
        found = AbsTask.stratified_subsampling(dataset, seed=seed, n_samples=count)["test"]["row"]
        yield {"labels": drawn, "count": count, "seed": seed, "rows": list(found)}


def iterative():
    shapes = [(30, 3, 10, 0.5), (300, 6, 100, 0.3), (300, 6, 30, 0.3), (500, 28, 200, 0.08), (200, 4, 100, 0.7), (257, 40, 91, 0.05)]
    for rows, labels, count, density in shapes:
        for seed in (42, 3):
            rng = np.random.default_rng(rows + labels + seed)
            drawn = [np.flatnonzero(rng.random(labels) < density).tolist() for _ in range(rows)]
            dataset = DatasetDict({"test": Dataset.from_dict({"label": drawn, "row": range(rows)})})
            found = _multilabel_subsampling(dataset, seed=seed, n_samples=count)["test"]["row"]
            yield {"labels": drawn, "count": count, "seed": seed, "rows": list(found)}


if __name__ == "__main__":
    golden = {"proportional": list(proportional()), "iterative": list(iterative())}
    lines = [f'"{name}": [\n' + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "\n]"
             for name, cases in golden.items()]
    (HERE / "stratify.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
