"""A type of task: which text of a list does not belong to the others? The one that is least like the rest."""

import numpy


class OddOneOut:
    columns = ["words", "odd"]
    main_score = "accuracy"

    def score(self, rows, embeddings, rng):
        hits = []
        for row, vectors in zip(rows, embeddings["words"]):
            unit = vectors / numpy.maximum(numpy.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
            likeness = (unit @ unit.T).sum(axis=1)
            least = numpy.flatnonzero(likeness == likeness.min())
            hits.append(float(rng.choice(least) == row["odd"]))
        return {"accuracy": numpy.mean(hits), "chance": numpy.mean([1 / len(row["words"]) for row in rows]), "outcomes": hits}
