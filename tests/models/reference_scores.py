"""Scores the models of tiny_models.py by the reference: prints {kind: {task: scores}} as JSON for what its evaluators give."""

import json
import sys
import tempfile
from pathlib import Path

import mteb
from datasets import Dataset
from mteb.abstasks.retrieval import AbsTaskRetrieval
from mteb.abstasks.sts import AbsTaskSTS
from mteb.abstasks.task_metadata import TaskMetadata
from mteb.models import CrossEncoderWrapper, MultiVectorWrapper, SentenceTransformerEncoderWrapper, SparseEncoderWrapper
from sentence_transformers import CrossEncoder, MultiVectorEncoder, SentenceTransformer, SparseEncoder

FOLDER = Path(sys.argv[1])


def rows(name):
    return [json.loads(line) for line in (FOLDER / "data" / f"{name}.jsonl").read_text().splitlines()]


def metadata(name, kind, main_score):
    return TaskMetadata(
        name=name, type=kind, main_score=main_score, description="Made.", eval_langs=["eng-Latn"], eval_splits=["test"],
        dataset={"path": "none", "revision": "1"}, prompt=None, reference=None, category="t2t", modalities=["text"], date=None,
        domains=None, task_subtypes=None, license=None, annotations_creators=None, dialect=None, sample_creation=None,
        bibtex_citation="",
    )


class Search(AbsTaskRetrieval):
    """Searches the made corpus."""

    metadata = metadata("TinyRetrieval", "Retrieval", "ndcg_at_10")

    def load_data(self, **_):
        qrels = {}
        for row in rows("qrels"):
            qrels.setdefault(row["query-id"], {})[row["corpus-id"]] = row["score"]
        named = lambda name: Dataset.from_list([{"id": row["_id"], "text": row["text"]} for row in rows(name)])
        split = {"corpus": named("corpus"), "queries": named("queries"), "relevant_docs": qrels, "top_ranked": self.lists()}
        self.dataset, self.data_loaded = {"default": {"test": split}}, True

    def lists(self):
        return None


class Rerank(Search):
    """Orders the made candidates."""

    metadata = metadata("TinyReranking", "Reranking", "map_at_1000")

    def lists(self):
        return {row["query-id"]: row["corpus-ids"] for row in rows("top_ranked")}


class Pairs(AbsTaskSTS):
    """Compares the made pairs."""

    metadata = metadata("TinySTS", "STS", "cosine_spearman")
    min_score, max_score = 0, 5

    def load_data(self, **_):
        self.dataset, self.data_loaded = {"test": Dataset.from_list(rows("pairs"))}, True


def main():
    found = {}
    models = [("sparse", SparseEncoderWrapper(SparseEncoder(str(FOLDER / "sparse"), device="cpu")), [Search, Rerank, Pairs])]
    models.append(("cross-encoder", CrossEncoderWrapper(CrossEncoder(str(FOLDER / "cross-encoder"), device="cpu")), [Rerank]))
    for kind in ("router", "asymmetric", "prompted"):
        models.append((kind, SentenceTransformerEncoderWrapper(SentenceTransformer(str(FOLDER / kind), device="cpu")), [Search, Rerank, Pairs]))
    for kind in sorted(path.name for path in FOLDER.glob("multi-vector*")):
        models.append((kind, MultiVectorWrapper(MultiVectorEncoder(str(FOLDER / kind), device="cpu")), [Search, Rerank]))
    for kind, wrapped, tasks in models:
        found[kind] = {}
        for task in tasks:
            with tempfile.TemporaryDirectory() as cache:
                results = mteb.evaluate(wrapped, task(), cache=mteb.ResultCache(cache), show_progress_bar=False, co2_tracker=False)
            scores = dict(results.task_results[0].scores["test"][0])
            found[kind][task.metadata.name] = {key: value for key, value in scores.items() if isinstance(value, float) and value == value}
    print(json.dumps(found))


main()
