"""An evaluator for training with sentence-transformers.

    from mteb_host.sentence_transformers import Evaluator

    evaluator = Evaluator(["STSBenchmark", "NanoNQRetrieval"])
    trainer = SentenceTransformerTrainer(model=model, args=args, train_dataset=dataset, loss=loss, evaluator=evaluator)
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ._results import Results
from ._training import MEAN, Scorer, metrics_of

if TYPE_CHECKING:

    class SentenceEvaluator:
        """The library's own class."""

        greater_is_better: bool
        primary_metric: str | None

        def prefix_name_to_metrics(self, metrics: dict[str, float], name: str) -> dict[str, float]: ...
        def store_metrics_in_model_card_data(self, model: Any, metrics: dict[str, Any], epoch: int = 0, step: int = 0) -> None: ...

else:
    from sentence_transformers.evaluation import SentenceEvaluator


class Evaluator(SentenceEvaluator):
    """Scores the model on tasks whenever the trainer evaluates. Its `primary_metric` is the mean of the main scores.

    Args:
        tasks: Names of tasks, or tasks of `get_tasks`. None selects all tasks of the registry or benchmark.
        registry: A registry, by name or file.
        benchmark: A benchmark: its name, or one of `get_benchmarks`.
        name: Prefix of the names of metrics.
        output_folder: Folder for the result files of every step. None saves no files.
        quiet: Do not show the output of the program.
        options: Any other option of `mteb_host.run`.
    """

    def __init__(
        self,
        tasks: Any = None,
        *,
        registry: str | os.PathLike[str] | None = None,
        benchmark: Any = None,
        name: str = "",
        output_folder: str | os.PathLike[str] | None = None,
        quiet: bool = True,
        **options: Any,
    ) -> None:
        super().__init__()
        self.name, self.greater_is_better = name, True
        self.primary_metric: str | None = f"{name}_{MEAN}" if name else MEAN
        self._scorer = Scorer(tasks, registry, benchmark, output_folder, quiet, options)
        # Those of the last call.
        self.results: Results | None = None

    def __repr__(self) -> str:
        tasks = self._scorer.tasks
        chosen = ", ".join(tasks) if tasks is not None else self._scorer.benchmark or str(self._scorer.registry or "all tasks")
        return f"<Evaluator of {chosen}>"

    def __call__(self, model: Any, output_path: str | None = None, epoch: int = -1, steps: int = -1) -> dict[str, float]:
        """Score the model. Returns the main score of each task, and their mean."""
        self.results = self._scorer.score(model)
        metrics = self.prefix_name_to_metrics(metrics_of(self.results), self.name)
        if hasattr(model, "model_card_data"):
            self.store_metrics_in_model_card_data(model, metrics, epoch, steps)
        return metrics

    @property
    def description(self) -> str:
        """The name of this evaluator in the model card."""
        return "mteb-host"

    def get_config_dict(self) -> dict[str, Any]:
        """The settings of this evaluator for the model card."""
        found = {"tasks": self._scorer.tasks, "benchmark": self._scorer.benchmark}
        return {key: value for key, value in found.items() if value is not None}
