"""The other sides of `cargo xtask bench bits`: faiss on floats and on bits, in the files of `search.py make`.

usage: bits.py floats|bits FOLDER DIMENSION DEPTH ROUNDS

All rows are in memory when the clock starts. `bits` writes the distances (i32, nearest first) to faiss.distances; both print the
seconds of each round as JSON.
"""

import json
import os
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "2")

import faiss
import numpy as np

ROWS_AT_A_TIME = 50_000


def pieces(path, dimension):
    with open(path, "rb") as file:
        while len(piece := np.fromfile(file, dtype="<f4", count=ROWS_AT_A_TIME * dimension)):
            yield piece.reshape(-1, dimension)


def packed(rows):
    return np.packbits(rows > 0, axis=1)


def main(kind, folder, dimension, depth, rounds):
    faiss.omp_set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    of = packed if kind == "bits" else lambda rows: rows
    index = faiss.IndexBinaryFlat(dimension) if kind == "bits" else faiss.IndexFlatIP(dimension)
    for piece in pieces(f"{folder}/documents.f32", dimension):
        index.add(of(piece))
    queries = of(np.concatenate(list(pieces(f"{folder}/queries.f32", dimension))))
    seconds = []
    for _ in range(rounds):
        begin = time.perf_counter()
        distances, _ = index.search(queries, depth)
        seconds.append(time.perf_counter() - begin)
    if kind == "bits":
        distances.astype("<i4").tofile(f"{folder}/faiss.distances")
    print(json.dumps({"seconds": seconds}))


main(sys.argv[1], sys.argv[2], *(int(number) for number in sys.argv[3:]))
