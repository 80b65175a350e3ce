"""Evaluates text-embedding models with mteb-host from Python.

    import mteb_host

    results = mteb_host.run("st:sentence-transformers/all-MiniLM-L6-v2", registry="indonesia")
    results.to_pandas()
"""

from ._binary import MtebHostError, UnitsFailed
from ._leaderboard import leaderboard, report
from ._results import Results, Unit
from ._run import run
from ._score import score

__all__ = ["MtebHostError", "Results", "Unit", "UnitsFailed", "leaderboard", "report", "run", "score"]
