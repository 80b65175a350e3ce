"""Evaluators of types of tasks of the user's own: a class of a file, which runs only with the content that the user trusts, and reads nothing that its
card does not name."""

import contextlib
import itertools
import json
import math
import mmap
import numbers
import os
import sys
import types

from .allowed import Allowed, Undeclared
from .frames import FAILED, INVALID_INPUT, Refused
from .modules import Modules, UndeclaredModule
from .signatures import check_call, class_of, made, taken

# What an answer may have beside scores; how often each warning was given, the number of those that are not in it, and whether there are more
# than that.
OUTCOMES, WARNINGS, COUNTS, LEFT_OUT, AND_MORE = "outcomes", "warnings", "warning_counts", "warnings_left_out", "and_more"

# Most scores that are read, most different warnings that are told, most that are read and that are counted, and the longest warning in characters.
MOST_SCORES, MOST_WARNINGS, MOST_COUNTED, LONGEST_WARNING = 200, 20, 10_000, 1000

# How the two kinds of classes are called.
SCORE, VALUE = "score(self, rows, embeddings, rng)", "value(self, found, judged, cut, threshold{})"

# The name under which the file's code finds its own module.
MODULE = "evaluator"

# What a class may take by name beside, and what it needs where the card has `ranking`.
OPTIONS, RANKINGS = "options", "rankings"


class Evaluator:
    """A class with `score(rows, embeddings, rng)`; an object of its own scores each unit."""

    def __init__(self, module, path, name, declared):
        self.kind, self.lists = class_of(module, path, name, "score", SCORE), declared["lists"]
        self.info = {"identity": {"name": name, "revision": "", "weights": declared["sha256"], "dtype": ""}}
        self.check_declared(path, declared)
        score = made(self.kind, path).score
        names = taken(score, (OPTIONS, RANKINGS))
        self.takes_options, self.takes_rankings = OPTIONS in names, RANKINGS in names
        expected = f"{SCORE[:-1]}, {RANKINGS})" if declared["ranking"] else SCORE
        if self.takes_rankings and not declared["ranking"]:
            raise Refused(INVALID_INPUT, f"{path}: expected `ranking` in the card's `[task_type]` for the argument `{RANKINGS}` of `score`, found none")
        if declared["ranking"] and not self.takes_rankings:
            raise Refused(INVALID_INPUT, f"{path}: expected `{expected}`, as the card has `ranking`, found no argument `{RANKINGS}`")
        check_call(score, path, expected, ("rows", "embeddings", "rng"), names)

    def check_declared(self, path, declared):
        """Sees that the class says of itself what the card says."""
        said = getattr(self.kind, "main_score", declared["main_score"])
        if said != declared["main_score"]:
            raise Refused(INVALID_INPUT, f"{path}: expected `main_score` of the class as the card has it, {declared['main_score']}, found {said!r}")
        said, expected = getattr(self.kind, "columns", declared["columns"]), sorted(declared["columns"])
        try:
            found = None if isinstance(said, str) else sorted(said)
        except TypeError:
            found = None
        if found != expected:
            raise Refused(INVALID_INPUT, f"{path}: expected `columns` of the class as the card has them, {', '.join(expected)}, found {said!r}")

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
                options[RANKINGS] = rankings(memory, question["ranked"])
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
        return {**answer, **counted(warnings)}


class Measure:
    """A class with `value(found, judged, cut, threshold, **parameters)`, which gives the value of one query."""

    def __init__(self, module, path, name, declared):
        expected = VALUE.format("".join(f", {parameter}" for parameter in declared["parameters"]))
        self.kind = class_of(module, path, name, "value", expected)
        self.info = {"identity": {"name": name, "revision": "", "weights": declared["sha256"], "dtype": ""}}
        check_call(made(self.kind, path).value, path, expected, ("found", "judged", "cut", "threshold"), declared["parameters"])

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


def counted(warnings):
    """Each warning once, with how often it was given; most evaluators that warn do it row by row."""
    warnings = iter([warnings]) if isinstance(warnings, str) else listed(warnings, "warnings as a list of texts")
    counts, left_out, end = {}, 0, object()
    for line in map(shown, itertools.islice(warnings, MOST_COUNTED)):
        if line in counts or len(counts) < MOST_WARNINGS:
            counts[line] = counts.get(line, 0) + 1
        else:
            left_out += 1
    has_more = next(warnings, end) is not end
    return {WARNINGS: list(counts), COUNTS: list(counts.values()), LEFT_OUT: left_out, AND_MORE: has_more}


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


class Confined:
    """An evaluator or a measure that reads what it is allowed to."""

    def __init__(self, inner, allowed):
        self.inner, self.allowed, self.info = inner, allowed, inner.info

    def score(self, question):
        with explaining(self.allowed):
            answer = self.inner.score(question)
        self.allowed.check()
        return answer


@contextlib.contextmanager
def explaining(allowed):
    """Says of code that fails for want of a file that it may not read what to do."""
    try:
        yield
    except (Undeclared, UndeclaredModule) as error:
        raise Refused(INVALID_INPUT, f"{error}{place_of(error)}") from None
    except OSError as error:
        said = allowed.explained(str(error))
        if said == str(error):
            raise
        raise Refused(FAILED, f"{said}{place_of(error)}") from None


def place_of(error):
    """Where in the file of the evaluator an error was raised."""
    trace, place, own = error.__traceback__, "", getattr(sys.modules.get(MODULE), "__file__", None)
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == own:
            place = f" ({os.path.basename(own)}, line {trace.tb_lineno})"
        trace = trace.tb_next
    return place


def load_evaluator(ask):
    """The class that `ask` names, of a file with the SHA-256 that the user trusts."""
    path, _, name = ask["model"].rpartition(":")
    declared = ask["evaluator"]
    allowed = Allowed(declared["folder"], declared["files"])
    source = allowed.read(path)
    try:
        import numpy  # noqa: F401 - embeddings are its arrays
    except ImportError as error:
        raise Refused(
            INVALID_INPUT,
            f"expected the package numpy in {sys.executable}, in whose arrays evaluators receive embeddings, found none ({error}); "
            "`--python` names another interpreter",
        ) from None
    module = types.ModuleType(MODULE)
    module.__file__ = path
    sys.modules[MODULE] = module
    Modules(os.path.dirname(path), allowed).begin()
    allowed.begin()
    with explaining(allowed):
        exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)
        found = (Evaluator if "columns" in declared else Measure)(module, path, name, declared)
    return Confined(found, allowed)
