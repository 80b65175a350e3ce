"""The tasks of this folder for mteb 2: `from tasks import task; mteb.evaluate(model, [task("Name")])`. Written by `mteb-host export`."""

import json
from pathlib import Path

from mteb.abstasks import (
    AbsTaskBitextMining,
    AbsTaskClassification,
    AbsTaskClustering,
    AbsTaskMultilabelClassification,
    AbsTaskPairClassification,
    AbsTaskRetrieval,
    AbsTaskSTS,
    AbsTaskSummarization,
)
from mteb.abstasks.task_metadata import TaskMetadata

FOLDER = Path(__file__).resolve().parent

TYPES = {
    "BitextMining": AbsTaskBitextMining,
    "Classification": AbsTaskClassification,
    "Clustering": AbsTaskClustering,
    "InstructionReranking": AbsTaskRetrieval,
    "InstructionRetrieval": AbsTaskRetrieval,
    "MultilabelClassification": AbsTaskMultilabelClassification,
    "PairClassification": AbsTaskPairClassification,
    "Reranking": AbsTaskRetrieval,
    "Retrieval": AbsTaskRetrieval,
    "STS": AbsTaskSTS,
    "Summarization": AbsTaskSummarization,
}

# What a card may set that the reference has as an attribute of the task.
ATTRIBUTES = {
    "max_documents": "max_document_to_embed",
    "max_documents_per_cluster": "max_documents_per_cluster",
    "max_score": "max_score",
    "min_score": "min_score",
    "experiments": "n_experiments",
    "samples_per_label": "samples_per_label",
}


def names():
    """The names of all tasks here."""
    return sorted(path.parent.name for path in FOLDER.glob("*/task.json"))


def task(name):
    """The task called `name`, whose data lies beside this file."""
    card = json.loads((FOLDER / name / "task.json").read_text(encoding="utf-8"))
    unknown = sorted(set(card["protocol"]) - set(ATTRIBUTES))
    if unknown:
        raise NotImplementedError(f"{name}: the reference has no attribute for {', '.join(unknown)} of its card")
    attributes = {ATTRIBUTES[key]: value for key, value in card["protocol"].items()}
    # 0 stands for all documents.
    if attributes.get("max_document_to_embed") == 0:
        attributes["max_document_to_embed"], attributes["max_fraction_of_documents_to_embed"] = None, None
    dataset = {"path": str(FOLDER / name), "revision": card["revision"]}
    attributes["metadata"] = TaskMetadata(dataset=dataset, **card["metadata"])
    return type(name, (TYPES[card["metadata"]["type"]],), attributes)()
