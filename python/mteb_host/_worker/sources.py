"""What runs of modules that nobody has installed: their sources, in the place of whatever stands for them."""

import hashlib
import importlib.machinery
import os
import sys


def take_sources_alone(beside):
    """Lets the source run of every module that lies neither in a folder of Python's own nor of installed packages: byte code may be of
    anything, and so may a library of the same name. `beside` gets the hashes of what ran.

    A library without a source is loaded, and hashed as other modules are; byte code without one is no module."""
    usual = importlib.machinery.SourceFileLoader.get_code

    # Not a loader of our own, as others make loaders by themselves: those of a place (`spec_from_file_location`), of `runpy`.
    def get_code(self, fullname):
        path = self.get_filename(fullname)
        if beside.is_installed(path):
            return usual(self, fullname)
        source = self.get_data(path)
        beside.note_run(fullname, path, hashlib.sha256(source).hexdigest())
        return self.source_to_code(source, path)

    importlib.machinery.SourceFileLoader.get_code = get_code
    # The source first; Python itself looks for a library before.
    finder = importlib.machinery.FileFinder.path_hook(
        (importlib.machinery.SourceFileLoader, importlib.machinery.SOURCE_SUFFIXES),
        (importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES),
    )

    def hook(path):
        if beside.is_installed(os.path.join(path, "")):
            raise ImportError(f"{path}: a folder of Python's own")
        return finder(path)

    sys.path_hooks.insert(0, hook)
    sys.path_importer_cache.clear()
