"""Scores tasks with the reference again, by the linear algebra of other processors than this one, and says where it differs from itself.

numpy and scipy bring OpenBLAS, which has code of its own for each generation of processors and adds up in another order in each;
OPENBLAS_CORETYPE names the generation whose code it takes. numpy's own loops are left as they are.
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


def differences(theirs: dict, registries: Path, seed: int) -> dict:
    """Of each task by its name, what is to be added to its line; `theirs` are the reference's scores on this processor."""
    found, waiting = {}, dict(theirs)
    for generation in GENERATIONS:
        if not waiting:
            break
        for name, scores in scored(list(waiting), generation, registries, seed).items():
            other = verdict.differences(waiting[name], scores) if isinstance(scores, dict) else []
            if other:
                found[name] = f"; the reference differs from itself with OpenBLAS for {generation}: {verdict.said(other)}"
                del waiting[name]
    return found | {name: f"; the reference is the same with OpenBLAS for {', '.join(GENERATIONS)}" for name in waiting}


def scored(names: list, generation: str, registries: Path, seed: int) -> dict:
    """The reference's scores of tasks by the code of a generation of processors."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "scores.json"
        command = [sys.executable, Path(__file__).parent, "--reference-only", "--registries", registries, "--output", output]
        environment = {**os.environ, "OPENBLAS_CORETYPE": generation, "PYTHONHASHSEED": "0"}
        subprocess.run([*command, "--seed", str(seed), *names], env=environment, check=True)
        return json.loads(output.read_text())
