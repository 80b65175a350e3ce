"""Which tasks a caller has chosen: names, tasks and benchmarks of this package, or those of mteb."""

from __future__ import annotations

import difflib
from typing import Any, Iterable, Sequence, cast

# Names that a message lists.
_FEW = 6


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
    return [name for item in items for name in _names_of(item)], wanted


def several(tasks: Any) -> Any:
    """A list of the tasks, which are asked for more than once; names and benchmarks as they are."""
    if tasks is None or isinstance(tasks, str) or hasattr(tasks, "tasks") or not isinstance(tasks, Iterable):
        return tasks
    return list(cast("Iterable[Any]", tasks))


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


def is_narrowed_in_mteb(task: Any) -> bool:
    """True of a task of mteb of which some subsets are chosen, whose random draws mteb makes for these alone."""
    about = getattr(task, "metadata", None)
    if isinstance(task, str) or hasattr(task, "selection") or about is None:
        return False
    return bool(_narrowed(getattr(task, "hf_subsets", None), _subsets(about)))


def _names_of(task: Any) -> list[str]:
    """The name of a task as `--task` takes it; one for each split, if some are chosen."""
    if isinstance(task, str):
        return [task]
    name = getattr(task, "selection", None) or getattr(task, "name", None)
    if isinstance(name, str):
        return [name]
    about = getattr(task, "metadata", None)
    name = getattr(about, "name", None)
    if not isinstance(name, str):
        raise TypeError(f"expected the name of a task, or a task of `get_tasks`, found: {task!r}")
    # What mteb has narrowed, as by languages. Splits of the data may be chosen that the task does not list.
    chosen_splits = [str(split) for split in cast("Iterable[Any]", getattr(task, "eval_splits", None) or ())]
    known = getattr(about, "eval_splits", None)
    splits = chosen_splits if known and set(chosen_splits) != set(known) else []
    subsets = _narrowed(getattr(task, "hf_subsets", None), _subsets(about))
    behind = f":{','.join(subsets)}" if subsets else ""
    return [f"{name}@{split}{behind}" for split in splits] or [name + behind]


def _subsets(about: Any) -> list[str] | None:
    languages: Any = getattr(about, "eval_langs", None)
    return list(cast("dict[str, Any]", languages)) if isinstance(languages, dict) else None


def _narrowed(wanted: Any, known: Sequence[str] | None) -> list[str]:
    """What is chosen of what there is; nothing where that is all."""
    found = [str(item) for item in cast("Iterable[Any]", wanted or ())]
    return found if known and set(found) < set(known) else []


def unknown(what: str, name: str, known: Iterable[str]) -> KeyError:
    """What is raised for a name that nothing has.

    >>> unknown("a task", "STSBenchmrk", ["STSBenchmark", "SciFact"])
    KeyError('expected the name of a task, found: STSBenchmrk (near it: STSBenchmark)')
    """
    names = list(known)
    near = difflib.get_close_matches(name, names, n=3) or [known for known in names if len(name) > 2 and name.lower() in known.lower()][:3]
    hint = f" (near it: {', '.join(near)})" if near else f" (known: {', '.join(names)})" if 0 < len(names) <= _FEW else ""
    return KeyError(f"expected the name of {what}, found: {name}{hint}")
