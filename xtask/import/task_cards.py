"""Writes a card for every task that has no hand-written one."""

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import bibtex
import changes
import classes
import descriptions
import languages
import protocol_options
import reference
import source_code
import toml_text
from given import Given, joined, with_headings
from mteb.abstasks.multilabel_classification import AbsTaskMultilabelClassification
from toml_text import Literal, Table

FOLDER = "mteb"
COLUMNS = {
    "text", "label", "labels", "sentences", "sentence1", "sentence2", "score", "human_summaries", "machine_summaries",
    "relevance", "gold", "value",
}
COMMIT = re.compile("[0-9a-f]{7,40}")
TYPES = {"Any2AnyRetrieval": "Retrieval"}
WORDS = {
    "BitextMining": "bitext-mining",
    "MultilabelClassification": "multilabel-classification",
    "PairClassification": "pair-classification",
    "InstructionRetrieval": "instruction-retrieval",
    "InstructionReranking": "instruction-reranking",
}


@dataclass
class Written:
    """A task of the reference and what became of it."""

    task: object
    card: dict | None
    state: str
    classes: list = field(default_factory=list)
    methods: list = field(default_factory=list)


def write(tasks: list, vocabulary, registries: Path, output: Path) -> list:
    """Writes the cards; returns what became of every task."""
    by_hand = {file.stem: tomllib.loads(file.read_text()) for file in (registries / "cards").glob("*.toml")}
    given = Given(Path(__file__).parent / "transforms")
    given.check(tasks)
    homes = {name: home for task in tasks if task.is_aggregate for name, home in members(task)}
    found = []
    for task in tasks:
        name, task_type = task.metadata.name, type_of(task)
        methods, kinds = source_code.overridden(task), []
        if methods:
            kinds = classes.of(task)
        if name in by_hand:
            found.append(Written(task, by_hand[name], "by hand", kinds, methods))
        elif task_type not in vocabulary.types:
            found.append(Written(task, None, f"type {task_type}", kinds, methods))
        else:
            card, state = card_of(task, task_type, vocabulary, methods, kinds, given.of(task))
            file = output / FOLDER / WORDS.get(task_type, task_type.lower()) / homes.get(name, home_of(task)) / f"{name}.toml"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(toml_text.document(card))
            found.append(Written(task, card, state, kinds, methods))
    return found


def type_of(task) -> str:
    """What a task is scored as: its class decides where its metadata calls it otherwise."""
    if isinstance(task, AbsTaskMultilabelClassification):
        return "MultilabelClassification"
    return TYPES.get(task.metadata.type, task.metadata.type)


def members(task):
    """The members of a task that is a mean: their cards lie beside its own."""
    return [(member.metadata.name, home_of(task)) for member in task.metadata.tasks]


def home_of(task) -> str:
    return languages.folder(sorted(set(codes(task))))


def codes(task) -> list:
    found = task.metadata.eval_langs
    return [code for group in found.values() for code in group] if isinstance(found, dict) else list(found)


def card_of(task, task_type: str, vocabulary, methods: list, kinds: list, given: dict | None) -> tuple:
    facts, subsets = task.metadata, {}
    if isinstance(facts.eval_langs, dict):
        subsets = {name: {"languages": list(found)} for name, found in facts.eval_langs.items()}
    domains, subtypes = sorted(facts.domains or []), sorted(facts.task_subtypes or [])
    adapted = sorted(facts.adapted_from or [])
    head = {
        "schema": 1,
        "name": facts.name,
        "type": task_type,
        "main_score": facts.main_score,
        "description": descriptions.of(task_type, domains, subtypes, codes(task), len(subsets), adapted),
        "reference": facts.reference,
        "category": facts.category,
        "languages": None if subsets else list(facts.eval_langs),
        "eval_splits": list(facts.eval_splits),
        "domains": domains,
        "subtypes": subtypes,
        "license": facts.license,
        "annotations": facts.annotations_creators,
        "sample_creation": facts.sample_creation,
        "dialect": sorted(facts.dialect or []),
        "date": [str(day)[:10] for day in facts.date] if facts.date else None,
        "prompt": prompt_of(facts.prompt),
        "adapted_from": adapted,
        "superseded_by": task.superseded_by,
        "private": None if facts.is_public else True,
        "members": [member.metadata.name for member in facts.tasks] if task.is_aggregate else None,
    }
    for name, words in vocabulary.lists.items():
        head[name] = [word for word in head[name] if word in words] if isinstance(head[name], list) else head[name]
    dataset, protocol, reason = data_of(task, methods, kinds, bool(subsets))
    if given is not None:
        dataset = with_headings(joined(dataset, given.get("dataset", {})))
        protocol, subsets = joined(protocol, given.get("protocol", {})), joined(subsets, given.get("subsets", {}))
        reason = given.get("unsupported")
    head["unsupported"] = reason
    head["notes"] = (given or {}).get("notes")
    citation = bibtex.facts(facts.bibtex_citation)
    head["citation"] = Literal(citation) if citation else None
    card = {name: value for name, value in head.items() if value not in (None, [], "")}
    for name, table in (("dataset", dataset), ("subsets", subsets), ("protocol", protocol)):
        if table and not task.is_aggregate:
            card[name] = Table(table)
    return card, "unsupported" if reason else ("transforms" if given else "imported")


def prompt_of(prompt):
    if not isinstance(prompt, dict):
        return prompt
    return {role: text for role, text in prompt.items() if text} or None


def data_of(task, methods: list, kinds: list, has_subsets: bool) -> tuple:
    """`[dataset]`, `[protocol]`, and why the task cannot be run; `None` if it can."""
    found = task.metadata.dataset
    dataset = {"hub": found["path"], "revision": found["revision"]}
    protocol, columns = protocol_options.options(task)
    is_ranking = reference.base_of(task).__name__ == "AbsTaskRetrieval"
    if not is_ranking and "name" in found:
        dataset["config"] = found["name"]
    if task.fast_loading and has_subsets:
        dataset["layout"] = "lang-column"
    reason = None
    if methods == ["dataset_transform"] and not is_ranking:
        dataset, protocol, reason = changed(task, dataset, protocol, columns)
    elif methods == ["load_data"] and getattr(task, "parallel_subsets", False):
        dataset["layout"] = "parallel-columns"
    elif methods:
        verb = "loads its data" if "load_data" in methods else "changes its rows"
        reason = f"the reference {verb} by code that no card can say yet: {', '.join(kinds) or 'steps of its own'}"
    if reason is None and columns and "columns" not in dataset:
        dataset["columns"] = columns
    if "columns" in dataset:
        # What the reference renames beside is read by nothing.
        dataset["columns"] = {ours: theirs for ours, theirs in dataset["columns"].items() if ours in COLUMNS}
    if reason is None and not is_ranking and "split" in found:
        reason = f"the reference loads only the split {found['split']}"
    if not COMMIT.fullmatch(found["revision"]) and not task.is_aggregate and reason is None:
        reason = f"the reference names no commit of the data: {found['revision']}"
    return dataset, protocol, reason


def changed(task, dataset: dict, protocol: dict, columns: dict) -> tuple:
    reader = changes.Changes(task)
    reader.columns.update(columns)
    try:
        found = reader.read(reference.own_members(task)["dataset_transform"])
    except changes.Unknown as unknown:
        reason = f"the reference changes its rows by code that no card can say yet: {short(unknown)}"
        return dataset, protocol, reason
    if reader.max_documents is not None:
        protocol = {name: value for name, value in protocol.items() if name != "max_fraction_of_documents"}
        protocol["max_documents"] = reader.max_documents
    return {**dataset, **found}, protocol, None


def short(unknown: Exception) -> str:
    """The operation alone, not the code."""
    text = str(unknown).splitlines()[0]
    for word in ("filter", "map", "train_test_split", "shuffle", "select", "from_dict", "stratified_subsampling"):
        if f".{word}(" in text or f"{word}(" in text:
            return f"`{word}`"
    return "steps of its own"
