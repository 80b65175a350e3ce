"""Make graded.json: measures over judgements that are any number, by scikit-learn and trec_eval.

usage: make_graded.py   (in this folder; Python with scikit-learn 1.9.1 and pytrec_eval)

Of 200 random rankings: nDCG with linear and with exponential gain by `sklearn.metrics.ndcg_score` (no ties in the
scores, for it breaks none by id), and MAP, recall, precision and hit rate by trec_eval over judgements that are 1 from
the threshold on and 0 below. Where all grades are whole, nDCG is trec_eval's too: of the grades, and of 2^grade - 1.
"""
import json

import numpy as np
import pytrec_eval
from sklearn.metrics import ndcg_score

from cases import case, floats

FLOATS = [0, 0.25, 1.5, 3.75, 6.0, 6.5, 7.0, 9.1, 10, 0.75]
WHOLE = [0, 0, 1, 2, 3, 5, 10]
CUTS = [1, 5, 10, 20]


def sklearn_ndcg(results, qrels, gain, cut):
    values = []
    for query, found in results.items():
        documents = sorted(set(found) | set(qrels[query]))
        gains = np.array([[gain(qrels[query].get(document, 0)) for document in documents]])
        # What was not found ranks behind everything that was, and gains nothing there.
        documents += [f"none{i}" for i in range(20)]
        gains = np.hstack([gains, np.zeros((1, 20))])
        place = {document: -1 - i for i, document in enumerate(documents)}
        behind = [i for i, document in enumerate(documents) if document not in found and document in qrels[query]]
        scores = np.array([[found.get(document, place[document]) for document in documents]], dtype=float)
        scores[0, behind] = -1000 - np.arange(len(behind))
        values.append(float(ndcg_score(gains, scores, k=cut, ignore_ties=True)) if gains.sum() > 0 else 0.0)
    return values


def trec(results, qrels, measures):
    # trec_eval takes scores as floats of 32 bits, which tell these apart.
    return pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(results)


def rows():
    for seed in range(200):
        grades = WHOLE if seed % 4 == 0 else FLOATS
        shape = dict(seed=20_000 + seed, queries=4 + seed % 5, documents=[12, 40][seed % 2], steps=2**31, empty=False)
        results, qrels = case(**shape, grades=grades)
        threshold = [1, 6.5, 7, 0.5][seed // 4 % 4]
        binary = {q: {d: int(grade >= threshold and grade > 0) for d, grade in judged.items()} for q, judged in qrels.items()}
        cuts = ",".join(map(str, CUTS))
        found = trec(results, binary, {f"map_cut.{cuts}", f"recall.{cuts}", f"P.{cuts}", f"success.{cuts}"})
        row = dict(shape, grades=grades, cuts=CUTS, threshold=threshold)
        row["linear"] = [floats(sklearn_ndcg(results, qrels, lambda g: g, cut)) for cut in CUTS]
        row["exponential"] = [floats(sklearn_ndcg(results, qrels, lambda g: 2.0**g - 1, cut)) for cut in CUTS]
        row["binary"] = [
            [floats(found[q][f"{name}_{cut}"] for q in results) for cut in CUTS] for name in ("map_cut", "recall", "P", "success")
        ]
        if grades is WHOLE:
            gains = {q: {d: 2**grade - 1 for d, grade in judged.items()} for q, judged in qrels.items()}
            for name, judged in (("linear", qrels), ("exponential", gains)):
                found = trec(results, judged, {f"ndcg_cut.{cuts}"})
                row[f"trec_{name}"] = [floats(found[q][f"ndcg_cut_{cut}"] for q in results) for cut in CUTS]
        yield row


with open("graded.json", "w") as out:
    out.write("[\n" + ",\n".join(json.dumps(row) for row in rows()) + "\n]\n")
