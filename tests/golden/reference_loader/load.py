"""What the reference's own loader makes of our result files.

Run with mteb 2.26.24: `python load.py RESULTS > verdict.jsonl`, where RESULTS is the output folder of

    mteb-host run --model random --hub-dir DIR --task NusaX-senti:ind,jav --task NusaXBitextMining --task SciFact \
      --task SemRel24STS --task STSBenchmark

One line a task: the model it is filed under, its score as the reference averages it, and the entries it found.
"""
import json
import pathlib
import shutil
import sys
import tempfile

from mteb.cache import ResultCache

with tempfile.TemporaryDirectory() as folder:
    shutil.copytree(sys.argv[1], pathlib.Path(folder) / "results")
    models = ResultCache(folder).load_results(include_remote=False, require_model_meta=True).model_results
    for model in models:
        for task in sorted(model.task_results, key=lambda task: task.task_name):
            print(json.dumps({
                "model": model.model_name,
                "revision": model.model_revision,
                "task": task.task_name,
                "dataset_revision": task.dataset_revision,
                "score": round(task.get_score(), 6),
                "languages": sorted(set(task.languages)),
                "entries": {split: [entry["hf_subset"] for entry in entries] for split, entries in task.scores.items()},
            }))
