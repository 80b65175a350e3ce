"""Calls the thread back that computes a model, once nobody waits for its answer any more: a model may never give one."""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import socket
import threading
from typing import Any

from .._progress import tell

# A signal that is ignored unless somebody listens to it. It ends waits such as `time.sleep`, which nothing else does.
_SIGNAL = signal.SIGURG
# Seconds between two looks, and the looks after which a model that goes on is told of.
_PAUSE = 0.2
_PATIENCE = 25


class Abandoned(BaseException):
    """Raised in a model that nobody waits for. No `Exception`, as a model may catch these."""


class Watch:
    """Watches for one thread, the one that makes it, whether the other end of a connection is still there while the model computes."""

    def __init__(self) -> None:
        self._thread, self._process = threading.get_ident(), os.getpid()
        self._lock = threading.Lock()
        self._asker: socket.socket | None = None
        self._is_gone = self._is_closed = False
        self._busy = threading.Event()
        self._before: Any = None
        self._has_signal = False
        self._watcher = threading.Thread(target=self._look, name="mteb-host-watch", daemon=True)

    def __enter__(self) -> Watch:
        is_main = threading.current_thread() is threading.main_thread()
        if is_main and signal.getsignal(_SIGNAL) in (signal.SIG_DFL, signal.SIG_IGN):
            self._before = signal.signal(_SIGNAL, self._on_signal)
            self._has_signal = True
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_closed = True
        self._busy.set()
        if self._has_signal:
            signal.signal(_SIGNAL, self._before)

    def begin(self, asker: socket.socket) -> None:
        """The model computes for `asker`, and may be interrupted by `Abandoned` until `leave` is called."""
        with self._lock:
            self._asker, self._is_gone = asker, False
        self._busy.set()

    def leave(self) -> None:
        """The model computes no more."""
        if os.getpid() != self._process:
            # Made by `fork`, perhaps while the lock was held.
            return
        with self._lock:
            self._asker = None
            self._busy.clear()
            if self._is_gone and not self._has_signal:
                # One that has not been raised yet must not be raised elsewhere.
                _raise_in(self._thread, None)

    def _on_signal(self, *_: object) -> None:
        if self._is_gone and self._asker is not None:
            raise Abandoned

    def _look(self) -> None:
        looks = 0
        while True:
            self._busy.wait()
            if self._is_closed:
                return
            with self._lock:
                asker = self._asker
                if asker is not None and _has_left(asker):
                    self._is_gone = True
                    self._call_back()
                    looks += 1
                else:
                    looks = 0
            if looks == _PATIENCE:
                tell(
                    "warning: the program does not wait for the model any more, but the model computes on and cannot be interrupted, so this "
                    "call waits for it; end this process to end both"
                )
            threading.Event().wait(_PAUSE)

    def _call_back(self) -> None:
        if self._has_signal:
            signal.pthread_kill(self._thread, _SIGNAL)
        else:
            _raise_in(self._thread, Abandoned)


def _has_left(asker: socket.socket) -> bool:
    """True if the other end is closed."""
    ends = select.POLLHUP | select.POLLERR | select.POLLNVAL | getattr(select, "POLLRDHUP", 0)
    try:
        looked = select.poll()
        looked.register(asker, getattr(select, "POLLRDHUP", 0))
        return any(event & ends for _, event in looked.poll(0))
    except (OSError, ValueError):
        # The model has closed it.
        return True


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raises it in another thread, at the next line of Python; with None takes back one that was not raised yet."""
    given = ctypes.py_object() if error is None else ctypes.py_object(error)
    with contextlib.suppress(Exception):
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), given)
