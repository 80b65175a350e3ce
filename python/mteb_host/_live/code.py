"""What a function or a class of the user's own computes, as a hash: its code, its constants, and what it reaches by name."""

from __future__ import annotations

import hashlib
import inspect
import sys
import sysconfig
import types
from typing import Any, Callable, cast

# Folders of packages that somebody has installed, and of Python's own.
_INSTALLED = ("site-packages", "dist-packages")
_PYTHON = tuple(path for path in (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")) if path)

Describe = Callable[[Any], str]


def is_own(found: Any) -> bool:
    """True of a class or function that nobody has installed."""
    module = sys.modules.get(getattr(found, "__module__", None) or "")
    file = getattr(module, "__file__", None) or ""
    if getattr(found, "__module__", None) in ("builtins", None) or file.startswith(_PYTHON):
        return False
    return not any(part in _INSTALLED for part in file.split("/"))


def code_of(found: Any, describe: Describe) -> str:
    """A text that is another one where the code of a class or function is; `describe` tells values that it holds."""
    return _Reader(describe).of(found)


class _Reader:
    def __init__(self, describe: Describe) -> None:
        self.describe = describe
        self.seen: set[int] = set()

    def of(self, found: Any) -> str:
        found = inspect.unwrap(found) if callable(found) and not inspect.isclass(found) else found
        if id(found) in self.seen:
            return "seen"
        self.seen.add(id(found))
        if inspect.isclass(found):
            return self.of_class(found)
        if isinstance(found, types.MethodType):
            return self.of(found.__func__)
        if isinstance(found, types.FunctionType):
            return self.of_function(found)
        return f"{type(found).__module__}.{type(found).__qualname__}"

    def of_class(self, found: type) -> str:
        parts = [found.__qualname__]
        for kind in found.__mro__:
            if not is_own(kind):
                parts.append(f"{kind.__module__}.{kind.__qualname__}")
                continue
            for name, value in sorted(vars(kind).items()):
                if name.startswith("__") and not isinstance(value, types.FunctionType):
                    continue
                value = getattr(value, "__func__", None) or getattr(value, "fget", None) or value
                parts.append(f"{name}={self.of(value) if callable(value) else self.describe(value)}")
        return ";".join(parts)

    def of_function(self, found: types.FunctionType) -> str:
        parts = [hash_of_code(found.__code__), self.describe(found.__defaults__), self.describe(found.__kwdefaults__)]
        for cell in found.__closure__ or ():
            try:
                parts.append(self.reached(cell.cell_contents))
            except ValueError:
                parts.append("empty")
        names = names_in(found.__code__)
        parts += [f"{name}={self.reached(found.__globals__[name])}" for name in sorted(names) if name in found.__globals__]
        return ";".join(parts)

    def reached(self, value: Any) -> str:
        if isinstance(value, types.ModuleType):
            return value.__name__
        if inspect.isclass(value) or isinstance(value, (types.FunctionType, types.MethodType)):
            name = f"{value.__module__}.{value.__qualname__}"
            return f"{name}:{self.of(value)}" if is_own(value) else name
        return self.describe(value)


def hash_of_code(code: types.CodeType) -> str:
    """A hash of what compiled code does, with that of the functions in it."""
    constants = [hash_of_code(value) if isinstance(value, types.CodeType) else _constant(value) for value in code.co_consts]
    found = "\0".join([code.co_code.hex(), *code.co_names, *code.co_varnames, *constants])
    return hashlib.sha256(found.encode(errors="backslashreplace")).hexdigest()


def _constant(value: Any) -> str:
    # The order of a set is another one in each process.
    return repr(sorted(map(repr, cast("frozenset[Any]", value))) if isinstance(value, frozenset) else value)


def names_in(code: types.CodeType) -> set[str]:
    """The names that code and the functions in it look up."""
    found = set(code.co_names)
    for value in code.co_consts:
        if isinstance(value, types.CodeType):
            found |= names_in(value)
    return found
