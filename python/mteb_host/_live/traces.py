"""Tracebacks of models of this process, which begin in the model's own code or that of a library."""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import threading
from types import TracebackType

# This package, and what waits for a model whose `encode` is `async def`: a loop in a thread of its own.
_FOLDERS = (os.path.dirname(os.path.dirname(__file__)), os.path.dirname(asyncio.__file__), os.path.dirname(concurrent.futures.__file__))
_PLACES = tuple(folder + os.sep for folder in _FOLDERS) + (threading.__file__,)


def of_model(trace: TracebackType | None) -> TracebackType | None:
    """The part of a traceback that begins in the model's own code. None if the model was not reached."""
    found = trace
    while found is not None and found.tb_frame.f_code.co_filename.startswith(_PLACES):
        found = found.tb_next
    return found
