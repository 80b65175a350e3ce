"""Writes the registry of all tasks of the reference, with every text benchmark under its own name."""

import tomllib
from pathlib import Path

import bibtex
import descriptions
import reference
import toml_text
from toml_text import Literal, Table

NAME = "mteb"
HEAD = "# Written by `cargo xtask import`: the text tasks and benchmarks of the reference. Changes here are lost.\n"
USUAL = ["mean_task", "mean_task_type", "task_types"]


def write(benchmarks: list, written: list, registries: Path, output: Path) -> None:
    known = {found.task.metadata.name: found.card for found in written if found.card is not None}
    registry = {
        "schema": 1,
        "name": NAME,
        "title": f"Text tasks and benchmarks of mteb {reference.VERSION}",
        "cards": ["cards", "mteb"],
        "tasks": sorted(known),
        "plugins": ["hashing-encoder"],
        "benchmark": [table_of(found, known) for found in benchmarks if found.name not in named_by_hand(registries)],
    }
    (output / f"{NAME}.toml").write_text(HEAD + toml_text.document(registry))


def named_by_hand(registries: Path) -> set:
    """The names of the benchmarks that other registries bring."""
    files = [file for file in registries.glob("*.toml") if file.stem != NAME]
    return {entry["name"] for file in files for entry in tomllib.loads(file.read_text()).get("benchmark", [])}


def table_of(benchmark, known: dict) -> Table:
    tasks = [pattern(task) for task in benchmark.tasks if is_known(task, known)]
    absent = sorted(task.metadata.name for task in benchmark.tasks if not is_known(task, known))
    plain = [entry.value for entry in benchmark.aggregations if hasattr(entry, "value")]
    groups = [entry for entry in benchmark.aggregations if not hasattr(entry, "value")]
    view = benchmark.language_view
    citation = bibtex.facts(benchmark.citation)
    found = {
        "name": benchmark.name,
        "title": title_of(benchmark),
        "aliases": list(benchmark.aliases),
        "superseded_by": list(benchmark.superseded_by or []),
        "reference": benchmark.reference,
        "tasks": tasks,
        "absent": absent,
        "aggregations": plain if plain != USUAL else [],
        "language_view": ["*"] if view == "all" else list(view),
        "zero_shot": None if benchmark.show_zero_shot else False,
        "citation": Literal(citation) if citation else None,
    }
    found["group"] = [
        Table(grouping=grouping.name, label=group.label, tasks=[pattern(task) for task in group.tasks])
        for grouping in groups
        for group in grouping.groups
    ]
    return Table({name: value for name, value in found.items() if value not in (None, [])})


def is_known(task, known: dict) -> bool:
    """True if a card has every subset of the task that the benchmark scores."""
    card = known.get(task.metadata.name)
    if card is None:
        return False
    subsets = card.get("subsets", {})
    return not isinstance(task.metadata.eval_langs, dict) or set(task.hf_subsets) <= set(all_subsets(subsets))


def all_subsets(subsets: dict):
    for name, entry in subsets.items():
        pairs = entry.get("pairs", [])
        yield from [f"{left}-{right}" for left in pairs for right in pairs if left != right] or [name]


def title_of(benchmark) -> str:
    """What it is about: its short name, else its languages."""
    shown = benchmark.display_name
    if shown and shown.lower() not in benchmark.name.lower():
        return shown
    names = {descriptions.languages.name(code) for task in benchmark.tasks for code in scored_in(task)}
    kinds = sorted({task.metadata.type for task in benchmark.tasks})
    tongues = f"{len(names)} languages" if len(names) > descriptions.MOST_NAMED else descriptions.listed(sorted(names))
    return f"{kinds[0] if len(kinds) == 1 else f'{len(kinds)} task types'}, {tongues}"


def scored_in(task) -> list:
    """The languages of the subsets that the benchmark scores."""
    by_subset = task.metadata.hf_subsets_to_langscripts
    return [code for subset in task.hf_subsets for code in by_subset[subset]]


def pattern(task) -> str:
    """`Name`, `Name:subset,subset` or `Name@split`, as registries write it."""
    text, facts = task.metadata.name, task.metadata
    if list(task.eval_splits) != list(facts.eval_splits):
        text += "@" + ",".join(task.eval_splits)
    if set(task.hf_subsets) != set(facts.hf_subsets):
        text += ":" + ",".join(task.hf_subsets)
    return text
