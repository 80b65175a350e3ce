"""Options of calls as words of the command line, and what those of mteb are called here."""

from __future__ import annotations

import os
import re
from typing import Any, Sequence, cast

# What mteb's calls name otherwise, and what to write in its place.
_OF_MTEB = {
    "batch_size": "`batch_tokens=N` bounds a batch by its tokens; without it the model or the host chooses",
    "encode_kwargs": "`batch_tokens=N` bounds a batch by its tokens; other settings belong to the object, set when it is made",
    "task_types": "write `types=`",
    "eval_splits": "write `TASK@SPLIT` as the name of a task, or `split=`",
    "eval_subsets": "write `TASK:SUBSET,SUBSET` as the name of a task",
    "overwrite_strategy": "write `overwrite=`: \"missing\", \"always\" or \"never\"",
    "prediction_folder": "write `predictions=True`, which keeps the files beside the results",
    "raise_error": "write `raise_on_failure=`",
    "show_progress_bar": "write `quiet=True` for no bar",
    "exclude_superseded": "superseded tasks are listed, too; choose by name, or by `since=`",
}
# What the program says of an option that it does not have, and of one that it has.
_UNEXPECTED = re.compile(r"unexpected argument '--([a-z0-9-]+)' found")
_SIMILAR = re.compile(r"(a similar argument exists|some similar arguments exist): ('--[a-z0-9-]+'(?:, '--[a-z0-9-]+')*)")


def options_of(options: dict[str, Any]) -> list[str]:
    """`max_tokens=256` as `--max-tokens=256`, `offline=True` as `--offline`, a list as the option once for each item."""
    words: list[str] = []
    for name, value in options.items():
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


def refuse_foreign(options: dict[str, Any]) -> None:
    """Refuses what only mteb's calls have.

    >>> refuse_foreign({"task_types": ["STS"]})
    Traceback (most recent call last):
    TypeError: unexpected argument `task_types`, as in mteb; write `types=`

    Raises:
        TypeError: With what to write in its place.
    """
    found = next((name for name in options if name in _OF_MTEB), None)
    if found is not None:
        raise TypeError(f"unexpected argument `{found}`, as in mteb; {_OF_MTEB[found]}")


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
