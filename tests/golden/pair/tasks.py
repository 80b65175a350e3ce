"""Whole results of mteb's STS, pair-classification, bitext and summarization tasks on small given embeddings.

Run with mteb 2.26.24: `HF_HUB_OFFLINE=1 python tasks.py` writes `tasks.json` beside this file. Every case holds the
rows, the embedding of every text, the scores in the order of the result file, and the phases.
"""
import json
import pathlib
import warnings

import mteb
import numpy as np
from datasets import Dataset, DatasetDict
from mteb._evaluators.text.summarization_evaluator import DeprecatedSummarizationEvaluator
from mteb.mocks.mock_tasks import (
    MockBitextMiningTask,
    MockPairClassificationTask,
    MockSTSTask,
    MockSummarizationTask,
)
from mteb.models import ModelMeta
from mteb.models.model_meta import ScoringFunction
from mteb.similarity_functions import select_pairwise_similarity, select_similarity
from mteb.tasks.bitext_mining import BUCCBitextMining

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).parent
DIMENSION = 8


class GivenEncoder:
    """Looks the embedding of a text up in a table."""

    def __init__(self, table, similarity):
        self.table = table
        self.mteb_model_meta = ModelMeta.create_empty(
            overwrites={"name": "test/given", "revision": "1", "similarity_fn_name": ScoringFunction(similarity)}
        )

    def encode(self, inputs, **kwargs):
        return np.array([self.table[text] for batch in inputs for text in batch["text"]], dtype=np.float32)

    def similarity(self, left, right):
        return select_similarity(left, right, self.mteb_model_meta.similarity_fn_name)

    def similarity_pairwise(self, left, right):
        return select_pairwise_similarity(left, right, self.mteb_model_meta.similarity_fn_name)


class Embeddings:
    """Gives texts short random embeddings, some of them repeated and one of them zero."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.table = {}

    def text(self, near=None, noise=1.0):
        vector = self.rng.normal(size=DIMENSION) * noise
        if near is not None:
            vector = vector + np.array(self.table[near])
        name = f"t{len(self.table)}"
        self.table[name] = [round(float(value), 2) for value in vector]
        return name

    def copy(self, other):
        name = f"t{len(self.table)}"
        self.table[name] = self.table[other]
        return name

    def zero(self):
        name = f"t{len(self.table)}"
        self.table[name] = [0.0] * DIMENSION
        return name


def run(task, rows, embeddings, similarity, attributes, load=None):
    def load_data(self, num_proc=None, **kwargs):
        self.dataset = load() if load else DatasetDict({"test": Dataset.from_dict(rows)})
        self.data_loaded = True

    made = type(task.__name__, (task,), {"load_data": load_data, **attributes})()
    if load:
        made = made.filter_languages(None, hf_subsets=["de-en"])
    model = GivenEncoder(embeddings.table, similarity)
    results = mteb.evaluate(
        model, made, cache=None, co2_tracker=False, show_progress_bar=False, encode_kwargs={"batch_size": 32}
    )
    result = results.task_results[0].to_dict()
    scores = result["scores"]["test"][0]
    phases = [phase["name"] for phase in result["evaluation_phases"] if phase["split"] == "test"]
    outside = ("main_score", "hf_subset", "languages", "mteb_version")
    scores = [[key, None if np.isnan(value) else value] for key, value in scores.items() if key not in outside]
    return scores, phases


def case(name, task_type, task, rows, embeddings, similarity="cosine", options=None, attributes=None, load=None):
    scores, phases = run(task, rows, embeddings, similarity, attributes or {}, load)
    return {
        "name": name,
        "task_type": task_type,
        "similarity": similarity,
        "options": options or {},
        "rows": rows,
        "embeddings": embeddings.table,
        "scores": scores,
        "phases": phases,
    }


def pairs(seed, count, noise=1.0):
    embeddings = Embeddings(seed)
    left = [embeddings.text() for _ in range(count - 2)]
    right = [embeddings.text(near=text, noise=noise * embeddings.rng.uniform(0.2, 2)) for text in left]
    left += [embeddings.zero(), left[0]]
    right += [embeddings.text(), embeddings.copy(left[0])]
    return embeddings, left, right


def gold(embeddings, left, right):
    """Gold scores between 0 and 5 that have something to do with the distance."""
    gaps = [np.linalg.norm(np.subtract(embeddings.table[a], embeddings.table[b])) for a, b in zip(left, right)]
    return [round(float(max(0.0, 5 - gap / 2)), 1) for gap in gaps]


def sts():
    for name, similarity, low, high in (
        ("sts", "cosine", 0, 5),
        ("sts, model compares by dot product", "dot", 1, 4),
        ("sts, model compares by distance", "euclidean", 0, 5),
    ):
        embeddings, left, right = pairs(1, 40)
        rows = {"sentence1": left, "sentence2": right, "score": gold(embeddings, left, right)}
        limits = {"min_score": low, "max_score": high}
        yield case(name, "STS", MockSTSTask, rows, embeddings, similarity, limits, limits)
    embeddings, left, right = pairs(2, 6)
    rows = {"sentence1": left, "sentence2": right, "score": [3] * 6}
    limits = {"min_score": 0, "max_score": 5}
    yield case("sts, all gold scores equal", "STS", MockSTSTask, rows, embeddings, "cosine", {}, limits)


def pair_classification():
    for name, similarity in (
        ("pairs", "cosine"),
        ("pairs, model compares by dot product", "dot"),
        ("pairs, model compares by distance", "euclidean"),
    ):
        embeddings, left, right = pairs(3, 50)
        labels = [int(score + embeddings.rng.normal() > 3) for score in gold(embeddings, left, right)]
        rows = {"sentence1": left, "sentence2": right, "labels": labels}
        yield case(name, "PairClassification", MockPairClassificationTask, rows, embeddings, similarity)
    embeddings, left, right = pairs(4, 10)
    rows = {"sentence1": [left], "sentence2": [right], "labels": [[1, 0] * 5]}
    yield case("pairs in one row of lists", "PairClassification", MockPairClassificationTask, rows, embeddings)
    embeddings, left, right = pairs(5, 10)
    rows = {"sentence1": left, "sentence2": right, "labels": [0] * 10}
    yield case("pairs, none alike", "PairClassification", MockPairClassificationTask, rows, embeddings)


def bitext():
    for name, similarity, count in (
        ("bitext", "cosine", 100),
        ("bitext, model compares by dot product", "dot", 100),
        ("bitext, model compares by distance", "euclidean", 40),
    ):
        embeddings = Embeddings(6)
        left = [embeddings.text() for _ in range(count)]
        right = [embeddings.text(near=text, noise=0.8) for text in left]
        if count >= 64:  # below 64 rows the reference picks any of several tied rows
            left[20], right[21] = embeddings.copy(left[10]), embeddings.copy(right[3])
        rows = {"sentence1": left, "sentence2": right}
        yield case(name, "BitextMining", MockBitextMiningTask, rows, embeddings, similarity)
    yield bucc()


def bucc():
    embeddings = Embeddings(7)
    left = [embeddings.text() for _ in range(60)]
    right = [embeddings.text(near=left[index % 60], noise=0.6) for index in range(90)]
    pairs = [[index + 1, index + 1 + 60 * (index % 3 == 0 and index < 30)] for index in range(0, 60, 2)]
    rows = {"sentence1": [left], "sentence2": [right], "gold": [pairs]}

    def load():
        class Raw:
            dataset = {"de-en": {"test": rows}}

        raw = Raw()
        BUCCBitextMining.dataset_transform(raw)
        return raw.dataset

    return case("bitext with gold pairs", "BitextMining", BUCCBitextMining, rows, embeddings, load=load)


def summarization():
    for name, similarity, deprecated in (
        ("summaries", "cosine", False),
        ("summaries, model compares by dot product", "dot", False),
        ("summaries, averaged with p-values", "cosine", True),
    ):
        embeddings = Embeddings(8)
        rows = {"text": [], "human_summaries": [], "machine_summaries": [], "relevance": []}
        for index in range(9):
            human = [embeddings.text() for _ in range(3 + index % 2)]
            machine = [embeddings.text(near=human[i % 3], noise=embeddings.rng.uniform(0.3, 3)) for i in range(6)]
            relevance = [round(float(embeddings.rng.uniform(1, 5)), 1) for _ in machine]
            if index == 4:
                relevance = [2.0] * len(machine)
            if index == 6:
                machine = [embeddings.copy(machine[0]) for _ in machine]
            rows["text"].append(embeddings.text())
            rows["human_summaries"].append(human)
            rows["machine_summaries"].append(machine)
            rows["relevance"].append(relevance)
        limits = {"min_score": 0, "max_score": 5}
        options = {**limits, "average_p_values": deprecated}
        attributes = {**limits, "evaluator": DeprecatedSummarizationEvaluator} if deprecated else limits
        yield case(name, "Summarization", MockSummarizationTask, rows, embeddings, similarity, options, attributes)


if __name__ == "__main__":
    cases = [*sts(), *pair_classification(), *bitext(), *summarization()]
    text = ",\n".join(json.dumps(one, separators=(",", ":"), allow_nan=False) for one in cases)
    (HERE / "tasks.json").write_text(f"[\n{text}\n]\n")
