"""Writes the model cards under registries/models from the reference's model registry (mteb 2.26.24).

usage: model_cards.py

The registry states revision, licence, parameters, dimension, maximum length, prompts and similarity. Architecture and
pooling, which it does not state, stand below as the models' own files have them. Models that the registry does not
know stand below as a whole, without a revision.
"""

import json
import pathlib

from mteb.models.get_model_meta import MODEL_REGISTRY

OUT = pathlib.Path(__file__).resolve().parents[2] / "registries" / "models"

# Architecture and pooling of the models that the registry knows.
KNOWN = {
    # The MTEB paper (Muennighoff et al. 2023).
    "sentence-transformers/all-MiniLM-L6-v2": ("bert", "mean"),
    "sentence-transformers/all-MiniLM-L12-v2": ("bert", "mean"),
    "sentence-transformers/all-mpnet-base-v2": ("mpnet", "mean"),
    "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2": ("bert", "mean"),
    "sentence-transformers/paraphrase-multilingual-mpnet-base-v2": ("xlm-roberta", "mean"),
    "sentence-transformers/LaBSE": ("bert", "cls"),
    "sentence-transformers/gtr-t5-base": ("t5", "mean"),
    "sentence-transformers/gtr-t5-large": ("t5", "mean"),
    "sentence-transformers/gtr-t5-xl": ("t5", "mean"),
    "sentence-transformers/gtr-t5-xxl": ("t5", "mean"),
    "sentence-transformers/sentence-t5-base": ("t5", "mean"),
    "sentence-transformers/sentence-t5-large": ("t5", "mean"),
    "sentence-transformers/sentence-t5-xl": ("t5", "mean"),
    "sentence-transformers/sentence-t5-xxl": ("t5", "mean"),
    "bigscience/sgpt-bloom-7b1-msmarco": ("bloom", "weighted-mean"),
    "facebook/contriever-msmarco": ("bert", "mean"),
    # Used for Indonesian.
    "intfloat/multilingual-e5-small": ("bert", "mean"),
    "intfloat/multilingual-e5-base": ("xlm-roberta", "mean"),
    "intfloat/multilingual-e5-large": ("xlm-roberta", "mean"),
    "intfloat/multilingual-e5-large-instruct": ("xlm-roberta", "mean"),
    "BAAI/bge-m3": ("xlm-roberta", "cls"),
    "Qwen/Qwen3-Embedding-0.6B": ("qwen3", "last-token"),
    "Qwen/Qwen3-Embedding-4B": ("qwen3", "last-token"),
    "Qwen/Qwen3-Embedding-8B": ("qwen3", "last-token"),
    "Alibaba-NLP/gte-multilingual-base": ("new", "cls"),
    "Snowflake/snowflake-arctic-embed-l-v2.0": ("xlm-roberta", "cls"),
    "google/embeddinggemma-300m": ("gemma3_text", "mean"),
    "sentence-transformers/static-similarity-mrl-multilingual-v1": ("static", "mean"),
    "minishlab/potion-multilingual-128M": ("static", "mean"),
    "BAAI/bge-reranker-v2-m3": ("xlm-roberta", None),
    "Qwen/Qwen3-Reranker-0.6B": ("qwen3", None),
}

# Templates that the registry keeps as functions.
TEMPLATES = {name: "Instruct: {instruction}\nQuery:" for name in KNOWN if name.startswith("Qwen/Qwen3-Embedding")}

PAPER = "A model of the MTEB paper (Muennighoff et al. 2023) that the reference's registry does not know."
INDONESIAN = "A public Indonesian sentence encoder that the reference's registry does not know."
BRACKETS = " Its authors put a text between brackets of its role (https://github.com/Muennighoff/sgpt), and so does the host."
SENTENCE = "sentence-transformers/"
SGPT = "Muennighoff/SGPT-"


def paper(name, architecture, pooling, dimension, notes="", **more):
    return dict(name=name, architecture=architecture, pooling=pooling, dimension=dimension, notes=PAPER + notes, languages=["eng-Latn"], **more)


def indonesian(name, architecture, dimension, base):
    return dict(name=name, architecture=architecture, pooling="mean", dimension=dimension, adapted_from=base, languages=["ind-Latn"], notes=INDONESIAN)


OTHERS = [
    paper(SENTENCE + "average_word_embeddings_glove.6B.300d", "word-embeddings", "mean", 300),
    paper(SENTENCE + "average_word_embeddings_komninos", "word-embeddings", "mean", 300),
    paper("google-bert/bert-base-uncased", "bert", "mean", 768, max_tokens=512),
    paper("princeton-nlp/unsup-simcse-bert-base-uncased", "bert", "mean", 768, max_tokens=512),
    paper("princeton-nlp/sup-simcse-bert-base-uncased", "bert", "mean", 768, max_tokens=512),
    paper(SENTENCE + "msmarco-bert-co-condensor", "bert", "cls", 768),
    paper(SENTENCE + "allenai-specter", "bert", "cls", 768, max_tokens=512),
    paper(SGPT + "125M-weightedmean-nli-bitfit", "gpt_neo", "weighted-mean", 768),
    paper(SGPT + "5.8B-weightedmean-nli-bitfit", "gptj", "weighted-mean", 4096),
    paper(SGPT + "125M-weightedmean-msmarco-specb-bitfit", "gpt_neo", "weighted-mean", 768, BRACKETS),
    paper(SGPT + "1.3B-weightedmean-msmarco-specb-bitfit", "gpt_neo", "weighted-mean", 2048, BRACKETS),
    paper(SGPT + "2.7B-weightedmean-msmarco-specb-bitfit", "gpt_neo", "weighted-mean", 2560, BRACKETS),
    paper(SGPT + "5.8B-weightedmean-msmarco-specb-bitfit", "gptj", "weighted-mean", 4096, BRACKETS),
    indonesian("LazarusNLP/all-indo-e5-small-v4", "bert", 384, "intfloat/multilingual-e5-small"),
    indonesian("LazarusNLP/all-indobert-base-v4", "bert", 768, "indobenchmark/indobert-base-p1"),
    indonesian("LazarusNLP/simcse-indobert-base", "bert", 768, "indobenchmark/indobert-base-p1"),
    indonesian("firqaaa/indo-sentence-bert-base", "bert", 768, "indobenchmark/indobert-base-p1"),
]


def of_registry(name):
    meta = MODEL_REGISTRY[name]
    architecture, pooling = KNOWN[name]
    kwargs = meta.loader_kwargs or {}
    cross = "cross-encoder" in meta.model_type
    similarity = meta.similarity_fn_name.value if meta.similarity_fn_name else None
    card = dict(
        name=name,
        revision=meta.revision,
        reference=meta.reference,
        release_date=str(meta.release_date) if meta.release_date else None,
        license=meta.license,
        architecture=architecture,
        pooling=pooling,
        similarity=None if cross else similarity,
        dimension=None if cross else meta.embed_dim[-1] if isinstance(meta.embed_dim, list) else meta.embed_dim,
        # Models without a limit have an infinite one in the registry.
        max_tokens=int(meta.max_tokens) if meta.max_tokens and meta.max_tokens < 2**31 else None,
        parameters=meta.n_parameters,
        cross_encoder=cross or None,
        adapted_from=meta.adapted_from if meta.adapted_from and not meta.adapted_from.startswith("/") else None,
        languages=list(meta.languages or []),
    )
    prompts = {}
    template = TEMPLATES.get(name) or kwargs.get("instruction_template")
    if template:
        prompts["instruction_template"] = template
        prompts["instruct_documents"] = kwargs.get("apply_instruction_to_passages", False)
    if kwargs.get("model_prompts"):
        prompts["named"] = {str(getattr(key, "value", key)): text for key, text in kwargs["model_prompts"].items()}
    return card, prompts


def value(content):
    if isinstance(content, dict):
        return "{ " + ", ".join(f"{key} = {value(item)}" for key, item in content.items()) + " }"
    if isinstance(content, list):
        line = ", ".join(json.dumps(item) for item in content)
        return f"[{line}]" if len(line) < 90 else "[\n" + "".join(f"    {json.dumps(item)},\n" for item in content) + "]"
    if isinstance(content, int) and not isinstance(content, bool) and content >= 10_000:
        return f"{content:_}"
    return json.dumps(content, ensure_ascii=False)


def write(card, prompts):
    lines = ["schema = 1"]
    lines += [f"{key} = {value(content)}" for key, content in card.items() if content not in (None, [])]
    if prompts:
        named = prompts.pop("named", {})
        lines += ["", "[prompts]"] + [f"{key} = {value(content)}" for key, content in prompts.items()]
        lines += [f"named.{json.dumps(key)} = {value(text)}" for key, text in named.items()]
    path = OUT / (card["name"].replace("/", "__") + ".toml")
    path.write_text("\n".join(lines) + "\n")


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    for name in KNOWN:
        write(*of_registry(name))
    for card in OTHERS:
        brackets = dict(query=["[", "]"], document=["{", "}"])
        write(card, {"brackets": brackets} if "-specb-" in card["name"] else {})


main()
