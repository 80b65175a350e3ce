"""Check that others read our rankings: pytrec_eval, ir_measures, and the reference's two-stage reranking.

usage: check.py RESULTS TASK DATA   (Python with mteb 2.26.24, pytrec_eval, ir_measures)

RESULTS is a folder of results of one model with `rankings/` and `predictions/`, DATA the folder of the task's files. Prints a
line for each check, and ends with 1 at the first measure that differs.
"""
import gzip
import json
import pathlib
import sys
import tempfile

import ir_measures
import pytrec_eval
from ir_measures import AP, RR, P, R, nDCG

results, task, data = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
entry = next(iter(json.loads((results / f"{task}.json").read_text())["scores"].values()))[0]
qrels = {}
for line in (data / "qrels.jsonl").read_text().splitlines():
    row = json.loads(line)
    qrels.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
packed = next((results / "rankings" / task).glob("*/*.trec.gz"))
text = gzip.open(packed, "rt", encoding="utf-8").read()


def compare(tool, found, names):
    for name, key in names.items():
        value = round(found[name], 5)
        assert abs(value - entry[key]) < 1.1e-5, f"{tool}, {key}: {value} for {entry[key]}"
    print(f"{tool}: {len(names)} measures are equal")


with tempfile.TemporaryDirectory() as folder:
    run = pathlib.Path(folder) / "run.trec"
    run.write_text(text)
    read = pytrec_eval.parse_run(run.open())
    measures = {"ndcg_cut.10,100", "map_cut.10,1000", "recall.10,100", "P.10", "success.10"}
    each = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(read)
    mean = {name: sum(query[name] for query in each.values()) / len(qrels) for name in next(iter(each.values()))}
    compare("pytrec_eval", mean, {
        "ndcg_cut_10": "ndcg_at_10", "ndcg_cut_100": "ndcg_at_100", "map_cut_10": "map_at_10", "map_cut_1000": "map_at_1000",
        "recall_10": "recall_at_10", "recall_100": "recall_at_100", "P_10": "precision_at_10", "success_10": "hit_rate_at_10",
    })
    wanted = {nDCG @ 10: "ndcg_at_10", AP @ 100: "map_at_100", R @ 10: "recall_at_10", P @ 10: "precision_at_10", RR @ 10: "mrr_at_10"}
    found = ir_measures.calc_aggregate(list(wanted), qrels, ir_measures.read_trec_run(str(run)))
    compare("ir_measures", found, wanted)

predictions = json.loads((results / "predictions" / f"{task}_predictions.json").read_text())
from mteb.abstasks.retrieval import AbsTaskRetrieval  # noqa: E402


class Given(AbsTaskRetrieval):
    """A task whose data is here, reranked from the predictions."""

    ignore_identical_ids = False
    data_loaded = True
    metadata = None

    def __init__(self):
        self.dataset = {subset: {split: {} for split in splits} for subset, splits in predictions.items() if subset != "mteb_model_meta"}


given = Given()
given.convert_to_reranking(results / "predictions" / f"{task}_predictions.json", top_k=100)
ranked = {}
for line in text.splitlines():
    query, _, document, rank, _, _ = line.split()
    if int(rank) <= 100:
        ranked.setdefault(query, []).append(document)
lists = given.dataset["default"]["test"]["top_ranked"]
assert lists == ranked, "the reference's first stage differs"
print(f"mteb: two-stage reranking takes {sum(map(len, lists.values()))} candidates as they are ranked")
