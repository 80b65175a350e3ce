"""Evaluate text-embedding models with mteb-host from Python.

    import mteb_host

    results = mteb_host.run("st:sentence-transformers/all-MiniLM-L6-v2", registry="indonesia")
    results.to_pandas()

A model is a name or any object in this process: a `SentenceTransformer`, an object with mteb's interface, a class or function in a notebook.
"""

import contextlib
from typing import TYPE_CHECKING

from ._binary import MtebHostError, UnitsFailed
from ._catalog import Benchmark, Listing, ModelCard, Task, get_benchmarks, get_models, get_tasks
from ._compare import compare, stats
from ._habits import no_function
from ._leaderboard import leaderboard, report
from ._results import Folder, Results, load_results
from ._run import run
from ._score import score
from ._units import TaskUnits, Unit

__all__ = [
    "Benchmark",
    "Folder",
    "Listing",
    "ModelCard",
    "MtebHostError",
    "Results",
    "Task",
    "TaskUnits",
    "Unit",
    "UnitsFailed",
    "compare",
    "get_benchmarks",
    "get_models",
    "get_tasks",
    "leaderboard",
    "load_results",
    "report",
    "run",
    "score",
    "stats",
]

if not TYPE_CHECKING:

    def __dir__() -> list[str]:
        return sorted([*__all__, "__version__"])

    def __getattr__(name: str) -> object:
        # What people who come from mteb look for.
        if name == "__version__":
            from importlib.metadata import PackageNotFoundError, version

            with contextlib.suppress(PackageNotFoundError):
                return version("mteb_host")
        raise no_function(name)
