"""Scores tasks with the reference again, in ways in which only the order of its sums differs, and says where it differs from itself.

First by the linear algebra of other processors than this one: numpy and scipy bring OpenBLAS, which has code of its own for each
generation of processors and adds up in another order in each; OPENBLAS_CORETYPE names the generation whose code it takes. numpy's
own loops are left as they are. Then, where that changes nothing, with the rows that a classifier trains on in other orders (orders.py).
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import verdict

# Generations whose code every x86-64 processor of the last ten years can run.
GENERATIONS = ("Haswell", "Sandybridge", "Nehalem")
# Seeds of the orders of training rows.
ORDERS = (1, 2, 3, 4, 5, 6, 7, 8)


def differences(theirs: dict, registries: Path, seed: int) -> dict:
    """Of each task by its name, what is to be added to its line; `theirs` are the reference's scores on this processor."""
    waiting = dict(theirs)
    by_processor = told(waiting, GENERATIONS, lambda names, generation: scored(names, registries, seed, generation=generation))
    by_order = told(waiting, ORDERS, lambda names, order: scored(names, registries, seed, order=order))
    same = f"; the reference is the same with OpenBLAS for {', '.join(GENERATIONS)}"
    return {
        name: by_processor_words(*by_processor[name]) if name in by_processor else same + by_order_words(by_order.get(name))
        for name in theirs
    }


def told(waiting: dict, ways: tuple, score) -> dict:
    """Of each task whose scores one of the ways changes, the first such way and the differences; the others stay in `waiting`."""
    found = {}
    for way in ways:
        for name, scores in score(list(waiting), way).items() if waiting else ():
            other = verdict.differences(waiting[name], scores) if isinstance(scores, dict) else []
            if other:
                found[name] = way, other
                del waiting[name]
    return found


def by_processor_words(generation: str, other: list) -> str:
    return f"; the reference differs from itself with OpenBLAS for {generation}: {verdict.said(other)}"


def by_order_words(found: tuple | None) -> str:
    if found is None:
        return f", and with its training rows in {len(ORDERS)} other orders"
    return f"; it differs from itself with its training rows in another order: {verdict.said(found[1])}"


def scored(names: list, registries: Path, seed: int, generation: str | None = None, order: int | None = None) -> dict:
    """The reference's scores of tasks by the code of a generation of processors, or with training rows in another order."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "scores.json"
        command = [sys.executable, Path(__file__).parent, "--reference-only", "--registries", registries, "--output", output]
        environment = {**os.environ, "PYTHONHASHSEED": "0"} | ({"OPENBLAS_CORETYPE": generation} if generation else {})
        command += ["--order", str(order)] if order is not None else []
        subprocess.run([*command, "--seed", str(seed), *names], env=environment, check=True)
        return json.loads(output.read_text())
