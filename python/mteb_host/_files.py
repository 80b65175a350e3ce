"""Reads files of results, which others may have written: only regular files of a size that such files have, and only JSON without riddles."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any, cast

from ._binary import FAILED, MtebHostError
from ._visible import visible_line

# Bytes of the largest file, as for the program.
_MOST = 256 << 20
_TOO_LARGE = f"expected at most {_MOST} bytes, found more"
# What else can be in the place of a file.
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read_results(file: Path) -> dict[str, Any]:
    """The content of a file of results, or of what is beside it.

    Raises:
        MtebHostError: If it is none; with its name and the reason.
    """
    return as_results(file, read_json(file))


def as_results(file: Path, found: Any) -> dict[str, Any]:
    """What was read in a file, as long as it may be results."""
    if not isinstance(found, dict):
        raise unfit(file, "expected a file of results, found other JSON")
    return cast("dict[str, Any]", found)


def read_json(file: Path) -> Any:
    """The JSON of a file.

    Raises:
        MtebHostError: If it cannot be read; with its name and the reason.
    """
    try:
        return json.loads(_text_of(file), object_pairs_hook=_each_once)
    except RecursionError:
        raise unfit(file, "expected JSON, found too many brackets within each other") from None
    except json.JSONDecodeError as error:
        raise unfit(file, f"expected JSON: {error}") from None
    except UnicodeDecodeError as error:
        raise unfit(file, f"expected text in UTF-8, found other bytes from byte {error.start + 1} on") from None
    except (OSError, ValueError) as error:
        raise unfit(file, (error.strerror if isinstance(error, OSError) else None) or str(error)) from None


def unfit(file: Path, why: str) -> MtebHostError:
    """What is raised for a file that cannot be right."""
    return MtebHostError(f"{visible_line(str(file))}: {visible_line(why)}", FAILED)


def _text_of(file: Path) -> str:
    _check(file.stat())
    # What has taken its place since is not waited for.
    descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as opened:
        _check(os.fstat(descriptor))
        # It may grow meanwhile.
        content = opened.read(_MOST + 1)
    if len(content) > _MOST:
        raise ValueError(_TOO_LARGE)
    return content.decode("utf-8-sig")


def _check(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = next((kind for is_kind, kind in _KINDS if is_kind(found.st_mode)), "something else")
        raise ValueError(f"expected a regular file, found {kind}")
    if found.st_size > _MOST:
        raise ValueError(_TOO_LARGE)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))
        raise ValueError(f"expected each key once, found `{twice}` twice")
    return found
