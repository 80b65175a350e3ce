"""Make openblas.json: products, row sums and sorted places as numpy 2.4.6 gives them on x86-64 with AVX-512.

usage: OPENBLAS_CORETYPE=SkylakeX OPENBLAS_NUM_THREADS=1 make_openblas.py > openblas.json

Where a sum or an order is the same without AVX-512, the case says so; the script runs itself again to find out.
"""
import json
import os
import subprocess
import sys

import numpy as np


class Numbers:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return self.state >> 40

    def floats(self, count):
        return np.array([self.next() / 65536.0 for _ in range(count)], dtype=np.float32)

    def below(self, count, bound):
        return np.array([self.next() % bound for _ in range(count)], dtype=np.float32)


def bits(values):
    return np.ascontiguousarray(values, dtype=np.float32).view(np.uint32).tolist()


def made():
    cases = []
    for seed, count in enumerate([1, 7, 31, 32, 33, 63, 64, 65, 96, 127, 384, 385, 768, 1000, 1024]):
        numbers = Numbers(seed)
        left, right = numbers.floats(count), numbers.floats(count)
        cases.append({"dot": count, "seed": seed, "found": bits([np.dot(left, right)])})
    for seed, (rows, count) in enumerate([(2, 33), (3, 36), (4, 34), (5, 35), (6, 100), (7, 103), (8, 999), (7, 4096), (5, 4103), (3, 9002)]):
        matrix = Numbers(seed).floats(rows * count).reshape(rows, count)
        found = (matrix @ np.ones((count, 1), np.float32))[:, 0]
        cases.append({"sums": [rows, count], "seed": seed, "found": bits(found)})
    for seed, (count, bound) in enumerate([(2, 1), (9, 2), (64, 3), (200, 5), (256, 2), (257, 3), (300, 2), (320, 2), (512, 4), (700, 50)]):
        keys = Numbers(seed).below(count, bound)
        cases.append({"order": [count, bound], "seed": seed, "found": np.argsort(keys).tolist()})
    return cases


if __name__ == "__main__":
    cases = made()
    if "--plain" not in sys.argv:
        others = {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "AVX512_SPR AVX512_ICL X86_V4"}
        command = [sys.executable, "-W", "ignore", __file__, "--plain"]
        plain = json.loads(subprocess.run(command, env={**os.environ, **others}, check=True, stdout=subprocess.PIPE).stdout)
        cases = [case | {"everywhere": case == other} for case, other in zip(cases, plain, strict=True)]
    print("[" + ",\n ".join(json.dumps(case, separators=(",", ":")) for case in cases) + "]")
