"""Scores random data of every task type with the reference and with the host, for so many seconds, and lists what differs.

usage: python xtask/compare --host FILE --seconds N --seed N [--first N] [--kinds TYPE,…] [--keep FOLDER]

A case that differs is scored by the reference again, moved in several ways (moves.py). It is explained if every value
of the host's that differs lies within reach of those that the reference gives itself (spans.py); any other case ends
the comparison as failed.
"""

import argparse
import collections
import functools
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import judge
import kinds
import made
import moves
import steps
import verdicts

HERE = Path(__file__).parent
MODELS = ["random", "Counts", "bm25", "Directions", "Overlap", "CountsEuclidean", "random", "DirectionsDot", "Holes", "Long", "Overlap", "Uneven", "bm25"]
# The types that models without embeddings score, several datasets of each.
ONLY = {"bm25": [*kinds.SEARCHED, *kinds.RERANKED] * 2, "Overlap": kinds.RERANKED * 3}
VERDICTS = [
    "equal", *verdicts.EXPLAINED.values(), *verdicts.WITH_EXACT.values(), "both refuse", "the reference fails", verdicts.UNEXPLAINED,
]


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
    sides, counts, open_cases = moves.Sides(), collections.Counter(), []
    end, number = time.monotonic() + given.seconds, given.first
    while number == given.first or time.monotonic() < end:
        model = models[(given.seed + number) % len(models)]
        for line in compared(given, number, model, sides, counts):
            open_cases.append(line)
            print(line, flush=True)
        number += 1
        if number % 10 == 0:
            print(f"{total(counts)} cases so far", flush=True)
    sides.end()
    print(table(counts))
    print(by_source(counts))
    print(f"{total(counts)} cases, {counts['', 'keys']} keys, seed {given.seed}: {len(open_cases)} cases differ without explanation")
    sys.exit(1 if open_cases else 0)


def compared(given, number: int, model: str, sides: moves.Sides, counts) -> list:
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
            dataset = made.Case(kind, name, given.seed, model)
            made.write(dataset, hub, registry)
            asked = {"kind": kind, "name": name, "seed": given.seed, "model": model, "folder": str(data)}
            cases.append((asked, functools.partial(steps.step_of, dataset)))
        said = run_host(given.host, folder, model) if cases else ""
        for case, step_of in cases:
            theirs = sides.own.score(case, folder / f"{case['name']}.json")
            file = next((folder / "results").glob(f"**/{case['name']}.json"), None)
            refused = reasons(said, case["name"])
            if isinstance(theirs, dict):
                theirs, refused = judge.without_scoreless(theirs, refused)
            ours = " | ".join(refused) or (judge.scores(json.loads(file.read_text())) if file else {} if not theirs else said[-300:])
            verdict = judged(case, theirs, ours, step_of, sides, folder)
            counts[case["kind"], verdict.name] += 1
            counts["", "keys"] += len(theirs) if isinstance(theirs, dict) else 0
            if verdict.source:
                counts["by", verdict.source] += 1
            line = f"{case['name']} of {model}: {verdict.message}; repeat it with --seed {given.seed} --first {number} --kinds {case['kind']}"
            if verdict.name == verdicts.UNEXPLAINED:
                lines.append(f"{verdict.name}: {line}")
                if given.keep:
                    shutil.copytree(folder, given.keep / f"{given.seed}-{case['name']}", dirs_exist_ok=True, ignore=shutil.ignore_patterns("cache", ".cache"))
            elif verdict.message:
                # Explanations are seen as well: one that recurs may be a fault of the host's.
                print(f"{verdict.name} ({verdict.source}): {line}", flush=True)
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


def judged(case: dict, theirs, ours, step_of, sides: moves.Sides, folder: Path) -> verdicts.Verdict:
    if isinstance(theirs, str) and isinstance(ours, str):
        print(f"both refuse {case['name']}: {theirs[:120]} | {ours[:160]}", flush=True)
        return verdicts.Verdict("both refuse", "", "")
    if isinstance(theirs, str):
        print(f"the reference fails at {case['name']}: {theirs[:160]}", flush=True)
        return verdicts.Verdict("the reference fails", "", "")
    if isinstance(ours, str):
        return verdicts.Verdict(verdicts.UNEXPLAINED, "", f"expected the reference's scores, found a refusal: {ours[:300]}")
    if not judge.differences(theirs, ours):
        return verdicts.Verdict("equal", "", "")
    again, exact = folder / "again.json", folder / "exact.json"
    return verdicts.explain(theirs, ours, step_of, sides.moved(case, again), lambda: sides.exact.score(case, exact))


def total(counts) -> int:
    return sum(count for (kind, _), count in counts.items() if kind not in ("", "by"))


def table(counts) -> str:
    rows = [["type", *VERDICTS], ["---"] * (len(VERDICTS) + 1)]
    rows += [[kind, *(str(counts[kind, verdict]) for verdict in VERDICTS)] for kind in kinds.TYPES]
    sums = [str(sum(counts[kind, verdict] for kind in kinds.TYPES)) for verdict in VERDICTS]
    return "\n".join(f"| {' | '.join(row)} |" for row in [*rows, ["all", *sums]])


def by_source(counts) -> str:
    """What explained how many cases."""
    found = sorted((-count, source) for (kind, source), count in counts.items() if kind == "by")
    return f"explained by: {', '.join(f'{source} {-count}' for count, source in found) or 'nothing'}"


if __name__ == "__main__":
    main()
