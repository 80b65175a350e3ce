"""Scores exported tasks by the reference: prints {task: {split: [entries]}} as JSON, after every configuration was loaded by `datasets`.

Usage: exported.py FOLDER TASK…, a folder as `mteb-host export` leaves it.
"""

import json
import os
import sys

os.environ["HF_HUB_OFFLINE"] = "1"
sys.path.insert(0, sys.argv[1])

import datasets
import mteb
import tasks

model = mteb.get_model("mteb/baseline-random-encoder")
found = {}
for name in sys.argv[2:]:
    folder = f"{sys.argv[1]}/{name}"
    for config in datasets.get_dataset_config_names(folder):
        splits = datasets.load_dataset(folder, config)
        assert splits and all(len(split) for split in splits.values()), (name, config)
    done = mteb.evaluate(model, [tasks.task(name)], cache=None, show_progress_bar=False)
    found[name] = done.task_results[0].scores
print(json.dumps(found))
