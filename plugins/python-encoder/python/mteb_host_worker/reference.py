"""Models that the loaders of the Python package mteb make."""

import sys

from mteb_host_worker.frames import INVALID_INPUT, NOT_FOUND, UNSUPPORTED, Refused
from mteb_host_worker.library import MultiVectorEncoders, SentenceTransformers, SparseEncoders
from mteb_host_worker.model import Model, device_of, format_of, hash_of_weights, is_emulated, module_of
from mteb_host_worker.repository import refuse_code, with_code
from mteb_host_worker.rows import Numbers


class Reference(Model):
    """A model of the reference that makes its prompts itself: the host names the task where others get a prompt."""

    def __init__(self, model, meta):
        self.model, self.tasks = model, {}
        similarity = getattr(meta.similarity_fn_name, "value", meta.similarity_fn_name)
        self.info = {
            "identity": {"name": meta.name, "revision": meta.revision or "", "weights": "", "dtype": format_of(model)},
            "max_tokens": int(meta.max_tokens) if meta.max_tokens and meta.max_tokens < 1 << 31 else None,
            "similarity": similarity if similarity in ("cosine", "dot", "euclidean", "manhattan") else None,
            "parameters": meta.n_parameters,
            "prompts": {"task_names": True},
        }
        device = getattr(model, "device", None)
        if device is not None:
            self.info["device"] = str(device)
        if meta.is_cross_encoder:
            self.info["cross_encoder"] = True
        elif "late-interaction" in (meta.model_type or []):
            self.info["rows"] = "multi-vector"
            first = self.encode(["dimension"], "query", "SciFact")
            self.info["dimension"] = Numbers(first[0], len(first[0]), "vectors").shape[1]
        else:
            first = self.encode(["dimension"], "none", "STSBenchmark")
            self.info["dimension"] = Numbers(first, 1, "rows").shape[1]

    def metadata(self, task):
        import mteb

        if task not in self.tasks:
            try:
                self.tasks[task] = mteb.get_task(task).metadata
            except KeyError:
                # A task of the user's own gets what a task of its kind without prompts gets.
                raise Refused(
                    INVALID_INPUT,
                    f"expected a task that the reference knows, as this model makes its prompts from it, found: {task}",
                ) from None
        return self.tasks[task]

    def loader(self, texts, role):
        from datasets import Dataset
        from torch.utils.data import DataLoader

        rows = {"text": texts}
        if role == "query":
            rows["query"] = texts
        elif role == "document":
            rows.update(body=texts, title=[""] * len(texts))
        return DataLoader(Dataset.from_dict(rows), batch_size=32)

    def encode(self, texts, role, instruction):
        from mteb.types import PromptType

        kind = {"query": PromptType.query, "document": PromptType.document}.get(role)
        # Models of several vectors a text search by themselves; what they search with is this.
        encode = getattr(self.model, "encode", None) or self.model._encode
        return encode(
            self.loader(texts, role),
            task_metadata=self.metadata(instruction),
            hf_split="test",
            hf_subset="default",
            prompt_type=kind,
            batch_size=32,
            show_progress_bar=False,
        )

    def predict(self, queries, documents, instruction):
        from mteb.types import PromptType

        return self.model.predict(
            self.loader(queries, "query"),
            self.loader(documents, "document"),
            task_metadata=self.metadata(instruction),
            hf_split="test",
            hf_subset="default",
            prompt_type=PromptType.query,
            batch_size=32,
            show_progress_bar=False,
        )


def load_reference(ask):
    """The model that the reference's own loader makes."""
    try:
        import mteb
    except ImportError as error:
        raise Refused(
            NOT_FOUND,
            f"expected the package mteb in {sys.executable}, found none ({error}); `--python` names another interpreter",
        ) from None
    if not ask["trust_remote_code"]:
        refuse_code()
    more = {"trust_remote_code": True} if ask["trust_remote_code"] else {}
    try:
        model = mteb.get_model(ask["model"], revision=ask["revision"], device=device_of(ask["device"]), **more)
    except ImportError as error:
        if "pylate" not in str(error):
            raise
        raise Refused(
            INVALID_INPUT,
            f"expected the package pylate in {sys.executable}, by which the reference loads {ask['model']}, found none that fits "
            f"({error}); `st:{ask['model']}` reads it without PyLate",
        ) from None
    meta = model.mteb_model_meta
    # The loader takes no number format.
    if format_of(model) in ("bf16", "f16") and (ask["dtype"] == "f32" or is_emulated(model, ask)):
        module_of(model).float()
    from mteb.models import SentenceTransformerEncoderWrapper

    # The plain wrapper picks among named prompts by the rule that the host has too, so that texts are shared among tasks.
    if type(model) is SentenceTransformerEncoderWrapper and not meta.use_instructions:
        inner = SentenceTransformers(model.model, meta.name, meta.revision, "", model.model_prompts)
        inner.info["identity"]["weights"] = weights_of_cache(meta)
        return inner
    for wrapper, kind in (("SparseEncoderWrapper", SparseEncoders), ("MultiVectorWrapper", MultiVectorEncoders)):
        if type(model) is getattr(mteb.models, wrapper, None) and not meta.use_instructions:
            return kind(model.model, meta.name, meta.revision, weights_of_cache(meta), model.model_prompts)
    searches = "late-interaction" in (meta.model_type or []) and hasattr(model, "_encode")
    if not searches and not hasattr(model, "encode") and not hasattr(model, "predict"):
        raise Refused(UNSUPPORTED, f"expected a model that encodes texts or scores pairs, found: {type(model).__name__}")
    return Reference(model, meta)


def weights_of_cache(meta):
    """The hash of the weights in the hub's cache."""
    from huggingface_hub import snapshot_download

    try:
        return with_code(hash_of_weights(snapshot_download(meta.name, revision=meta.revision, local_files_only=True)))
    except Exception:  # noqa: BLE001 - without files there is no hash, and embeddings are not kept on the disk
        return ""
