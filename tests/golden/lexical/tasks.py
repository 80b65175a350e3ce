"""Make tasks.json: the scores of the reference's `mteb/baseline-bm25s` on retrieval sets.

usage: tasks.py HUB_DIR   (in this folder; Python with mteb 2.26.24, bm25s 0.3.16, PyStemmer 3.1.0)

The bundled sets are those of the first edition, whose data stays as it is; SciFact from HUB_DIR, laid out as a hub. Scores are rounded as result
files have them; nAUC is left out where it is undefined.
"""
import json
import logging
import pathlib
import sys
from types import SimpleNamespace

from datasets import Dataset
from mteb._evaluators.retrieval_metrics import calculate_retrieval_scores, make_score_dict
from mteb.models.model_implementations.bm25 import BM25Search

logging.disable(logging.CRITICAL)
PACK = pathlib.Path(__file__).resolve().parents[3] / "indonesia" / "editions" / "1" / "data"
CUTS = [1, 3, 5, 10, 20, 100, 1000]


def rows(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def qrels(path):
    judged = {}
    if path.suffix == ".tsv":
        lines = path.read_text(encoding="utf-8").splitlines()[1:]
        found = [line.split("\t") for line in lines]
    else:
        found = [(row["query-id"], row["corpus-id"], row["score"]) for row in rows(path)]
    for query, document, grade in found:
        judged.setdefault(str(query), {})[str(document)] = int(grade)
    return judged


def scores(folder, judged, language, candidates=None):
    corpus = [{"id": str(row["_id"]), "title": row.get("title", ""), "text": row["text"]} for row in rows(folder / "corpus.jsonl")]
    queries = [{"id": str(row["_id"]), "text": row["text"]} for row in rows(folder / "queries.jsonl") if str(row["_id"]) in judged]
    metadata = SimpleNamespace(eval_langs=[language])
    model = BM25Search()
    model.index(Dataset.from_list(corpus), task_metadata=metadata, hf_split="test", hf_subset="default", encode_kwargs={})
    found = model.search(
        Dataset.from_list(queries), task_metadata=metadata, hf_split="test", hf_subset="default", encode_kwargs={}, top_k=1000,
        top_ranked=candidates,
    )
    _, ndcg, _map, recall, precision, naucs, mrr, naucs_mrr, hit_rate = calculate_retrieval_scores(found, judged, CUTS)
    named = make_score_dict(
        ndcg=ndcg, _map=_map, recall=recall, precision=precision, mrr=mrr, naucs=naucs, naucs_mrr=naucs_mrr, hit_rate=hit_rate,
        task_scores={},
    )
    return {name: round(float(score), 6) for name, score in named.items() if score == score}


def main(hub):
    found = {}
    for name in ("IndonesianEncyclopediaRetrieval", "IndonesianHealthRetrieval", "IndonesianLawRetrieval"):
        found[name] = scores(PACK / name, qrels(PACK / name / "qrels.jsonl"), "ind-Latn")
    folder = PACK / "IndonesianHowToReranking"
    lists = {row["query-id"]: row["corpus-ids"] for row in rows(folder / "top_ranked.jsonl")}
    found[folder.name] = scores(folder, qrels(folder / "qrels.jsonl"), "ind-Latn", lists)
    scifact = next((pathlib.Path(hub) / "datasets" / "mteb" / "scifact").iterdir())
    found["SciFact"] = scores(scifact, qrels(next((scifact / "qrels").glob("test*"))), "eng-Latn")
    pathlib.Path("tasks.json").write_text(json.dumps(found, indent=1) + "\n")


main(sys.argv[1])
