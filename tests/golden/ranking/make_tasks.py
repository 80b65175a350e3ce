"""Make tasks.json: whole results of mteb's retrieval, reranking and instruction tasks on small given embeddings.

usage: make_tasks.py   (in this folder; Python with mteb 2.26.24)
The tables are written as a hub folder and read by mteb's own loader, so that its rules on ids, texts and instructions
are part of the fixture: a text that is put together otherwise has no embedding.
"""
import json
import logging
import os
import tempfile
import warnings

os.environ["HF_HUB_OFFLINE"] = "1"

import mteb
import numpy as np
import torch
from mteb._evaluators.retrieval_metrics import (
    evaluate_p_mrr_change,
    max_over_subqueries,
    paired_accuracy,
    recall_cap,
    robustness_at_10,
)
from mteb.abstasks.retrieval_dataset_loaders import RetrievalDatasetLoader
from mteb.mocks.mock_tasks import MockInstructionReranking, MockInstructionRetrieval, MockRerankingTask, MockRetrievalTask
from mteb.models import ModelMeta
from mteb.models.model_meta import ScoringFunction
from mteb.similarity_functions import select_similarity
from mteb.tasks.instruction_retrieval.eng.ifir_fi_qa_retrieval import IFIRFiQA

from cases import Random

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
OUTSIDE = ("main_score", "hf_subset", "languages", "mteb_version")
BASES = {"Retrieval": MockRetrievalTask, "Reranking": MockRerankingTask, "InstructionRetrieval": MockInstructionRetrieval, "InstructionReranking": MockInstructionReranking}


class Table(dict):
    """The embedding of each text that was asked for: whole numbers, or steps of 1/8 for the cosine."""

    def __init__(self, seed, dimension, span):
        super().__init__()
        self.random, self.dimension, self.span = Random(seed), dimension, span

    def __missing__(self, text):
        self[text] = [self.random.below(2 * self.span + 1) - self.span for _ in range(self.dimension)]
        return self[text]


class Encoder:
    def __init__(self, table, similarity):
        self.table = table
        self.mteb_model_meta = ModelMeta.create_empty(overwrites={"name": "test/given", "revision": "1", "similarity_fn_name": ScoringFunction(similarity)})

    def encode(self, inputs, **kwargs):
        return np.array([self.table[text] for batch in inputs for text in batch["text"]], dtype=np.float32)

    def similarity(self, left, right):
        return select_similarity(left, right, self.mteb_model_meta.similarity_fn_name)

    def similarity_pairwise(self, left, right):
        raise NotImplementedError


class CrossEncoder:
    def __init__(self, table):
        self.table = table
        self.mteb_model_meta = ModelMeta.create_empty(overwrites={"name": "test/given", "revision": "1"})

    def predict(self, inputs1, inputs2, **kwargs):
        left = [text for batch in inputs1 for text in batch["text"]]
        right = [text for batch in inputs2 for text in batch["text"]]
        return np.array([np.dot(self.table[a], self.table[b]) for a, b in zip(left, right)], dtype=np.float32)


def write_folder(folder, parts):
    configs = []
    for part, rows in parts.items():
        config = "default" if part == "qrels" else part
        split = {"corpus": "corpus", "queries": "queries", "qrel_diff": "qrel_diff"}.get(part, "test")
        with open(f"{folder}/{part}.jsonl", "w") as out:
            out.writelines(json.dumps(row) + "\n" for row in rows)
        configs.append(f"- config_name: {config}\n  data_files:\n  - split: {split}\n    path: {part}.jsonl\n")
    with open(f"{folder}/README.md", "w") as out:
        out.write("---\nconfigs:\n" + "".join(configs) + "---\n")


def extra_scores(names, parts, cuts):
    def task_specific_scores(self, scores, qrels, results, hf_split, hf_subset):
        found = {}
        for name in names:
            if name == "max_over_subqueries":
                found |= max_over_subqueries(qrels, results, cuts)
            elif name == "paired_accuracy":
                found["paired_accuracy"] = paired_accuracy(qrels, results, scores)
            elif name == "robustness":
                found["robustness_at_10"] = robustness_at_10(qrels, results, scores)
            elif name == "level_scores":
                found |= IFIRFiQA.task_specific_scores(None, scores, qrels, results, None, None)
            elif name == "capped_recall":
                for key, values in recall_cap(qrels, results, cuts).items():
                    values = [value for value in values if value is not None]
                    found[key] = sum(values) / len(values) if values else 0.0
        if "qrel_diff" in parts:
            changed = {row["query-id"]: row["corpus-ids"] for row in parts["qrel_diff"]}
            found |= evaluate_p_mrr_change(qrels, results, changed, cuts)
        return found

    return task_specific_scores


def plain(value):
    if isinstance(value, dict):
        return [[key, plain(inner)] for key, inner in value.items() if key not in OUTSIDE]
    return None if value is None or np.isnan(value) else float(value)


def case(name, task_type, parts, similarity="dot", seed=1, dimension=4, span=3, options=None, cross_encoder=False, table=None):
    options = options or {}
    cuts = options.get("k_values", [1, 3, 5, 10, 20, 100, 1000])
    with tempfile.TemporaryDirectory() as folder:
        write_folder(folder, parts)

        def load_data(self, num_proc=None, **kwargs):
            loader = RetrievalDatasetLoader(hf_repo=folder, revision=None, split="test", config="default")
            self.dataset = {"default": {"test": loader.load()}}
            self.data_loaded = True

        metadata = BASES[task_type].metadata.model_copy(update={"eval_splits": ["test"], "main_score": "ndcg_at_1"})
        attributes = {"metadata": metadata, "load_data": load_data, "k_values": cuts, "ignore_identical_ids": options.get("ignore_identical_ids", False), "task_specific_scores": extra_scores(options.get("extra_measures", []), parts, cuts)}
        task = type("Made", (BASES[task_type],), attributes)()
        table = Table(seed, dimension, span) if table is None else table
        model = CrossEncoder(table) if cross_encoder else Encoder(table, similarity)
        torch.manual_seed(0)
        found = mteb.evaluate(model, task, cache=None, co2_tracker=False, show_progress_bar=False, encode_kwargs={"batch_size": 32})
    result = found.task_results[0]
    with tempfile.TemporaryDirectory() as folder:
        from pathlib import Path

        result.to_disk(Path(folder) / "result.json")
        result = json.loads((Path(folder) / "result.json").read_text())
    phases = [phase["name"] for phase in result["evaluation_phases"] if phase["split"] == "test"]
    return {"name": name, "task_type": task_type, "similarity": similarity, "cross_encoder": cross_encoder, "options": options, "parts": parts, "embeddings": dict(table), "scores": plain(result["scores"]["test"][0]), "phases": phases}


def corpus(random, count, titles=True, id_name="_id", name="d{}"):
    rows = []
    for index in range(count):
        row = {id_name: name.format(index), "text": f" isi {index}\n"}
        if titles:
            row["title"] = ["", "Judul", " Judul "][random.below(3)]
        rows.append(row)
    return rows


def qrels(random, queries, documents, most=4, grades=(0, 1, 1, 2, -1)):
    rows = []
    for query in queries:
        for _ in range(1 + random.below(most)):
            rows.append({"query-id": query, "corpus-id": documents[random.below(len(documents))], "score": grades[random.below(len(grades))]})
    return rows


def shared_qrels(random, queries, documents):
    """The same judgements for all subqueries of a query: the loader gives them in no particular order."""
    bases = list(dict.fromkeys(query.rsplit("_", 1)[0] for query in queries))
    rows = {base: qrels(random, [base], documents) for base in bases}
    return [dict(row, **{"query-id": query}) for query in queries for row in rows[query.rsplit("_", 1)[0]]]


def lists(random, queries, documents, most, repeat=False):
    rows = []
    for query in queries:
        found = [documents[random.below(len(documents))] for _ in range(random.below(most))]
        rows.append({"query-id": query, "corpus-ids": found if repeat else list(dict.fromkeys(found))})
    return rows


def retrieval():
    random = Random(1)
    docs, queries = [f"d{i}" for i in range(40)], [f"q{i}" for i in range(14)]
    parts = {"corpus": corpus(random, 40), "queries": [{"_id": q, "text": f" tanya {q} "} for q in reversed(queries)], "qrels": qrels(random, queries[2:], docs + ["absent"])}
    yield case("retrieval by dot product with many ties, two queries without judgements", "Retrieval", parts)
    random = Random(2)
    docs = [str(i) for i in range(30)]
    parts = {"corpus": [{"_id": i, "text": f"isi {i}"} for i in range(30)], "queries": [{"_id": i, "text": f"tanya {i}"} for i in range(20)], "qrels": qrels(random, list(range(20)), list(range(30)))}
    yield case("retrieval by cosine with numbers as ids, identical ids ignored", "Retrieval", parts, "cosine", 2, 6, 40, {"ignore_identical_ids": True})
    random = Random(3)
    docs = [f"d{i % 20}" for i in range(25)]
    rows = corpus(random, 25, id_name="id")
    for row, document in zip(rows, docs):
        row["id"] = document
    queries = [f"q{i}" for i in range(8)]
    rows_of_queries = [{"id": q, "text": f"tanya {q}"} for q in queries] + [{"id": "q3", "text": "tanya lain"}]
    parts = {"corpus": rows, "queries": rows_of_queries, "qrels": qrels(random, queries, docs)}
    yield case("ids that occur twice in the corpus and in the queries", "Retrieval", parts, "dot", 3, 5, 50)
    random = Random(4)
    docs, queries = [f"d{i}" for i in range(15)], [f"q{i}" for i in range(6)]
    turns = [[{"role": ["user", "assistant"][j % 2], "content": f"kata {i}.{j}"} for j in range(1 + i % 3)] for i in range(6)]
    parts = {"corpus": corpus(random, 15, titles=False), "queries": [{"_id": q, "text": t, "instruction": f"perintah {q}"} for q, t in zip(queries, turns)], "qrels": qrels(random, queries, docs)}
    yield case("conversations with an instruction", "Retrieval", parts, "dot", 4)
    turns = [[f"kata {i}.{j}" for j in range(1 + i % 3)] for i in range(6)]
    parts = dict(parts, queries=[{"_id": q, "text": t} for q, t in zip(queries, turns)])
    yield case("conversations as lists of strings", "Retrieval", parts, "dot", 5, options={"k_values": [1, 2, 3]})


def instruction_retrieval():
    random = Random(6)
    docs = [f"d{i}" for i in range(30)]
    queries = [f"{i // 3}_v{i % 3 + 1}" for i in range(12)]
    parts = {"corpus": corpus(random, 30), "queries": [{"_id": q, "text": f"tanya {q.split('_')[0]}"} for q in queries], "qrels": qrels(random, queries, docs, 6), "instruction": [{"query-id": q, "instruction": f"perintah {q}"} for q in reversed(queries + ["other"])]}
    options = {"extra_measures": ["robustness", "level_scores", "capped_recall"], "k_values": [1, 3, 10, 20, 25]}
    yield case("instruction retrieval with levels and robustness", "InstructionRetrieval", parts, "dot", 6, options=options)


def reranking():
    random = Random(7)
    docs, queries = [f"d{i}" for i in range(40)], [f"imp{i // 3}_{i % 3}" for i in range(15)]
    parts = {"corpus": corpus(random, 40), "queries": [{"_id": q, "text": f"tanya {q}"} for q in queries], "qrels": shared_qrels(random, queries, docs), "top_ranked": lists(random, queries[1:], docs, 20, repeat=True)}
    options = {"extra_measures": ["max_over_subqueries"], "k_values": [1, 3, 10]}
    yield case("reranking with repeated, empty and missing lists", "Reranking", parts, "dot", 7, options=options)
    yield case("reranking by a cross-encoder", "Reranking", parts, "dot", 7, options=options, cross_encoder=True)
    pairs = [f"{i // 2}_q{i % 2 + 1}" for i in range(14)]
    parts = {"corpus": corpus(random, 40), "queries": [{"_id": q, "text": f"tanya {q}"} for q in pairs], "qrels": qrels(random, pairs, docs, 1, (1,)), "top_ranked": [{"query-id": q, "corpus-ids": docs} for q in pairs]}
    for row in parts["top_ranked"]:
        row["corpus-ids"] = [d for d in docs if random.below(10) == 0] + [r["corpus-id"] for r in parts["qrels"] if r["query-id"] == row["query-id"]]
        row["corpus-ids"] = list(dict.fromkeys(row["corpus-ids"]))
    yield case("candidates switch a retrieval task to reranking", "Retrieval", parts, "cosine", 8, 6, 40, {"extra_measures": ["paired_accuracy"], "k_values": [1, 5]})


def instruction_reranking():
    random = Random(9)
    docs = [f"d{i}" for i in range(30)]
    queries = [f"{topic}-{half}" for half in ("og", "changed") for topic in (301, 302, 44, 305)]
    parts = {"corpus": corpus(random, 30), "queries": [{"_id": q, "text": f"tanya {q.split('-')[0]}"} for q in queries], "qrels": qrels(random, queries, docs, 8), "instruction": [{"query-id": q, "instruction": f"perintah {q}"} for q in queries], "top_ranked": lists(random, queries, docs, 25), "qrel_diff": lists(random, ["301", "302", "44", "305", "999"], docs, 7)}
    yield case("instructions that change, p-MRR", "InstructionReranking", parts, "cosine", 9, 8, 40, {"k_values": [1, 5, 20]})


class Line(dict):
    """Texts `t0`, `t1`, … at distinct places of a line, queries `q1`, `q-1` that look along it."""

    def __missing__(self, text):
        number = int(text[1:])
        return [number] if text[0] == "q" else [number * 7919 % 60013 - 30000]


def two_chunks():
    """More documents than are searched together; ids are in another order than the scores."""
    random = Random(11)
    queries = [f"q{factor}" for factor in (1, -1, 2, -3)]
    best = sorted(range(60000), key=lambda i: i * 7919 % 60013)
    parts = {"corpus": [{"_id": f"d{i}", "text": f"t{i}"} for i in range(60000)], "queries": [{"_id": q, "text": q} for q in queries]}
    parts["qrels"] = [{"query-id": q, "corpus-id": f"d{best[random.below(1500) * [1, -1][random.below(2)]]}", "score": 1 + random.below(2)} for q in queries for _ in range(20)]
    made = case("a corpus of two chunks", "Retrieval", parts, table=Line())
    del parts["corpus"]
    return made


def every():
    for cases in (retrieval, instruction_retrieval, reranking, instruction_reranking):
        yield from cases()


with open("tasks.json", "w") as out:
    out.write("[\n" + ",\n".join(json.dumps(made) for made in every()) + "\n]\n")
with open("two_chunks.json", "w") as out:
    out.write("[\n" + json.dumps(two_chunks()) + "\n]\n")
