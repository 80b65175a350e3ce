"""Refuses values that no name, revision or folder can be, before anything is made of them."""

from __future__ import annotations

import os
from typing import Any, Mapping, cast

from ._binary import USAGE, MtebHostError
from ._visible import visible_line


def check_given(name: Any, revision: Any, output_folder: Any, options: dict[str, Any]) -> None:
    """Checks the values of a call of `run`.

    >>> check_given(5, None, "results", {})
    Traceback (most recent call last):
    TypeError: expected `name` as text, found int: 5

    Raises:
        TypeError: If a value has another type.
        MtebHostError: If a name or revision has characters that nobody sees.
    """
    for key, value in (("name", name), ("revision", revision)):
        if value is not None and not isinstance(value, str):
            raise TypeError(f"expected `{key}` as text, found {type(value).__name__}: {value!r:.80}")
        check_text(key, value)
    if not isinstance(output_folder, (str, os.PathLike)) or not isinstance(os.fspath(cast("os.PathLike[Any]", output_folder)), str):
        kind = type(cast("object", output_folder)).__name__
        raise TypeError(f"expected `output_folder` as a path, found {kind}: {cast('object', output_folder)!r:.80}")
    for key, value in options.items():
        if isinstance(value, (bytes, bytearray, Mapping)):
            kind = type(cast("object", value)).__name__
            raise TypeError(f"expected `{key}` as text, a number, a path or a list of these, found {kind}; of a table pass the file")


def check_text(key: str, value: str | None) -> None:
    """Refuses a name or revision with characters that steer a terminal, that nobody sees, or that UTF-8 lacks."""
    if value and visible_line(value) != value:
        raise MtebHostError(f"expected a {key} without invisible characters and line ends, found: {visible_line(value)}", USAGE)
