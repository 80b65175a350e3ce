"""Scores made datasets with the reference: reads `{"kind", "name", "seed", "model", "folder", "output", "draw"}` a line, answers with one line each.

`draw` (0 without one) is the number of the order in which a process that shuffles has the rows.
"""

import json
import logging
import os
import random
import sys
import tempfile
import warnings
from pathlib import Path

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
import tables  # noqa: E402
import torch  # noqa: E402
from datasets.table import InMemoryTable  # noqa: E402
from mteb._evaluators.retrieval_metrics import evaluate_p_mrr_change  # noqa: E402
from mteb._evaluators.sklearn_evaluator import SklearnEvaluator  # noqa: E402
from mteb._evaluators.text import summarization_evaluator  # noqa: E402
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
    "Retrieval": (AbsTaskRetrieval, "ndcg_at_10"), "InstructionRetrieval": (AbsTaskRetrieval, "ndcg_at_10"), "Reranking": (AbsTaskRetrieval, "map_at_1000"),
    "InstructionReranking": (AbsTaskRetrieval, "p-MRR"),
}
# The reference's names of the options of cards.
ATTRIBUTES = {
    "experiments": "n_experiments", "max_documents": "max_document_to_embed", "rounds": "n_clusters", "batch_size": "k_mean_batch_size",
    "max_fraction_of_documents": "max_fraction_of_documents_to_embed", "cross_validation": "n_splits", "max_eval_samples": "max_eval_samples",
}
SIMILARITIES = {"cosine": ScoringFunction.COSINE, "dot": ScoringFunction.DOT_PRODUCT, "euclidean": ScoringFunction.EUCLIDEAN}


# How many rows stand beside those of a product.
LARGER = int(os.environ.get("MADE_LARGER", "0"))
# Whether similarities are the nearest numbers to their true values, which no order of sums moves.
EXACT = os.environ.get("MADE_EXACT") == "1"
# How what stands beside a text is put into another order, and the training rows of a fit. Each draw begins with a seed of
# its own, so that a case has the same orders without the cases before it.
DRAWN = random.Random()
ORDERS = {"reversed": list.reverse, "shuffled": DRAWN.shuffle}
ORDER = ORDERS.get(os.environ.get("MADE_ORDER"))


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


class CrossEncoder:
    """The cross-encoder of encoders.py as a model of the reference."""

    def __init__(self, scorer):
        self.scorer = scorer
        self.mteb_model_meta = ModelMeta.create_empty(overwrites={"name": f"made/{type(scorer).__name__}", "revision": "1"})
        self.mteb_model_meta.model_type = ["cross-encoder"]

    def predict(self, inputs1, inputs2, **_):
        queries, documents = ([text for batch in side for text in batch["text"]] for side in (inputs1, inputs2))
        return self.scorer.predict(list(zip(queries, documents, strict=True)))


class Files:
    """The tables of a case as their files hold them."""

    def __init__(self, case, folder: Path):
        self.splits = {}
        for config, split in case.tables:
            file = next(folder.glob(f"{config}/{split}.*"))
            self.splits.setdefault(config, {})[split] = datasets.Dataset(InMemoryTable(tables.read(file)))


class Loader(RetrievalDatasetLoader):
    """Reads the files of a case in place of a hub's."""

    def __init__(self, case, files: Files, config, split: str):
        self.revision, self.hf_repo, self.trust_remote_code, self.split, self.config = None, case.name, False, split, config
        self.files, self.dataset_configs = files, list(files.splits)

    def _load_dataset_split(self, config, num_proc):
        splits = self.files.splits[config]
        return splits[self.split] if self.split in splits or len(splits) > 1 else next(iter(splits.values()))


def task_of(case, folder: Path):
    base, main_score = (AbsTaskClusteringLegacy, "v_measure") if case.legacy else BASES[case.type]
    main_score = case.main_score or main_score
    files = Files(case, folder)

    class Task(base):
        metadata = TaskMetadata(
            name=case.name, description="Made.", reference=None, dataset={"path": case.name, "revision": "1"}, type=case.type, category="t2t",
            modalities=["text"], eval_splits=case.splits, eval_langs={name: made.LANGUAGES[name] for name in case.subsets} if case.subsets else ["eng-Latn"],
            main_score=main_score, date=("2020-01-01", "2020-01-01"), domains=[], task_subtypes=[], license="cc-by-4.0", annotations_creators="derived",
            dialect=[], sample_creation="found", bibtex_citation="",
        )

        def load_data(self, num_proc=None, **_):
            if base is AbsTaskRetrieval:
                self.dataset = {name or "default": {split: Loader(case, files, name, split).load() for split in case.splits} for name in case.subsets or [None]}
            else:
                self.dataset = {name: datasets.DatasetDict(splits) for name, splits in files.splits.items()}
                self.dataset = self.dataset if case.subsets else self.dataset["default"]
            self.data_loaded = True

        def task_specific_scores(self, scores, qrels, results, hf_split, hf_subset):
            if case.type != "InstructionReranking":
                return {}
            config = f"{hf_subset}-qrel_diff" if case.subsets else "qrel_diff"
            fallen = {row["query-id"]: row["corpus-ids"] for row in files.splits[config]["qrel_diff"]}
            return evaluate_p_mrr_change(qrels, results, fallen, self.k_values)

    options = dict(case.options)
    if options.get("max_documents") == 0:
        Task.max_document_to_embed = Task.max_fraction_of_documents_to_embed = None
        del options["max_documents"]
    elif "max_documents" in options:
        Task.max_fraction_of_documents_to_embed = None
    if options.pop("average_p_values", False):
        Task.evaluator = summarization_evaluator.DeprecatedSummarizationEvaluator
    if "cross_validation" in options:
        Task.is_cross_validation, Task.train_split = True, "test"
    if case.type == "Summarization":
        Task.min_score, Task.max_score = 0, 5
    for option, value in options.items():
        setattr(Task, ATTRIBUTES.get(option, option), value)
    Task.__name__ = case.name
    return Task()


def model_of(name: str):
    known = {encoder.__name__: encoder for encoder in encoders.CLASSES}
    if name in known:
        return Wrapped(known[name]()) if hasattr(known[name], "encode") else CrossEncoder(known[name]())
    return mteb.get_model({"random": "mteb/baseline-random-encoder", "bm25": "mteb/baseline-bm25s"}[name])


def among_others(similarity, more: int):
    """The similarity, computed as a part of a larger product: the order of its sums hangs on the numbers of rows. A few are added to the right side
    alone, many to both, up to a multiple of 16."""

    def wrapped(left, right):
        sides = [np.atleast_2d(np.asarray(side)) for side in (left, right)]
        added = [0, more] if more < 16 else [more + -len(side) % 16 for side in sides]
        larger = [np.concatenate([side] + [side[:1]] * count) for side, count in zip(sides, added, strict=True)]
        return similarity(*larger)[: len(sides[0]), : len(sides[1])]

    return wrapped


def rounded_once(similarity):
    """The similarity, computed with twice the digits and rounded at its end."""

    def wrapped(left, right):
        return similarity(*(torch.as_tensor(np.asarray(side), dtype=torch.float64) for side in (left, right))).float()

    return wrapped


def in_other_order(fit):
    """The fit from the same training rows in another order: they are summed in another one, too."""

    def wrapped(self, train_embeddings, test_embeddings):
        rows = list(range(len(self.train_dataset)))
        ORDER(rows)
        self.train_dataset = self.train_dataset.select(rows)
        return fit(self, np.asarray(train_embeddings)[rows], test_embeddings)

    return wrapped


def scored(asked: dict) -> str:
    DRAWN.seed(f"{asked['seed']} {asked['name']} {asked.get('draw', 0)}")
    case, folder = made.Case(asked["kind"], asked["name"], asked["seed"], asked["model"]), Path(asked["folder"])
    with tempfile.TemporaryDirectory() as other:
        if ORDER:
            case, folder = made.turned(case, ORDER), Path(other) / "datasets/made" / case.name / ("0" * 40)
            made.write(case, Path(other), Path(other))
        try:
            model = model_of(asked["model"])
            if LARGER and hasattr(model, "similarity"):
                model.similarity = among_others(model.similarity, LARGER)
            if EXACT and hasattr(model, "similarity"):
                model.similarity = rounded_once(model.similarity)
                model.similarity_pairwise = rounded_once(model.similarity_pairwise)
            result = mteb.evaluate(model, [task_of(case, folder)], cache=None, co2_tracker=False, show_progress_bar=False, raise_error=True)
            result.task_results[0].to_disk(Path(asked["output"]))
            return ""
        except Exception as error:  # noqa: BLE001 - whatever the reference's code raises is its answer
            cause = error.__cause__ or error
            return f"{type(cause).__name__}: {cause}".replace("\n", " ")[:200]


if __name__ == "__main__":
    for name in ("cos_sim", "dot_score"):
        function = getattr(summarization_evaluator, name)
        if LARGER:
            setattr(summarization_evaluator, name, among_others(function, LARGER))
        elif EXACT:
            setattr(summarization_evaluator, name, rounded_once(function))
    if ORDER:
        SklearnEvaluator.__call__ = in_other_order(SklearnEvaluator.__call__)
    np.seterr(all="ignore")
    for line in sys.stdin:
        print(json.dumps(scored(json.loads(line))), file=ANSWERS, flush=True)
    os._exit(0)
