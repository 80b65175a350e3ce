"""What objects of this process were called: two that are called alike share their embeddings, which the caller should know."""

from __future__ import annotations

import hashlib
import weakref
from typing import Any, Callable, cast

from .code import code_of, is_own
from .identity import described

# By name and revision: the object that was called so first, or one like it, and what it computed then.
_told: dict[tuple[str, str], tuple[Callable[[], Any], str]] = {}


def is_another(given: Any, name: str, revision: str) -> bool:
    """True if another object of this process has been called so that computes something else, as far as its code and values show."""
    called = (name, revision)
    before = _told.get(called)
    if before is not None and before[0]() is given:
        # What it has counted or kept since makes no other model of it.
        return False
    try:
        computes = hashlib.sha256(_computed(given).encode(errors="backslashreplace")).hexdigest()
    except Exception:  # noqa: BLE001 - an object that cannot be looked into is told by nothing but itself
        computes = ""
    is_same = before is not None and before[1] == computes and computes
    if before is None or is_same or not computes:
        # What was called so first has made the results that are there, and each other one is told from it.
        _told[called] = (_reference(given), computes)
    return before is not None and not is_same


def _computed(given: Any) -> str:
    kind = cast("type[Any]", type(given))
    return described(given) + (code_of(kind, described) if is_own(kind) else "")


def _reference(given: Any) -> Callable[[], Any]:
    try:
        return weakref.ref(given)
    except TypeError:
        return lambda: given
