"""Objects of the user's own process as models: what is asked of which method, and who the model is."""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import sys
from typing import Any, Callable

from .._worker.frames import INVALID_INPUT, Refused
from .._worker.library import CrossEncoders, MultiVectorEncoders, SentenceTransformers, SparseEncoders
from .._worker.model import Model, module_of
from .._worker.own import Own
from .._worker.reference import ReferenceObject, encodes_inside, is_of_reference, needed, searches
from .identity import hash_of_module, is_module
from .told import is_another
from .unnamed import unnamed_revision
from .waiting import Waiting


class Live:
    """An object that is to be a model, and what the caller calls it."""

    def __init__(
        self, given: Any, name: str | None, revision: str | None, describe: Callable[[str], dict[str, Any] | None]
    ) -> None:
        self.waiting = Waiting()
        self.given = self._made(given)
        self.name, self.revision, self.describe = name, revision, describe
        self.default = name or f"live/{default_name(self.given)}"
        self.weights = self._hash()
        self._model: Model | None = None
        self._undo: list[tuple[Any, str, Any]] = []

    def _made(self, given: Any) -> Any:
        """The object, made by a class or function that needs nothing for it; a function of texts is the model itself."""
        if hasattr(given, "load_model") and hasattr(given, "loader"):
            given = given.load_model()
        elif _is_of_transformers(given) and not _is_model(given):
            raise Refused(
                INVALID_INPUT,
                f"expected a model that takes texts, found {type(given).__name__}, a model of transformers, which takes tokens; load it as a "
                "`SentenceTransformer`, or pass a function of texts that calls it",
            )
        elif inspect.isclass(given):
            given = self.waiting.had(given(**needed(given)))
        elif not _is_model(given) and not searches(given) and callable(given):
            given = _Function(given) if takes_texts(given) else self.waiting.had(given())
        if not _is_model(given) and not searches(given):
            raise Refused(INVALID_INPUT, _no_model(given))
        _refuse_older(given)
        return given

    def _hash(self) -> str:
        """Of a torch module, and of one that the object holds as `model`, the hash of its weights."""
        module = self.given if is_module(self.given) else module_of(self.given)
        if module is None:
            module = getattr(self.given, "model", None) if is_module(getattr(self.given, "model", None)) else None
        return "" if module is None else hash_of_module(module)

    @property
    def is_told(self) -> bool:
        """True if what it is called changes with what it computes, as far as anybody knows."""
        return bool(self.said_revision) or is_module(self.given)

    @property
    def said_revision(self) -> str:
        """The revision that the caller or the object says."""
        meta = getattr(self.given, "mteb_model_meta", None)
        said = self.revision or getattr(self.given, "revision", None) or getattr(meta, "revision", None)
        return said if isinstance(said, str) and said != "no_revision_available" else "" if said is None else str(said)

    @property
    def shares_embeddings(self) -> bool:
        """True if an object of this process that computes something else has been called so, and its embeddings are taken for this one's."""
        if is_module(self.given) or not self.is_told:
            return False
        return is_another(self.given, self.called, f"{self.said_revision} {self.weights}")

    @property
    def called(self) -> str:
        """What results call it."""
        meta = getattr(self.given, "mteb_model_meta", None)
        named = (self.name, getattr(meta, "name", None), getattr(self.given, "name", None))
        return next((name for name in named if isinstance(name, str) and name), self.default)

    def load(self, ask: dict[str, Any]) -> Model:
        """The model, made once for the host's first question; a worker that takes the place of a dead one gets the same."""
        if self._model is None:
            self._model = self._load(ask)
        return self._model

    def _load(self, ask: dict[str, Any]) -> Model:
        # Before the first text, as it may count or keep what it computes.
        state = self.said_revision or (self.weights[:40] if is_module(self.given) else unnamed_revision(self.given))
        model = self._model_of(ask)
        info = model.info
        identity = info["identity"]
        # A name that is no text, such as a number, is none.
        own = identity["name"]
        identity["name"] = self.name or (own if isinstance(own, str) else "") or self.default
        identity["revision"] = state
        told = hashlib.sha256(f"{identity['name']}\0{identity['revision']}\0{self.weights}".encode()).hexdigest()
        identity["weights"] = self.weights if is_module(self.given) else told if self.is_told else ""
        meta = dict(info.get("meta") or {})
        meta.pop("unpinned", None)
        info["meta"] = meta if self.is_told else {**meta, "unpinned": True}
        return model

    def _model_of(self, ask: dict[str, Any]) -> Model:
        given, name = self.given, self.name or self.default
        if is_of_reference(given):
            return ReferenceObject(given, name, self.describe, self.waiting.had)
        kind = library_kind(given)
        if kind is None:
            return LiveOwn(given, name, self.revision, self.waiting.had)
        self._keep(given, "default_prompt_name")
        if ask["max_tokens"] is not None and hasattr(given, "max_seq_length"):
            limit = given.max_seq_length
            self._undo.append((given, "max_seq_length", limit))
            given.max_seq_length = min(ask["max_tokens"], limit or ask["max_tokens"])
        return kind(given, name, self.revision or "", self.weights)

    def _keep(self, given: Any, key: str) -> None:
        if hasattr(given, key):
            self._undo.append((given, key, getattr(given, key)))

    def close(self) -> None:
        """Leaves the object as it was."""
        for given, key, value in reversed(self._undo):
            setattr(given, key, value)
        self._undo = []
        self.waiting.close()


class LiveOwn(Own):
    """An object of the user's own, of which no file is watched."""

    def __init__(self, given: Any, name: str, revision: str | None, had: Callable[[Any], Any]) -> None:
        self.had = had
        super().__init__(given, name, "", _Unwatched(), revision)

    def given(self, found: Any) -> Any:
        return self.had(found)


class PyLate(MultiVectorEncoders):
    """A model of PyLate, whose own `encode` tells queries from documents."""

    def encode(self, texts: list[str], role: str, instruction: str) -> Any:
        more = {"prompt": instruction} if instruction else {}
        return self.model.encode(texts, is_query=role == "query", show_progress_bar=False, convert_to_numpy=True, **more)


class _Unwatched:
    """Stands for the files of a model that has none."""

    def tell(self) -> dict[str, str]:
        return {}

    def check(self) -> None:
        pass

    def take_late(self) -> list[str]:
        return []


class _Function:
    """A function of texts as a model."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.encode = function
        self.__qualname__ = getattr(function, "__name__", type(function).__name__)


def _no_model(given: Any) -> str:
    found = f"expected the name of a model, or an object with `encode`, `predict`, or `index` and `search`, found: {type(given).__name__}"
    if isinstance(given, (list, tuple)):
        return f"{found}; call `run` once for each model"
    return found


def _is_of_transformers(given: Any) -> bool:
    kind = getattr(sys.modules.get("transformers"), "PreTrainedModel", None)
    return inspect.isclass(kind) and isinstance(given, kind)


def _refuse_older(given: Any) -> None:
    """Refuses an object with the interface of mteb 1, which would be called without what it needs."""
    try:
        wanted = inspect.signature(given.encode).parameters
    except (AttributeError, TypeError, ValueError):
        return
    task = wanted.get("task_name")
    if task is not None and task.default is inspect.Parameter.empty and "task_metadata" not in wanted:
        raise Refused(
            INVALID_INPUT,
            f"expected `encode(texts)`, or that of mteb 2, `encode(inputs, *, task_metadata, hf_split, hf_subset, prompt_type=None, **kwargs)`, "
            f"found that of mteb 1 in {type(given).__name__}, with a required `task_name`; give it a default, or leave it out",
        )


def _is_model(given: Any) -> bool:
    return any(callable(getattr(given, name, None)) for name in ("encode", "predict")) or encodes_inside(given)


def library_kind(given: Any) -> Callable[..., Model] | None:
    """What asks an object of sentence-transformers or PyLate; None of any other."""
    if any(kind.__module__.startswith("pylate.") for kind in type(given).__mro__):
        return PyLate
    library = sys.modules.get("sentence_transformers")
    for name, adapter in (
        ("CrossEncoder", CrossEncoders),
        ("SparseEncoder", SparseEncoders),
        ("MultiVectorEncoder", MultiVectorEncoders),
        ("SentenceTransformer", SentenceTransformers),
    ):
        kind = getattr(library, name, None)
        if inspect.isclass(kind) and isinstance(given, kind):
            return adapter
    return None


def takes_texts(function: Callable[..., Any]) -> bool:
    """True of a function that cannot be called without a value: it encodes, and makes no model."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return True
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    return any(value.kind in places and value.default is inspect.Parameter.empty for value in parameters)


def default_name(given: Any) -> str:
    """The last part of the name of what it was trained from or read from, else that of its class."""
    card = getattr(given, "model_card_data", None)
    parts = given.modules() if is_module(given) else iter((given,))
    read_from = next((found for part in parts if isinstance(found := getattr(part, "name_or_path", None), str) and found), None)
    said = getattr(card, "model_name", None) or getattr(card, "base_model", None) or read_from
    kind = type(given).__name__
    last = os.path.basename(str(said).rstrip("/")) if said else getattr(given, "__qualname__", kind)
    last = re.sub(r"[^A-Za-z0-9._-]+", "-", str(last).replace("<lambda>", "function")).strip("-.")
    return last or kind

