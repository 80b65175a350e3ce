"""Task scores, means and Borda ranks of mteb for random tables with ties and missing scores.

Run with mteb 2.26.24: `python make.py` writes `aggregate.json` beside this file.
"""
import json
import pathlib
import random
from types import SimpleNamespace

import polars as pl
from mteb.benchmarks import _benchmark_metrics as metrics
from mteb.benchmarks._create_table import _borda_rank_from_long
from mteb.results import TaskResult

HERE = pathlib.Path(__file__).parent
TYPES = ["Retrieval", "STS", "Clustering", "BitextMining"]


def task_scores(rng):
    for _ in range(60):
        splits = {
            f"split{i}": [
                {"main_score": rng.random(), "hf_subset": str(j), "languages": ["ind-Latn"]}
                for j in range(rng.randint(1, 40))
            ]
            for i in range(rng.randint(1, 3))
        }
        result = TaskResult(
            dataset_revision="1",
            task_name="Task",
            mteb_version="2.26.24",
            evaluation_time=1.0,
            scores=splits,
        )
        entries = [entry["main_score"] for split in result.scores.values() for entry in split]
        yield {"main_scores": entries, "score": float(result.get_score())}


def result(rng, missing):
    score = None if rng.random() < missing else rng.random()
    kind = rng.choice(TYPES)
    units = {
        f"split{i}": [
            {"main_score": None if rng.random() < missing / 10 else rng.random(), "hf_subset": str(j)}
            for j in range(rng.randint(1, 4))
        ]
        for i in range(rng.randint(1, 2))
    }
    metadata = SimpleNamespace(type=kind, is_public=rng.random() < 0.7)
    return SimpleNamespace(
        task=SimpleNamespace(metadata=metadata),
        task_name=f"Task{rng.random()}",
        scores=units,
        get_score=lambda: score,
    )


def means(rng):
    for index in range(80):
        results = [result(rng, rng.choice([0.0, 0.0, 0.1])) for _ in range(rng.randint(0, 20) if index else 0)]
        units = {}
        for one in results:
            for entries in one.scores.values():
                for entry in entries:
                    units.setdefault((one.task_name, entry["hf_subset"]), []).append(entry["main_score"])
        partition = metrics._compute_mean_public_private(results)
        yield {
            "tasks": [[one.task.metadata.type, one.get_score()] for one in results],
            "public": [one.task.metadata.is_public for one in results],
            "units": list(units.values()),
            "mean_task": metrics._compute_mean_task(results),
            "mean_task_type": metrics._compute_mean_task_type(results),
            "task_types": list(metrics._task_types_or_nulls(results).items()),
            "mean_public": partition["Mean(Public)"],
            "mean_private": partition["Mean(Private)"],
            "mean_subset": metrics._compute_mean_subset(results)["Mean(Subset)"],
        }


def borda(rng):
    for _ in range(60):
        models, tasks = rng.randint(1, 9), rng.randint(1, 8)
        digits, missing = rng.choice([1, 1, 6]), rng.choice([0.0, 0.2])
        table = [
            [None if task and rng.random() < missing else round(rng.random(), digits) for task in range(tasks)]
            for _ in range(models)
        ]
        rows = [
            {"model_name": str(model), "task_name": str(task), "score": score}
            for model, scores in enumerate(table)
            for task, score in enumerate(scores)
            if score is not None
        ]
        ranks = dict(_borda_rank_from_long(pl.DataFrame(rows)).iter_rows())
        yield {"scores": table, "ranks": [ranks[str(model)] for model in range(models)]}


if __name__ == "__main__":
    rng = random.Random(3)
    fixture = {"task_scores": list(task_scores(rng)), "means": list(means(rng)), "borda": list(borda(rng))}
    text = json.dumps(fixture, separators=(",", ":"), allow_nan=False)
    (HERE / "aggregate.json").write_text(text + "\n")
