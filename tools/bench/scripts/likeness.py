"""The scores of STS by numpy: what a type of task in Python costs beside the host's own."""

import numpy


def ranks(numbers):
    values, places, counts = numpy.unique(numbers, return_inverse=True, return_counts=True)
    ends = numpy.cumsum(counts)
    return ((ends - counts + ends + 1) / 2)[places]


def correlations(gold, gold_ranks, found):
    return numpy.corrcoef(gold, found)[0, 1], numpy.corrcoef(gold_ranks, ranks(found))[0, 1]


class Likeness:
    main_score = "cosine_spearman"

    def score(self, rows, embeddings, rng):
        gold = numpy.array([row["score"] for row in rows])
        left, right = embeddings["sentence1"], embeddings["sentence2"]
        lengths = numpy.linalg.norm(left, axis=1) * numpy.linalg.norm(right, axis=1)
        cosine = numpy.einsum("ij,ij->i", left, right) / numpy.maximum(lengths, 1e-12)
        difference = left - right
        found = {
            "": cosine,
            "cosine_": cosine,
            "manhattan_": -numpy.abs(difference).sum(axis=1),
            "euclidean_": -numpy.sqrt(numpy.einsum("ij,ij->i", difference, difference)),
        }
        scores, gold_ranks = {}, ranks(gold)
        for prefix, numbers in found.items():
            scores[f"{prefix}pearson"], scores[f"{prefix}spearman"] = correlations(gold, gold_ranks, numbers)
        return scores
