"""Scores random data of every task type with the reference and with the host, for so many seconds, and lists what differs.

usage: python xtask/compare --host FILE --seconds N --seed N [--first N] [--kinds TYPE,…] [--keep FOLDER]

A case that differs is scored by the reference again with the linear algebra of other processors. Keys of which the reference has several
values itself are explained, as judge.py says; any other key ends the comparison as failed.
"""

import argparse
import collections
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import judge
import kinds
import made

HERE = Path(__file__).parent
MODELS = ["random", "Counts", "bm25", "Directions", "Overlap", "CountsEuclidean", "random", "DirectionsDot", "Holes", "Long", "Overlap", "Uneven", "bm25"]
# The types that models without embeddings score, several datasets of each.
ONLY = {"bm25": [*kinds.SEARCHED, *kinds.RERANKED] * 2, "Overlap": kinds.RERANKED * 3}
# The order of sums that the host gives (docs/protocol.md, section 5), then those of other processors, of other places in memory and of
# larger products: one of few rows is summed by their number and by the place of a row among them (docs/protocol.md, 15.1).
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
# How often the last one scores a case: it draws another order each time, and any of several equals may be cut off.
DRAWS = 6
# Similarities without the errors of their sums: where these give the host's value, the reference's hangs on its own errors.
EXACT = {"OPENBLAS_CORETYPE": "SkylakeX", "MADE_EXACT": "1"}
SHOWN = 6
VERDICTS = ["equal", "the reference differs from itself", "equal with exact sums", "the reference hangs on its sums", "both refuse", "the reference fails", "differs"]


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


class Sides(NamedTuple):
    """The reference on the processor that the host follows, with exact sums, and on other processors."""

    own: Reference
    exact: Reference
    others: list


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--host", type=Path, required=True)
    arguments.add_argument("--seconds", type=float, required=True)
    arguments.add_argument("--seed", type=int, required=True)
    arguments.add_argument("--first", type=int, default=0, help="the number of the first round")
    arguments.add_argument("--kinds", type=lambda names: names.split(","), help="only these types")
    arguments.add_argument("--keep", type=Path, help="where the data of cases stays that differ")
    given = arguments.parse_args()
    models = MODELS
    if importlib.util.find_spec("bm25s") is None:
        print("bm25 is not compared, for bm25s is not installed", flush=True)
        models = [model for model in MODELS if model != "bm25"]
    own, exact, others = Reference(OWN), Reference(EXACT), [Reference(environment) for environment in OTHERS]
    counts, open_cases = collections.Counter(), []
    end, number = time.monotonic() + given.seconds, given.first
    while number == given.first or time.monotonic() < end:
        model = models[(given.seed + number) % len(models)]
        for line in compared(given, number, model, Sides(own, exact, others), counts):
            open_cases.append(line)
            print(line, flush=True)
        number += 1
        if number % 10 == 0:
            print(f"{total(counts)} cases so far", flush=True)
    for reference in [own, exact, *others]:
        reference.end()
    print(table(counts))
    print(f"{total(counts)} cases, {counts['', 'keys']} keys, seed {given.seed}: {len(open_cases)} cases differ without explanation")
    sys.exit(1 if open_cases else 0)


def compared(given, number: int, model: str, sides: Sides, counts) -> list:
    """Scores one dataset of each type with a model; gives lines on those that differ and are not explained."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        hub, registry = folder / "hub", folder / "registry"
        registry.mkdir()
        cases = []
        for place, kind in enumerate(ONLY.get(model, kinds.TYPES)):
            if given.kinds and kind not in given.kinds:
                continue
            name = f"{kind}{number}" + (f"v{place}" if model in ONLY else "")
            data = hub / "datasets/made" / name / ("0" * 40)
            case = {"kind": kind, "name": name, "seed": given.seed, "model": model, "folder": str(data)}
            made.write(made.Case(kind, name, given.seed, model), hub, registry)
            cases.append(case)
        said = run_host(given.host, folder, model) if cases else ""
        for case in cases:
            theirs = sides.own.score(case, folder / f"{case['name']}.json")
            file = next((folder / "results").glob(f"**/{case['name']}.json"), None)
            refused = reasons(said, case["name"])
            if isinstance(theirs, dict):
                theirs, refused = judge.without_scoreless(theirs, refused)
            ours = " | ".join(refused) or (judge.scores(json.loads(file.read_text())) if file else {} if not theirs else said[-300:])
            verdict, detail = judged(case, theirs, ours, sides, folder)
            counts[case["kind"], verdict] += 1
            counts["", "keys"] += len(theirs) if isinstance(theirs, dict) else 0
            if verdict == "differs":
                lines.append(f"{case['name']} of {model}, seed {given.seed}: {detail}")
                if given.keep:
                    shutil.copytree(folder, given.keep / f"{given.seed}-{case['name']}", dirs_exist_ok=True, ignore=shutil.ignore_patterns("cache", ".cache"))
    return lines


def run_host(host: Path, folder: Path, model: str) -> str:
    """Scores all cards with the host; gives what it said."""
    named = model if model in ("random", "bm25") else f"python:{HERE / 'encoders.py'}:{model}"
    command = [host, "run", "--model", named, "--python", sys.executable, "--hub-dir", folder / "hub", "--offline", "--no-cache"]
    for card in sorted((folder / "registry").iterdir()):
        command += ["--registry", card]
    command += ["--output-folder", folder / "results", "--quiet"]
    environment = {**os.environ, "HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache"), "XDG_DATA_HOME": str(folder / "data"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False).stderr


def reasons(said: str, name: str) -> list:
    """Why the host has no scores of units of a task, a line each."""
    return [line for line in said.splitlines() if line.startswith("failed: ") and f"{name}," in line]


def judged(case: dict, theirs, ours, sides: Sides, folder: Path) -> tuple:
    if isinstance(theirs, str) and isinstance(ours, str):
        print(f"both refuse {case['name']}: {theirs[:120]} | {ours[:160]}", flush=True)
        return "both refuse", ""
    if isinstance(theirs, str):
        print(f"the reference fails at {case['name']}: {theirs[:160]}", flush=True)
        return "the reference fails", ""
    if isinstance(ours, str):
        return "differs", f"the host refuses: {ours[:300]}"
    keys = judge.differences(theirs, ours)
    if not keys:
        return "equal", ""
    again = [reference.score(case, folder / "again.json") for reference in [*sides.others, *sides.others[-1:] * (DRAWS - 1)]]
    again = [scores for scores in again if isinstance(scores, dict)]
    unexplained = judge.unexplained(theirs, ours, again)
    if not unexplained:
        return "the reference differs from itself", ""
    exact = sides.exact.score(case, folder / "exact.json")
    if isinstance(exact, dict) and all(key in exact and exact[key] == ours.get(key) for key in unexplained):
        return "equal with exact sums", ""
    # Neither side has the value that the data determine: what is left are the errors of two orders of sums.
    if isinstance(exact, dict) and all(key in exact and exact[key] != theirs.get(key) for key in unexplained):
        return "the reference hangs on its sums", ""
    shown = "; ".join(f"{key} {theirs.get(key)} and {ours.get(key)}" for key in unexplained[:SHOWN])
    return "differs", f"{len(unexplained)} of {len(theirs)} keys (reference and host): {shown}"


def total(counts) -> int:
    return sum(count for (_, verdict), count in counts.items() if verdict != "keys")


def table(counts) -> str:
    rows = [["type", *VERDICTS], ["---"] * (len(VERDICTS) + 1)]
    rows += [[kind, *(str(counts[kind, verdict]) for verdict in VERDICTS)] for kind in kinds.TYPES]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


if __name__ == "__main__":
    main()
