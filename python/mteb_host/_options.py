"""Options of calls as words of the command line."""

from __future__ import annotations

import os
from typing import Any, Sequence, cast

from ._chosen import chosen, named_benchmark
from ._said import errors_of

__all__ = ["errors_of", "in_words_of_the_program", "option", "options_of"]

# What `get_tasks` calls several of what the program takes one by one.
_PLURALS = {"types": "task_type", "languages": "language", "domains": "domain", "licences": "licence", "categories": "category"}
# Options with a folder, in which `~` is the user's own.
_FOLDERS = ("output_folder", "results", "cache_dir", "hub_dir", "plugin_dir", "output", "to")


def in_words_of_the_program(options: dict[str, Any]) -> dict[str, Any]:
    """The options under the names that the program has for them.

    >>> in_words_of_the_program({"types": "STS", "limit": 5})
    {'task_type': 'STS', 'limit': 5}
    """
    return {_PLURALS.get(name, name): value for name, value in options.items()}


def options_of(options: dict[str, Any]) -> list[str]:
    """`max_tokens=256` as `--max-tokens=256`, `offline=True` as `--offline`, a list as the option once for each item. Tasks and benchmarks
    may be objects.

    >>> options_of({"max_tokens": 256, "offline": True, "k_values": [1, 5], "task": "SciFact"})
    ['--max-tokens=256', '--offline', '--k-values=1', '--k-values=5', '--task=SciFact']
    """
    words: list[str] = []
    for name, value in in_words_of_the_program(options).items():
        if name == "benchmark":
            value = [named_benchmark(item) for item in cast("Sequence[Any]", value)] if isinstance(value, (list, tuple)) else named_benchmark(value)
        elif name == "task" and value is not None:
            value, of_benchmark = chosen(value)
            words += [option("--benchmark", of_benchmark)] if of_benchmark else []
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif isinstance(value, (list, tuple)):
            words += [option(flag, item) for item in cast("Sequence[Any]", value)]
        else:
            words.append(option(flag, value))
    return words


def option(flag: str, value: Any) -> str:
    """An option with its value as one word: a value that begins with a dash is no option of its own. A folder may begin with `~`.

    >>> option("--limit", 5)
    '--limit=5'
    """
    said = os.fspath(cast("os.PathLike[str]", value)) if isinstance(value, os.PathLike) else str(value)
    if said.startswith("~") and flag[2:].replace("-", "_") in _FOLDERS:
        said = os.path.expanduser(said)
    return f"{flag}={said}"
