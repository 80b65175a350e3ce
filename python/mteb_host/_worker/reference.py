"""Models that the loaders of the Python package mteb make."""

import inspect
import sys
import types

from .frames import INVALID_INPUT, NOT_FOUND, UNSUPPORTED, Refused
from .library import MultiVectorEncoders, SentenceTransformers, SparseEncoders
from .model import Model, device_of, format_of, hash_of_weights, is_emulated, module_of
from .repository import refuse_code, with_code
from .rows import Numbers
from .similarity import similarity_of


class Reference(Model):
    """A model with the reference's interface, which makes its prompts itself: the host names the task where others get a prompt."""

    def __init__(self, model, meta, name="", describe=None):
        self.model, self.tasks, self.describe = model, {}, describe or (lambda task: None)
        limit, kinds = said(meta, "max_tokens"), said(meta, "model_type") or []
        self.info = {
            "identity": {
                "name": said(meta, "name") or name,
                "revision": said(meta, "revision") or "",
                "weights": "",
                "dtype": format_of(model),
            },
            "max_tokens": int(limit) if limit and limit < 1 << 31 else None,
            "similarity": similarity_of(model),
            "parameters": said(meta, "n_parameters"),
            "prompts": {"task_names": True},
        }
        device = getattr(model, "device", None)
        if device is not None:
            self.info["device"] = str(device)
        # Models of several vectors a text search by themselves; what they search with is this.
        self.encoder = getattr(model, "encode", None) or getattr(model, "_encode", None)
        if said(meta, "is_cross_encoder") or self.encoder is None:
            self.info["cross_encoder"] = True
        else:
            self.find_form(kinds)

    def find_form(self, kinds):
        """Finds out by a first text what rows look like."""
        if "late-interaction" in kinds:
            self.info["rows"] = "multi-vector"
            first = self.encode(["dimension"], "query", "SciFact")
            self.info["dimension"] = Numbers(first[0], len(first[0]), "vectors").shape[1]
            return
        first = self.encode(["dimension"], "none", "STSBenchmark")
        if getattr(first, "is_sparse", False) or hasattr(first, "tocsr"):
            self.info["rows"] = "sparse"
            self.info["dimension"] = int(first.shape[-1])
        else:
            self.info["dimension"] = Numbers(first, 1, "rows").shape[1]

    def metadata(self, task):
        if task not in self.tasks:
            self.tasks[task] = metadata_of(task, self.describe)
        return self.tasks[task]

    def encode(self, texts, role, instruction):
        return self.had(self.asked(self.encoder, loader(texts, role), instruction, prompt_type(role)))

    def predict(self, queries, documents, instruction):
        queries = loader(queries, "query")
        return self.had(self.asked(self.model.predict, queries, instruction, prompt_type("query"), loader(documents, "document")))

    def asked(self, function, texts, instruction, kind, *others):
        task = self.metadata(instruction)
        given = {"task_metadata": task, "hf_split": "test", "hf_subset": "default", "prompt_type": kind}
        more = {"batch_size": BATCH, "show_progress_bar": False}
        return function(texts, *others, **only_taken(function, {**given, **more}))

    def had(self, found):
        """What a call of the model comes to."""
        return found


class ReferenceObject(Reference):
    """An object of the user's own with the reference's interface; what it has besides, it need not have."""

    def __init__(self, model, name, describe=None, had=None):
        if had is not None:
            self.had = had
        # Its own, as that of any other code; a description that mteb has of it comes first.
        own = getattr(model, "name", None)
        name = own if isinstance(own, str) and own else name
        super().__init__(model, getattr(model, "mteb_model_meta", None), name, describe)


# Texts in a batch of what the model gets.
BATCH = 32


def said(meta, key):
    """What a model's description says; None where there is none."""
    found = getattr(meta, key, None)
    return None if found == "no_revision_available" else found


def only_taken(function, values):
    """Those of the values that a function takes."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return values
    if any(value.kind is inspect.Parameter.VAR_KEYWORD for value in parameters.values()):
        return values
    return {name: value for name, value in values.items() if name in parameters}


def is_of_reference(model):
    """True of an object with the reference's interface: its methods are told the task."""
    for name in ("encode", "predict"):
        method = getattr(model, name, None)
        if method is not None:
            try:
                return "task_metadata" in inspect.signature(method).parameters
            except (TypeError, ValueError):
                return False
    return encodes_inside(model) and hasattr(model, "mteb_model_meta")


def encodes_inside(model):
    """True of a model that searches by itself and encodes texts as the reference gives them by a method of its own, as those of several
    vectors a text do; others have one of that name for something else."""
    method = getattr(model, "_encode", None)
    try:
        return callable(method) and "inputs" in inspect.signature(method).parameters
    except (TypeError, ValueError):
        return False


def searches(found):
    """True of an object with the reference's search protocol, and no other of its interfaces."""
    has = [callable(getattr(found, name, None)) for name in ("index", "search", "encode", "predict")]
    return has == [True, True, False, False] and not encodes_inside(found)


def searching(name, module, given):
    """What to say of such an object, which Python code has as `given` once it has imported `module`."""
    program = f"import mteb_host, {module}; mteb_host.run({given}, 'TASK')"
    return (
        f"expected a model with `encode` or `predict`, found that {name} only searches (mteb's `index` and `search`), which a worker "
        f'cannot; run it in your Python, on tasks that rank documents: `python -c "{program}"`; or let mteb write its predictions '
        "(`prediction_folder=`) and score them with `mteb-host score --rankings FILE --task TASK`"
    )


def needed(kind):
    """What a class of the reference's form wants to be made with: its own name, and no revision."""
    try:
        parameters = inspect.signature(kind).parameters.values()
    except (TypeError, ValueError):
        return {}
    usual = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    wanted = [value.name for value in parameters if value.default is inspect.Parameter.empty and value.kind not in usual]
    known = {"model_name": getattr(kind, "__name__", ""), "revision": None}
    if set(wanted) - set(known):
        missing = ", ".join(f"`{name}`" for name in wanted)
        name = getattr(kind, "__name__", type(kind).__name__)
        raise Refused(INVALID_INPUT, f"expected a class without required arguments, found that {name} needs {missing}; pass an instance")
    return {name: known[name] for name in wanted}


def prompt_type(role):
    """The reference's word for a role; without it a text that is equal to it."""
    if role not in ("query", "document"):
        return None
    try:
        from mteb.types import PromptType
    except ImportError:
        return PlainType(role)
    return {"query": PromptType.query, "document": PromptType.document}[role]


class PlainType(str):
    """A role where the reference is not installed."""

    @property
    def value(self):
        return str(self)

    name = value


def loader(texts, role):
    """Texts as the reference gives them to a model: batches, each a dictionary of lists."""
    rows = {"text": texts}
    if role == "query":
        rows["query"] = texts
    elif role == "document":
        rows.update(body=texts, title=[""] * len(texts))
    try:
        from datasets import Dataset
        from torch.utils.data import DataLoader
    except ImportError:
        places = range(0, len(texts), BATCH)
        return [{key: column[place : place + BATCH] for key, column in rows.items()} for place in places]
    return DataLoader(Dataset.from_dict(rows), batch_size=BATCH)


def metadata_of(task, describe):
    """What the reference knows of a task; of one that it does not know, what the host does."""
    try:
        import mteb
    except ImportError:
        return types.SimpleNamespace(**{"name": task, "prompt": None, "type": None, "languages": [], **(describe(task) or {})})
    try:
        return mteb.get_task(task).metadata
    except KeyError:
        known = describe(task)
    if known is None:
        # A task of the user's own gets what a task of its kind without prompts gets.
        raise Refused(
            INVALID_INPUT,
            f"expected a task that the reference knows, because this model makes its prompts from it, found: {task}; "
            "such a task runs with the model as an object, in Python (`mteb_host.run(mteb.get_model(NAME), …)`), or from a file of your own "
            "(`--model mteb:FILE.py:NAME`)",
        )
    return mteb.TaskMetadata.model_construct(name=task, **known)


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
        kind = type(model).__name__
        if searches(model):
            raise Refused(UNSUPPORTED, searching(kind, "mteb", f"mteb.get_model({ask['model']!r})"))
        raise Refused(UNSUPPORTED, f"expected a model that encodes texts or scores pairs, found: {kind}")
    return Reference(model, meta)


def weights_of_cache(meta):
    """The hash of the weights in the hub's cache."""
    from huggingface_hub import snapshot_download

    try:
        return with_code(hash_of_weights(snapshot_download(meta.name, revision=meta.revision, local_files_only=True)))
    except Exception:  # noqa: BLE001 - without files there is no hash, and embeddings are not kept on the disk
        return ""
