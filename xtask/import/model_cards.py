"""Writes a card for every model of the reference that takes texts and has no hand-written one."""

import math
import tomllib
from pathlib import Path

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
PROMPTED = ("sentence-transformers", "cross-encoder")
LONGEST = 2**31
# Models that a plugin of the host brings under a name of its own: what they are, they say themselves.
BROUGHT = ("mteb/baseline-random-encoder",)


def write(registries: Path, output: Path) -> None:
    by_hand = {file.name for file in (registries / "models").glob("*.toml")}
    known = tomllib.loads((Path(__file__).parent / "architectures.toml").read_text())
    (output / FOLDER).mkdir(parents=True)
    models = reference.text_models()
    bases = {meta.name: meta.adapted_from for meta in models}
    for meta in models:
        name = meta.name.replace("/", "__") + ".toml"
        if name not in by_hand and meta.name not in BROUGHT:
            (output / FOLDER / name).write_text(toml_text.document(card_of(meta, known, bases)))


def card_of(meta, known: dict, bases: dict) -> dict:
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
        "memory_mb": math.ceil(meta.memory_usage_mb) if meta.memory_usage_mb else None,
        "cross_encoder": cross or None,
        "kind": others[0] if others and "dense" not in meta.model_type else None,
        "loader": loader,
        "framework": list(meta.framework),
        "open_weights": meta.open_weights,
        "instructions": meta.use_instructions or None,
        "modalities": list(meta.modalities) if set(meta.modalities) != {"text"} else [],
        "adapted_from": meta.adapted_from if is_model(meta.adapted_from) else None,
        "superseded_by": meta.superseded_by,
        "languages": list(meta.languages or []),
        "training_code": meta.public_training_code,
        "training_data": meta.public_training_data if isinstance(meta.public_training_data, str) else None,
    }
    card = {name: value for name, value in card.items() if value not in (None, [], "")}
    if meta.training_datasets is not None:
        card["training_datasets"] = sorted(meta.training_datasets)
    card["facts"] = f"mteb {reference.VERSION}"
    instructions = (meta.loader_kwargs or {}).get("prompts_dict") or {}
    if instructions and loader in PROMPTED:
        card["notes"] = f"The reference gives it instructions of its own for {len(instructions)} tasks or types, which this card lacks."
    prompts = prompts_of(meta, loader, known)
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
    loader = meta.loader
    name = getattr(loader, "__name__", type(loader).__name__)
    return LOADERS.get(name, "none" if loader is None else "own-code")


def prompts_of(meta, loader: str, known: dict) -> dict:
    """What is put before texts. Models that the reference runs with code of their own get what that code says."""
    if loader not in PROMPTED:
        return {}
    options, prompts = meta.loader_kwargs or {}, {}
    template = known.get("templates", {}).get(meta.name) or template_of(options.get("instruction_template"))
    if template:
        prompts["instruction_template"] = template
        prompts["instruct_documents"] = bool(options.get("apply_instruction_to_passages", False))
    named = options.get("model_prompts")
    if named:
        prompts["named"] = Table({str(getattr(name, "value", name)): text for name, text in named.items()})
    return prompts


def template_of(template) -> str | None:
    """The template; a function is asked what it makes of an instruction for a query."""
    if not callable(template):
        return template
    from mteb.types import PromptType

    mark = "{instruction}"
    try:
        made = template(mark, PromptType.query)
    except Exception:  # noqa: BLE001 -- a function that wants more has no template
        return None
    return made if isinstance(made, str) and mark in made else None
