"""`get_tasks`, `get_benchmarks` and `get_models`: the known tasks, benchmarks and models, with all metadata."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Callable, Generic, Iterable, Iterator, List, Sequence, TypeVar, Union, cast, overload

from ._binary import DONE, USAGE, MtebHostError, ask
from ._chosen import chosen, unknown
from ._habits import no_attribute, refuse_foreign
from ._html import table
from ._options import errors_of, in_words_of_the_program, options_of
from ._placed import explained
from ._visible import visible_line

Words = Union[str, Iterable[str], None]
Place = Union[str, "os.PathLike[str]", None]


@dataclass(frozen=True)
class Task:
    """A task. `metadata` has every field that the program lists, under the names that cards use."""

    name: str
    type: str
    languages: tuple[str, ...]
    subsets: tuple[str, ...]
    splits: tuple[str, ...]
    main_score: str
    domains: tuple[str, ...]
    licence: str | None
    date: tuple[str, str] | None
    registry: str
    is_supported: bool
    metadata: dict[str, Any] = field(repr=False, compare=False, default_factory=lambda: {})
    # As `run` takes it: with subsets and a split where these are not all.
    selection: str = field(repr=False, compare=False, default="")

    @classmethod
    def of_row(cls, row: dict[str, Any]) -> Task:
        """Create a task from a row of `mteb-host list tasks --json`."""
        date = row.get("date")
        return cls(
            name=row["name"],
            type=row["type"],
            languages=tuple(row["languages"] or ()),
            subsets=tuple(row["subsets"] or ()),
            splits=tuple(row["splits"] or ()),
            main_score=row["main_score"],
            domains=tuple(row.get("domains") or ()),
            licence=row.get("license"),
            date=(date[0], date[1]) if date else None,
            registry=row["registry"],
            is_supported=not row.get("unsupported"),
            metadata=row,
        )

    def card(self) -> dict[str, Any]:
        """The whole card of the task, with the place of its data, its citation, and expected scores of models."""
        found = _asked(["show", "task", self.name, "--json", *options_of({"registry": self.registry})])
        card: dict[str, Any] = found["card"]
        return card


@dataclass(frozen=True)
class Benchmark:
    """A benchmark: the names of its tasks, and their number."""

    name: str
    title: str
    registry: str
    tasks: tuple[str, ...]
    types: tuple[str, ...]
    task_count: int
    metadata: dict[str, Any] = field(repr=False, compare=False, default_factory=lambda: {})

    @classmethod
    def of_row(cls, row: dict[str, Any]) -> Benchmark:
        """Create a benchmark from a row of `mteb-host list benchmarks --json`."""
        return cls(
            name=row["name"],
            title=row["title"],
            registry=row["registry"],
            tasks=tuple(row["tasks"] or ()),
            types=tuple(row["types"] or ()),
            task_count=row["task_count"],
            metadata=row,
        )

    def get_tasks(self) -> Listing[Task]:
        """The tasks of the benchmark."""
        return get_tasks(benchmark=self.name, registry=self.registry)


@dataclass(frozen=True)
class ModelCard:
    """What is known about a model before it is loaded. `metadata` has every field, under the names that cards use."""

    name: str
    revision: str | None
    dimension: int | None
    max_tokens: int | None
    parameters: int | None
    languages: tuple[str, ...]
    licence: str | None
    release_date: str | None
    is_cross_encoder: bool
    runs: str | None
    metadata: dict[str, Any] = field(repr=False, compare=False, default_factory=lambda: {})

    @classmethod
    def of_row(cls, row: dict[str, Any]) -> ModelCard:
        """Create a card from a row of `mteb-host list models --json`."""
        return cls(
            name=row["name"],
            revision=row["revision"],
            dimension=row["dimension"],
            max_tokens=row["max_tokens"],
            parameters=row["parameters"],
            languages=tuple(row["languages"] or ()),
            licence=row["license"],
            release_date=row["release_date"],
            is_cross_encoder=bool(row["cross_encoder"]),
            runs=row["runs"],
            metadata=row,
        )


Item = TypeVar("Item", Task, Benchmark, ModelCard)


class Listing(Sequence[Item], Generic[Item]):
    """A sequence of tasks, benchmarks or models, indexed by number and by name.

    >>> tasks = get_tasks(registry="indonesia", types="STS")
    >>> tasks["IndonesianGeneralSTS"].main_score
    'cosine_spearman'
    >>> "IndonesianGeneralSTS" in tasks
    True
    """

    def __init__(self, items: Iterable[Item]) -> None:
        self._items: List[Item] = list(items)

    @property
    def names(self) -> list[str]:
        """The names of all items, in order."""
        return [item.name for item in self._items]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    def __contains__(self, item: object) -> bool:
        return item in self._items or item in self.names

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> Listing[Item]: ...
    @overload
    def __getitem__(self, index: str) -> Item: ...
    def __getitem__(self, index: int | slice | str) -> Item | Listing[Item]:
        if isinstance(index, slice):
            return Listing(self._items[index])
        if isinstance(index, int):
            return self._items[index]
        found = next((item for item in self._items if item.name == index), None)
        if found is None:
            raise unknown(_KINDS[type(self._items[0])] if self._items else "an item of this listing", index, self.names)
        return found

    def __repr__(self) -> str:
        shown = self.names[:_SHOWN]
        more = f" and {len(self) - len(shown)} more" if len(self) > len(shown) else ""
        return f"<{len(self)}: {', '.join(map(visible_line, shown))}{more}>"

    def _repr_html_(self) -> str:
        """The table for a notebook."""
        heads: dict[str, None] = {}
        for item in self._items:
            heads.update(dict.fromkeys(_HEADS[type(item)]))
        rows = [[getattr(item, head, None) for head in heads] for item in self._items]
        return table(f"{len(self)} in all", [head.replace("_", " ") for head in heads], rows)

    def rows(self) -> list[dict[str, Any]]:
        """The metadata of each item."""
        return [dict(item.metadata) for item in self._items]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            # What listings of mteb have.
            raise no_attribute(self, name)

    def to_pandas(self) -> Any:
        """A data frame with one row per item. Needs pandas."""
        import pandas

        return pandas.DataFrame(self.rows())


# What an item is called.
_KINDS: dict[type, str] = {Task: "a task of this listing", Benchmark: "a benchmark of this listing", ModelCard: "a model of this listing"}
# Names in a short text.
_SHOWN = 6
# What a notebook shows of each.
_HEADS: dict[type, tuple[str, ...]] = {
    Task: ("name", "type", "languages", "main_score", "domains", "licence"),
    Benchmark: ("name", "title", "task_count", "types"),
    ModelCard: ("name", "dimension", "max_tokens", "parameters", "licence", "runs"),
}


def get_tasks(
    tasks: Any = None,
    *,
    types: Words = None,
    languages: Words = None,
    domains: Words = None,
    licences: Words = None,
    categories: Words = None,
    since: str | int | None = None,
    registry: Place = None,
    benchmark: Any = None,
    supported: bool = True,
    **options: Any,
) -> Listing[Task]:
    """The known tasks that match all of these filters.

    >>> get_tasks(registry="indonesia", types=["STS"], languages="ind").names[:2]
    ['IndonesianGeneralSTS', 'IndonesianHeadlineSTS']

    Args:
        tasks: Names of tasks, or tasks.
        types: Types of tasks, such as `"STS"`.
        languages: Languages, such as `"ind"`, `"ind-Latn"`, `"id"` or `"Indonesian"`.
        domains: Domains, such as `"News"`. A task matches if it has at least one of them.
        licences: Licences of the data, such as `"cc-by-4.0"`.
        categories: Categories, such as `"t2t"`.
        since: A year, a month or a day, such as `2023`, `"2023-05"` or `"2023-05-01"`. All texts were written then or later.
        registry: A registry, by name or file; all known registries by default.
        benchmark: A benchmark: its name, or one of `get_benchmarks`.
        supported: False includes tasks that mteb-host cannot run.
        options: Any other option of `mteb-host list tasks`.

    Raises:
        MtebHostError: If the program refuses the request; it has the program's message.
    """
    __tracebackhide__ = True
    refuse_foreign(options)
    names, benchmark = chosen(tasks, benchmark)
    filters = {"task": names, "task_type": _list(types), "language": _list(languages), "registry": registry, "benchmark": benchmark}
    filters["since"] = since
    options = in_words_of_the_program(options)
    code, rows, said = ask(["list", "tasks", "--json", *options_of({**filters, **options})], quiet=True)
    if code != DONE or rows is None:
        raise explained(MtebHostError(errors_of(said), code), {"registry": registry, "plugin_dir": options.get("plugin_dir")})
    found = [Task.of_row(row) for row in cast("list[dict[str, Any]]", rows)]
    if languages is not None or options.get("language") or options.get("split") or any(":" in name or "@" in name for name in names or ()):
        found = [narrowed(task) for task in found]
    _check("domains", domains, found, lambda task: task.domains)
    _check("licences", licences, found, lambda task: [task.licence or ""])
    _check("categories", categories, found, lambda task: [task.metadata.get("category") or ""])
    return Listing(
        task
        for task in found
        if (task.is_supported or not supported)
        and _any(domains, task.domains)
        and _any(licences, [task.licence or ""])
        and _any(categories, [task.metadata.get("category") or ""])
    )


def get_benchmarks(*, registry: Place = None, **options: Any) -> Listing[Benchmark]:
    """All known benchmarks.

    >>> get_benchmarks(registry="indonesia")[0].registry
    'indonesia'

    Raises:
        MtebHostError: If the program refuses the request; it has the program's message.
    """
    __tracebackhide__ = True
    refuse_foreign(options)
    rows = _asked(["list", "benchmarks", "--json", *options_of({"registry": registry, **options})])
    return Listing(Benchmark.of_row(row) for row in rows)


def get_models(*, languages: Words = None, **options: Any) -> Listing[ModelCard]:
    """All known models: those of plugins, and those that have a card.

    >>> get_models()["sentence-transformers/all-MiniLM-L6-v2"].dimension
    384

    Raises:
        MtebHostError: If the program refuses the request; it has the program's message.
    """
    __tracebackhide__ = True
    refuse_foreign(options)
    rows = _asked(["list", "models", "--json", *options_of(options)])
    found = [ModelCard.of_row(row) for row in rows]
    wanted = _list(languages)
    return Listing(card for card in found if wanted is None or any(_speaks(card, language) for language in wanted))


def narrowed(task: Task) -> Task:
    """The task as `run` takes it with its subsets and its split, which may be some of those that it has."""
    split = f"@{task.splits[0]}" if len(task.splits) == 1 else ""
    subsets = "" if task.subsets in ((), ("default",)) else f":{','.join(task.subsets)}"
    return replace(task, selection=task.name + split + subsets)


def _speaks(card: ModelCard, language: str) -> bool:
    return any(known == language or known.split("-")[0] == language for known in card.languages)


def metadata_of_task(task: str, **options: Any) -> dict[str, Any] | None:
    """What a model with mteb's interface is told of a task that mteb does not know; None if the program does not know it either."""
    try:
        rows = _asked(["list", "tasks", "--json", *options_of({"task": task, **options})])
    except MtebHostError:
        return None
    row: dict[str, Any] | None = next((row for row in rows if row["name"] == task), None)
    if row is None:
        return None
    names = {"splits": "eval_splits"}
    keys = ("type", "main_score", "description", "reference", "category", "domains", "license", "date", "splits")
    known = {names.get(key, key): row.get(key) for key in keys}
    return {**known, "eval_langs": row["languages"], "prompt": None, "modalities": ["text"]}


def _asked(arguments: list[str]) -> Any:
    # A notebook shows the caller's line alone.
    __tracebackhide__ = True
    code, found, said = ask(arguments, quiet=True)
    if code != DONE or found is None:
        raise MtebHostError(errors_of(said), code)
    return found


def _list(words: Words) -> list[str] | None:
    return [words] if isinstance(words, str) else None if words is None else list(words)


def _any(wanted: Words, had: Iterable[str]) -> bool:
    words = _list(wanted)
    lower = {word.lower() for word in had}
    return words is None or any(word.lower() in lower for word in words)


def _check(what: str, wanted: Words, found: list[Task], words: Callable[[Task], Iterable[str]]) -> None:
    """Refuses words that no task that the program knows has, as a filter of them would find nothing."""

    __tracebackhide__ = True

    def lacking(tasks: Iterable[Task]) -> tuple[list[str], list[str]]:
        known = sorted({word for task in tasks for word in words(task) if word})
        lower = {word.lower() for word in known}
        return [word for word in _list(wanted) or [] if word.lower() not in lower], known

    if lacking(found)[0]:
        unknown, known = lacking(Task.of_row(row) for row in _asked(["list", "tasks", "--json"]))
        if unknown:
            raise MtebHostError(f"expected `{what}` that a task has ({', '.join(known)}), found: {', '.join(unknown)}", USAGE)
