"""The ways in which the reference is moved: the same case in other orders of sums and rows, each in a process of its own.

The host follows the order of sums on one processor (docs/protocol.md, section 5). The others have the code of other
processors, other places in memory, and larger products: one of few rows is summed by their number and by the place of a
row among them (docs/protocol.md, 15.1).
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import judge
from verdicts import Run

HERE = Path(__file__).parent
OWN = {"OPENBLAS_CORETYPE": "SkylakeX"}
OTHERS = [
    {"OPENBLAS_CORETYPE": "Haswell", "MKL_CBWR": "AVX2", "ATEN_CPU_CAPABILITY": "avx2", "NPY_DISABLE_CPU_FEATURES": "AVX512_SPR AVX512_ICL X86_V4"},
    {"OPENBLAS_CORETYPE": "SkylakeX", "MKL_CBWR": "COMPATIBLE"},
    {"OPENBLAS_CORETYPE": "Nehalem", "ATEN_CPU_CAPABILITY": "default", "MADE_ORDER": "reversed"},
    {"OPENBLAS_CORETYPE": "SkylakeX", "MADE_LARGER": "64", "MADE_ORDER": "shuffled"},
    {"OPENBLAS_CORETYPE": "SkylakeX", "MADE_LARGER": "1"},
    {"OPENBLAS_CORETYPE": "SkylakeX", "MADE_LARGER": "3"},
    {"OPENBLAS_CORETYPE": "Sandybridge", "MKL_CBWR": "AVX", "ATEN_CPU_CAPABILITY": "avx2", "MADE_ORDER": "shuffled"},
    {"OPENBLAS_CORETYPE": "Prescott", "MKL_CBWR": "SSE4_2", "ATEN_CPU_CAPABILITY": "default"},
    {"OPENBLAS_CORETYPE": "Zen", "MADE_LARGER": "64"},
    {"OPENBLAS_CORETYPE": "Cooperlake", "MADE_LARGER": "64", "MADE_ORDER": "reversed"},
    {"OPENBLAS_CORETYPE": "SkylakeX", "MADE_ORDER": "shuffled"},
]
# Similarities without the errors of their sums.
EXACT = {"OPENBLAS_CORETYPE": "SkylakeX", "MADE_EXACT": "1"}
# What the variables of a process move, as the report names it.
MOVED = {"MADE_LARGER": "larger products", "MADE_ORDER": "orders"}


class Reference:
    """A process that scores cases with the reference; it starts with the first one."""

    def __init__(self, environment: dict):
        self.environment, self.process = environment, None

    def score(self, case: dict, output: Path):
        """The scores, or a text that says why there are none."""
        if self.process is None or self.process.poll() is not None:
            command = [sys.executable, HERE / "reference.py"]
            self.process = subprocess.Popen(command, env={**os.environ, **self.environment}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            print(json.dumps({**case, "output": str(output)}), file=self.process.stdin, flush=True)
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        said = json.loads(answer) if answer else "it crashed"
        return said or judge.scores(json.loads(output.read_text()))

    def end(self) -> None:
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()


class Sides:
    """The reference on the processor that the host follows, with exact sums, and moved."""

    def __init__(self):
        self.own, self.exact = Reference(OWN), Reference(EXACT)
        self.others = [Reference(environment) for environment in OTHERS]

    def moved(self, case: dict, output: Path) -> Iterator[Run]:
        """Runs of a case without an end: each way once, then other draws of the last one, since any of equals may be cut off."""
        draw = 0
        while True:
            reference = self.others[min(draw, len(self.others) - 1)]
            draw += 1
            yield Run(name_of(reference.environment), reference.score({**case, "draw": draw}, output))

    def end(self) -> None:
        for reference in [self.own, self.exact, *self.others]:
            reference.end()


def name_of(environment: dict) -> str:
    """What a process moves."""
    has_other_code = environment["OPENBLAS_CORETYPE"] != OWN["OPENBLAS_CORETYPE"] or "MKL_CBWR" in environment
    names = ["processors"] if has_other_code else []
    return " and ".join(names + [name for variable, name in MOVED.items() if variable in environment])
