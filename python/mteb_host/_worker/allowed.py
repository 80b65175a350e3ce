"""What an evaluator may read: the files that its card names, each with the content that the host hashed, and what is installed. Everything else is
refused, so that no score depends on a file that nobody knows of."""

import errno
import hashlib
import os
import sys
import sysconfig
import tempfile

from . import landlock
from .frames import FAILED, INVALID_INPUT, Refused

# Folders of the system, of its programs and of what they share.
SYSTEM = ("/bin", "/dev", "/etc", "/gnu", "/lib", "/lib32", "/lib64", "/nix", "/opt", "/proc", "/run", "/sbin", "/snap", "/sys", "/usr", "/var/lib")

# What an editable installation leaves behind that finds its modules elsewhere.
EDITABLE = "__editable__"

# Events of Python before something is read, each with the place of the path in what is told.
EVENTS = {"open": 0, "import": 1, "sqlite3.connect": 0, "ctypes.dlopen": 0}

KEY = "`evaluator_files`"


class Undeclared(PermissionError):
    """A file that may not be read: libraries do without it as without one that they have no rights to."""

    def __str__(self):
        return self.strerror


class Allowed:
    """The files of an evaluator, by the names that its card gives them, each with its SHA-256; `folder` is the card's."""

    def __init__(self, folder, files):
        self.folder = os.path.realpath(folder)
        self.files = {os.path.realpath(os.path.join(folder, name)): hash for name, hash in files.items()}
        self.stamps, self.known, self.places = {}, {}, installed(self.folder)
        self.temporary = os.path.realpath(tempfile.gettempdir())

    def read(self, path):
        """The bytes of a file of the evaluator, which are those that the host hashed.

        Raises:
            Refused: If they are others, or cannot be read.
        """
        path = os.path.realpath(path)
        try:
            with open(path, "rb") as file:
                self.stamps[path], content = stamp(os.fstat(file.fileno())), file.read()
        except OSError as error:
            raise Refused(INVALID_INPUT, f"expected a file of the evaluator, found that it cannot be read: {error}") from None
        found = hashlib.sha256(content).hexdigest()
        if found != self.files[path]:
            raise Refused(INVALID_INPUT, f"{path}: expected the SHA-256 {self.files[path]}, found {found}: the file changed; run again")
        return content

    def begin(self):
        """Refuses all other files from now on."""
        for path in self.files:
            self.read(path)
        sys.addaudithook(self.hear)
        landlock.read_only({*self.places, *self.files}, {self.temporary})

    def check(self):
        """Sees that the files are still those that were hashed; modules are seen to when they run, and may change once they did.

        Raises:
            Refused: If one was changed since.
        """
        for path, before in self.stamps.items():
            if path.endswith(".py"):
                continue
            try:
                now = stamp(os.stat(path))
            except OSError:
                now = None
            if now != before:
                raise Refused(FAILED, f"{path}: expected the file as it was when the evaluator started, found a changed one; run again")

    def hear(self, event, given):
        """Is told by Python before a file is opened."""
        place = EVENTS.get(event)
        if place is None or len(given) <= place or not isinstance(given[place], (str, bytes, os.PathLike)):
            return
        path = os.fsdecode(given[place])
        if event != "open" and os.sep not in path:
            # A library that the system looks for, a database in memory.
            return
        if event == "open" and len(given) > 2 and writes(given[1], given[2]):
            return
        if not self.is_allowed(path):
            raise Undeclared(errno.EACCES, self.refusal(path))

    def is_allowed(self, path):
        """True of the evaluator's own files, of what is installed, and of what is no file."""
        path = os.path.realpath(path)
        if path in self.files:
            return True
        folder = os.path.dirname(path)
        if folder not in self.known:
            # What is installed below the card's folder, as an environment there, is nearer than that folder.
            nearest = max((place for place in (*self.places, self.temporary) if is_below(folder, place)), key=len, default=None)
            self.known[folder] = nearest is not None and not (is_below(folder, self.folder) and len(nearest) <= len(self.folder))
        return self.known[folder] or path in self.places or not os.path.isfile(path)

    def refusal(self, path):
        """Why a file may not be read, and what to do."""
        path = os.path.realpath(path)
        if is_below(path, self.folder):
            name = os.path.relpath(path, self.folder)
            return f'expected files that the card names, found: {name}; add it to the card: evaluator_files = ["{name}"]'
        return f"expected files that the card names or that are installed, found: {path}; copy it beside the card and add it to {KEY}"

    def explained(self, said):
        """What is said of files that libraries open by themselves, and may not, with what is allowed."""
        if "Permission denied" not in said:
            return said
        return f"{said}; an evaluator reads what is installed and what its card names in {KEY}, and writes to its temporary folder alone"


def installed(folder):
    """The folders of the system, of Python and of its packages, and those in which libraries keep settings and caches: hidden ones of the
    user's own folder."""
    prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix, *sysconfig.get_paths().values()}
    linked = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    packages = {path for path in (*sys.path, *editable(), *linked) if os.path.isabs(path)}
    home = os.path.expanduser("~")
    try:
        hidden = {os.path.join(home, name) for name in os.listdir(home) if name.startswith(".")}
    except OSError:
        hidden = set()
    found = {os.path.realpath(place) for place in packages | hidden}
    # A folder that holds the card's says nothing of what lies there.
    found = {place for place in found if not is_below(folder, place)}
    return found | {os.path.realpath(place) for place in (*SYSTEM, *prefixes)} - {os.sep}


def editable():
    """Folders of packages that are installed from their sources."""
    mappings = [getattr(module, "MAPPING", None) for name, module in list(sys.modules.items()) if name.startswith(EDITABLE)]
    return [path for mapping in mappings if isinstance(mapping, dict) for path in mapping.values() if isinstance(path, str)]


def writes(mode, flags):
    return bool(set(mode) & set("wax+")) if isinstance(mode, str) else bool((flags or 0) & (os.O_WRONLY | os.O_RDWR))


def stamp(found):
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def is_below(path, folder):
    return path == folder or path.startswith(os.path.join(folder, ""))
