"""Make measures.json, noise.json and extra.json with the reference's own functions.

usage: make_measures.py   (in this folder; Python with mteb 2.26.24)
"""
import json
import logging
import warnings

from mteb._evaluators.retrieval_metrics import (
    calculate_pmrr,
    calculate_retrieval_scores,
    make_score_dict,
    max_over_subqueries,
    paired_accuracy,
    recall_cap,
    robustness_at_10,
)
from mteb.tasks.instruction_retrieval.eng.ifir_fi_qa_retrieval import IFIRFiQA

from cases import Random, case, floats

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)


def scores(results, qrels, cuts):
    s, ndcg, _map, recall, precision, naucs, mrr, naucs_mrr, hit_rate = calculate_retrieval_scores(results, qrels, cuts)
    named = make_score_dict(ndcg=ndcg, _map=_map, recall=recall, precision=precision, mrr=mrr, naucs=naucs, naucs_mrr=naucs_mrr, hit_rate=hit_rate, task_scores={})
    return s, named


def write(name, value):
    with open(name, "w") as out:
        out.write("[\n" + ",\n".join(json.dumps(row) for row in value) + "\n]\n")


def measures():
    rows = []
    for seed in range(100):
        shape = dict(seed=seed, queries=5 + seed % 23, documents=[12, 40, 130][seed % 3], steps=[2, 8, 64, 2**31, 0][seed % 5], empty=seed % 4 == 0)
        cuts = [[1, 3, 10], [1, 5, 20], [1, 3, 5, 10, 20, 100, 1000], [10, 1], [1, 2, 1000]][seed // 5 % 5]
        results, qrels = case(**shape)
        per_query, named = scores(results, qrels, cuts)
        row = dict(shape, cuts=cuts, values=floats(named.values()))
        if seed % 10 == 0:
            row["keys"] = list(named)
        if seed % 5 == 1:
            first = [q for q in per_query][:4]
            row["per_query"] = [[floats(per_query[q][f"{m}_{k}"] for q in first) for k in cuts] for m in ("ndcg_cut", "map_cut", "recall", "P", "success")]
        rows.append(row)
    return rows


def noise():
    """Metrics that are constant or nearly so: nAUC is NaN or rounding noise."""
    rows = []
    for seed in range(150):
        shape = dict(seed=5000 + seed, queries=1 + seed % 37, documents=3 + seed % 3, steps=[1, 2, 4, 2**31][seed % 4], empty=seed % 7 == 0, grades=[[1], [0], [3, 1], [1, 1, 1, 0]][seed % 4 if seed % 11 else 0])
        cuts = [1, 3]
        _, named = scores(*case(**shape), cuts)
        rows.append(dict(shape, cuts=cuts, values=floats(v for k, v in named.items() if k.startswith("nauc"))))
    return rows


def renamed(mapping, names):
    return dict(zip(names, mapping.values()))


def extra():
    rows = []
    for seed in range(40):
        shape = dict(seed=9000 + seed, queries=12, documents=[10, 40][seed % 2], steps=[3, 2**31][seed % 2], empty=False)
        results, qrels = case(**shape)
        cuts = [1, 3, 10, 20]
        row = dict(shape, cuts=cuts)
        names = [f"imp{q // 3}_s_{q % 3}" for q in range(12)]
        merged = max_over_subqueries(renamed(qrels, names), renamed(results, names), cuts)
        row["max_over_subqueries"] = floats(merged.values())
        names = [f"n{q // 2}_q{q % 2 + 1}" for q in range(12)]
        per_query, _ = scores(renamed(results, names), renamed(qrels, names), cuts)
        row["paired_accuracy"] = floats([paired_accuracy(renamed(qrels, names), None, per_query)])
        row["robustness"] = floats([robustness_at_10(renamed(qrels, names), None, per_query)])
        capped = recall_cap(renamed(qrels, names), renamed(results, names), cuts)
        row["capped_recall"] = [floats(capped[f"R_cap_at_{k}"]) for k in cuts]
        names = [f"x{q}v{q % 3 + 1}" for q in range(12)]
        per_query, _ = scores(renamed(results, names), renamed(qrels, names), cuts)
        levels = IFIRFiQA.task_specific_scores(None, per_query, None, None, None, None)["level_scores"]
        row["level_scores"] = floats(levels.values())
        random = Random(shape["seed"])
        queries = list(results)
        original = {f"t{i}-og": results[queries[i]] for i in range(6)}
        changed = {f"t{i}-changed": results[queries[6 + i]] for i in range(6)}
        documents = {f"t{(i * 5) % 7}": [f"d{random.below(shape['documents'] + 3)}" for _ in range(random.below(6))] for i in range(7)}
        documents["t0"] = documents["t0"] + ["d0"]
        row["p_mrr"] = floats([calculate_pmrr(original, changed, documents)])
        rows.append(row)
    return rows


write("measures.json", measures())
write("noise.json", noise())
write("extra.json", extra())
