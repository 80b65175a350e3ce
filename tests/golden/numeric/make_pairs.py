"""Make pairs.json: similarities of paired rows as torch, numpy and scikit-learn give them on x86-64.

usage: make_pairs.py > pairs.json   (bits of one f32 a row, as hexadecimal text)
"""
import json

import numpy as np
import torch
from sentence_transformers.util import pairwise_euclidean_sim, pairwise_manhattan_sim
from sklearn.metrics.pairwise import paired_cosine_distances, paired_euclidean_distances, paired_manhattan_distances

ROWS = 8


def matrix(seed, count):
    state, out = seed, []
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        out.append((float(state >> 40) - 8388608.0) / 65536.0)
    return np.array(out, dtype=np.float32)


def bits(scores):
    return "".join(f"{x:08x}" for x in np.asarray(scores, dtype=np.float32).view(np.uint32))


def cosine(a, b):
    normal = torch.nn.functional.normalize
    return (normal(a, p=2, dim=1) * normal(b, p=2, dim=1)).sum(dim=-1)


cases = []
for seed, dimension in enumerate([1, 2, 3, 5, 7, 8, 12, 15, 16, 17, 30, 31, 32, 33, 63, 64, 100, 127, 255, 300, 384, 511, 512, 513, 768, 1000, 1024, 1536, 4096, 5000]):
    left = matrix(seed, ROWS * dimension).reshape(ROWS, dimension)
    right = matrix(seed + 1000, ROWS * dimension).reshape(ROWS, dimension)
    left[1] = right[1]
    left[2] = 0.0
    left[3] *= np.float32(2.0**-32)
    a, b = torch.from_numpy(left), torch.from_numpy(right)
    cases.append({
        "seed": seed, "rows": ROWS, "dimension": dimension,
        "cosine": bits(cosine(a, b)),
        "dot": bits((a * b).sum(dim=-1)),
        "euclidean_similarity": bits(pairwise_euclidean_sim(a, b)),
        "manhattan_similarity": bits(pairwise_manhattan_sim(a, b)),
        "paired_cosine_distance": bits(paired_cosine_distances(left, right)),
        "euclidean": bits(paired_euclidean_distances(left, right)),
        "manhattan": bits(paired_manhattan_distances(left, right)),
    })
print("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]")
