"""Runs the Python package mteb on a hub folder with the random baseline encoder and prints the seconds of each task.

usage: reference.py HUB_DIR TASK[:subset,subset]...

Prints one JSON object: task name = seconds of `evaluate`, data loading included, import and model loading not.
"""

import json
import os
import sys
import time

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_DATASETS_OFFLINE", "1")
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import datasets

HUB, SPECS = sys.argv[1], sys.argv[2:]
load_from_hub = datasets.load_dataset


def folder(path, revision):
    return os.path.join(HUB, "datasets", path, revision or "main")


def load_from_folder(path, *args, **kwargs):
    place = folder(path, kwargs.pop("revision", None))
    kwargs.pop("trust_remote_code", None)
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


def main():
    datasets.load_dataset = load_from_folder
    import mteb

    for name, module in list(sys.modules.items()):
        if name.startswith("mteb"):
            patch(module)
    model = mteb.get_model("mteb/baseline-random-encoder")
    seconds = {}
    for spec in SPECS:
        name, _, subsets = spec.partition(":")
        task = mteb.get_task(name, hf_subsets=subsets.split(",") if subsets else None)
        patch(sys.modules[type(task).__module__])
        begin = time.perf_counter()
        mteb.evaluate(model, [task], cache=None, show_progress_bar=False, encode_kwargs={"batch_size": 32})
        seconds[name] = time.perf_counter() - begin
    print(json.dumps(seconds))


main()
