"""Facts of the reference that tables of published results need: models, two benchmarks, and which tasks share data.

Run with mteb 2.26.24: `python make.py FOLDER` writes `facts.json` beside this file. FOLDER holds `results/<model>/<revision>`: models
without results there are left out, but for those that others were trained from.
"""
import json
import logging
import pathlib
import sys
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

import mteb
from mteb.get_tasks import _SIMILAR_TASKS
from mteb.models.get_model_meta import _MODEL_RENAMES
from mteb.models.model_implementations import MODEL_REGISTRY

HERE = pathlib.Path(__file__).parent


def model(meta):
    finite = meta.max_tokens not in (None, float("inf"))
    facts = {
        "revision": meta.revision,
        "release_date": str(meta.release_date) if meta.release_date else None,
        "parameters": meta.n_parameters,
        "active_parameters": meta.n_active_parameters,
        "max_tokens": int(meta.max_tokens) if finite else None,
        "dimension": max(meta.embed_dim) if isinstance(meta.embed_dim, list) else meta.embed_dim,
        "training_datasets": None if meta.training_datasets is None else sorted(meta.training_datasets),
        "adapted_from": _MODEL_RENAMES.get(meta.adapted_from, meta.adapted_from),
        "open_weights": meta.open_weights,
        "use_instructions": meta.use_instructions,
    }
    return {key: value for key, value in facts.items() if value is not None}


def task(task):
    languages = task.metadata.hf_subsets_to_langscripts
    return {
        "name": task.metadata.name,
        "type": task.metadata.type,
        "main_score": task.metadata.main_score,
        "splits": list(task.eval_splits),
        "subsets": {subset: languages.get(subset, []) for subset in task.hf_subsets},
        "is_aggregate": task.is_aggregate,
        "domains": task.metadata.domains or [],
    }


def main(folder):
    names = {json.loads(path.read_text()).get("name") for path in folder.glob("results/*/*/model_meta.json")}
    names &= set(MODEL_REGISTRY)
    waiting = list(names)
    while waiting:
        parent = MODEL_REGISTRY[waiting.pop()].adapted_from
        parent = _MODEL_RENAMES.get(parent, parent)
        if parent in MODEL_REGISTRY and parent not in names:
            names.add(parent)
            waiting.append(parent)
    benchmarks = ["MTEB(eng, v1)", "MTEB(kor, v1)"]
    facts = {
        "models": {name: model(MODEL_REGISTRY[name]) for name in sorted(names)},
        "benchmarks": {name: [task(each) for each in mteb.get_benchmark(name).tasks] for name in benchmarks},
        "similar": {name: sorted(others) for name, others in sorted(_SIMILAR_TASKS.items())},
    }
    lines = json.dumps(facts, indent=1, ensure_ascii=False)
    (HERE / "facts.json").write_text(lines + "\n")


main(pathlib.Path(sys.argv[1]))
