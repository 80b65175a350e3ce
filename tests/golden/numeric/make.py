"""Make numeric.json: sums, rounding and repr as numpy (2.x) and CPython (3.11: plain left-to-right sum) give them.

usage: make.py > numeric.json
"""
import json
import random
import struct

import numpy as np


def values(seed, count):
    state = seed
    out = []

    def step():
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        return state >> 33

    for _ in range(count):
        mantissa = step() / 2.0**31 - 0.5
        out.append(mantissa * 2.0 ** (step() % 40 - 20))
    return out


def hex64(x):
    return struct.pack(">d", float(x)).hex()


def hex32(x):
    return struct.pack(">f", float(np.float32(x))).hex()


def sums():
    cases = []
    for seed, count in enumerate([1, 2, 7, 8, 9, 15, 16, 17, 100, 127, 128, 129, 136, 200, 255, 256, 257, 1000, 1001, 4099]):
        v = values(seed, count)
        d = np.array(v)
        s = d.astype(np.float32)
        total = 0.0
        for x in v:
            total += x
        cases.append({
            "seed": seed, "count": count,
            "sum64": hex64(d.sum()), "mean64": hex64(d.mean()), "std64": hex64(d.std()),
            "group64": hex64(np.add.reduceat(d, [0])[0]), "python": hex64(total),
            "sum32": hex32(s.sum()), "mean32": hex32(s.mean()), "std32": hex32(s.std()),
            "group32": hex32(np.add.reduceat(s, [0])[0]),
        })
    return cases


def rounds():
    r = random.Random(1)
    cases = []
    fixed = [0.0, -0.0, 0.5, 1.5, 2.5, 0.125, 0.375, -0.125, 2.675, 1.005, 0.000005, 0.0000005, 1e-9, 123456.789125, 1e22, 0.5 / 2**20]
    candidates = [(x, n) for x in fixed for n in (0, 2, 5, 6)]
    for _ in range(200):
        candidates.append((r.random(), r.choice([5, 6])))
        candidates.append(((2 * r.randrange(10**5) + 1) / 2**r.randrange(5, 20), r.choice([2, 5])))
        n = r.choice([5, 6])
        candidates.append(((r.randrange(10**n) + 0.5) / 10**n, n))
    for x, n in candidates:
        cases.append({"value": hex64(x), "digits": n, "python": hex64(round(x, n)), "numpy": hex64(np.round(np.float64(x), n))})
    return cases


def reprs():
    r = random.Random(2)
    fixed = [0.0, -0.0, 1.0, -1.5, 1e-4, 9.999e-5, 1e-5, 1e15, 1e16, 123456789012345680.0, 1e22, 1.7976931348623157e308, 5e-324, float("inf"), float("-inf"), float("nan"), 0.1, 1 / 3]
    cases = [{"value": hex64(x), "repr": repr(x)} for x in fixed]
    for _ in range(100):
        x = r.random() * 10.0 ** r.randrange(-8, 20)
        cases.append({"value": hex64(x), "repr": repr(x)})
    return cases


def lines(section):
    return "[\n" + ",\n".join(json.dumps(case) for case in section) + "\n]"


print("{" + ",\n".join(f'"{name}": {lines(make())}' for name, make in (("sums", sums), ("rounds", rounds), ("reprs", reprs))) + "}")
