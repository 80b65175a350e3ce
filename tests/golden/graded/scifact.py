"""The table of SciFact by two judges, computed from pool, judgements and run files alone: `python scifact.py FOLDER > scifact.csv`.

FOLDER is what the test `scifact_from_rankings_to_the_table` leaves where `MTEB_KEEP_GRADED` names a folder. Python 3.11, nothing else; nothing here is
taken from the code that it checks.
"""
import gzip
import json
import math
import pathlib
import sys

SYSTEMS = {"mteb-host/hashing": "mteb-host__hashing/1", "mteb/baseline-bm25s": "mteb__baseline-bm25s/0_3_0"}
JUDGES = ["reader-a", "reader-b"]
BASELINE = "mteb-host/hashing"


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def ranking(path):
    found = {}
    with gzip.open(path, "rt") as file:
        for line in file:
            query, _, document, _, score, _ = line.split()
            found.setdefault(query, []).append((float(score), document))
    return {query: [d for _, d in sorted(documents, reverse=True)] for query, documents in found.items()}


def main(folder):
    pool = [line for line in lines(folder / "graded/pools/SciFact/test/default.jsonl") if "pair" in line]
    queries = sorted({line["query"] for line in pool})
    rankings = {
        name: ranking(folder / "results" / place / "rankings/SciFact/test/default.trec.gz")
        for name, place in SYSTEMS.items()
    }
    grades = {}
    for judge in JUDGES:
        scores = {line["pair"]: line["score"] for line in lines(folder / f"graded/judgements/{judge}.jsonl")[1:]}
        grades[judge] = {}
        for line in pool:
            grades[judge].setdefault(line["query"], {})[line["document"]] = scores[line["pair"]]
    print(",".join(["At", "System", *JUDGES, "Average", "Judged", "Delta"]))
    for k in [1, 10, 100]:
        rows = []
        for system, found in rankings.items():
            ndcg, judged = [], []
            for judge in JUDGES:
                of_queries, shares = [], []
                for query in queries:
                    gains = grades[judge][query]
                    ideal = sorted((gain for gain in gains.values() if gain > 0), reverse=True)
                    if not ideal:
                        continue
                    best = sum(gain / math.log2(rank + 2) for rank, gain in enumerate(ideal[:k]))
                    top = found.get(query, [])[:k]
                    own = sum(gains.get(document, 0) / math.log2(rank + 2) for rank, document in enumerate(top))
                    of_queries.append(own / best)
                    shares.append(sum(document in gains for document in top) / len(top) if top else 1.0)
                ndcg.append(math.fsum(of_queries) / len(of_queries))
                judged.append(math.fsum(shares) / len(shares))
            rows.append((sum(ndcg) / 2, system, ndcg, sum(judged) / 2))
        rows.sort(reverse=True)
        base = next(row[0] for row in rows if row[1] == BASELINE)
        for average, system, ndcg, judged in rows:
            numbers = [*ndcg, average, judged, average - base]
            print(",".join([str(k), system, *map(shown, numbers)]))


def shown(number):
    return f"{number:.6f}".rstrip("0").rstrip(".")


main(pathlib.Path(sys.argv[1]))
