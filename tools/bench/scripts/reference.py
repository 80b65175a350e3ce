"""Runs the Python package mteb on a hub folder with the random baseline encoder: seconds and main scores of each task.

usage: reference.py HUB_DIR NAME=CLASS,... TASK:[SUBSET,...]...

With the environment variable MTEB_RESULTS results are kept in the folder that it names, and those that are there are not
made again; datasets are not loaded before.

`NAME=CLASS` are tasks that are made for the benchmark, each with a class of mteb's tasks; their datasets are in the hub
folder under `mteb-host-bench`. Prints one JSON object: task name = seconds of `evaluate`, data loading included, import
and model loading not, and main scores by split and subset. Every dataset is loaded once before, so that its rows come
from the library's own cache.
"""

import json
import os
import sys
import time
import warnings

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_DATASETS_OFFLINE", "1")
os.environ["CUDA_VISIBLE_DEVICES"] = ""
warnings.filterwarnings("ignore")

import datasets

HUB, TASKS = sys.argv[1], sys.argv[3:]
MADE = dict(pair.split("=") for pair in sys.argv[2].split(",") if pair)
MAIN_SCORES = {
    "AbsTaskClusteringLegacy": ("Clustering", "v_measure"),
    "AbsTaskMultilabelClassification": ("MultilabelClassification", "accuracy"),
    "AbsTaskPairClassification": ("PairClassification", "max_ap"),
    "AbsTaskSummarization": ("Summarization", "cosine_spearman"),
    "AbsTaskRetrieval": ("Reranking", "map_at_1000"),
    "InstructionReranking": ("InstructionReranking", "p-MRR"),
}
load_from_hub = datasets.load_dataset


def folder(path, revision):
    return os.path.join(HUB, "datasets", path, revision or "main")


def load_from_folder(path, *args, **kwargs):
    place = folder(path, kwargs.pop("revision", None))
    kwargs.pop("trust_remote_code", None)
    # The library's cache tells folders apart by their last name alone, which is the revision here.
    kwargs.setdefault("cache_dir", os.path.join(HUB, os.pardir, "cache", path.replace("/", "__")))
    return load_from_hub(place if os.path.isdir(place) else path, *args, **kwargs)


def config_names(path, revision=None, **_):
    return datasets.inspect.get_dataset_config_names(folder(path, revision))


def split_names(path, revision=None, config_name=None, **_):
    return datasets.get_dataset_split_names(folder(path, revision), config_name)


def patch(module):
    if getattr(module, "load_dataset", None) is load_from_hub:
        module.load_dataset = load_from_folder
    if hasattr(module, "get_dataset_config_names"):
        module.get_dataset_config_names = config_names
    if hasattr(module, "get_dataset_split_names"):
        module.get_dataset_split_names = split_names


def classes():
    from mteb.abstasks.clustering_legacy import AbsTaskClusteringLegacy
    from mteb.abstasks.multilabel_classification import AbsTaskMultilabelClassification
    from mteb.abstasks.pair_classification import AbsTaskPairClassification
    from mteb.abstasks.retrieval import AbsTaskRetrieval
    from mteb.abstasks.text.summarization import AbsTaskSummarization
    from mteb.tasks import Core17InstructionRetrieval

    known = (
        AbsTaskClusteringLegacy, AbsTaskMultilabelClassification, AbsTaskPairClassification, AbsTaskRetrieval,
        AbsTaskSummarization,
    )
    return {base.__name__: base for base in known} | {"InstructionReranking": Core17InstructionRetrieval}


def made_task(name):
    from mteb.abstasks.task_metadata import TaskMetadata

    kind = MADE[name]
    task_type, main_score = MAIN_SCORES[kind]
    facts = dict.fromkeys(TaskMetadata.model_fields) | {
        "name": name, "type": task_type, "main_score": main_score, "description": "Made for the benchmark.",
        "dataset": {"path": f"mteb-host-bench/{name}", "revision": "0" * 39 + "1"}, "category": "t2t",
        "modalities": ["text"], "eval_splits": ["test"], "eval_langs": ["ind-Latn"],
    }
    unset = ("is_public", "contributed_by", "is_beta")
    facts = {key: value for key, value in facts.items() if value is not None or key not in unset}
    metadata = TaskMetadata(**facts)
    scale = {"min_score": 0, "max_score": 5}
    return type(name, (classes()[kind],), {"metadata": metadata} | scale)()


def run(model, name, subsets):
    import mteb

    def task():
        return made_task(name) if name in MADE else mteb.get_task(name, hf_subsets=subsets.split(",") if subsets else None)

    first = task()
    patch(sys.modules[type(first).__module__])
    results = os.environ.get("MTEB_RESULTS")
    cache = mteb.ResultCache(results) if results else None
    if cache is None:
        first.load_data()
    begin = time.perf_counter()
    results = mteb.evaluate(model, [task()], cache=cache, show_progress_bar=False, encode_kwargs={"batch_size": 32})
    seconds = time.perf_counter() - begin
    scores = {
        f"{split} {entry['hf_subset']}": entry["main_score"]
        for split, entries in results.task_results[0].scores.items()
        for entry in entries
    }
    return {"seconds": seconds, "scores": scores}


def chosen_model():
    if folder := os.environ.get("MTEB_MODEL"):
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(folder, device="cpu")
    import mteb

    return mteb.get_model("mteb/baseline-random-encoder")


def main():
    datasets.load_dataset = load_from_folder
    import mteb

    for name, module in list(sys.modules.items()):
        if name.startswith("mteb"):
            patch(module)
    model = chosen_model()
    specs = [name.partition(":") for name in TASKS]
    print("\n" + json.dumps({name: run(model, name, subsets) for name, _, subsets in specs}))


main()
