"""Evaluators of types of tasks of the user's own: a class of one file, which runs only with the content that the user trusts."""

import hashlib
import inspect
import json
import math
import mmap
import numbers
import types

from .frames import FAILED, INVALID_INPUT, NOT_FOUND, Refused

# What an answer may have beside scores.
OUTCOMES, WARNINGS = "outcomes", "warnings"


class Evaluator:
    """A class with `score(rows, embeddings, rng)`; an object of its own scores each unit."""

    def __init__(self, kind, declared):
        self.kind, self.lists = kind, declared["lists"]
        takes = inspect.signature(kind.score).parameters
        self.takes_options = "options" in takes
        self.info = {"identity": {"name": kind.__name__, "revision": "", "weights": declared["sha256"], "dtype": ""}}
        for name, expected in (("columns", declared["columns"]), ("main_score", declared["main_score"])):
            said = getattr(kind, name, expected)
            found = sorted(said) if name == "columns" else said
            if found != (sorted(expected) if name == "columns" else expected):
                raise Refused(INVALID_INPUT, f"expected `{name}` of the class as the card has it, {expected}, found {said}")

    def score(self, question):
        import numpy

        unit = question["unit"]
        with Memory(unit["memory"]) as memory:
            rows = [json.loads(line) for line in memory.bytes(unit["rows"]).splitlines()]
            embeddings = {name: memory.rows(place) for name, place in question["embeddings"].items()}
            for name in self.lists:
                if name in embeddings:
                    embeddings[name] = by_row(embeddings[name], [len(row[name]) for row in rows])
            rng = numpy.random.default_rng(unit["seed"])
            options = {"options": unit["options"]} if self.takes_options else {}
            return self.answer(self.kind().score(rows, embeddings, rng, **options))

    def answer(self, said):
        if not isinstance(said, dict):
            raise Refused(FAILED, f"expected `score` to give a dictionary of scores, found {type(said).__name__}")
        said = dict(said)
        outcomes, warnings = said.pop(OUTCOMES, None), said.pop(WARNINGS, [])
        if not all(isinstance(name, str) for name in said):
            raise Refused(FAILED, "expected scores by names that are texts, found others")
        answer = {"scores": {name: number(value, f"the score `{name}`") for name, value in said.items()}}
        if outcomes is not None:
            answer[OUTCOMES] = [number(value, "an outcome") for value in outcomes]
        answer[WARNINGS] = [str(line) for line in ([warnings] if isinstance(warnings, str) else warnings)]
        return answer


class Memory:
    """The file in memory that the host's worker has lent by a descriptor, mapped and never copied."""

    def __init__(self, descriptor):
        self.map = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.map.close()
        except BufferError:
            # Somebody keeps a row, which stays where it is until the last of them goes.
            pass

    def bytes(self, place):
        return self.map[place["offset"] : place["offset"] + place["bytes"]]

    def rows(self, place):
        import numpy

        shape = (place["rows"], place["dimension"])
        found = numpy.frombuffer(self.map, dtype="<f4", count=shape[0] * shape[1], offset=place["offset"]).reshape(shape)
        found.flags.writeable = False
        return found


def by_row(found, lengths):
    """The embeddings of the texts of each row, of a column with lists."""
    ends, end = [], 0
    for length in lengths:
        end += length
        ends.append(end)
    return [found[end - length : end] for end, length in zip(ends, lengths)]


def number(value, what):
    """A number that JSON has; None where there is none."""
    if value is None:
        return None
    if isinstance(value, bool) or hasattr(value, "item"):
        value = float(value)
    if not isinstance(value, numbers.Real):
        raise Refused(FAILED, f"expected {what} as a number, found {type(value).__name__}")
    value = float(value)
    if math.isinf(value):
        raise Refused(FAILED, f"expected {what} as a finite number, found {value}")
    return None if math.isnan(value) else value


def load_evaluator(ask):
    """The class that `ask` names, of a file with the SHA-256 that the user trusts."""
    path, _, name = ask["model"].rpartition(":")
    declared = ask["evaluator"]
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        raise Refused(INVALID_INPUT, f"expected the file of an evaluator, found that it cannot be read: {error}") from None
    found = hashlib.sha256(source).hexdigest()
    if found != declared["sha256"]:
        raise Refused(INVALID_INPUT, f"{path}: expected the SHA-256 {declared['sha256']}, found {found}: the file changed; run again")
    try:
        import numpy  # noqa: F401 - embeddings are its arrays
    except ImportError:
        raise Refused(INVALID_INPUT, "expected the package numpy, in whose arrays an evaluator gets embeddings, found none") from None
    module = types.ModuleType("evaluator")
    module.__file__ = path
    exec(compile(source, path, "exec"), module.__dict__)
    kind = getattr(module, name, None)
    if not isinstance(kind, type) or not callable(getattr(kind, "score", None)):
        raise Refused(NOT_FOUND, f"{path}: expected a class `{name}` with `score(self, rows, embeddings, rng)`, found none")
    return Evaluator(kind, declared)
