"""The modules of an evaluator: the Python files that its card names beside it, by their sources, as the host hashed them."""

import importlib.machinery
import os
import sys


class Modules:
    """Finds the modules that lie in the evaluator's folder: those that are `allowed` first, before any that is installed."""

    def __init__(self, folder, allowed):
        self.folder, self.allowed = os.path.realpath(folder), allowed

    def begin(self):
        sys.meta_path.insert(0, self)
        sys.meta_path.append(Others(self))

    def find_spec(self, name, path=None, target=None):
        place = os.path.join(self.folder, *name.split("."))
        for file, is_package in ((f"{place}.py", False), (os.path.join(place, "__init__.py"), True)):
            if os.path.realpath(file) in self.allowed.files:
                spec = importlib.machinery.ModuleSpec(name, self, origin=file, is_package=is_package)
                spec.has_location = True
                if is_package:
                    spec.submodule_search_locations.append(place)
                return spec
        if any(file.endswith(".py") and file.startswith(os.path.join(place, "")) for file in self.allowed.files):
            # A folder of modules without a file of its own.
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        file = module.__spec__.origin
        if file is not None:
            exec(compile(self.allowed.read(file), file, "exec", dont_inherit=True), module.__dict__)


class Others:
    """Says of a module that lies beside the evaluator, and that the card does not name, what to do: nobody else has one of its name."""

    def __init__(self, modules):
        self.modules = modules

    def find_spec(self, name, path=None, target=None):
        place = os.path.join(self.modules.folder, *name.split("."))
        for file in (f"{place}.py", os.path.join(place, "__init__.py")):
            if os.path.isfile(file):
                raise UndeclaredModule(self.modules.allowed.refusal(file), name=name)
        return None


class UndeclaredModule(ModuleNotFoundError):
    """A module that the card does not name."""
