"""Bitext-mining scores of mteb for random nearest neighbours, with hubs and with repeated gold indices.

Run with mteb 2.26.24: `python make.py` writes `bitext.json` beside this file.
"""
import json
import pathlib
import random
import warnings

from mteb.mocks.mock_tasks import MockBitextMiningTask

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).parent
TASK = MockBitextMiningTask()


def case(expected, found):
    neighbours = [{"corpus_id": index, "score": 0.0} for index in found]
    scores = TASK._compute_metrics(neighbours, list(enumerate(expected)))
    return {
        "expected": expected,
        "found": found,
        "scores": [float(scores[key]) for key in ("precision", "recall", "f1", "accuracy")],
    }


def cases(rng):
    for index in range(200):
        n = rng.randint(1, 60) if index % 20 else rng.randint(200, 400)
        corpus = n if rng.random() < 0.7 else n + rng.randint(1, 50)
        expected = list(range(n)) if corpus == n else [rng.randrange(corpus) for _ in range(n)]
        luck, hubs = rng.random(), [rng.randrange(corpus) for _ in range(3)]
        found = [
            gold if rng.random() < luck else rng.choice([rng.randrange(corpus), *hubs]) for gold in expected
        ]
        yield case(expected, found)


if __name__ == "__main__":
    text = json.dumps(list(cases(random.Random(5))), separators=(",", ":"))
    (HERE / "bitext.json").write_text(text + "\n")
