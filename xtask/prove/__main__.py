"""Scores made data with the reference and with the host, task by task, and says where they differ.

usage: python xtask/prove --host FILE --registries FOLDER --output FILE --seed N [--resume] [TASK ...]

OUTPUT gets a line of versions and one line a task: name, verdict, subsets, detail; with `--resume`, tasks that it has lines of
already are left out. Random encoders on both sides (docs/protocol.md, section 16). A task that differs is scored by the reference
again as on other processors, and with its training rows in other orders (processors.py), by this script with `--reference-only`:
then OUTPUT gets the reference's scores as JSON.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from importlib.metadata import version
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TQDM_DISABLE": "1"}

from hub import Hub  # noqa: E402

HUB = Hub()
HUB.stand_in()

import logging  # noqa: E402
import warnings  # noqa: E402

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")

import datasets  # noqa: E402
import mteb  # noqa: E402

import orders  # noqa: E402
import processors  # noqa: E402
import verdict  # noqa: E402
from tables import SPLITS, tables_of  # noqa: E402
from words import Words  # noqa: E402

datasets.disable_progress_bars()
# Subsets of which a task has more are drawn, where no draw goes on from one to the next.
MANY = 12
BATCH = 15


def main() -> None:
    arguments = argparse.ArgumentParser()
    for name in ("--registries", "--output"):
        arguments.add_argument(name, type=Path, required=True)
    arguments.add_argument("--host", type=Path)
    arguments.add_argument("--reference-only", action="store_true")
    arguments.add_argument("--order", type=int, help="train on rows in an order drawn by this; only with --reference-only")
    arguments.add_argument("--seed", type=int, required=True)
    arguments.add_argument("--resume", action="store_true")
    arguments.add_argument("tasks", nargs="*")
    given = arguments.parse_args()
    files = [*given.registries.glob("mteb/**/*.toml"), *given.registries.glob("cards/*.toml")]
    cards = {file.stem: tomllib.loads(file.read_text()) for file in files}
    if given.reference_only:
        if given.order is not None:
            orders.shuffle_training_rows(given.order)
        given.output.write_text(json.dumps({name: scored(cards[name], given.seed) for name in given.tasks}))
        return
    done = proved_before(given.output) if given.resume else set()
    names = [name for name in given.tasks or sorted(cards) if name not in done]
    with given.output.open("a" if done else "w") as out:
        if not done:
            print(versions(), file=out)
        for name in names:
            if not is_run(cards[name]):
                print("\t".join(unproved(cards[name])), file=out)
        for batch in batches([cards[name] for name in names if is_run(cards[name])]):
            for line in proved(batch, given):
                print("\t".join(line), file=out, flush=True)


def scored(card: dict, seed: int):
    with tempfile.TemporaryDirectory() as folder:
        return scored_by_reference(card, chosen(card, seed), Path(folder), seed)


def proved_before(output: Path) -> set:
    """The tasks of an output that these versions made."""
    lines = output.read_text().splitlines() if output.exists() else []
    return {line.split("\t")[0] for line in lines[1:]} if lines[:1] == [versions()] else set()


def is_run(card: dict) -> bool:
    """True for a task with data of its own that the host runs: the score of a mean follows from its members'."""
    return "unsupported" not in card and not card.get("members") and "hub" in card.get("dataset", {})


def versions() -> str:
    known = {name: version(name) for name in ("mteb", "numpy", "scipy", "scikit-learn", "datasets")}
    return f"# made with {', '.join(f'{name} {found}' for name, found in known.items())}"


def unproved(card: dict) -> tuple:
    if "unsupported" in card:
        return card["name"], "unsupported", "", card["unsupported"]
    if card.get("members"):
        return card["name"], "mean", "", f"of {len(card['members'])} tasks"
    return card["name"], "no hub", "", "its data is not the hub's"


def batches(cards: list):
    """Tasks that one run of the host can take: no two of the same data."""
    waiting = cards
    while waiting:
        batch, later, seen = [], [], set()
        for card in waiting:
            place = card["dataset"]["hub"], card["dataset"]["revision"]
            (later if place in seen or len(batch) == BATCH else batch).append(card)
            seen.add(place)
        yield batch
        waiting = later


def proved(batch: list, given) -> list:
    lines, wanted = [], {}
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for card in batch:
            started = time.monotonic()
            subsets = chosen(card, given.seed)
            scores = scored_by_reference(card, subsets, folder, given.seed)
            if isinstance(scores, dict):
                wanted[card["name"]] = subsets, scores
            else:
                lines.append((card["name"], "not made", shown(card, subsets), scores))
            print(f"{card['name']} {time.monotonic() - started:.1f} s", file=sys.stderr)
        said = run_host(given, folder, wanted)
        found = {name: compared(folder, name, scores, said) for name, (_, scores) in wanted.items()}
    differing = {name: wanted[name][1] for name, (outcome, _) in found.items() if outcome == "differs"}
    selves = processors.differences(differing, given.registries, given.seed)
    for name, (outcome, detail) in found.items():
        card = next(card for card in batch if card["name"] == name)
        lines.append((name, outcome, shown(card, wanted[name][0]), detail + selves.get(name, "")))
    return lines


def chosen(card: dict, seed: int) -> list:
    """All subsets, or three of many and those that hold rows out."""
    subsets = all_subsets(card)
    goes_on = card["type"] in ("Clustering", "MultilabelClassification")
    if len(subsets) <= MANY or goes_on:
        return subsets
    drawn = set(Words(seed, card["name"]).random.sample(subsets, 3))
    drawn |= {subset for subset, facts in card["subsets"].items() if "hold_out" in facts}
    return [subset for subset in subsets if subset in drawn]


def all_subsets(card: dict) -> list:
    for facts in card.get("subsets", {}).values():
        if pairs := facts.get("pairs"):
            return [f"{left}-{right}" for left in pairs for right in pairs if left != right]
    return list(card.get("subsets", {}))


def shown(card: dict, subsets: list) -> str:
    every = len(all_subsets(card)) or 1
    return str(every) if len(subsets or [0]) == every else f"{len(subsets)} of {every}"


def scored_by_reference(card: dict, subsets: list, folder: Path, seed: int):
    """The reference's scores by split; a text that says why there are none."""
    said = ""
    for splits in SPLITS:
        try:
            tables = tables_of(card, subsets, Words(seed, card["name"]), splits)
            HUB.take(card, tables)
            narrowed = {"hf_subsets": subsets} if subsets else {}
            task = mteb.get_task(card["name"], **narrowed)
            result = mteb.evaluate(
                mteb.get_model("mteb/baseline-random-encoder"), [task], cache=None, co2_tracker=False,
                show_progress_bar=False, raise_error=True,
            )
            scores = json.loads(json.dumps(result.task_results[0].to_dict()["scores"], default=float))
            HUB.write(folder / "hub")
            return scores
        except Exception as error:  # noqa: BLE001 - whatever the reference's code raises is the verdict
            said = said or f"{type(error).__name__}: {error}".replace("\t", " ").replace("\n", " ")[:200]
    return said


def run_host(given, folder: Path, wanted: dict) -> str:
    """Runs the host on the same data; gives what it said."""
    if not wanted:
        return ""
    registry = given.registries.absolute() / "mteb.toml"
    command = [given.host, "run", "--registry", registry, "--model", "random", "--hub-dir", folder / "hub", "--output-folder", folder / "results", "--quiet", "--offline", "--no-cache"]
    for name, (subsets, _) in wanted.items():
        command += ["--task", f"{name}:{','.join(subsets)}" if subsets else name]
    home = folder / "home"
    home.mkdir()
    result = subprocess.run(command, cwd=folder, env={**os.environ, "HOME": str(home)}, capture_output=True, text=True, check=False)
    return result.stderr


def compared(folder: Path, name: str, scores: dict, said: str) -> tuple:
    """The verdict, and its detail."""
    files = list((folder / "results").glob(f"**/{name}.json"))
    if not files:
        about = [line for line in said.splitlines() if name in line] or said.splitlines()[-1:]
        return "host fails", " ".join(about)[:300].replace("\t", " ")
    ours = json.loads(files[0].read_text())["scores"]
    found = verdict.differences(scores, ours)
    return ("differs", verdict.said(found)) if found else ("equal", "")


if __name__ == "__main__":
    main()
