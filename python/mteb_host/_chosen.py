"""Which tasks a caller has chosen: names, tasks and benchmarks of this package, or those of mteb."""

from __future__ import annotations

import difflib
from typing import Any, Iterable, Sequence, cast


def chosen(tasks: Any, benchmark: Any = None) -> tuple[list[str] | None, str | None]:
    """The names of tasks as `--task` takes them, and the name of the benchmark, which `tasks` may be.

    >>> chosen("STSBenchmark"), chosen(["NusaX-senti:ind", "SciFact"])
    ((['STSBenchmark'], None), (['NusaX-senti:ind', 'SciFact'], None))

    Raises:
        TypeError: If one of them is none, or they are two benchmarks.
    """
    wanted = named_benchmark(benchmark)
    if tasks is None:
        return None, wanted
    name = _name_of_benchmark(tasks)
    if name is not None:
        if wanted not in (None, name):
            raise TypeError(f"expected one benchmark, found `tasks` of {name} and `benchmark` {wanted}")
        return None, name
    is_one = isinstance(tasks, str) or hasattr(tasks, "metadata")
    if not is_one and not isinstance(tasks, Iterable):
        raise TypeError(f"expected names of tasks, or tasks of `get_tasks`, found: {tasks!r}")
    items = cast("list[Any]", [tasks] if is_one else list(cast("Iterable[Any]", tasks)))
    return [_name_of(item) for item in items], wanted


def named_benchmark(benchmark: Any) -> str | None:
    """The name of a benchmark, which may be one of `get_benchmarks`, or of mteb.

    >>> named_benchmark("MTEB(eng, v2)")
    'MTEB(eng, v2)'

    Raises:
        TypeError: If it is none.
    """
    name = benchmark if benchmark is None or isinstance(benchmark, str) else _name_of_benchmark(benchmark)
    if name is None and benchmark is not None:
        raise TypeError(f"expected the name of a benchmark, or a benchmark of `get_benchmarks`, found: {benchmark!r}")
    return name


def _name_of_benchmark(found: Any) -> str | None:
    name = getattr(found, "name", None)
    return name if isinstance(name, str) and hasattr(found, "tasks") else None


def _name_of(task: Any) -> str:
    if isinstance(task, str):
        return task
    name = getattr(task, "selection", None) or getattr(task, "name", None)
    if isinstance(name, str):
        return name
    about = getattr(task, "metadata", None)
    name = getattr(about, "name", None)
    if not isinstance(name, str):
        raise TypeError(f"expected the name of a task, or a task of `get_tasks`, found: {task!r}")
    # What mteb has narrowed, as by languages.
    splits = _narrowed(getattr(task, "eval_splits", None), getattr(about, "eval_splits", None))
    if len(splits) > 1:
        raise TypeError(f"expected a task with all of its splits or one of them, found {name} with {', '.join(splits)}")
    languages: Any = getattr(about, "eval_langs", None)
    known = list(cast("dict[str, Any]", languages)) if isinstance(languages, dict) else None
    subsets = _narrowed(getattr(task, "hf_subsets", None), known)
    return name + "".join(f"@{split}" for split in splits) + (f":{','.join(subsets)}" if subsets else "")


def _narrowed(wanted: Any, known: Sequence[str] | None) -> list[str]:
    """What is chosen of what there is; nothing where that is all."""
    found = [str(item) for item in cast("Iterable[Any]", wanted or ())]
    return found if known and set(found) < set(known) else []


def unknown(what: str, name: str, known: Iterable[str]) -> KeyError:
    """What is raised for a name that nothing has.

    >>> unknown("a task", "STSBenchmrk", ["STSBenchmark", "SciFact"])
    KeyError('expected the name of a task, found: STSBenchmrk (near it: STSBenchmark)')
    """
    near = difflib.get_close_matches(name, list(known), n=3)
    return KeyError(f"expected the name of {what}, found: {name}" + (f" (near it: {', '.join(near)})" if near else ""))
