"""Models of sentence-transformers: encoders, sparse and multi-vector ones among them, and cross-encoders."""

import inspect
import json
import os
import sys

from .filled import checked, refuse_lost_settings
from .frames import NOT_FOUND, UNSUPPORTED, Refused
from .model import Model, device_of, dtype_name, dtype_of, hash_of_weights, is_emulated, module_of
from .repository import in_cache, refuse_code, with_code


class SentenceTransformers(Model):
    """An encoder of sentence-transformers."""

    steps = ()

    def __init__(self, model, name, revision, weights, prompts=None):
        self.model = model
        # Left alone, the library would put it before texts that the host has given no prompt.
        default, model.default_prompt_name = model.default_prompt_name, None
        named = {key: text for key, text in (prompts or model.prompts or {}).items() if text is not None}
        limit = getattr(model, "max_seq_length", None)
        dimension = getattr(model, "get_embedding_dimension", None) or model.get_sentence_embedding_dimension
        self.info = {
            "identity": {"name": name, "revision": revision or "", "weights": weights, "dtype": dtype_name(model)},
            "dimension": dimension(),
            "max_tokens": int(limit) if limit and limit < 1 << 31 else None,
            "device": str(model.device),
            "similarity": getattr(model.similarity_fn_name, "value", model.similarity_fn_name),
            "parameters": sum(parameter.numel() for parameter in model.parameters()),
            "prompts": {"named": named, "default": default if default in named else None},
        }

    def encode(self, texts, role, instruction):
        found = self.encoder(role)(texts, prompt=instruction, show_progress_bar=False, convert_to_numpy=True)
        return with_steps(found, self.steps)

    def encoder(self, role):
        """What encodes texts of a role, as the reference chooses it: routers send them different ways. Versions below 5 know no roles."""
        return getattr(self.model, {"query": "encode_query", "document": "encode_document"}.get(role, "encode"), self.model.encode)


def with_steps(rows, steps):
    """Rows after what the reference's loader does to them at last."""
    if not steps:
        return rows
    import torch
    from torch.nn import functional

    rows = torch.from_numpy(rows)
    for step in steps:
        rows = functional.layer_norm(rows, rows.shape[1:]) if step == "layer-norm" else functional.normalize(rows, dim=1)
    return rows.numpy()


class SparseEncoders(SentenceTransformers):
    """A sparse encoder of sentence-transformers, as SPLADE."""

    def __init__(self, *given):
        super().__init__(*given)
        self.info["rows"] = "sparse"
        # What the library says is of the module before the one that makes the rows, with some.
        self.info["dimension"] = int(self.encode(["dimension"], "document", "").shape[-1])

    def encode(self, texts, role, instruction):
        return self.encoder(role)(texts, prompt=instruction, show_progress_bar=False, save_to_cpu=True)


class MultiVectorEncoders(SentenceTransformers):
    """A late-interaction model of sentence-transformers, as ColBERT; models of PyLate are read as such."""

    def __init__(self, *given):
        super().__init__(*given)
        self.takes_mean = self.info.pop("similarity", None) == "meanmaxsim"
        self.info["rows"] = "multi-vector"

    def encode(self, texts, role, instruction):
        found = self.encoder(role)(texts, prompt=instruction, show_progress_bar=False, convert_to_numpy=True)
        if self.takes_mean and role == "query":
            # The mean over the vectors of the query is the sum of those that are as much shorter.
            found = [vectors / max(len(vectors), 1) for vectors in found]
        return found


class CrossEncoders(Model):
    """A cross-encoder of sentence-transformers."""

    def __init__(self, model, name, revision, weights):
        self.model = model
        module = getattr(model, "model", model)
        self.info = {
            "identity": {"name": name, "revision": revision or "", "weights": weights, "dtype": dtype_name(module)},
            "max_tokens": getattr(model, "max_length", None),
            "device": str(module.device),
            "cross_encoder": True,
            "parameters": sum(parameter.numel() for parameter in module.parameters()),
        }

    def predict(self, queries, documents, instruction):
        pairs = [(instruction + query, document) for query, document in zip(queries, documents)]
        return self.model.predict(pairs, show_progress_bar=False)


def json_of(folder, name):
    """The content of a file; empty if there is none."""
    try:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return json.load(file) or {}
    except OSError:
        return {}


def is_cross_encoder(folder):
    """True if the files are those of a cross-encoder: no modules, or those of one, and a head of one class or a language model's."""
    kind = json_of(folder, "config_sentence_transformers.json").get("model_type")
    if kind is not None:
        return kind == "CrossEncoder"
    if os.path.exists(os.path.join(folder, "modules.json")):
        return False
    architectures = json_of(folder, "config.json").get("architectures") or []
    return any(name.endswith("ForSequenceClassification") for name in architectures)


def kind_of_rows(folder):
    """The class of sentence-transformers that reads an encoder, and ours: as the library and the reference tell them apart."""
    kind = json_of(folder, "config_sentence_transformers.json").get("model_type")
    modules = json_of(folder, "modules.json") or []
    # Of the older forms, PyLate's is told by its modules, that of Stanford's code by its architecture or its file.
    is_of_pylate = kind is None and any(module.get("type", "").startswith("pylate.") for module in modules)
    is_of_stanford = os.path.exists(os.path.join(folder, "artifact.metadata")) or (
        kind is None and "HF_ColBERT" in (json_of(folder, "config.json").get("architectures") or [])
    )
    if kind in ("MultiVectorEncoder", "ColBERT") or is_of_pylate or is_of_stanford:
        return "MultiVectorEncoder", MultiVectorEncoders
    if kind == "SparseEncoder" or (kind is None and any("sparse_encoder" in module.get("type", "") for module in modules)):
        return "SparseEncoder", SparseEncoders
    return "SentenceTransformer", SentenceTransformers


def computed(load, ask):
    """What `load` makes in the number format that is asked for; without one, in float32 where the device would only emulate what the
    files say."""
    # Left alone, the reference's loader says it, else the files.
    dtype = dtype_of(ask["dtype"] if ask["dtype"] != "auto" else (ask.get("loading") or {}).get("dtype"))
    with checked():
        model = load({} if dtype is None else {"model_kwargs": {"torch_dtype": dtype}})
    if is_emulated(model, ask):
        # Read again: what was rounded for the other format stays so.
        del model
        model = load({"model_kwargs": {"torch_dtype": dtype_of("f32")}})
        # Modules that take no number format are made one.
        module_of(model).float()
    return model


def loading_options(kind, loading):
    """What a class of the library is told of what the reference's loader sets."""
    keys = ("add_bos_token", "add_eos_token", "pad_token", "padding_side")
    processor = {key: loading[key] for key in keys if key in loading}
    if "max_tokens" in loading:
        processor["model_max_length"] = loading["max_tokens"]
    # The older name of the same.
    name = "processor_kwargs" if "processor_kwargs" in inspect.signature(kind.__init__).parameters else "tokenizer_kwargs"
    options = {name: processor} if processor else {}
    if "dimension" in loading:
        options["truncate_dim"] = loading["dimension"]
    return options


def load_sentence_transformers(ask):
    """The model of a folder, or of the hub's cache."""
    try:
        import sentence_transformers
    except ImportError as error:
        raise Refused(
            NOT_FOUND,
            f"expected the package sentence-transformers in {sys.executable}, found none ({error}); "
            "`--python` names another interpreter",
        ) from None
    if not ask["trust_remote_code"]:
        refuse_code()
    place, name = ask["folder"] or in_cache(ask["model"], ask["revision"]), ask["model"].rstrip("/") or ask["model"]
    revision = ask["revision"] if ask["folder"] else os.path.basename(place)
    more = {"device": device_of(ask["device"]), "trust_remote_code": ask["trust_remote_code"]}
    weights, loading = hash_of_weights(place), ask.get("loading") or {}
    refuse_lost_settings(place)
    if is_cross_encoder(place):
        if loading.get("raw_scores"):
            import torch

            more["activation_fn"] = torch.nn.Identity()
        limit = ask["max_tokens"] or loading.get("max_tokens")
        model = computed(lambda own: sentence_transformers.CrossEncoder(place, max_length=limit, **more, **own), ask)
        return CrossEncoders(model, name, revision, with_code(weights))
    of_library, kind = kind_of_rows(place)
    if not hasattr(sentence_transformers, of_library):
        version = sentence_transformers.__version__
        raise Refused(UNSUPPORTED, f"expected a version of sentence-transformers with {of_library}, found {version}")
    of_library = getattr(sentence_transformers, of_library)
    more.update(loading_options(of_library, loading))
    model = computed(lambda own: of_library(place, **more, **own), ask)
    if "max_tokens" in loading:
        model.max_seq_length = loading["max_tokens"]
    if loading.get("include_prompt") is False:
        model.set_pooling_include_prompt(False)
    if ask["max_tokens"] is not None and kind is not MultiVectorEncoders:
        model.max_seq_length = min(ask["max_tokens"], model.max_seq_length or ask["max_tokens"])
    found = kind(model, name, revision, with_code(weights))
    found.steps = loading.get("row_steps", ())
    return found
