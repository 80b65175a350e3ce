"""Models of the user's own code."""

import difflib
import hashlib
import importlib.util
import inspect
import os
import stat
import sys

from .beside import Beside
from .frames import INVALID_INPUT, NOT_FOUND, Refused
from .model import Model, format_of
from .reference import ReferenceObject, is_of_reference, needed, said, searches, searching
from .rows import Numbers
from .similarity import similarity_of
from .sources import take_sources_alone

# Most names in a line.
SHOWN = 5

# Tells the package `mteb_host` that a file is read for its model alone; `run` ends the reading.
IMPORTING = "MTEB_HOST_IMPORTING"


class Own(Model):
    """Code of the user's own: anything with `encode`, or with `predict`."""

    # In which what `async def` gives is awaited, the same for all calls.
    loop = None

    def __init__(self, model, name, weights, beside, revision=None):
        self.model, self.beside = model, beside
        self.scores_pairs = not hasattr(model, "encode") and hasattr(model, "predict")
        self.info = {
            "identity": {
                "name": getattr(model, "name", name),
                "revision": "" if (found := revision or getattr(model, "revision", None)) is None else str(found),
                "weights": weights,
                "dtype": format_of(model),
            },
            "max_tokens": getattr(model, "max_tokens", None),
            "similarity": similarity_of(model),
            "cross_encoder": self.scores_pairs,
            "prompts": {"named": dict(getattr(model, "prompts", None) or {})},
        }
        if not self.scores_pairs:
            self.takes = [name for name in ("role", "prompt") if name in parameters_of(model.encode)]
            self.info["rows"] = getattr(model, "rows", None)
            self.info["dimension"] = getattr(model, "dimension", None) or self.found_dimension()
        if self.scores_pairs or getattr(model, "dimension", None):
            self.try_first()
        # After the first text, for which a model may read what it has left until then.
        sources = beside.tell()
        self.info["meta"] = {"sources": sources} if sources else {}
        if not self.info["identity"]["revision"]:
            # Nobody knows what else the code depends on, unless it says a revision.
            self.info["meta"]["unpinned"] = True

    def try_first(self):
        """Gives the model a first text, or pair, whatever comes of it: for that it may read what it has left until then."""
        try:
            if self.scores_pairs:
                self.predict(["dimension"], ["dimension"], "")
            else:
                self.encode(["dimension"], "none", "")
        except Exception:
            # A text of the task will tell of it.
            pass

    def found_dimension(self):
        """Numbers a row, or a vector, of what the model gives for a text."""
        first, rows = self.encode(["dimension"], "none", ""), self.info["rows"]
        if rows not in (None, "dense", "sparse", "multi-vector"):
            raise Refused(INVALID_INPUT, f"expected `rows` to be \"sparse\" or \"multi-vector\", or missing, found: {rows!r}")
        if rows == "sparse":
            if not hasattr(first, "shape"):
                raise Refused(INVALID_INPUT, "expected `dimension` of a model whose `encode` returns sparse rows as dictionaries, found none")
            return int(first.shape[-1])
        if rows == "multi-vector":
            first = Numbers(first[0], len(first[0]), "vectors")
        else:
            first = Numbers(first, 1, "rows")
        if len(first.shape) != 2:
            raise Refused(INVALID_INPUT, f"expected `encode` to return one row per text, found an array of shape {first.shape}")
        return first.shape[1]

    def encode(self, texts, role, instruction):
        if self.scores_pairs:
            return super().encode(texts, role, instruction)
        given = {"role": role, "prompt": instruction}
        if instruction and "prompt" not in self.takes:
            texts = [instruction + text for text in texts]
        return self.given(self.model.encode(texts, **{name: given[name] for name in self.takes}))

    def predict(self, queries, documents, instruction):
        return self.given(self.model.predict([(instruction + query, document) for query, document in zip(queries, documents)]))

    def given(self, found):
        """What a call of the model comes to."""
        if inspect.isawaitable(found):
            import asyncio

            if self.loop is None:
                self.loop = asyncio.new_event_loop()
            return self.loop.run_until_complete(awaited(found))
        return found

    def check(self):
        self.beside.check()

    def take_notes(self):
        late = self.beside.take_late()
        if not late or "unpinned" in self.info["meta"]:
            return []
        names = ", ".join(late[:SHOWN]) + (f" and {len(late) - SHOWN} more" if len(late) > SHOWN else "")
        them = "it" if len(late) == 1 else "them"
        return [
            f"the model read {names} only after its first text, so that changes of {them} are not noticed; have it read {them} "
            f"before, or change its `revision` along with {them}"
        ]


async def awaited(found):
    return await found


def parameters_of(function):
    """The parameters of a function; none of one that does not tell."""
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


def load_own(ask):
    """The object `name` of a file; a class or a function is called without arguments first."""
    path, _, name = ask["model"].rpartition(":")
    if not path.endswith(".py") or not name:
        raise Refused(INVALID_INPUT, f"expected `{ask['kind']}:FILE.py:name`, found: {ask['kind']}:{ask['model']}")
    path = os.path.abspath(path)
    sys.path.insert(0, os.path.dirname(path))
    beside = Beside(path)
    take_sources_alone(beside)
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    source = source_of(path)
    weights = hashlib.sha256(source).hexdigest()
    try:
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        # A program that calls `mteb_host.run` with a class of its own is read up to that call.
        os.environ[IMPORTING] = "1"
        # What is told is what runs, whatever the file holds by now.
        exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)
    except SystemExit:
        if not hasattr(module, name):
            raise
    os.environ.pop(IMPORTING, None)
    if not hasattr(module, name):
        own = [key for key, value in vars(module).items() if not key.startswith("_") and not inspect.ismodule(value)]
        raise Refused(NOT_FOUND, f"{path}: expected `{name}` in this file, found no such name{near(name, own)}")
    found = getattr(module, name)
    # What a caller's own program would say for it, beside the file.
    given = f"{spec.name}.{name}"
    if hasattr(found, "load_model") and hasattr(found, "loader"):
        # What the reference knows of a model, and makes it by.
        found, given = found.load_model(), f"{given}.load_model()"
    elif inspect.isclass(found) or not (hasattr(found, "encode") or hasattr(found, "predict") or searches(found)):
        given = given if inspect.isclass(found) else f"{given}()"
        found = found(**needed(found))
    if not hasattr(found, "encode") and not hasattr(found, "predict"):
        if searches(found):
            raise Refused(INVALID_INPUT, f"{path}: {searching(name, spec.name, given)}")
        raise Refused(INVALID_INPUT, f"{path}: expected `{name}` to have `encode` or `predict`, found: {type(found).__name__}")
    called = f"{ask['kind']}:{named(path)}:{name}"
    if is_of_reference(found):
        return OwnReference(found, called, weights, beside, ask["revision"], (ask.get("tasks") or {}).get)
    return Own(found, called, weights, beside, ask["revision"])


class OwnReference(ReferenceObject):
    """Code of the user's own with the reference's interface."""

    def __init__(self, model, name, weights, beside, revision, describe=None):
        self.beside = beside
        super().__init__(model, name, describe)
        identity = self.info["identity"]
        identity["weights"] = weights
        identity["revision"] = revision or identity["revision"] or str(said(model, "revision") or "")
        sources = beside.tell()
        self.info["meta"] = {"sources": sources} if sources else {}
        if not identity["revision"]:
            self.info["meta"]["unpinned"] = True

    check, take_notes = Own.check, Own.take_notes


def source_of(path):
    """The bytes of the file with the code."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise Refused(INVALID_INPUT, f"{path}: expected a file with Python code, found something other than a regular file")
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError) as error:
        folder, name = os.path.split(path)
        try:
            beside = [found for found in os.listdir(folder) if found.endswith(".py")]
        except OSError:
            beside = []
        found = f"{path}: cannot read the file: {error.strerror}{near(name, beside)}"
        raise Refused(NOT_FOUND, found) from None


def near(name, known):
    """What follows a name that nothing has: those near it."""
    lower = {found.lower(): found for found in known}
    names = [lower[found] for found in difflib.get_close_matches(name.lower(), lower, SHOWN, 0.75)]
    return f" (near it: {', '.join(names)})" if names else ""


def named(path):
    """A file as results name it: from the current folder on, however it was typed, since another folder has another file of
    its name."""
    folder = os.path.realpath(os.path.dirname(path))
    return os.path.relpath(os.path.join(folder, os.path.basename(path)), os.path.realpath(os.curdir))
