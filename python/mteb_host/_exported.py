"""The units of ranking tasks as `mteb-host export` writes them, in the form in which mteb gives them to a model that searches."""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator, Sequence, Union, cast, overload

Row = dict[str, Any]


class Rows(Sequence[Row]):
    """A table for where the library `datasets` is not there: indexed by number and by column, as its own.

    >>> rows = Rows({"id": ["a", "b"], "text": ["one", "two"]})
    >>> rows["id"], rows[1], rows[:1], len(rows.select([1]))
    (['a', 'b'], {'id': 'b', 'text': 'two'}, {'id': ['a'], 'text': ['one']}, 1)
    """

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self._columns = columns

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    def select(self, places: Sequence[int]) -> Rows:
        """The rows at these places."""
        return Rows({name: [column[place] for place in places] for name, column in self._columns.items()})

    def __len__(self) -> int:
        return max((len(column) for column in self._columns.values()), default=0)

    def __iter__(self) -> Iterator[Row]:
        return (self._row(place) for place in range(len(self)))

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Any: ...
    @overload
    def __getitem__(self, index: str) -> list[Any]: ...
    def __getitem__(self, index: Union[int, slice, str]) -> Any:
        if isinstance(index, str):
            return self._columns[index]
        if isinstance(index, slice):
            return {name: column[index] for name, column in self._columns.items()}
        return self._row(index)

    def _row(self, place: int) -> Row:
        return {name: column[place] for name, column in self._columns.items()}


@dataclass(frozen=True)
class SearchUnit:
    """The data of one task, split and subset: what is searched, what is looked for, and the candidates of each query where there are some."""

    task: str
    split: str
    subset: str
    corpus: Any
    queries: Any
    top_ranked: dict[str, list[str]] | None
    # Documents that one query must not find, at most.
    excluded: int

    @property
    def selection(self) -> str:
        """The task as `--task` takes it."""
        return self.task if self.subset == "default" else f"{self.task}:{self.subset}"


def units_of(folder: Path) -> Iterator[SearchUnit]:
    """The units of the tasks in a folder that `export` wrote, read one by one."""
    for card in sorted(folder.glob("*/task.json")):
        about = json.loads(card.read_text(encoding="utf-8"))["metadata"]
        languages: Any = about["eval_langs"]
        subsets = list(cast("dict[str, Any]", languages)) if isinstance(languages, dict) else ["default"]
        for split in about["eval_splits"]:
            for subset in subsets:
                if _file(card.parent, "qrels", split, subset).is_file():
                    yield _unit(card.parent, about["name"], split, subset)


def _unit(folder: Path, task: str, split: str, subset: str) -> SearchUnit:
    def rows(part: str) -> Iterator[Row]:
        file = _file(folder, part, split, subset)
        if file.is_file():
            with file.open(encoding="utf-8") as lines:
                yield from (json.loads(line) for line in lines)

    documents = {"id": cast("list[str]", []), "title": cast("list[str]", []), "text": cast("list[str]", [])}
    for row in rows("corpus"):
        documents["id"].append(_id(row))
        documents["title"].append(row.get("title") or "")
        documents["text"].append(row.get("text") or "")
    judged = {_text(row["query-id"]) for row in rows("qrels")}
    # Those that nobody judged score nothing, in mteb neither.
    queries = [row for row in rows("queries") if _id(row) in judged]
    columns: dict[str, list[Any]] = {"id": [_id(row) for row in queries], "text": [row["text"] for row in queries]}
    told = {_text(row["query-id"]): row["instruction"] for row in rows("instruction")}
    instructions = [told.get(_id(row)) or row.get("instruction") or "" for row in queries]
    if any(instructions):
        columns["instruction"] = instructions
    candidates = {_text(row["query-id"]): [_text(document) for document in row["corpus-ids"]] for row in rows("top_ranked")}
    excluded = max((len(row["corpus-ids"]) for row in rows("excluded")), default=0)
    return SearchUnit(task, split, subset, _table(documents), _table(columns), candidates or None, excluded)


def _file(folder: Path, part: str, split: str, subset: str) -> Path:
    """Where `export` writes a part; judgements are what a dataset has where no name is asked for."""
    whole = "default" if part == "qrels" else part
    return folder / (whole if subset == "default" else f"{subset}-{part}") / f"{split}.jsonl"


def _id(row: Row) -> str:
    return _text(row["_id"] if "_id" in row else row["id"])


def _text(found: Any) -> str:
    return found if isinstance(found, str) else json.dumps(found)


def _table(columns: dict[str, list[Any]]) -> Any:
    try:
        datasets = cast(Any, importlib.import_module("datasets"))
    except ImportError:
        return Rows(columns)
    return datasets.Dataset.from_dict(columns)
