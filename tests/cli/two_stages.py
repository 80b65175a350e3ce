"""The scores of the reference's two-stage run: a prediction file's best documents, ordered anew by a cross-encoder.

usage: two_stages.py DATA_FOLDER PREDICTIONS DEPTH…   (prints a line of JSON for each depth; Python with mteb 2.26.24)
"""
import json
import logging
import pathlib
import sys
from types import SimpleNamespace

import mteb
from datasets import Dataset
from mteb._evaluators.retrieval_metrics import calculate_retrieval_scores, make_score_dict
from mteb.abstasks.retrieval import AbsTaskRetrieval, _filter_queries_without_positives
from mteb.models.search_wrappers import SearchCrossEncoderWrapper

logging.disable(logging.CRITICAL)
CUTS = [1, 3, 5, 10, 20, 100, 1000]


class Pairs:
    """Shared letters, less the length: the model that the test runs here."""

    mteb_model_meta = mteb.models.ModelMeta.create_empty({"name": "tests/pairs", "revision": "1"})

    def predict(self, inputs1, inputs2, **_):
        queries = [text for batch in inputs1 for text in batch["text"]]
        documents = [text for batch in inputs2 for text in batch["text"]]
        return [score(query, document) for query, document in zip(queries, documents)]


def score(query, document):
    words = set(query.lower().split())
    return float(sum(3 for word in document.lower().split() if word in words)) - len(document) / 512.0


def rows(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def main(folder, predictions, depth):
    judged = {}
    for row in rows(folder / "qrels.jsonl"):
        judged.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
    queries = Dataset.from_list([{"id": row["_id"], "text": row["text"]} for row in rows(folder / "queries.jsonl")])
    judged, queries = _filter_queries_without_positives(judged, queries)
    corpus = [{"id": row["_id"], "title": row.get("title", ""), "text": row["text"]} for row in rows(folder / "corpus.jsonl")]
    task = SimpleNamespace(data_loaded=True, dataset={"default": {"test": {}}})
    AbsTaskRetrieval.convert_to_reranking(task, predictions, top_k=depth)
    model = SearchCrossEncoderWrapper(Pairs())
    about = dict(task_metadata=mteb.get_task("SciFact").metadata, hf_split="test", hf_subset="default", encode_kwargs={})
    model.index(Dataset.from_list(corpus), **about, num_proc=None)
    found = model.search(queries, top_k=depth, top_ranked=task.dataset["default"]["test"]["top_ranked"], **about)
    _, ndcg, _map, recall, precision, naucs, mrr, naucs_mrr, hit_rate = calculate_retrieval_scores(found, judged, CUTS)
    named = make_score_dict(
        ndcg=ndcg, _map=_map, recall=recall, precision=precision, mrr=mrr, naucs=naucs, naucs_mrr=naucs_mrr, hit_rate=hit_rate,
        task_scores={},
    )
    print(json.dumps({name: round(float(score), 6) for name, score in named.items() if score == score}))


for depth in sys.argv[3:]:
    main(pathlib.Path(sys.argv[1]), sys.argv[2], int(depth))
