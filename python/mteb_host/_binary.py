"""Finds and runs the program `mteb-host`."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable, Iterator, cast

from ._progress import BEGIN, VARIABLE, Progress
from ._visible import visible_line

if TYPE_CHECKING:
    from ._live.server import Server

# Exit codes of the program.
DONE, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130
# What a notebook sets for programs that draw in colours; what this one says is read here first.
_COLOURS = ("FORCE_COLOR", "CLICOLOR_FORCE")
# Why a signal may have ended the program.
_DAMAGED = ", which a damaged file of the program may cause"
_WHY = {"SIGKILL": ", as the system does if memory runs out", "SIGSEGV": _DAMAGED, "SIGBUS": _DAMAGED, "SIGILL": _DAMAGED}
# Characters that are shown of what is no answer.
_SHOWN = 200
# Variable that lists folders in which plugins find libraries.
LIBRARIES = "MTEB_HOST_LIBRARIES"
# Variable that names the interpreter for models in Python, and those of an active environment.
PYTHON, ACTIVE = "MTEB_HOST_PYTHON", ("VIRTUAL_ENV", "CONDA_PREFIX")
# Variable that tells the program which stream ends with this process.
CALLER = "MTEB_HOST_CALLER"


class MtebHostError(RuntimeError):
    """The program refused the request or failed. The message is the program's own; `exit_code` is one of those in docs/usage.md."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message.strip() or f"the program mteb-host ended with exit code {exit_code}, without an answer and without a message")
        self.exit_code = exit_code


class UnitsFailed(MtebHostError):
    """Some units failed. `results` has the others, whose result files are written."""

    def __init__(self, message: str, results: Any) -> None:
        super().__init__(message, FAILED)
        self.results = results


def binary() -> str:
    """Path of the program: from `MTEB_HOST_BINARY`, else in this package, else next to the interpreter, else on the `PATH`."""
    named = os.environ.get("MTEB_HOST_BINARY")
    places = [Path(__file__).with_name("bin") / "mteb-host", Path(sys.executable).with_name("mteb-host")]
    found = named or next((str(place) for place in places if place.is_file()), None) or shutil.which("mteb-host")
    if not found:
        raise MtebHostError("expected the program `mteb-host` on the `PATH` or in `MTEB_HOST_BINARY`, found none", FAILED)
    return found


def main() -> None:
    """The command `mteb-host` of the wheel: this process becomes the program."""
    program = Path(__file__).with_name("bin") / "mteb-host"
    colours = {name: os.environ[name] for name in _COLOURS if name in os.environ}
    # Who has activated an environment means its interpreter, whatever the command is of.
    is_named = any(os.environ.get(name) for name in (PYTHON, *ACTIVE))
    os.execve(program, [str(program), *sys.argv[1:]], environment(names_python=not is_named) | colours)


def environment(*, names_python: bool = True) -> dict[str, str]:
    """The environment of the program: with this interpreter, and the folder of the libtorch that it has, wherever its package torch lies."""
    variables = {name: value for name, value in os.environ.items() if name not in _COLOURS}
    folder = None if LIBRARIES in variables else _libtorch()
    if folder:
        variables[LIBRARIES] = folder
    # A program that embeds Python has none.
    if names_python and sys.executable:
        variables[PYTHON] = sys.executable
    return variables


def _libtorch() -> str | None:
    try:
        # Finds the package; nothing of it is loaded.
        found = importlib.util.find_spec("torch")
    except (ImportError, ValueError):
        return None
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).absolute().with_name("lib")
    return str(folder) if folder.is_dir() else None


def ask(
    arguments: list[str], *, quiet: bool = False, server: Server | None = None, hushed: tuple[str, ...] = (), within: str = ""
) -> tuple[int, Any, str]:
    """Runs the program; returns its exit code, the JSON that it printed, and its messages. Messages are shown while it runs.

    Args:
        arguments: Arguments of the program.
        quiet: Do not show its messages.
        server: Serves a model of this process to the program while it runs.
        within: The folder in which it runs, if that is not the one of this process.
        hushed: Parts of messages that the caller has no need to read.

    Raises:
        MtebHostError: If what it printed is no JSON.
        KeyboardInterrupt: If it was interrupted.
    """
    code, printed, said = start(arguments, quiet=quiet, server=server, hushed=hushed, within=within)
    try:
        answer: Any = json.loads(printed) if printed.strip() else None
    except json.JSONDecodeError:
        raise MtebHostError(said or f"expected an answer of mteb-host as JSON, found: {visible_line(printed.strip()[:_SHOWN])}", code) from None
    # A command without an answer says in JSON, too, why there is none.
    is_none = isinstance(answer, dict) and cast("dict[str, Any]", answer).keys() == {"errors", "exit_code"}
    return code, None if is_none else cast(Any, answer), said


def start(
    arguments: list[str], *, quiet: bool = False, server: Server | None = None, hushed: tuple[str, ...] = (), within: str = ""
) -> tuple[int, str, str]:
    """Runs the program; returns its exit code, its output and its messages.

    Ctrl-C ends the program cleanly: finished units are kept, and the same call resumes.

    Raises:
        MtebHostError: If it cannot be started, or a signal that the caller did not send has ended it.
    """
    process = _process(arguments, quiet, within)
    said: list[str] = []
    # Lines about what is wrong, which an exception has if the program refuses the request.
    errors: list[str] = []
    printed: list[str] = []
    stream = _without(hushed, process.stderr if server is None else server.named(process.stderr))
    listener = threading.Thread(target=_listen, args=(stream, said, errors, quiet), daemon=True)
    reader = threading.Thread(target=_read, args=(process, printed, server), daemon=True)
    try:
        listener.start()
        reader.start()
        if server is not None:
            server.serve()
        reader.join()
        code = process.wait()
        if process.stdin:
            with contextlib.suppress(OSError):
                process.stdin.close()
    except BaseException:
        # Whatever ends this call, such as what a handler of an alarm raises, ends the program, too.
        _interrupt(process, reader, server)
        raise
    listener.join()
    if not quiet and not _is_refusal(printed):
        _show_all(errors)
    for held in (process.stdout, process.stderr):
        if held:
            with contextlib.suppress(OSError):
                held.close()
    message = "".join(said).strip()
    if code < 0:
        raise MtebHostError(_killed(-code, message), code)
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    return code, "".join(printed), message


def _killed(number: int, said: str) -> str:
    """What to say of a program that a signal has ended."""
    name = next((known.name for known in signal.Signals if known == number), "unknown")
    why = _WHY.get(name, "")
    killed = f"the program mteb-host was ended by signal {number} ({name}){why}; finished units are kept, and the same call resumes"
    return f"{said}\n{killed}" if said else killed


def _process(arguments: list[str], quiet: bool, within: str) -> subprocess.Popen[str]:
    program = binary()
    if signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN:
        # The system tells nobody then how a program ended, and a failure would look like success.
        message = "expected SIGCHLD not to be ignored; call `signal.signal(signal.SIGCHLD, signal.SIG_DFL)` before"
        raise MtebHostError(message, USAGE)
    try:
        return subprocess.Popen(
            [program, *arguments],
            # Nothing is written into it. It closes with this process, even a killed one, and the program ends then.
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="backslashreplace",
            env=environment() | {CALLER: "stdin", VARIABLE: "0" if quiet else "lines"},
            cwd=within or None,
            # The interrupt of a terminal would reach the program beside the one that is sent below, and two end it at once.
            start_new_session=True,
        )
    except OSError as error:
        if within and not os.path.isdir(within):
            raise MtebHostError(f"{visible_line(within)}: expected the folder in which the call began, found none", FAILED) from None
        message = f"{program}: expected the program `mteb-host`, cannot start it: {error.strerror}"
        raise MtebHostError(message, FAILED) from None
    except ValueError as error:
        # A character that no command line has.
        raise MtebHostError(f"expected names and options without such characters: {error}", USAGE) from None


def _read(process: subprocess.Popen[str], printed: list[str], server: Server | None) -> None:
    """Reads all that the program prints. It is read to its end, as it would wait for a reader of a long report."""
    try:
        if process.stdout:
            # A model may close what it has not opened, which this then lacks.
            with contextlib.suppress(OSError, ValueError):
                printed.append(process.stdout.read())
    finally:
        if server is not None:
            server.end()


def _interrupt(process: subprocess.Popen[str], reader: threading.Thread, server: Server | None) -> None:
    """Lets the program end cleanly; a second Ctrl-C ends it at once."""
    try:
        process.send_signal(signal.SIGINT)
        if server is not None:
            # Nobody answers its worker any more.
            server.close()
        _wait(process, reader)
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        _wait(process, reader)
        raise


def _wait(process: subprocess.Popen[str], reader: threading.Thread) -> None:
    """Waits for the end of the program, which reports what it has done."""
    if reader.is_alive():
        reader.join()
    process.wait()


def _listen(stream: Any, said: list[str], errors: list[str], quiet: bool) -> None:
    lines = iter(stream)
    # A stream that takes nothing, closed or of a caller's own, must not hold up the program, which is read on.
    with contextlib.suppress(Exception):
        progress = Progress(sys.stderr)
        for line in lines:
            _hear(line, said)
            if line.startswith("error: ") or (errors and not line.startswith(BEGIN)):
                errors.append(line)
                continue
            # The program goes on, so that they are not its last words.
            while errors:
                _show(progress, errors.pop(0), quiet)
            _show(progress, line, quiet)
        progress.end()
    for line in lines:
        _hear(line, said)


def _is_refusal(printed: list[str]) -> bool:
    """True of an answer in JSON that says why there is none."""
    return "".join(printed).lstrip("{ \n").startswith('"errors"')


def _show_all(lines: list[str]) -> None:
    with contextlib.suppress(Exception):
        sys.stderr.write("".join(lines))


def _without(hushed: tuple[str, ...], lines: Iterable[str] | None) -> Iterator[str]:
    return (line for line in lines or () if not any(part in line for part in hushed))


def _hear(line: str, said: list[str]) -> None:
    if not line.startswith(BEGIN):
        said.append(line)


def _show(progress: Progress, line: str, quiet: bool) -> None:
    if quiet:
        return
    if line.startswith(BEGIN):
        progress.show(line.removeprefix(BEGIN).rstrip())
    else:
        progress.clear()
        progress.tell(line)
