"""Options of calls as words of the command line."""

from __future__ import annotations

import os
import re
from typing import Any, Sequence, cast

from ._chosen import chosen, named_benchmark

# What the program says of an option that it does not have, and of one that it has.
_UNEXPECTED = re.compile(r"unexpected argument '--([a-z0-9-]+)' found")
_SIMILAR = re.compile(r"(a similar argument exists|some similar arguments exist): ('--[a-z0-9-]+'(?:, '--[a-z0-9-]+')*)")


def options_of(options: dict[str, Any]) -> list[str]:
    """`max_tokens=256` as `--max-tokens=256`, `offline=True` as `--offline`, a list as the option once for each item. Tasks and benchmarks
    may be objects.

    >>> options_of({"max_tokens": 256, "offline": True, "k_values": [1, 5], "task": "SciFact"})
    ['--max-tokens=256', '--offline', '--k-values=1', '--k-values=5', '--task=SciFact']
    """
    words: list[str] = []
    for name, value in options.items():
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
    """An option with its value as one word: a value that begins with a dash is no option of its own."""
    return f"{flag}={os.fspath(cast(Any, value)) if isinstance(value, os.PathLike) else value}"


def errors_of(message: str) -> str:
    """The lines of `message` that say what is wrong, and what may be meant instead, with options as Python writes them.

    >>> errors_of("reading\\nerror: unexpected argument '--batch-tokns' found\\n\\n  tip: a similar argument exists: '--batch-tokens'\\n\\nUsage: …")
    'unexpected argument `batch_tokns=`; a similar argument exists: `batch_tokens=`'
    """
    errors: list[str] = []
    for line in message.splitlines():
        if line.startswith("error: "):
            errors.append(_UNEXPECTED.sub(lambda found: f"unexpected argument {_in_python(found[1])}", line.removeprefix("error: ")))
        elif errors and line.startswith("  tip: "):
            errors[-1] += "; " + _SIMILAR.sub(_similar, line.removeprefix("  tip: "))
    return "\n".join(errors) or message


def _similar(found: re.Match[str]) -> str:
    return f"{found[1]}: " + ", ".join(_in_python(name.strip("'-")) for name in found[2].split(", "))


def _in_python(name: str) -> str:
    return f"`{name.replace('-', '_')}=`"
