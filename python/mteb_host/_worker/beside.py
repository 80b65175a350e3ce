"""What code of the user's own is made of beside its file: modules, and files that it reads, each by its content."""

import hashlib
import os
import stat
import sys
import sysconfig
import tempfile

from .frames import FAILED, Refused

# Most files that are told one by one; the others are told together.
MOST = 100

# Folders of packages that somebody has installed.
INSTALLED = ("site-packages", "dist-packages")

# Modules that are not the model's, wherever they lie.
NEVER = ("__main__", "__mp_main__", "mteb_host")


def is_below(path, folder):
    return path == folder or path.startswith(os.path.join(folder, ""))


def hash_of(path):
    """SHA-256 of a file; of one that is not there any more, a word that no hash is."""
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            for piece in iter(lambda: file.read(1 << 20), b""):
                digest.update(piece)
    except OSError:
        return "cannot be read"
    return digest.hexdigest()


class Beside:
    """The modules that are imported, and the regular files in the model's folder or below that Python opens to read."""

    def __init__(self, path):
        self.folder = os.path.realpath(os.path.dirname(path))
        self.own = {os.path.join(self.folder, os.path.basename(path)), os.path.realpath(path)}
        # Of a source that ran its module, its hash and its name; of a file how it was at its first reading, None once it was another.
        self.ran, self.stamps = {}, {}
        self.told, self.late, self.seen = set(), [], None
        prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix, *sysconfig.get_paths().values()}
        packages = {path for path in sys.path if os.path.basename(path) in INSTALLED}
        packages = {path for path in packages if not is_below(os.path.realpath(path), self.folder)}
        self.pythons = self.places(prefixes | packages)
        self.foreign = self.places(prefixes | {tempfile.gettempdir()})
        # Of a folder whether it is one of Python's own, and where it lies in the model's.
        self.known, self.inside = {}, {}
        sys.addaudithook(self.hear)
        self.hear_of_descriptors()

    def places(self, folders):
        """Folders by all their names, without those that hold the model's: such a one says nothing of what lies there."""
        names = folders | {os.path.realpath(folder) for folder in folders}
        return [name for name in names if not is_below(self.folder, name)]

    def is_installed(self, path):
        """True of what lies in a folder of Python's own, or of packages that Python knew before the model's code ran, and of what a
        link there leads to."""
        folder = os.path.abspath(os.path.dirname(path))
        if folder not in self.known:
            names = (folder, os.path.realpath(folder))
            self.known[folder] = any(is_below(name, place) for name in names for place in self.pythons)
        return self.known[folder]

    def note_run(self, module, path, hash):
        """Notes what of a module's source ran."""
        self.ran[os.path.realpath(path)] = (module, hash, os.path.abspath(path))

    def hear(self, event, given):
        """Is told by Python of every file before it is opened."""
        if event != "open" or not isinstance(given[0], (str, bytes, os.PathLike)):
            return
        path, mode, flags = given
        writes = set(mode) & set("wax+") if isinstance(mode, str) else (flags or 0) & (os.O_WRONLY | os.O_RDWR)
        if not writes:
            try:
                self.note(os.fsdecode(path))
            except (OSError, ValueError):
                # What cannot be looked at cannot be opened either.
                pass

    def hear_of_descriptors(self):
        """Python does not tell in which folder a file is opened by the folder's descriptor."""
        usual = os.open

        def open(path, flags, mode=0o777, *, dir_fd=None):
            if dir_fd is not None:
                self.hear("open", (os.path.join(os.path.realpath(f"/proc/self/fd/{dir_fd}"), os.fsdecode(path)), None, flags))
            return usual(path, flags, mode, dir_fd=dir_fd)

        os.open = open
        os.supports_dir_fd.add(open)

    def place(self, folder):
        """A folder by its name in the model's or below, also where a link there leads elsewhere; None of what lies outside."""
        if folder not in self.inside:
            above, rest = folder, ""
            while not is_below(os.path.realpath(above), self.folder) and above != os.path.dirname(above):
                above, rest = os.path.dirname(above), os.path.join(os.path.basename(above), rest)
            found = os.path.realpath(above)
            self.inside[folder] = os.path.normpath(os.path.join(found, rest)) if is_below(found, self.folder) else None
        return self.inside[folder]

    def note(self, path):
        """Notes how a file is."""
        folder, name = os.path.split(os.path.abspath(path))
        folder = self.place(folder)
        if folder is None:
            return
        path = os.path.join(folder, name)
        if path in self.own or self.is_foreign(path) or self.is_foreign(os.path.join(os.path.realpath(folder), name)):
            return
        found = os.stat(path)
        if stat.S_ISREG(found.st_mode):
            now = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
            if self.stamps.setdefault(path, now) != now:
                self.stamps[path] = None

    def is_foreign(self, path):
        """True of what is part of Python or was installed."""
        below = os.path.relpath(path, self.folder) if is_below(path, self.folder) else path
        parts = below.split(os.sep)
        return any(part in INSTALLED for part in parts) or any(is_below(path, prefix) for prefix in self.foreign)

    def counts(self):
        """What is another number once there is more to tell."""
        return len(sys.modules), len(self.stamps), len(self.ran)

    def paths(self):
        """All files by the names under which they are told: in the folder and below their paths there, else their modules."""
        self.seen = self.counts()
        found = {os.path.relpath(path, self.folder): path for path in list(self.stamps)}
        modules = [(name, getattr(module, "__file__", None)) for name, module in list(sys.modules.items())]
        # Not every module that ran is among those of Python.
        for name, file in [(name, path) for name, _, path in list(self.ran.values())] + modules:
            if name.split(".")[0] in NEVER or not isinstance(file, str) or not os.path.isabs(file):
                continue
            # Systems link what is theirs to elsewhere.
            is_foreign, beside = self.is_foreign(file), self.place(os.path.dirname(os.path.abspath(file)))
            base, file = os.path.basename(file), os.path.realpath(file)
            if file in self.own or is_foreign or self.is_foreign(file) or not os.path.isfile(file):
                continue
            if beside is not None:
                found[os.path.relpath(os.path.join(beside, base), self.folder)] = file
            else:
                named = f"the module {name}"
                if found.setdefault(named, file) != file:
                    found[f"{named} in {os.path.dirname(file)}"] = file
        return found

    def tell(self):
        """The name of each file and its SHA-256."""
        paths = self.paths()
        self.told = set(paths)
        hashes = {name: self.ran[path][1] if path in self.ran else hash_of(path) for name, path in sorted(paths.items())}
        # Hashed is what was read before.
        for path in list(self.stamps):
            self.hear("open", (path, "r", 0))
        self.check()
        first, *others = sorted(hashes)[MOST - 1 :] or [None]
        if others:
            together = "".join(f"{name}\0{hashes.pop(name)}\0" for name in (first, *others))
            together = hashlib.sha256(together.encode(errors="surrogateescape"))
            hashes[f"{first} and {len(others)} others"] = together.hexdigest()
        return hashes

    def check(self):
        """Notes what was read since, and was not told.

        Raises:
            Refused: If a file is another than the one that was read first.
        """
        changed = [path for path, stamp in list(self.stamps.items()) if stamp is None]
        if changed:
            raise Refused(FAILED, f"{changed[0]}: expected the file as it was when the model started, found a changed one; run again")
        if self.seen != self.counts():
            new = sorted(set(self.paths()) - self.told)
            self.told.update(new)
            self.late += new

    def take_late(self):
        """What was read since the last call, too late to be told."""
        late, self.late = self.late, []
        return late
