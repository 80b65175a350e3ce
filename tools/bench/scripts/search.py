"""The other sides of `cargo xtask bench search`: faiss and the reference's own search, on embeddings in files.

usage: search.py make FOLDER DOCUMENTS DIMENSION QUERIES
       search.py faiss|mteb FOLDER DIMENSION DEPTH

`make` writes raw float32 rows of unit length to documents.f32 and queries.f32: a document is the centre of one of 256
clusters plus noise of 1.5 times its length, a query a document plus as much noise. The same arguments give the same rows.
`faiss` and `mteb` have all rows in memory when the clock starts. They write the documents' numbers (u32, best first) to
SIDE.ids and the scores (f32) to SIDE.scores, and print seconds of the clock and of the processor and the most resident
memory as JSON.
"""

import json
import os
import sys
import time

THREADS = 2
os.environ["OMP_NUM_THREADS"] = str(THREADS)
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import numpy as np

CLUSTERS = 256
ROWS_AT_A_TIME = 50_000


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def noisy(centres, generator):
    noise = unit(generator.standard_normal(centres.shape, dtype=np.float32))
    return unit(centres + np.float32(1.5) * noise).astype("<f4")


def make(folder, documents, dimension, queries):
    generator = np.random.default_rng(42)
    centres = unit(generator.standard_normal((CLUSTERS, dimension), dtype=np.float32))
    with open(f"{folder}/documents.f32", "wb") as file:
        for start in range(0, documents, ROWS_AT_A_TIME):
            count = min(ROWS_AT_A_TIME, documents - start)
            rows = noisy(centres[generator.integers(CLUSTERS, size=count)], generator)
            if start == 0:
                first = rows[:queries].copy()
            rows.tofile(file)
    noisy(first, generator).tofile(f"{folder}/queries.f32")


def rows(path, dimension):
    return np.fromfile(path, dtype="<f4").reshape(-1, dimension)


def peak():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:"))


def clocks():
    return time.perf_counter(), time.process_time()


def since(begin):
    now = clocks()
    return {"seconds": now[0] - begin[0], "processor": now[1] - begin[1]}


def search_faiss(folder, dimension, depth):
    import faiss

    faiss.omp_set_num_threads(THREADS)
    queries = rows(f"{folder}/queries.f32", dimension)
    index = faiss.IndexFlatIP(dimension)
    with open(f"{folder}/documents.f32", "rb") as file:
        # Piece by piece, so that the rows are in memory once.
        while len(piece := np.fromfile(file, dtype="<f4", count=ROWS_AT_A_TIME * dimension)):
            index.add(piece.reshape(-1, dimension))
    del piece
    begin = clocks()
    scores, ids = index.search(queries, depth)
    return since(begin), ids, scores


class Numbers:
    """Documents with their numbers as ids; stands where the reference expects a dataset."""

    def __init__(self, numbers):
        self.numbers = numbers

    def __len__(self):
        return len(self.numbers)

    def select(self, part):
        return Numbers(self.numbers[part.start : part.stop])

    def __getitem__(self, column):
        return [f"{number:08}" for number in self.numbers]


def search_mteb(folder, dimension, depth):
    import torch
    from mteb.models import search_wrappers
    from sentence_transformers import util

    torch.set_num_threads(THREADS)
    queries = torch.from_numpy(rows(f"{folder}/queries.f32", dimension))
    documents = torch.from_numpy(rows(f"{folder}/documents.f32", dimension))
    # The encoder gives the rows that are there; nothing else of the reference's function is replaced.
    search_wrappers.create_dataloader = lambda part, **_: part
    begin = clocks()
    heaps = search_wrappers.chunked_full_corpus_search(
        task_corpus=Numbers(range(len(documents))),
        corpus_chunk_size=50_000,
        query_idx_to_id={index: str(index) for index in range(len(queries))},
        query_embeddings=queries,
        task_metadata=None,
        hf_subset="default",
        hf_split="test",
        top_k=depth,
        encode_kwargs={"show_progress_bar": False},
        encode_fn=lambda part, **_: documents[part.numbers.start : part.numbers.stop],
        similarity_fn=util.dot_score,
        search_k_offset=1,
    )
    cost = since(begin)
    best = [sorted(heap, reverse=True) for heap in heaps.values()]
    ids = np.array([[int(item[1]) for item in heap] for heap in best])
    return cost, ids, np.array([[item[0] for item in heap] for heap in best])


def main():
    command, folder, *numbers = sys.argv[1:]
    numbers = [int(number) for number in numbers]
    if command == "make":
        return make(folder, *numbers)
    cost, ids, scores = {"faiss": search_faiss, "mteb": search_mteb}[command](folder, *numbers)
    most = peak()
    ids.astype("<u4").tofile(f"{folder}/{command}.ids")
    scores.astype("<f4").tofile(f"{folder}/{command}.scores")
    print("\n" + json.dumps(cost | {"peak": most}))


main()
