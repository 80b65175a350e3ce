"""Serves a model of this process to the host: by the frames of a worker's interpreter, over a socket in a private folder.

The model computes in the thread that called `run`: its debugger, its GPU and Ctrl-C are where the user expects them.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import selectors
import shutil
import socket
import stat
import struct
import tempfile
import weakref
from typing import Any, BinaryIO, Callable, Iterable, Iterator

from .._binary import FAILED, MtebHostError
from .._visible import visible_line
from .._worker.frames import INVALID_INPUT, Refused, cut, read_frame, write_frame
from .._worker.worker import OWN, Worker, failure
from .watch import Abandoned, Watch

OWN.add(os.path.dirname(__file__))

# Where files are memory. Without it, or where it is small, they lie in the temporary folder.
SHARED = "/dev/shm"
ROOM = 1 << 30
# What the name of a folder begins with.
PREFIX = "mteb-host-live-"
# Longest name of a socket.
LONGEST = 100

# What a process that is made by `fork` must not hold open: the host would wait for it.
_open: weakref.WeakSet[socket.socket] = weakref.WeakSet()


def _leave() -> None:
    for held in list(_open):
        held.close()


os.register_at_fork(after_in_child=_leave)


class Server:
    """The model that `make` gives for the host's question, in a folder of its own."""

    def __init__(self, make: Callable[[dict[str, Any]], Any], name: str) -> None:
        self._make, self.name = make, name
        # A part of lines of the program that the caller has no need to read.
        self.hushed: str | None = None
        self.errors: list[tuple[str, BaseException]] = []
        self.folder = _private_folder()
        self._lock = _claimed(self.folder)
        self._listener = _kept(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        self._listener.bind(os.path.join(self.folder, "socket"))
        self._listener.listen()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._heard, self._woken = (_kept(end) for end in socket.socketpair())
        self._selector.register(self._heard, selectors.EVENT_READ)
        self._connections: dict[socket.socket, _Connection] = {}
        self._memory = self._new_memory()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Serves nobody any more."""
        for connection in list(self._connections):
            self._drop(connection)
        for held in (self._listener, self._heard, self._woken, self._selector):
            # A model that has closed all that is open has closed these, too.
            with contextlib.suppress(OSError):
                held.close()
        memory, self._memory = self._memory, -1
        _close(memory)
        shutil.rmtree(self.folder, ignore_errors=True)
        lock, self._lock = self._lock, -1
        _close(lock)

    def named(self, lines: Iterable[str] | None) -> Iterator[str]:
        """Lines of the program, in which the model has its own name in place of that of the folder."""
        for line in lines or ():
            if self.hushed is None or self.hushed not in line:
                yield line.replace(f"live:{self.folder}", visible_line(self.name))

    def end(self) -> None:
        """Ends `serve`, from another thread."""
        with contextlib.suppress(OSError):
            self._woken.send(b"e")

    def serve(self) -> None:
        """Answers the host until `end` is called.

        Raises:
            MtebHostError: If the model has closed what it did not open.
        """
        with Watch() as watch:
            try:
                while self._serve_once(watch):
                    pass
            except (OSError, ValueError) as error:
                message = f"expected the model to close only what it has opened, found the connection to the program closed: {error}"
                raise MtebHostError(message, FAILED) from None

    def _serve_once(self, watch: Watch) -> bool:
        """Answers what is asked now; false once `end` was called."""
        for key, _ in self._selector.select():
            if key.fileobj is self._heard:
                return False
            if key.fileobj is self._listener:
                self._accept()
            elif isinstance(key.fileobj, socket.socket) and key.fileobj in self._connections:
                self._answer(key.fileobj, watch)
        return True

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        if _user_of(connection) != os.getuid():
            connection.close()
            return
        _kept(connection)
        # It has opened the file before it connected; the next one gets another.
        taken, self._memory = self._memory, self._new_memory()
        self._connections[connection] = _Connection(connection, taken, self._make)
        self._selector.register(connection, selectors.EVENT_READ)

    def _answer(self, connection: socket.socket, watch: Watch) -> None:
        served = self._connections[connection]
        try:
            goes_on = served.answer(self.errors, watch)
        except (OSError, ValueError, SystemExit):
            # Its worker is gone, or sends what is no frame.
            goes_on = False
        if not goes_on:
            self._drop(connection)

    def _drop(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError, KeyError):
            self._selector.unregister(connection)
        self._connections.pop(connection).close()
        with contextlib.suppress(OSError):
            connection.close()

    def _new_memory(self) -> int:
        path = os.path.join(self.folder, "memory")
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)


class _Connection:
    """One worker of the host: the frames that it sends, and the memory in which it finds numbers."""

    def __init__(self, connection: socket.socket, memory: int, make: Callable[[dict[str, Any]], Any]) -> None:
        self._connection = connection
        self._questions: BinaryIO = connection.makefile("rb")
        self._answers: BinaryIO = connection.makefile("wb")
        self._descriptor = memory
        self._worker = Worker(memory, {"live": make})

    def answer(self, errors: list[tuple[str, BaseException]], watch: Watch) -> bool:
        """Answers one question; false if there is none any more."""
        frame = read_frame(self._questions)
        if frame is None:
            return False
        number, ask, payload = frame
        try:
            # No context of `contextlib`: it writes to what is raised, which the model's own class may refuse.
            watch.begin(self._connection)
            try:
                answer = self._worker.answer(ask, payload)
            finally:
                watch.leave()
        except KeyboardInterrupt:
            raise
        except Abandoned:
            watch.leave()
            return False
        except BaseException as error:  # noqa: BLE001 - whatever the model raises is the caller's to see, once the host has said what it cost
            answer = self._refusal(error)
            errors.append((answer["error"]["message"], error))
        self._worker.memory.check_process()
        write_frame(self._answers, number, answer)
        return True

    def _refusal(self, error: BaseException) -> dict[str, Any]:
        if isinstance(error, Refused):
            return {"error": {"code": error.code, "message": cut(str(error))}}
        answer: dict[str, Any] = failure(error, is_made=self._worker.model is not None)
        if self._worker.model is None:
            # The same object would fail in the same way again.
            answer["error"]["code"] = INVALID_INPUT
        return answer

    def close(self) -> None:
        for stream in (self._questions, self._answers):
            with contextlib.suppress(OSError):
                stream.close()
        _close(self._descriptor)


def _close(descriptor: int) -> None:
    if descriptor >= 0:
        with contextlib.suppress(OSError):
            os.close(descriptor)


def _kept(held: socket.socket) -> socket.socket:
    _open.add(held)
    return held


def _user_of(connection: socket.socket) -> int:
    """The user whose process is at the other end."""
    size = struct.calcsize("3i")
    return int(struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))[1])


def _private_folder() -> str:
    """A folder that nobody else can enter, with a name that a socket can have."""
    places = [SHARED] if _has_room(SHARED) else []
    for place in [*places, tempfile.gettempdir(), "/tmp"]:
        if len(place) < LONGEST - 40 and os.path.isdir(place):
            with contextlib.suppress(OSError):
                _sweep(place)
                return tempfile.mkdtemp(prefix=PREFIX, dir=place)
    return tempfile.mkdtemp(prefix=PREFIX)


def _claimed(folder: str) -> int:
    """A lock in the folder that the system drops when this process ends, however it ends."""
    path = os.path.join(folder, "lock")
    lock = os.open(path + ".new", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    with contextlib.suppress(OSError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    # It gets its name once it is held, so that nobody finds it free while this process starts.
    os.rename(path + ".new", path)
    return lock


def _sweep(place: str) -> None:
    """Removes what processes have left that were ended by a signal: folders of this user whose lock nobody holds."""
    for name in os.listdir(place):
        folder = os.path.join(place, name)
        if not name.startswith(PREFIX):
            continue
        with contextlib.suppress(OSError):
            found = os.lstat(folder)
            is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
            if not is_ours:
                continue
            lock = os.open(os.path.join(folder, "lock"), os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


def _has_room(place: str) -> bool:
    try:
        found = os.statvfs(place)
    except OSError:
        return False
    return found.f_bavail * found.f_frsize >= ROOM
