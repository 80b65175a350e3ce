"""Scores models of this process and the same models through a worker, in turns: live.py MODEL_DIR TASK_FOLDER ROUNDS prints
{NAME: {"live": [...], "worker": [...]}} as JSON, texts per second of the time in which the model had work.

TASK_FOLDER has `task.toml`, whose texts a model without work encodes."""

import json
import sys
import time
from pathlib import Path

import mteb_host
import numpy
from sentence_transformers import SentenceTransformer

# Pairs of the task, enough for a few seconds of the model.
OF_TASK = {"tasks": "IndonesianGeneralSTS", "registry": "indonesia", "limit": 300}
NOTHING = '''
import numpy

ROWS = numpy.random.default_rng(1).standard_normal((4096, 384)).astype("float32")

class Nothing:
    def encode(self, texts):
        return ROWS[: len(texts)]
'''

folder, task, rounds = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
(task / "nothing.py").write_text(NOTHING)
made = {}
exec(NOTHING, made)


def speed(model, **options):
    options = {"no_cache": True, "overwrite": "always", "quiet": True, "output_folder": task / "results", **options}
    report = mteb_host.run(model, **options).report
    return report["texts"]["encoded"] / report["encoding"]["busy_seconds"]


MODELS = {
    "all-MiniLM-L6-v2": (SentenceTransformer(folder, device="cpu"), f"st:{folder}", {**OF_TASK, "dtype": "f32"}),
    "no work": (made["Nothing"](), f"python:{task / 'nothing.py'}:Nothing", {"registry": task / "task.toml"}),
}
found = {name: {"live": [], "worker": []} for name in MODELS}
for name, (live, named, options) in MODELS.items():
    of_object = {key: value for key, value in options.items() if key != "dtype"}
    for number in range(rounds + 1):
        # The first of each warms up what a process does once; the sides take turns in who begins.
        sides = [("live", lambda: speed(live, **of_object)), ("worker", lambda: speed(named, **options))]
        for side, run in sides if number % 2 else sides[::-1]:
            value = run()
            if number:
                found[name][side].append(value)
        time.sleep(0.1)
print(json.dumps(found))
