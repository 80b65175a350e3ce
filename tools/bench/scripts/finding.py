"""The scores of retrieval by numpy: what a type of task in Python costs beside the host's own."""

import numpy

CUTS = (1, 3, 5, 10, 20, 100, 1000)


class Finding:
    main_score = "ndcg_at_10"

    def score(self, rows, embeddings, rng, rankings):
        depth = max(CUTS)
        discounts = 1 / numpy.log2(numpy.arange(depth) + 2)
        sums = {}
        for ranking in rankings:
            grades = numpy.zeros(depth)
            grades[: len(ranking.grades)] = numpy.nan_to_num(ranking.grades[:depth])
            judged = numpy.sort(numpy.array([grade for grade in ranking.judged.values() if grade > 0]))[::-1]
            hits = numpy.cumsum(grades > 0)
            gains = numpy.cumsum(grades * discounts)
            precisions = numpy.cumsum((grades > 0) * hits / numpy.arange(1, depth + 1))
            first = int(numpy.argmax(grades > 0)) + 1 if hits[-1] else 0
            for cut in CUTS:
                ideal = float((judged[:cut] * discounts[: len(judged[:cut])]).sum())
                for name, value in (
                    ("ndcg", gains[cut - 1] / ideal if ideal else 0.0),
                    ("map", precisions[cut - 1] / max(len(judged), 1)),
                    ("recall", hits[cut - 1] / max(len(judged), 1)),
                    ("precision", hits[cut - 1] / cut),
                    ("mrr", 1 / first if 0 < first <= cut else 0.0),
                    ("hit_rate", float(hits[cut - 1] > 0)),
                ):
                    key = f"{name}_at_{cut}"
                    sums[key] = sums.get(key, 0.0) + value
        return {name: total / len(rankings) for name, total in sums.items()}
