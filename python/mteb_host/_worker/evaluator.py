"""Evaluators of types of tasks of the user's own: a class of one file, which runs only with the content that the user trusts."""

import hashlib
import inspect
import itertools
import json
import math
import mmap
import numbers
import types

from .frames import FAILED, INVALID_INPUT, NOT_FOUND, Refused

# What an answer may have beside scores.
OUTCOMES, WARNINGS = "outcomes", "warnings"

# Most scores and warnings that are read, and the longest warning in characters.
MOST_SCORES, MOST_WARNINGS, LONGEST_WARNING = 200, 100, 1000


class Evaluator:
    """A class with `score(rows, embeddings, rng)`; an object of its own scores each unit."""

    def __init__(self, kind, declared):
        self.kind, self.lists = kind, declared["lists"]
        takes = inspect.signature(kind.score).parameters
        self.takes_options, self.takes_rankings = "options" in takes, "rankings" in takes
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
            if self.takes_rankings:
                if "ranked" not in question:
                    raise Refused(INVALID_INPUT, "expected `ranking` in the card's `[task_type]` for the argument `rankings`, found none")
                options["rankings"] = rankings(memory, question["ranked"])
            count = len(rows)
            return self.answer(self.kind().score(rows, embeddings, rng, **options), count)

    def answer(self, said, rows):
        if not isinstance(said, dict):
            raise Refused(FAILED, f"expected `score` to return a dictionary of scores, found {type(said).__name__}")
        said = dict(said)
        outcomes, warnings = said.pop(OUTCOMES, None), said.pop(WARNINGS, [])
        if not all(isinstance(name, str) for name in said):
            raise Refused(FAILED, "expected names of scores as strings, found others")
        if len(said) > MOST_SCORES:
            raise Refused(FAILED, f"expected at most {MOST_SCORES} scores, found {len(said)}")
        answer = {"scores": {name: number(value, f"the score `{name}`") for name, value in said.items()}}
        if outcomes is not None:
            # What has no end, or billions, is not read to its end.
            outcomes = list(itertools.islice(listed(outcomes, "outcomes as a list of numbers"), rows + 1))
            if len(outcomes) != rows:
                found = len(outcomes) if len(outcomes) < rows else "more"
                raise Refused(FAILED, f"expected {rows} outcomes, one per row, found {found}")
            answer[OUTCOMES] = [number(value, "an outcome") for value in outcomes]
        warnings = [warnings] if isinstance(warnings, str) else listed(warnings, "warnings as a list of texts")
        answer[WARNINGS] = [shown(line) for line in itertools.islice(warnings, MOST_WARNINGS)]
        return answer


class Measure:
    """A class with `value(found, judged, cut, threshold, **parameters)`, which gives the value of one query."""

    def __init__(self, kind, declared):
        self.kind = kind
        self.info = {"identity": {"name": kind.__name__, "revision": "", "weights": declared["sha256"], "dtype": ""}}

    def score(self, question):
        ranked, threshold, parameters = question["ranked"], question["threshold"], question["parameters"]
        with Memory(question["unit"]["memory"]) as memory:
            begins, judged_begins = (memory.numbers(ranked[name], "<u4").tolist() for name in ("found_begins", "judged_begins"))
            grades, judged = (memory.numbers(ranked[name], "<f8") for name in ("found_grades", "judged_grades"))
            measure, values = self.kind(), []
            for cut in question["cuts"]:
                of_cut = []
                for query in range(len(begins) - 1):
                    found = grades[begins[query] : min(begins[query + 1], begins[query] + cut)]
                    known = judged[judged_begins[query] : judged_begins[query + 1]]
                    of_cut.append(number(measure.value(found, known, cut, threshold, **parameters), "the value of a query"))
                values.append(of_cut)
        return {"values": values}


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

    def numbers(self, place, kind):
        import numpy

        found = numpy.frombuffer(self.map, dtype=kind, count=place["rows"], offset=place["offset"])
        found.flags.writeable = False
        return found

    def rows(self, place):
        import numpy

        shape = (place["rows"], place["dimension"])
        found = numpy.frombuffer(self.map, dtype="<f4", count=shape[0] * shape[1], offset=place["offset"]).reshape(shape)
        found.flags.writeable = False
        return found


class Ranking:
    """What was found for one query, best first (`documents`, `scores`, `grades`: NaN of what nobody judged), and the grades of all that is `judged`, by document."""

    def __init__(self, documents, scores, grades, judged):
        self.documents, self.scores, self.grades, self.judged = documents, scores, grades, judged


def rankings(memory, ranked):
    """A `Ranking` a query, in the order of the rows."""
    ids = [json.loads(line) for line in memory.bytes(ranked["documents"]).splitlines()]
    found, judged = (memory.numbers(ranked[name], "<u4") for name in ("found_documents", "judged_documents"))
    scores, grades, judged_grades = (memory.numbers(ranked[name], "<f8") for name in ("found_scores", "found_grades", "judged_grades"))
    begins, judged_begins = (memory.numbers(ranked[name], "<u4") for name in ("found_begins", "judged_begins"))
    queries = []
    for query in range(len(begins) - 1):
        of, judged_of = slice(begins[query], begins[query + 1]), slice(judged_begins[query], judged_begins[query + 1])
        by_id = dict(zip((ids[place] for place in judged[judged_of]), judged_grades[judged_of].tolist()))
        queries.append(Ranking([ids[place] for place in found[of]], scores[of], grades[of], by_id))
    return queries


def by_row(found, lengths):
    """The embeddings of the texts of each row, of a column with lists."""
    ends, end = [], 0
    for length in lengths:
        end += length
        ends.append(end)
    return [found[end - length : end] for end, length in zip(ends, lengths)]


def listed(found, expected):
    """What goes through a list, or says that it is none."""
    try:
        return iter(found)
    except TypeError:
        raise Refused(FAILED, f"expected {expected}, found {type(found).__name__}") from None


def shown(line):
    """A warning that JSON can hold, and that somebody reads."""
    return str(line)[:LONGEST_WARNING].encode("utf-8", "replace").decode("utf-8")


def number(value, what):
    """A number that JSON has; None where there is none."""
    if value is None:
        return None
    if isinstance(value, bool) or hasattr(value, "item"):
        value = float(value)
    if not isinstance(value, numbers.Real):
        raise Refused(FAILED, f"expected {what} as a number, found {type(value).__name__}")
    try:
        value = float(value)
    except OverflowError:
        raise Refused(FAILED, f"expected {what} as a number of 64 bits, found a larger one") from None
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
        raise Refused(INVALID_INPUT, "expected the package numpy, in whose arrays evaluators receive embeddings, found none") from None
    module = types.ModuleType("evaluator")
    module.__file__ = path
    exec(compile(source, path, "exec"), module.__dict__)
    kind = getattr(module, name, None)
    if "columns" not in declared:
        if not isinstance(kind, type) or not callable(getattr(kind, "value", None)):
            raise Refused(NOT_FOUND, f"{path}: expected a class `{name}` with `value(self, found, judged, cut, threshold)`, found none")
        return Measure(kind, declared)
    if not isinstance(kind, type) or not callable(getattr(kind, "score", None)):
        raise Refused(NOT_FOUND, f"{path}: expected a class `{name}` with `score(self, rows, embeddings, rng)`, found none")
    return Evaluator(kind, declared)
