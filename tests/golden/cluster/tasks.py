"""Whole results of mteb's two clustering tasks on small random data: kinds of labels, hierarchies, duplicates, fewer
different embeddings than clusters, single labels, several splits that continue one random state.

Run with mteb 2.26.24 and scikit-learn 1.9.1: `HF_HUB_OFFLINE=1 python tasks.py` writes `tasks.json` and `sets.json`
beside this file. Sentence n is the text "n", and its embedding comes from a small generator. Scores are in the order
of the result file; null where the reference fails. No batch has fewer than 20 rows: where more than half a batch of
centres is hardly ever chosen, which of them start anew depends on the processor.
"""
import json
import pathlib
import random
import warnings

import mteb
import numpy as np
from datasets import Dataset, DatasetDict
from mteb.abstasks.clustering import AbsTaskClustering
from mteb.abstasks.clustering_legacy import AbsTaskClusteringLegacy
from mteb.mocks.mock_tasks.clustering import MockClusteringTask
from mteb.models import ModelMeta

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).parent
OUTSIDE = ("main_score", "hf_subset", "languages", "mteb_version")


class GivenEncoder:
    """Embeds sentence n near the centre of group n modulo the number of groups."""

    mteb_model_meta = ModelMeta.create_empty(overwrites={"name": "test/given", "revision": "1"})

    def __init__(self, seed, dimension, groups, distance):
        self.seed, self.dimension, self.groups, self.distance = seed, dimension, groups, distance

    def numbers(self, name):
        """A linear congruential generator; every number is exact in single precision."""
        state = self.seed * 2**20 + name
        for _ in range(self.dimension + 2):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            yield (state >> 33) % 8192 - 4096

    def embed(self, sentence):
        centre = list(self.numbers(2**19 + sentence % self.groups))
        return [(noise + self.distance * place) / 4096 for noise, place in zip(self.numbers(sentence), centre)][2:]

    def encode(self, inputs, **kwargs):
        return np.array([self.embed(int(text)) for batch in inputs for text in batch["text"]], dtype=np.float32)

    def similarity(self, left, right):
        raise NotImplementedError

    similarity_pairwise = similarity


def run(base, encoder, splits, attributes):
    def load_data(self, num_proc=None, **kwargs):
        self.dataset = DatasetDict({str(place): Dataset.from_dict(rows) for place, rows in enumerate(splits)})
        self.data_loaded = True

    metadata = MockClusteringTask.metadata.model_copy(update={"eval_splits": [str(place) for place in range(len(splits))]})
    task = type("Task", (base,), {"load_data": load_data, "metadata": metadata, **attributes})()
    try:
        results = mteb.evaluate(
            encoder, task, cache=None, co2_tracker=False, show_progress_bar=False, encode_kwargs={"batch_size": 64}
        )
    except (ValueError, IndexError):
        return None
    scores = results.task_results[0].scores
    return [
        {key: value for key, value in scores[str(place)][0].items() if key not in OUTSIDE}
        for place in range(len(splits))
    ]


def texts(rows):
    return [[str(one) for one in row] if isinstance(row, list) else str(row) for row in rows]


def case(base, seed, shape, options, splits, attributes):
    encoder = GivenEncoder(seed, *shape)
    given = [{"sentences": texts(split["sentences"]), "labels": split["labels"]} for split in splits]
    scores = run(base, encoder, given, attributes)
    return {"seed": seed, "shape": shape, "options": options, "splits": splits, "scores": scores}


def shape(rng):
    """Dimension, groups in the data, distance of the groups."""
    return rng.choice([1, 2, 3, 8, 20]), rng.randint(1, 12), rng.choice([0, 1, 2, 8])


def sentences(rng, count):
    """Sentences with or without repetition."""
    if rng.random() < 0.3:
        return [rng.randrange(max(1, count // 4)) for _ in range(count)]
    return rng.sample(range(4 * count), count)


def names(rng):
    """Labels of one kind."""
    count = rng.choice([1, 2, 3, 5, 9])
    kind = rng.randrange(5)
    if kind == 0:
        return rng.sample(["b", "a", "Z", "-1", "ü", "10", "9", "spor", "berita"], count)
    if kind == 1 and count == 2:
        return [True, False]
    return rng.sample(range(-1 if kind == 2 else 0, 12), count)


def label(rng, labels, sentence):
    """The label of the sentence's group, or chance."""
    return labels[sentence % len(labels)] if rng.random() < 0.7 else rng.choice(labels)


def split(rng, hierarchy):
    rows = sentences(rng, rng.randint(1, 60))
    labels = names(rng)
    if not hierarchy:
        return {"sentences": rows, "labels": [label(rng, labels, row) for row in rows]}
    other = rng.sample(labels, rng.randint(1, len(labels)))
    depth = rng.randint(1, 3)
    lists = [
        [label(rng, labels if level == 0 else other, row + level) for level in range(rng.randint(depth - 1, depth))]
        for row in rows
    ]
    lists[0] = lists[0] or [labels[0]]
    return {"sentences": rows, "labels": lists}


def tasks(rng):
    for seed in range(1, 221):
        options = {"rounds": rng.choice([1, 2, 3]), "max_documents_per_cluster": rng.choice([1, 20, 30, 60, 150])}
        attributes = {"n_clusters": options["rounds"], "max_documents_per_cluster": options["max_documents_per_cluster"]}
        options["batch_size"] = attributes["k_mean_batch_size"] = rng.choice([20, 33, 512])
        limit = rng.randrange(3)
        attributes |= {"max_document_to_embed": None, "max_fraction_of_documents_to_embed": None}
        if limit == 0:
            options["max_documents"] = 0
        elif limit == 1:
            options["max_documents"] = attributes["max_document_to_embed"] = rng.randint(1, 50)
        else:
            options["max_fraction_of_documents"] = attributes["max_fraction_of_documents_to_embed"] = rng.choice([0.3, 0.7, 1.0, 2.5])
        if rng.random() < 0.3:
            options["max_depth"] = attributes["max_depth"] = rng.randint(1, 3)
        splits = [split(rng, rng.random() < 0.4) for _ in range(rng.choice([1, 1, 2, 3]))]
        yield case(AbsTaskClustering, seed, shape(rng), options, splits, attributes)
    rows = sentences(rng, 2000)
    defaults = {"sentences": rows, "labels": [row % 7 for row in rows]}
    yield case(AbsTaskClustering, 221, (8, 7, 1), {}, [defaults], {})


def a_set(rng):
    rows = sentences(rng, rng.randint(1, 50))
    labels = names(rng)
    return rows, [label(rng, labels, row) for row in rows]


def sets(rng):
    for seed in range(1001, 1201):
        while True:
            rows = [a_set(rng) for _ in range(rng.choice([1, 2, 4, 7]))]
            if len({type(labels[0]) for _, labels in rows}) == 1:
                break
        split = {"sentences": [sentences for sentences, _ in rows], "labels": [labels for _, labels in rows]}
        yield case(AbsTaskClusteringLegacy, seed, shape(rng), {"legacy": True}, [split], {})
    rows = [rng.sample(range(5000), size) for size in (1700, 900)]
    split = {"sentences": rows, "labels": [[row % 6 for row in one] for one in rows]}
    yield case(AbsTaskClusteringLegacy, 1201, (16, 6, 1), {"legacy": True}, [split], {})


def write(name, cases):
    text = ",\n".join(json.dumps(one, separators=(",", ":"), ensure_ascii=False, allow_nan=False) for one in cases)
    (HERE / name).write_text(f"[\n{text}\n]\n")


if __name__ == "__main__":
    write("tasks.json", tasks(random.Random(5)))
    write("sets.json", sets(random.Random(6)))
