"""What a class must take, seen before a model computes for it: its arguments by place and by name, as the host gives them."""

import inspect

from .frames import INVALID_INPUT, NOT_FOUND, Refused


def class_of(module, path, name, method, expected):
    """The class called `name`, which has `method`, as in `expected`.

    Raises:
        Refused: If there is none, or its method cannot be called.
    """
    wanted = f"{path}: expected a class `{name}` with `{expected}`"
    if name not in vars(module):
        own = [key for key, value in vars(module).items() if isinstance(value, type) and value.__module__ == module.__name__]
        raise Refused(NOT_FOUND, f"{wanted}, found no `{name}`; the file has: {', '.join(own) or 'no class'}")
    kind = vars(module)[name]
    if not isinstance(kind, type):
        raise Refused(NOT_FOUND, f"{wanted}, found that `{name}` is no class but of the type {type(kind).__name__}")
    if not callable(getattr(kind, method, None)):
        own = [key for key, value in vars(kind).items() if callable(value) and not key.startswith("_")]
        raise Refused(NOT_FOUND, f"{wanted}, found no `{method}`; the class has: {', '.join(own) or 'no methods'}")
    return kind


def made(kind, path):
    """An object of a class, which is made without arguments.

    Raises:
        Refused: If it needs some.
    """
    try:
        inspect.signature(kind).bind()
    except TypeError as error:
        raise Refused(
            INVALID_INPUT,
            f"{path}: expected a class that is made without arguments, as `{kind.__name__}()`, found "
            f"`{kind.__name__}{inspect.signature(kind)}`: {error}",
        ) from None
    except ValueError:
        # It does not tell; making one will.
        pass
    return kind()


def check_call(method, path, expected, places, names=()):
    """Sees that a method of an object takes arguments in `places`, called so or otherwise but not in another order, and the `names`.

    Raises:
        Refused: If not.
    """
    try:
        signature = inspect.signature(method)
    except (TypeError, ValueError):
        return
    found = f"`{method.__name__}{inspect.signature(getattr(method, '__func__', method))}`"
    if inspect.iscoroutinefunction(method) or inspect.isgeneratorfunction(method) or inspect.isasyncgenfunction(method):
        raise Refused(INVALID_INPUT, f"{path}: expected `{expected}` to return its answer, found `async` or `yield` in {found}")
    try:
        signature.bind(*places, **dict.fromkeys(names))
    except TypeError as error:
        raise Refused(INVALID_INPUT, f"{path}: expected `{expected}`, found {found}: {error}") from None
    for place, parameter in enumerate(list(signature.parameters)[: len(places)]):
        if parameter in places and parameter != places[place]:
            raise Refused(INVALID_INPUT, f"{path}: expected `{expected}`, found the arguments in another order: {found}")


def taken(method, names):
    """Those of the `names` that a method takes."""
    try:
        parameters = inspect.signature(method).parameters
    except (TypeError, ValueError):
        return []
    return [name for name in names if name in parameters]
