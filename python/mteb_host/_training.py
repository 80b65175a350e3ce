"""Scores of a model during training, with any trainer."""

from __future__ import annotations

import contextlib
import os
import tempfile
from typing import Any, Generator

from ._chosen import chosen, several
from ._habits import refuse_foreign
from ._placed import check_tasks
from ._results import Results
from ._run import run

# What a model is judged by: the mean of the main scores of all tasks.
MEAN = "mean_main_score"


class Scorer:
    """Scores a model on the same tasks repeatedly."""

    def __init__(
        self,
        tasks: Any,
        registry: str | os.PathLike[str] | None,
        benchmark: Any,
        output_folder: str | os.PathLike[str] | None,
        quiet: bool,
        options: dict[str, Any],
    ) -> None:
        # Before the training, not amid it.
        refuse_foreign(options)
        self._given = several(tasks)
        self.tasks, self.benchmark = chosen(self._given, benchmark)
        self.registry = registry
        check_tasks(self._given, self.tasks, {"plugin_dir": options.get("plugin_dir"), "registry": registry, "benchmark": self.benchmark})
        self.output_folder, self.quiet = output_folder, quiet
        # Each step is another model, whose embeddings nobody asks for again.
        self.options: dict[str, Any] = {"no_cache": True, **options}

    def score(self, model: Any, **more: Any) -> Results:
        """Score the model in its current state."""
        with self._folder() as folder, _as_in_use(model):
            return run(
                model,
                self._given,
                registry=self.registry,
                benchmark=self.benchmark,
                output_folder=folder,
                quiet=self.quiet,
                **{**self.options, **more},
            )

    @contextlib.contextmanager
    def _folder(self) -> Generator[str | os.PathLike[str], None, None]:
        if self.output_folder is not None:
            yield self.output_folder
            return
        with tempfile.TemporaryDirectory(prefix="mteb-host-") as folder:
            yield folder


@contextlib.contextmanager
def _as_in_use(model: Any) -> Generator[None, None, None]:
    """Put the model into evaluation mode, and back into its previous mode afterwards."""
    is_training = getattr(model, "training", False) is True
    if is_training:
        model.eval()
    try:
        yield
    finally:
        if is_training:
            model.train()


def metrics_of(results: Results) -> dict[str, float]:
    """The main score of each task, and their mean.

    >>> from mteb_host import Unit
    >>> metrics_of(Results("m", "1", "", [Unit("T", "STS", "test", "default", "cosine_spearman", 0.5)]))
    {'T_main_score': 0.5, 'mean_main_score': 0.5}
    """
    scores = {name: results[name].main_score for name in results.tasks}
    found = {f"{name}_main_score": score for name, score in scores.items() if score is not None}
    # Without all of them a mean would be that of other tasks.
    mean = sum(found.values()) / len(scores) if scores and len(found) == len(scores) else float("nan")
    return {**found, MEAN: mean}
