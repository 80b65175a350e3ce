"""Scores made datasets with the reference: reads `{"kind", "name", "seed", "model", "output"}` a line, answers with one line each."""

import json
import logging
import os
import sys
import warnings

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TQDM_DISABLE": "1"}
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

import datasets  # noqa: E402
import encoders  # noqa: E402
import made  # noqa: E402
import mteb  # noqa: E402
import numpy as np  # noqa: E402
from mteb._evaluators.retrieval_metrics import evaluate_p_mrr_change  # noqa: E402
from mteb.abstasks import AbsTaskClassification, AbsTaskRetrieval  # noqa: E402
from mteb.abstasks.clustering import AbsTaskClustering  # noqa: E402
from mteb.abstasks.clustering_legacy import AbsTaskClusteringLegacy  # noqa: E402
from mteb.abstasks.multilabel_classification import AbsTaskMultilabelClassification  # noqa: E402
from mteb.abstasks.pair_classification import AbsTaskPairClassification  # noqa: E402
from mteb.abstasks.regression import AbsTaskRegression  # noqa: E402
from mteb.abstasks.retrieval_dataset_loaders import RetrievalDatasetLoader  # noqa: E402
from mteb.abstasks.sts import AbsTaskSTS  # noqa: E402
from mteb.abstasks.task_metadata import TaskMetadata  # noqa: E402
from mteb.abstasks.text.bitext_mining import AbsTaskBitextMining  # noqa: E402
from mteb.abstasks.text.summarization import AbsTaskSummarization  # noqa: E402
from mteb.models import ModelMeta  # noqa: E402
from mteb.models.abs_encoder import AbsEncoder  # noqa: E402
from mteb.models.model_meta import ScoringFunction  # noqa: E402
from mteb.similarity_functions import select_pairwise_similarity, select_similarity  # noqa: E402

datasets.disable_progress_bars()
BASES = {
    "BitextMining": (AbsTaskBitextMining, "f1"), "Classification": (AbsTaskClassification, "accuracy"),
    "MultilabelClassification": (AbsTaskMultilabelClassification, "accuracy"), "Clustering": (AbsTaskClustering, "v_measure"),
    "PairClassification": (AbsTaskPairClassification, "max_ap"), "STS": (AbsTaskSTS, "cosine_spearman"),
    "Summarization": (AbsTaskSummarization, "cosine_spearman"), "Regression": (AbsTaskRegression, "kendalltau"),
    "Retrieval": (AbsTaskRetrieval, "ndcg_at_10"), "Reranking": (AbsTaskRetrieval, "map_at_1000"),
    "InstructionReranking": (AbsTaskRetrieval, "p-MRR"),
}
# The reference's names of the options of cards.
ATTRIBUTES = {
    "experiments": "n_experiments", "max_documents": "max_document_to_embed", "rounds": "n_clusters", "batch_size": "k_mean_batch_size",
    "samples_per_label": "samples_per_label", "max_documents_per_cluster": "max_documents_per_cluster", "k_values": "k_values",
}
SIMILARITIES = {"cosine": ScoringFunction.COSINE, "dot": ScoringFunction.DOT_PRODUCT, "euclidean": ScoringFunction.EUCLIDEAN}


class Wrapped(AbsEncoder):
    """One of encoders.py as a model of the reference."""

    def __init__(self, encoder):
        self.encoder, self.kind = encoder, SIMILARITIES[encoder.similarity]
        facts = {"name": f"made/{type(encoder).__name__}", "revision": "1", "similarity_fn_name": self.kind}
        self.mteb_model_meta = ModelMeta.create_empty(overwrites=facts)

    def encode(self, inputs, **_):
        return self.encoder.encode([text for batch in inputs for text in batch["text"]])

    def similarity(self, left, right):
        return select_similarity(left, right, self.kind)

    def similarity_pairwise(self, left, right):
        return select_pairwise_similarity(left, right, self.kind)


class Loader(RetrievalDatasetLoader):
    """Reads the tables of a case in place of a hub's."""

    def __init__(self, case):
        self.revision, self.hf_repo, self.trust_remote_code, self.split, self.config = None, case.name, False, "test", None
        self.tables = {path.split("/")[0]: rows for path, rows in case.tables.items()}
        self.dataset_configs = list(self.tables)

    def _load_dataset_split(self, config, num_proc):
        return datasets.Dataset.from_list(self.tables[config])


def task_of(case):
    base, main_score = (AbsTaskClusteringLegacy, "v_measure") if case.legacy else BASES[case.type]
    main_score = case.main_score or main_score

    class Task(base):
        metadata = TaskMetadata(
            name=case.name, description="Made.", reference=None, dataset={"path": case.name, "revision": "1"}, type=case.type, category="t2t",
            modalities=["text"], eval_splits=["test"], eval_langs=["eng-Latn"], main_score=main_score, date=("2020-01-01", "2020-01-01"),
            domains=[], task_subtypes=[], license="cc-by-4.0", annotations_creators="derived", dialect=[], sample_creation="found",
            bibtex_citation="",
        )

        def load_data(self, num_proc=None, **_):
            if base is AbsTaskRetrieval:
                self.dataset = {"default": {"test": Loader(case).load()}}
            else:
                self.dataset = datasets.DatasetDict({split: datasets.Dataset.from_list(rows) for split, rows in case.tables.items()})
            self.data_loaded = True

        def task_specific_scores(self, scores, qrels, results, hf_split, hf_subset):
            if case.type != "InstructionReranking":
                return {}
            fallen = {row["query-id"]: row["corpus-ids"] for row in case.tables["qrel_diff/qrel_diff"]}
            return evaluate_p_mrr_change(qrels, results, fallen, self.k_values)

    for option, value in case.options.items():
        setattr(Task, ATTRIBUTES[option], value)
    if case.options.get("max_documents") == 0:
        Task.max_document_to_embed = Task.max_fraction_of_documents_to_embed = None
    if case.type == "Summarization":
        Task.min_score, Task.max_score = 0, 5
    Task.__name__ = case.name
    return Task()


def scored(order: dict) -> str:
    case = made.Case(order["kind"], order["name"], order["seed"])
    if "MADE_TURNED" in os.environ:
        case = made.turned(case)
    known = {encoder.__name__: encoder for encoder in encoders.CLASSES}
    model = Wrapped(known[order["model"]]()) if order["model"] in known else mteb.get_model("mteb/baseline-random-encoder")
    try:
        result = mteb.evaluate(model, [task_of(case)], cache=None, co2_tracker=False, show_progress_bar=False, raise_error=True)
        from pathlib import Path

        result.task_results[0].to_disk(Path(order["output"]))
        return ""
    except Exception as error:  # noqa: BLE001 - whatever the reference's code raises is its answer
        cause = error.__cause__ or error
        return f"{type(cause).__name__}: {cause}".replace("\n", " ")[:200]


if __name__ == "__main__":
    np.seterr(all="ignore")
    for line in sys.stdin:
        print(json.dumps(scored(json.loads(line))), file=ANSWERS, flush=True)
    os._exit(0)
