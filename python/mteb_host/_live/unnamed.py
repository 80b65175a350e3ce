"""Which object an object without a revision is: a hash of its code and of all that it holds, so that two objects never share results.

The host scores such an object again by each call all the same, as what it reaches beyond this process is unknown.
"""

from __future__ import annotations

import hashlib
import inspect
import pickle
import secrets
import types
from typing import Any, cast

from .code import hash_of_code, is_own, names_in
from .identity import hash_of_module, is_module

# What the revision of such an object begins with, and the digits behind it.
UNNAMED = "unnamed-"
_DIGITS = 12
# Values that are looked at, and bytes of one; an object that holds more is no other object's equal.
_MOST_VALUES = 200_000
_MOST_BYTES = 1 << 28

_PLAIN = (type(None), bool, int, float, complex, str, bytes, bytearray)


def unnamed_revision(given: Any) -> str:
    """What results call the state of an object that has no revision: another one wherever its code or its values are others."""
    try:
        digits = _Walk().hash_of(given)[:_DIGITS]
    except Exception:  # noqa: BLE001 - an object that cannot be looked into is no other object's equal
        digits = secrets.token_hex(_DIGITS // 2)
    return UNNAMED + digits


class _TooMuch(Exception):
    """There is more than is looked at."""


class _Walk:
    """Hashes what it reaches, each object once."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        # The number of each object, and the objects, so that no number is given twice.
        self._seen: dict[int, int] = {}
        self._held: list[Any] = []

    def hash_of(self, given: Any) -> str:
        # Not by recursion: what holds much may hold it deep.
        waiting = [given]
        while waiting:
            waiting += reversed(self._parts(waiting.pop()))
        return self._digest.hexdigest()

    def _add(self, kind: str, data: str | bytes | bytearray | memoryview = b"") -> list[Any]:
        """Takes in a value, which has no parts."""
        content = data.encode(errors="backslashreplace") if isinstance(data, str) else data
        name = kind.encode(errors="backslashreplace")
        for text in (name, content):
            self._digest.update(len(text).to_bytes(8, "little"))
            self._digest.update(text)
        return []

    def _parts(self, value: Any) -> list[Any]:
        """Takes in a value, and gives what it holds."""
        if isinstance(value, _PLAIN):
            return self._add(type(value).__name__, repr(value))
        number = self._seen.get(id(value))
        if number is not None:
            return self._add("seen", str(number))
        if len(self._held) >= _MOST_VALUES:
            raise _TooMuch
        self._seen[id(value)] = len(self._held)
        self._held.append(value)
        if isinstance(value, (list, tuple)):
            items = list(cast("Any", value))
            self._add(type(cast("Any", value)).__qualname__, str(len(items)))
            return items
        if isinstance(value, (set, frozenset)):
            # Their order is another one in each process.
            return self._add("set", ",".join(sorted(repr(item) for item in cast("set[Any]", value))))
        if isinstance(value, dict):
            items = list(cast("dict[Any, Any]", value).items())
            self._add("dict", str(len(items)))
            return [part for item in items for part in item]
        if isinstance(value, types.ModuleType):
            return self._add("module", value.__name__)
        if isinstance(value, types.CodeType):
            return self._add("code", hash_of_code(value))
        if isinstance(value, (staticmethod, classmethod)):
            return [cast("Any", value).__func__]
        if isinstance(value, property):
            return [value.fget]
        if isinstance(value, types.MethodType):
            return [value.__func__, value.__self__]
        if isinstance(value, types.FunctionType):
            return self._of_function(value)
        if inspect.isclass(value):
            return self._of_class(value)
        return self._of_object(value)

    def _of_function(self, found: types.FunctionType) -> list[Any]:
        if not is_own(found):
            return self._add("function", f"{found.__module__}.{found.__qualname__}")
        names = sorted(names_in(found.__code__))
        reached = [found.__globals__[name] for name in names if name in found.__globals__]
        cells: list[Any] = []
        for cell in found.__closure__ or ():
            try:
                cells.append(cell.cell_contents)
            except ValueError:
                cells.append("empty")
        return [found.__code__, found.__defaults__, found.__kwdefaults__, cells, reached, getattr(found, "__wrapped__", None)]

    def _of_class(self, found: type) -> list[Any]:
        self._add("class", f"{found.__module__}.{found.__qualname__}")
        own = [kind for kind in found.__mro__ if is_own(kind)]
        held = [sorted(vars(kind).items()) for kind in own]
        # What Python itself puts into a class: its name, its module, where it is written.
        return [part for items in held for name, value in items if _is_written(name, value) for part in (name, value)]

    def _of_object(self, value: Any) -> list[Any]:
        kind = cast("type[Any]", type(value))
        self._add(f"{kind.__module__}.{kind.__qualname__}")
        if is_module(value):
            return [hash_of_module(value)]
        if hasattr(value, "__array_interface__") and hasattr(value, "tobytes"):
            if value.nbytes > _MOST_BYTES:
                raise _TooMuch
            return [str(value.dtype), str(value.shape), value.tobytes()] if not value.dtype.hasobject else [value.tolist()]
        if hasattr(value, "detach") and hasattr(value, "numpy"):
            return [str(value.dtype), value.detach().cpu().float().contiguous().numpy()]
        held = _attributes(value)
        parts: list[Any] = [kind] if is_own(kind) else []
        if held is None:
            # Written in C: what it holds is what it would be made from again.
            try:
                return [*parts, pickle.dumps(value)]
            except Exception:  # noqa: BLE001 - such as locks and files
                return parts
        return [*parts, held]


def _is_written(name: str, value: Any) -> bool:
    return not name.startswith("__") or isinstance(value, types.FunctionType)


def _attributes(value: Any) -> dict[str, Any] | None:
    """All attributes of an object, those without a public name, too; None of one that has none."""
    own: Any = getattr(value, "__dict__", None)
    found = dict(cast("dict[str, Any]", own)) if isinstance(own, dict) else None
    for kind in type(value).__mro__:
        slots: Any = vars(kind).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else cast("tuple[str, ...]", tuple(slots)):
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                found = {} if found is None else found
                found[name] = getattr(value, name)
    return found
