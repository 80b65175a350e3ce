"""Results of a run, and of a folder of results."""

from __future__ import annotations

import contextlib
import importlib
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Sequence, Union, cast, overload

from ._binary import FAILED, MtebHostError
from ._chosen import unknown
from ._files import as_results, read_json, read_results, unfit
from ._habits import no_attribute
from ._html import table
from ._judged import Entry, entries_of, has_scores
from ._plan import is_plan, plan_as_table, plan_in_words
from ._progress import tell
from ._units import UNDEFINED, TaskUnits, Unit, failure_of, in_short, shown
from ._visible import visible_line

if TYPE_CHECKING:
    import pandas
    import polars

# Units that a short text names.
_SHOWN = 5
# How far a score of a file may be from itself, as files round.
_SAME = 1e-6


@dataclass(frozen=True, repr=False)
class Results:
    """The units of a run, in the order of the request, and the folder of the result files. For several sizes of embeddings: all units of
    each size, and the folder of the first.

    >>> results = Results("lab/model", "1", "results/lab__model/1", [Unit("T", "STS", "test", "default", "cosine_spearman", 0.5)])
    >>> results
    <Results of lab/model: T 0.5000>
    >>> results["T"].main_score, [unit.subset for unit in results]
    (0.5, ['default'])
    """

    model: str
    revision: str
    folder: str
    units: list[Unit] = field(default_factory=list[Unit])
    report: Any = field(default_factory=dict[str, Any])

    @classmethod
    def of_report(cls, report: Any, within: str = "") -> Results:
        """Create results from the output of `--json`: one report, or a list with one report per size of embeddings. `within` is the folder
        in which the program ran."""
        runs = cast("list[dict[str, Any]]", report if isinstance(report, list) else [report])
        if "results_folder" not in runs[0]:
            # Of a run with `dry_run=True`, which has scored nothing; the report says what it would do.
            return cls(str(runs[0].get("model", "")), "", "", [], report)
        units = [
            Unit(
                task=task["task"],
                type=task["type"],
                split=unit["split"],
                subset=unit["subset"],
                metric=task["main_score_name"],
                main_score=unit.get("main_score"),
                failure=failure_of(unit),
                dimension=run.get("dimension"),
                bytes=run.get("bytes"),
            )
            for run in runs
            for task in run["tasks"]
            for unit in task["units"]
        ]
        first = runs[0]
        # Whoever changes the folder of the process finds them still, a model as well.
        folder = os.path.normpath(os.path.join(within or here(), first["results_folder"])) if first["results_folder"] else ""
        return cls(first["model"], first["revision"], folder, units, report)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            # What other results have, such as those of mteb.
            raise no_attribute(self, name)

    @property
    def failures(self) -> list[Unit]:
        """The units that have no score."""
        return [unit for unit in self.units if unit.main_score is None]

    @property
    def tasks(self) -> list[str]:
        """The names of the tasks, in order."""
        return list(dict.fromkeys(unit.task for unit in self.units))

    def __iter__(self) -> Iterator[Unit]:
        return iter(self.units)

    def __len__(self) -> int:
        return len(self.units)

    @overload
    def __getitem__(self, index: int) -> Unit: ...
    @overload
    def __getitem__(self, index: slice) -> list[Unit]: ...
    @overload
    def __getitem__(self, index: str) -> TaskUnits: ...
    def __getitem__(self, index: int | slice | str) -> Unit | list[Unit] | TaskUnits:
        if not isinstance(index, str):
            return self.units[index]
        found = [unit for unit in self.units if unit.task == index]
        if not found:
            raise unknown("a task of these results", index, self.tasks)
        return TaskUnits(found)

    def __repr__(self) -> str:
        scores = [f"{visible_line(name)} {in_short(self[name])}" for name in self.tasks[:_SHOWN]]
        more, model = len(self.tasks) - len(scores), visible_line(self.model)
        if not scores and is_plan(self.report):
            return f"<Plan: {plan_in_words(self.report)}>"
        if not scores:
            return f"<Results{' of ' + model if model else ''}: nothing was scored; `report` has what the program says>"
        return f"<Results of {model}{self._limited()}: {', '.join(scores)}{f' and {more} more' if more > 0 else ''}>"

    def _repr_html_(self) -> str:
        """The table for a notebook."""
        heads = ("Task", "Type", "Split", "Subset", "Metric", "Score")
        lines = [
            (unit.task, unit.type, unit.split, unit.subset, unit.metric, shown(unit.main_score) if unit.failure is None else unit.failure)
            for unit in self.units
        ]
        if not self.units and is_plan(self.report):
            return plan_as_table(self.report)
        title = f"{self.model}, revision {self.revision}" if self.revision else self.model
        if any(unit.dimension is not None for unit in self.units):
            sizes = [(*line, unit.dimension) for line, unit in zip(lines, self.units)]
            return table(title + self._limited(), (*heads, "Dimension"), sizes)
        return table(title + self._limited(), heads, lines)

    @property
    def limit(self) -> int | None:
        """The number of items of each task that were scored, if not all; such scores are in no result file."""
        report: Any = self.report
        runs: list[Any] = [*report] if isinstance(report, list) else [report]
        found: Any = cast("dict[str, Any]", runs[0]).get("limit") if runs and isinstance(runs[0], dict) else None
        return found if isinstance(found, int) else None

    def _limited(self) -> str:
        return "" if self.limit is None else f", limited to {self.limit} items of each task"

    def rows(self) -> list[dict[str, Any]]:
        """One dictionary per unit, with the size of embeddings if the run scored several sizes."""
        limited = {} if self.limit is None else {"limit": self.limit}
        rows = [{"model": self.model, **vars(unit), **limited} for unit in self.units]
        if any(unit.dimension is not None for unit in self.units):
            return rows
        return [{key: value for key, value in row.items() if key not in ("dimension", "bytes")} for row in rows]

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame with one row per unit. Needs pandas."""
        import pandas

        return pandas.DataFrame(self.rows())

    def to_polars(self) -> polars.DataFrame:
        """A data frame with one row per unit. Needs polars."""
        import polars

        return polars.DataFrame(self.rows())

    def to_mteb(self) -> Any:
        """A `mteb.results.ModelResult` of these tasks, with all scores of their files. Needs mteb.

        Raises:
            MtebHostError: If a task with scores has no file in `folder` any more, or one with other scores or scores that contradict
                themselves.
        """
        files = {name: Path(self.folder) / f"{name}.json" for name in self.tasks}
        scored = {unit.task for unit in self.units if unit.main_score is not None}
        missing = [name for name, file in files.items() if name in scored and not file.is_file()]
        if missing and not self.folder:
            raise MtebHostError("expected result files, found none, because a run with `limit` writes none", FAILED)
        if missing:
            shown = ", ".join(missing[:_SHOWN]) + (f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else "")
            raise MtebHostError(
                f"{self.folder}: expected the result files of {len(scored)} tasks, found none of {shown}; "
                "`mteb_host.load_results(FOLDER)` reads a folder that was moved",
                FAILED,
            )
        mteb = cast(Any, importlib.import_module("mteb.results"))
        found = [self._of_mteb(mteb, name, file) for name, file in files.items() if file.is_file()]
        return mteb.ModelResult(model_name=self.model, model_revision=self.revision or None, task_results=found)


    def _of_mteb(self, mteb: Any, name: str, file: Path) -> Any:
        """What mteb reads in a file, once it is known to be the file of these results."""
        task = read_results(file)
        scores = {(entry.split, entry.subset): entry for entry in _entries_of(file, task)}
        for unit in self.units:
            entry = scores.get((unit.split, unit.subset))
            if unit.task != name or unit.dimension not in (None, self.units[0].dimension):
                continue
            place = f"split {unit.split}, subset {unit.subset}"
            if entry is not None and entry.fault is not None:
                raise unfit(file, f"{place}: {entry.fault}")
            found = None if entry is None else entry.main_score
            if unit.main_score is not None and (found is None or abs(found - unit.main_score) > _SAME):
                raise unfit(file, f"{place}: expected the main score of these results, {unit.main_score}, found {found}; it was changed since")
        try:
            return mteb.TaskResult.from_disk(file)
        except Exception as error:  # noqa: BLE001 - mteb raises whatever it meets
            raise unfit(file, f"expected a file of results that mteb reads, found that it raises {type(error).__name__}: {error}") from error


class Folder(Sequence[Results]):
    """The results of a folder, one `Results` for each model, revision and experiment, indexed by number or by name of the model."""

    def __init__(self, results: Sequence[Results]) -> None:
        self._results = list(results)

    @property
    def models(self) -> list[str]:
        """The names of the models, in order."""
        return list(dict.fromkeys(found.model for found in self._results))

    @overload
    def __getitem__(self, index: int) -> Results: ...
    @overload
    def __getitem__(self, index: slice) -> Folder: ...
    @overload
    def __getitem__(self, index: str) -> Results: ...
    def __getitem__(self, index: int | slice | str) -> Results | Folder:
        if isinstance(index, slice):
            return Folder(self._results[index])
        if isinstance(index, int):
            return self._results[index]
        found = [results for results in self._results if results.model == index]
        if not found:
            raise unknown("a model with results in this folder", index, self.models)
        # The newest, where there are several.
        return found[-1]

    def __len__(self) -> int:
        return len(self._results)

    def __repr__(self) -> str:
        return f"<results of {len(self.models)} model{'' if len(self.models) == 1 else 's'}: {', '.join(map(visible_line, self.models))}>"

    def _repr_html_(self) -> str:
        """The table for a notebook."""
        rows = [(found.model, found.revision, name, found[name].main_score) for found in self._results for name in found.tasks]
        return table(repr(self).strip("<>"), ("Model", "Revision", "Task", "Score"), rows)

    def rows(self) -> list[dict[str, Any]]:
        """One dictionary per unit, of all results."""
        return [{"revision": found.revision, **row} for found in self._results for row in found.rows()]

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame with one row per unit. Needs pandas."""
        import pandas

        return pandas.DataFrame(self.rows())

    def to_polars(self) -> polars.DataFrame:
        """A data frame with one row per unit. Needs polars."""
        import polars

        return polars.DataFrame(self.rows())


def load_results(folder: Union[str, os.PathLike[str]] = "results") -> Folder:
    """Read a folder of results from mteb-host or mteb. Each item is the `Results` of one model, as `run` returns it.

    If a folder of result files has no `model_meta.json`, its path names the model: `MODEL/REVISION/` in the folder that is read, else the
    name of that folder. A score that contradicts the others of its file does not count, as for every command that reads results: its unit
    has no main score, `failure` says why, and so does a warning. In a folder without `model_meta.json`, a file that cannot be read is left
    out with a warning.

    Raises:
        MtebHostError: If the folder does not exist, or a file beside a `model_meta.json` cannot be read; it names the file and the reason.
    """
    top = Path(folder)
    if not top.is_dir():
        raise MtebHostError(f"expected a folder with results, found none: {visible_line(str(top))}", FAILED)
    files = [file for file in top.rglob("*.json") if not file.is_dir()]
    metas = {file.parent: file for file in files if file.name == _META}
    # What lies below a model's folder, such as rankings, is no result.
    without = {file.parent for file in files if not any(folder in metas for folder in file.parents)}
    times = {folder: meta.lstat().st_mtime_ns for folder, meta in metas.items()}
    folders = sorted({*metas, *without}, key=lambda folder: (str(folder.parent), times.get(folder, 0), str(folder)))
    found = Folder([results for folder in folders if (results := _results_of(folder, metas.get(folder), top)).units])
    if not len(found):
        _tell_none(top, len(files))
    return found


# The file beside results that says whose they are.
_META = "model_meta.json"


def _results_of(folder: Path, meta: Path | None, top: Path) -> Results:
    files = sorted(file for file in folder.glob("*.json") if file.name != _META and not file.is_dir())
    units = [unit for file in files for unit in _units_of(file, is_ours=meta is not None)]
    about = read_results(meta) if meta else {}
    # As mteb and this program name folders.
    places = folder.absolute().parts[-2:]
    is_below = folder != top and folder.parent != top
    named = (places[0], places[1]) if is_below else (places[-1], "")
    name, revision = (folder.parent.name, "") if meta else (named[0].replace("__", "/"), named[1])
    return Results(_text(meta, about, "name") or name, _text(meta, about, "revision") or revision, str(folder), units)


def _text(meta: Path | None, about: dict[str, Any], key: str) -> str:
    """What the file of a model says; nothing where it says nothing."""
    found = about.get(key)
    if meta is not None and found is not None and not isinstance(found, str):
        raise unfit(meta, f"expected `{key}` to be text, found: {found!r:.80}")
    return found or ""


def _units_of(file: Path, *, is_ours: bool) -> list[Unit]:
    """The units of a file. Beside files of others (not `is_ours`) one that is no result is left out."""
    try:
        found = read_json(file)
        if not is_ours and not isinstance(found, dict):
            return []
        task = as_results(file, found)
        entries = list(_entries_of(file, task))
    except MtebHostError as error:
        if is_ours:
            raise
        tell(f"warning: {file}: left out: {str(error).removeprefix(f'{visible_line(str(file))}: ')}")
        return []
    name = task.get("task_name") or file.stem
    units = [_unit_of(name, entry) for entry in entries]
    for entry in entries:
        if entry.fault is not None:
            tell(f"warning: {file}: left out: split {entry.split}, subset {entry.subset}: {entry.fault}")
    return units


def _entries_of(file: Path, task: dict[str, Any]) -> Iterator[Entry]:
    name = task.get("task_name")
    if name is not None and not isinstance(name, str):
        raise unfit(file, f"expected `task_name` to be text, found: {name!r:.80}")
    if has_scores(task):
        return entries_of(file, task)
    if name is not None and "scores" in task:
        raise unfit(file, "expected `scores` to have a list of entries for each split, found something else")
    # Not a result, or one of the oldest form.
    return iter(())


def _unit_of(task: str, entry: Entry) -> Unit:
    failure = entry.fault if entry.fault is not None else UNDEFINED if entry.main_score is None else None
    return Unit(task, entry.type, entry.split, entry.subset, entry.metric, entry.main_score, failure)


def _tell_none(top: Path, files: int) -> None:
    found = f"{files} JSON file{'' if files == 1 else 's'} without any" if files else "no JSON file"
    tell(f"{top}: expected result files `TASK.json` with scores in it or in folders below, found {found}")


def here() -> str:
    """The folder of this process; nothing if somebody has removed it."""
    with contextlib.suppress(OSError):
        return os.getcwd()
    return ""
