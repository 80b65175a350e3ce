"""Models that search by themselves, by mteb's protocol (`index` and `search`): they rank documents, and the host scores these rankings."""

from __future__ import annotations

import json
import math
import os
import tempfile
from pathlib import Path
from typing import Any, Mapping, cast

from ._binary import DONE, USAGE, MtebHostError, ask, start
from ._catalog import Task, narrowed
from ._exported import SearchUnit, units_of
from ._live.models import Live
from ._live.unnamed import unnamed_revision
from ._options import errors_of, option, options_of
from ._progress import tell
from ._results import Results, here
from ._units import UNDEFINED, Unit
from ._visible import visible_line
from ._worker.worker import text_of
from ._worker.reference import metadata_of, only_taken

# Documents of each query that are asked for, and texts of a batch, as in mteb.
_DEPTH = 1000
_BATCH = 32
# Tasks that a message names.
_SHOWN = 5
# Options that choose tasks, that say where things are, and that ask for measures. No others mean anything here.
_FILTERS = ("task", "registry", "benchmark", "task_type", "language", "split", "domain", "licence", "since", "category")
_PLACES = ("plugin_dir", "cache_dir", "hub_dir", "offline", "trust_plugin", "plugin_timeout", "allow_env", "allow_host", "trust_python")
_MEASURES = ("extra_measures", "k_values", "python")


def search_tasks(live: Live, asked: dict[str, Any], output_folder: Any, quiet: bool) -> tuple[Results, Exception | None]:
    """Lets the model search each unit and scores what it found. Gives the results, and the first exception that the model raised.

    Raises:
        MtebHostError: If the program refuses the tasks, or an option means nothing here.
    """
    _refuse_others(asked)
    searches = _Searches(live, asked, output_folder, quiet)
    for task in _ranking_tasks(asked, quiet):
        with tempfile.TemporaryDirectory(prefix="mteb-host-") as folder:
            searches.export(task, Path(folder) / "data")
            for unit in units_of(Path(folder) / "data"):
                searches.add(task, unit, Path(folder) / "rankings.json")
    return searches.results(), searches.error


class _Searches:
    def __init__(self, live: Live, asked: dict[str, Any], output_folder: Any, quiet: bool) -> None:
        self.live, self.quiet, self.output_folder = live, quiet, output_folder
        # Before it holds an index.
        self.revision = live.said_revision or unnamed_revision(live.given)
        self.places = {"registry": asked.get("registry"), **{key: asked.get(key) for key in _PLACES}}
        self.measures = {key: asked.get(key) for key in _MEASURES}
        self.depth = max([_DEPTH, *_cuts(asked.get("k_values"))])
        # The model may go elsewhere.
        self.within = here()
        self.units: list[Unit] = []
        self.folder = ""
        self.error: Exception | None = None

    def export(self, task: Task, folder: Path) -> None:
        code, _, said = start(["export", option("--to", folder), option("--task", narrowed(task).selection), *options_of(self.places)], quiet=True, within=self.within)
        if code != DONE:
            raise MtebHostError(errors_of(said), code)

    def add(self, task: Task, unit: SearchUnit, file: Path) -> None:
        """Searches and scores a unit."""
        place = f"{unit.task}, split {unit.split}, subset {unit.subset}"
        if not self.quiet:
            tell(f"{place}: searching {len(unit.corpus)} documents for {len(unit.queries)} queries")
        try:
            found = self._rankings(unit)
        except Exception as error:  # noqa: BLE001 - whatever it raises costs its unit
            self.error = self.error or error
            self._note(task, unit, visible_line(f"{type(error).__name__}: {text_of(error)}"))
            return
        file.write_text(json.dumps({unit.subset: {unit.split: found}}), encoding="utf-8")
        given = {
            **{"rankings": file, "task": unit.selection, "split": unit.split},
            **{"output_folder": self.output_folder, "name": self.live.called, "revision": self.revision},
        }
        code, scored, said = ask(["score", "--json", *options_of({**given, **self.places, **self.measures})], quiet=self.quiet, within=self.within)
        if code != DONE or scored is None:
            self._note(task, unit, errors_of(said))
            return
        self.folder = scored["results_folder"]
        ((metric, main_score),) = scored["main_score"].items()
        self._note(task, unit, UNDEFINED if main_score is None else None, metric, main_score)

    def results(self) -> Results:
        return Results(self.live.called, self.revision, self.folder and os.path.join(self.within, self.folder), self.units)

    def _rankings(self, unit: SearchUnit) -> dict[str, dict[str, float]]:
        """The documents that the model finds for each query, with scores."""
        given, had = self.live.given, self.live.waiting.had
        common = {
            "task_metadata": metadata_of(unit.task, self.live.describe),
            "hf_split": unit.split,
            "hf_subset": unit.subset,
            "encode_kwargs": {"batch_size": _BATCH},
            "num_proc": None,
        }
        had(given.index(unit.corpus, **only_taken(given.index, common)))
        # Those that a query must not find are taken from what it found.
        wanted = {**common, "top_k": self.depth + unit.excluded, "top_ranked": unit.top_ranked}
        return _plain(had(given.search(unit.queries, **only_taken(given.search, wanted))))

    def _note(self, task: Task, unit: SearchUnit, failure: str | None, metric: str = "", score: float | None = None) -> None:
        self.units.append(Unit(unit.task, task.type, unit.split, unit.subset, metric or task.main_score, score, failure))


def _plain(found: Any) -> dict[str, dict[str, float]]:
    """Rankings as JSON has them: arrays and tensors of one number are numbers."""
    if not isinstance(found, Mapping):
        raise TypeError(f"expected `search` to return a dictionary with the documents of each query, found {type(found).__name__}")
    queries = cast("Mapping[Any, Any]", found)
    return {str(query): _scores_of(query, documents) for query, documents in queries.items()}


def _scores_of(query: Any, documents: Any) -> dict[str, float]:
    if not isinstance(documents, Mapping):
        raise TypeError(f"expected `search` to return a dictionary with the documents of query {query!r:.80}, found {type(documents).__name__}")
    scores: dict[str, float] = {}
    for document, score in cast("Mapping[Any, Any]", documents).items():
        number = float(score)
        if not math.isfinite(number):
            raise ValueError(f"expected a finite score of document {document!r:.80} for query {query!r:.80}, found: {number}")
        scores[str(document)] = number
    return scores


def _cuts(given: Any) -> list[int]:
    """Cut-offs as a caller may write them: one, several, or a text of several."""
    several = cast("list[Any]", given) if isinstance(given, (list, tuple)) else [] if given is None else str(given).split(",")
    return [int(cut) for cut in several]


def _refuse_others(asked: dict[str, Any]) -> None:
    known = {*_FILTERS, *_PLACES, *_MEASURES}
    others = {key: value for key, value in asked.items() if key not in known and value is not None and value is not False}
    # As it is: each call searches again, and no embedding is seen.
    others.pop("no_cache", None)
    # Of clustering, which such a model is not scored on.
    others.pop("draws", None)
    if others.get("overwrite") == "always":
        del others["overwrite"]
    if others:
        name = next(iter(others))
        raise MtebHostError(
            f"expected no `{name}` with a model that searches by itself, whose rankings alone the host sees, found: {name}={others[name]!r}; "
            "leave it out",
            USAGE,
        )


def _ranking_tasks(asked: dict[str, Any], quiet: bool) -> list[Task]:
    """The tasks that rank documents, of those that are asked for."""
    filters = {key: asked.get(key) for key in _FILTERS}
    if all(value is None for value in filters.values()):
        raise MtebHostError("expected tasks to run, found no filter; name tasks, a benchmark or a registry", USAGE)
    places = {key: asked.get(key) for key in _PLACES}
    code, rows, said = ask(["list", "tasks", "--json", *options_of({**filters, **places})], quiet=True)
    if code != DONE or rows is None:
        raise MtebHostError(errors_of(said), code)
    found: list[dict[str, Any]] = rows
    ranking = [Task.of_row(row) for row in found if row["ranks"] and not row["unsupported"]]
    if not ranking:
        raise MtebHostError(
            f"expected retrieval or reranking tasks, because this model only ranks documents, found none among {_count(len(found))}; "
            "choose another model or other tasks",
            USAGE,
        )
    if len(ranking) < len(found) and not quiet:
        ranked = {task.name for task in ranking}
        others = [str(row["name"]) for row in found if row["name"] not in ranked]
        more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
        told = f"{', '.join(others[:_SHOWN])}{more}"
        tell(f"warning: skipped {_count(len(others))} that this model cannot be scored on, because it only ranks documents: {told}")
    return ranking


def _count(tasks: int) -> str:
    return "1 task" if tasks == 1 else f"{tasks} tasks"
