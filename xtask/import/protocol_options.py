"""What a task changes about the evaluation of its type, in the words of cards; and what cards have no word for."""

import ast
import re

import reference
import source_code

# Measures beside those of the type, by the function of the reference that a task calls for them.
MEASURES = {
    "recall_cap": "capped_recall",
    "level_scores": "level_scores",
    "robustness_at_10": "robustness",
    "max_over_subqueries": "max_over_subqueries",
    "paired_accuracy": "paired_accuracy",
}


def options(task) -> tuple:
    """The options of `[protocol]`, and the columns that the protocol calls otherwise."""
    members, base = reference.own_members(task), reference.base_of(task).__name__
    found = OPTIONS.get(base, lambda *_: {})(task, members)
    return {name: value for name, value in found.items() if value is not None}, columns(task, members, base)


def changed(task, members: dict, name: str):
    """The task's value where it is not that of its type."""
    value = getattr(task, name)
    return value if name in members and value != getattr(reference.base_of(task), name, None) else None


def classification(task, members: dict) -> dict:
    folds = task.n_splits if task.is_cross_validation else None
    return {
        "samples_per_label": changed(task, members, "samples_per_label"),
        "experiments": changed(task, members, "n_experiments"),
        "cross_validation": folds,
    }


def regression(task, members: dict) -> dict:
    return {"experiments": changed(task, members, "n_experiments")}


def multilabel(task, members: dict) -> dict:
    most = 0 if task.max_eval_samples is None else changed(task, members, "max_eval_samples")
    return {
        "samples_per_label": changed(task, members, "samples_per_label"),
        "experiments": changed(task, members, "n_experiments"),
        "max_eval_samples": most,
    }


def clustering(task, members: dict) -> dict:
    share, most = task.max_fraction_of_documents_to_embed, task.max_document_to_embed
    return {
        "max_fraction_of_documents": changed(task, members, "max_fraction_of_documents_to_embed"),
        "max_documents": most if most is not None else (0 if share is None else None),
        "max_documents_per_cluster": changed(task, members, "max_documents_per_cluster"),
        "max_depth": task.max_depth,
    }


def graded(task, _members: dict) -> dict:
    least, most = float(task.min_score), float(task.max_score)
    return {"min_score": least if least != 0 else None, "max_score": most if most != 5 else None}


def summarization(task, members: dict) -> dict:
    deprecated = "evaluator" in members and "Deprecated" in members["evaluator"].__name__
    return {"min_score": float(task.min_score) or None, "max_score": None if task.max_score == 5 else float(task.max_score),
            "average_p_values": deprecated or None}


def pairs(task, _members: dict) -> dict:
    roles = [task.input1_prompt_type, task.input2_prompt_type]
    return {"roles": [role.value for role in roles] if all(roles) else None}


def ranking(task, members: dict) -> dict:
    cuts = list(task.k_values) if changed(task, members, "k_values") else None
    code = ast.unparse(source_code.tree(members["task_specific_scores"])) if "task_specific_scores" in members else ""
    measures = [ours for theirs, ours in MEASURES.items() if re.search(rf"\b{theirs}\b", code)]
    return {"k_values": cuts, "ignore_identical_ids": task.ignore_identical_ids or None,
            "extra_measures": measures or None}


OPTIONS = {
    "AbsTaskClassification": classification,
    "AbsTaskRegression": regression,
    "AbsTaskMultilabelClassification": multilabel,
    "AbsTaskClustering": clustering,
    "AbsTaskClusteringLegacy": lambda task, members: {"legacy": True},
    "AbsTaskSTS": graded,
    "AbsTaskSummarization": summarization,
    "AbsTaskPairClassification": pairs,
    "AbsTaskRetrieval": ranking,
}

COLUMNS = {
    "AbsTaskClassification": {"input_column_name": "text", "label_column_name": "label"},
    "AbsTaskRegression": {"input_column_name": "text", "label_column_name": "value"},
    "AbsTaskMultilabelClassification": {"input_column_name": "text", "label_column_name": "label"},
    "AbsTaskClustering": {"input_column_name": "sentences", "label_column_name": "labels"},
    "AbsTaskClusteringLegacy": {"input_column_name": "sentences", "label_column_name": "labels"},
    "AbsTaskPairClassification": {
        "input1_column_name": "sentence1",
        "input2_column_name": "sentence2",
        "label_column_name": "labels",
    },
}


def columns(task, members: dict, base: str) -> dict:
    if base == "AbsTaskSTS":
        names = zip(("sentence1", "sentence2"), task.column_names, strict=True)
        return {ours: theirs for ours, theirs in names if ours != theirs}
    wanted = {ours: getattr(task, name) for name, ours in COLUMNS.get(base, {}).items() if name in members}
    return {ours: theirs for ours, theirs in wanted.items() if ours != theirs}
