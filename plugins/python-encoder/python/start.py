# Makes modules of the sources that stand above this line as `SOURCES`, pairs of name and text, and runs the last of them. The program is a
# file in memory, so that no folder has to take it.
import os
import sys
import types

PACKAGE = "mteb_host_worker"


def load(sources):
    """Makes the modules in the order given; each needs only those before it."""
    package = sys.modules[PACKAGE] = types.ModuleType(PACKAGE)
    package.__path__ = []
    for name, source in sources:
        module = types.ModuleType(f"{PACKAGE}.{name}")
        module.__package__ = PACKAGE
        module.__file__ = os.path.join(f"<{PACKAGE}>", f"{name}.py")
        sys.modules[module.__name__] = module
        setattr(package, name, module)
        exec(compile(source, module.__file__, "exec"), module.__dict__)
    return module


if __name__ == "__main__":
    load(SOURCES).main()  # noqa: F821 - it stands above
