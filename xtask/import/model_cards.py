"""Writes a card for every model of the reference that takes texts and has no hand-written one."""

import math
import os
import tomllib
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import loaded
import model_facts
import model_prompts
import reference
import toml_text
from toml_text import Table

FOLDER = Path("models") / "mteb"
KINDS = ("late-interaction", "sparse", "hybrid", "router")
SIMILARITIES = ("cosine", "dot", "euclidean", "manhattan")
# How the reference loads a model, by its class.
LOADERS = {
    "SentenceTransformerEncoderWrapper": "sentence-transformers",
    "InstructSentenceTransformerModel": "sentence-transformers",
    "sentence_transformers_loader": "sentence-transformers",
    "q3e_instruct_loader": "sentence-transformers",
    "CrossEncoderWrapper": "cross-encoder",
    "SparseEncoderWrapper": "sparse-encoder",
    "MultiVectorModel": "multi-vector",
    "MultiVectorWrapper": "multi-vector",
    "Model2VecModel": "model2vec",
}
LONGEST = 2**31
PROCESSES = os.cpu_count() or 1
# Models that a plugin of the host brings under a name of its own: what they are, they say themselves.
BROUGHT = ("mteb/baseline-random-encoder",)


def write(tasks: list, registries: Path, output: Path) -> None:
    by_hand = {file.name for file in (registries / "models").glob("*.toml")}
    known = tomllib.loads((Path(__file__).parent / "architectures.toml").read_text())
    (output / FOLDER).mkdir(parents=True)
    models = reference.text_models()
    bases = {meta.name: meta.adapted_from for meta in models}
    types = {task.metadata.name: task.metadata.type for task in tasks}
    loaded.prepare()
    facts = model_facts.Facts(tasks)

    def described(number: int) -> tuple:
        """The name of a model's file, its card where it is to be written, and how it compares with the reference."""
        meta = models[number]
        name, found = meta.name.replace("/", "__") + ".toml", facts.of(meta, loader_of(meta))
        if name in by_hand:
            card = tomllib.loads((registries / "models" / name).read_text())
            return name, None, facts.compared(found, card)
        card = card_of(meta, known, bases, types)
        found.mend(card)
        return name, toml_text.document(card), facts.compared(found, card)

    numbers = [number for number, meta in enumerate(models) if meta.name not in BROUGHT]
    compared = []
    for name, text, lines in in_parallel(described, numbers):
        compared.append(lines)
        if text is not None:
            (output / FOLDER / name).write_text(text)
    facts.write(compared, output)


def in_parallel(work, numbers: list) -> list:
    """What `work` gives for each number. Processes are forked, as libraries take long to import and loaders change what is shared."""
    global work_of_all
    work_of_all = work
    with ProcessPoolExecutor(max_workers=PROCESSES, mp_context=get_context("fork")) as pool:
        return list(pool.map(called, numbers, chunksize=8))


def called(number: int):
    return work_of_all(number)


def card_of(meta, known: dict, bases: dict, types: dict) -> dict:
    architecture, pooling = known["models"].get(meta.name, (by_base(meta.name, known["bases"], bases), ""))
    cross, loader = "cross-encoder" in meta.model_type, loader_of(meta)
    dimension = max(meta.embed_dim) if isinstance(meta.embed_dim, list) else meta.embed_dim
    similarity = meta.similarity_fn_name.value if meta.similarity_fn_name else None
    others = [kind for kind in meta.model_type if kind in KINDS]
    card = {
        "schema": 1,
        "name": meta.name,
        "revision": meta.revision,
        "reference": meta.reference,
        "release_date": str(meta.release_date) if meta.release_date else None,
        "license": meta.license,
        "architecture": architecture,
        "pooling": pooling or None,
        "similarity": similarity if similarity in SIMILARITIES and not cross else None,
        "dimension": None if cross else dimension,
        # Models without a limit have an infinite one in the registry.
        "max_tokens": int(meta.max_tokens) if meta.max_tokens and meta.max_tokens < LONGEST else None,
        "parameters": meta.n_parameters,
        "embedding_parameters": meta.n_embedding_parameters,
        "active_parameters": active_parameters(meta),
        "memory_mb": math.ceil(meta.memory_usage_mb) if meta.memory_usage_mb is not None else None,
        "cross_encoder": cross or None,
        "kind": others[0] if others and "dense" not in meta.model_type else None,
        "loader": loader,
        "framework": list(meta.framework),
        "open_weights": meta.open_weights,
        "instructions": meta.use_instructions or None,
        "modalities": list(meta.modalities) if set(meta.modalities) != {"text"} else [],
        "adapted_from": meta.adapted_from if is_model(meta.adapted_from) else None,
        "superseded_by": meta.superseded_by if meta.superseded_by != meta.name else None,
        "languages": list(meta.languages or []),
        "training_code": meta.public_training_code,
        "training_data": meta.public_training_data if isinstance(meta.public_training_data, str) else None,
    }
    card = {name: value for name, value in card.items() if value not in (None, [], "")}
    if meta.training_datasets is not None:
        card["training_datasets"] = sorted(meta.training_datasets)
    card["facts"] = f"mteb {reference.VERSION}"
    prompts, notes = model_prompts.of(meta, loader, known.get("templates", {}).get(meta.name), types)
    if notes:
        card["notes"] = notes
    if prompts:
        card["prompts"] = Table(prompts)
    return card


def active_parameters(meta) -> int | None:
    """Those that take part in each step, where the registry names others than all but the table of tokens."""
    if meta.n_parameters is None or meta.n_embedding_parameters is None:
        return meta.n_active_parameters
    others = meta.n_parameters - meta.n_embedding_parameters
    return meta.n_active_parameters if meta.n_active_parameters != others else None


def is_model(name: str | None) -> bool:
    return bool(name) and not name.startswith("/")


def by_base(name: str, known: dict, bases: dict) -> str | None:
    """The architecture of the model that this one, or one that it was trained from, was trained from."""
    for _ in range(len(bases)):
        name = bases.get(name)
        if not name:
            return None
        beginnings = [beginning for beginning in known if name.startswith(beginning)]
        if beginnings:
            return known[max(beginnings, key=len)]
    return None


def loader_of(meta) -> str:
    if "API" in meta.framework:
        return "api"
    return LOADERS.get(name_of(meta.loader), "none" if meta.loader is None else "own-code")


def name_of(loader) -> str:
    return getattr(loader, "__name__", type(loader).__name__)
