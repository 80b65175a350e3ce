"""What the reference puts before the texts of a model: prompts by name, templates, instructions of its own.

A loader decides what becomes of `model_prompts` and `prompts_dict`. What the loaders of interfaces on the network are given so are words of
their providers for what a text is for, and no prompts; of loaders that nothing is said of here, nobody has read the code.
"""

from toml_text import Table

ROLES = ("query", "document")
# Loaders that put the prompt that `model_prompts` names before a text, and nothing else.
NAMED = ("SentenceTransformerEncoderWrapper", "sentence_transformers_loader", "CrossEncoderWrapper", "CDEWrapper", "RepLLaMAModel")
# Loaders that put an instruction into a template, if there is one; `True` where instructions go before documents by default.
INSTRUCTED = {
    "InstructSentenceTransformerModel": True,
    "q3e_instruct_loader": False,
    "instruct_loader": True,
    "ultrabert_embed_loader": True,
    "_NVEmbedWrapper": True,
    "KALMWrapper": True,
    "GeeVecLiteModel": False,
    "JasperModel": False,
}
# Types whose texts get no instruction whatever the model is given.
BARE = {"KALMWrapper": ("STS", "PairClassification", "Summarization")}
# By the name of a loader or of a model.
NOTES = {
    "nomic-ai/nomic-embed-text-v1.5": "The reference lays a layer norm over its embeddings.",
    "CDEWrapper": "The reference embeds each text in sight of a sample of the task's texts.",
    "JinaV5TextWrapper": "The reference chooses one of the model's adapters by the type of the task.",
    "JinaV5OmniWrapper": "The reference chooses one of the model's adapters by the type of the task.",
    "JinaWrapper": "The reference chooses one of the model's adapters by the type of the task.",
    "UAEWrapper": "For summarization the reference puts words around each text, of which this card has none.",
    "BMRetrieverWrapper": "The reference puts words before documents and a template of another form around queries, which this card lacks.",
}


def of(meta, loader: str, template: str | None, types: dict) -> tuple:
    """The table `prompts` of a card and its notes; `template` where the reference keeps it in a function of its own, `types` are
    those of all tasks by their names."""
    name = getattr(meta.loader, "__name__", type(meta.loader).__name__)
    options, notes = meta.loader_kwargs or {}, NOTES.get(meta.name, NOTES.get(name))
    if name == "OctenVLEmbeddingModel":
        # An interface on the network, whose queries get an instruction before they are sent.
        asked = {key if key == "query" else f"{key}-query": text for key, text in texts(options.get("model_prompts") or {}).items()}
        return by_name({key: f"Instruct: {text}\nQuery: " for key, text in asked.items()}), notes
    if loader == "api":
        return {}, None
    named = texts(options.get("model_prompts") or {})
    if name == "NomicWrapper":
        return by_name(named, "document"), notes
    if name in ("JinaV5TextWrapper", "JinaV5OmniWrapper"):
        return by_name({"query": "Query: ", "document": "Document: "}, "document"), notes
    if name == "JinaWrapper":
        known = meta.loader.jina_task_to_prompt
        return by_name({key: known[task] for key, task in named.items() if task in known}), notes
    if name == "UAEWrapper":
        ends = {key: text.removesuffix("{text}") for key, text in named.items() if text.endswith("{text}")}
        return by_name(ends), notes
    if name in INSTRUCTED or (name in NAMED and "instruction_template" in options):
        return instructed(options, name, template, types), notes
    return (by_name(named) if name in NAMED else {}), notes


def by_name(named: dict, default: str | None = None) -> dict:
    if not named:
        return {}
    return ({"default": default} if default else {}) | {"named": Table(named)}


def texts(prompts: dict) -> dict:
    return {str(getattr(name, "value", name)): text for name, text in prompts.items()}


def instructed(options: dict, loader: str, template: str | None, types: dict) -> dict:
    """Instructions by name for a template; without a template they are put before texts as they are."""
    of_queries, of_documents = (made(options.get("instruction_template"), role) for role in ROLES)
    found = template or of_queries or "{instruction}"
    before_documents = options.get("apply_instruction_to_passages", INSTRUCTED.get(loader, False))
    prompts = {
        "instruction_template": found,
        "instruct_documents": bool(before_documents) and of_queries == of_documents,
    }
    named, bare = {}, BARE.get(loader, ())
    known = {*types, *types.values(), *ROLES}
    for name, text in texts(options.get("prompts_dict") or {}).items():
        if name in known and name not in bare and types.get(name) not in bare:
            named |= {f"{name}-{role}": text.get(role) or "" for role in ROLES} if isinstance(text, dict) else {name: text}
    named |= {task_type: "" for task_type in bare}
    return prompts | ({"named": Table(named)} if named else {})


def made(template, role: str) -> str | None:
    """The template; a function is asked what it makes of an instruction for texts of a role."""
    if not callable(template):
        return template
    from mteb.types import PromptType

    mark = "{instruction}"
    try:
        found = template(mark, PromptType(role))
    except Exception:  # noqa: BLE001 -- a function that wants more has no template
        return None
    return found if isinstance(found, str) and mark in found else None
