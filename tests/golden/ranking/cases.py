"""Random rankings with ties, zero and negative judgements and empty results, from a linear congruential generator.

The Rust tests make the same cases from the same seeds (host/measures/src/ranking/tests/cases.rs), so that the
fixtures hold the reference's answers alone.
"""

GRADES = [0, 0, 1, 2, -1, 3, 1]


class Random:
    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound


def case(seed, queries, documents, steps, empty, grades=GRADES):
    """(results, qrels): `steps` distinct scores; 0 steps: scores that differ by 1e-12 only, less than f32 can tell."""
    random = Random(seed)
    qrels, results = {}, {}
    for query in range(queries):
        judged = {}
        for _ in range(1 + random.below(8)):
            document = f"d{random.below(documents)}"
            judged[document] = grades[random.below(len(grades))]
        found = {}
        for _ in range(random.below(documents) if empty else 1 + random.below(documents)):
            document = f"d{random.below(documents)}"
            score = random.below(steps) / steps if steps else 0.5 + random.below(4) * 1e-12
            found.setdefault(document, score)
        qrels[f"q{query}"] = judged
        results[f"q{query}"] = found
    return results, qrels


def floats(values):
    return " ".join("-" if v is None else repr(float(v)) for v in values)
