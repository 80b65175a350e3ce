"""The other side of `cargo xtask bench score`: pytrec_eval, with which the Python package mteb scores, on the same files.

usage: score.py FOLDER

Reads the ranking and the judgements and works out the measures that `mteb-host score` gives at the same cuts.
"""

import collections
import sys

import pytrec_eval

CUTS = "1,3,5,10,20,100,1000"


def main(folder):
    judgements = collections.defaultdict(dict)
    with open(f"{folder}/data/qrels/test.tsv") as file:
        next(file)
        for line in file:
            query, document, grade = line.split("\t")
            judgements[query][document] = int(grade)
    with open(f"{folder}/run.trec") as file:
        ranking = pytrec_eval.parse_run(file)
    measures = {f"{name}.{CUTS}" for name in ("map_cut", "ndcg_cut", "recall", "P")}
    found = pytrec_eval.RelevanceEvaluator(judgements, measures).evaluate(ranking)
    for name in sorted(next(iter(found.values()))):
        print(name, sum(query[name] for query in found.values()) / len(found))


main(sys.argv[1])
