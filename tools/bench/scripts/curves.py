"""Curves of one dataset with numpy: the other side of `cargo xtask bench curves`.

    curves.py FOLDER SYSTEMS JUDGES QUERIES DEPTH THRESHOLD...

Reads `ranks` and `grades` of FOLDER; prints the seconds of measuring, and nDCG@10 and recall@100 of the first system by each judge.
"""

import json
import sys
import time

import numpy as np

folder, (systems, judges, queries, depth) = sys.argv[1], map(int, sys.argv[2:6])
thresholds = [float(text) for text in sys.argv[6:]]
ranks = np.fromfile(f"{folder}/ranks", dtype="<u4").reshape(systems, queries, depth)
grades = np.fromfile(f"{folder}/grades", dtype="<f8").reshape(judges, queries, -1)

begin = time.perf_counter()
discounts = np.log2(np.arange(2, depth + 2))
checks = []
for scores, threshold in zip(grades, thresholds):
    ideal = -np.sort(-scores, axis=1)[:, :depth]
    ideal = np.cumsum(np.maximum(ideal, 0) / discounts, axis=1)
    relevant = (scores >= threshold).sum(axis=1)
    has_gain, has_relevant = ideal[:, -1] > 0, relevant > 0
    for system in range(systems):
        found = np.take_along_axis(scores, ranks[system].astype(np.int64), axis=1)
        gain = np.cumsum(found / discounts, axis=1)
        ndcg = (gain[has_gain] / ideal[has_gain]).mean(axis=0)
        hits = np.cumsum(found >= threshold, axis=1)
        recall = (hits[has_relevant] / relevant[has_relevant, None]).mean(axis=0)
        if system == 0:
            checks += [ndcg[9], recall[99]]
print(json.dumps({"seconds": time.perf_counter() - begin, "checks": checks}))
