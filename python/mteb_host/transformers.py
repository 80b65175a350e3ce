"""A callback for training with transformers, which scores the model whenever its trainer evaluates.

    from mteb_host.transformers import Callback

    def encoder(model):
        return lambda texts: mean_pooled(model, tokenizer, texts)

    trainer = Trainer(model=model, args=args, callbacks=[Callback(["STSBenchmark"], encoder=encoder)])
"""

from __future__ import annotations

import inspect
import os
from typing import TYPE_CHECKING, Any, Callable

from ._results import Results
from ._training import Scorer, metrics_of

if TYPE_CHECKING:

    class TrainerCallback:
        """The library's own class."""

else:
    from transformers import TrainerCallback


class Callback(TrainerCallback):
    """Scores the model on tasks at each evaluation, each save or the end of each epoch. Writes the main scores into the trainer's log, as
    `eval_mteb_TASK_main_score` and `eval_mteb_mean_main_score`.

    Args:
        tasks: Names of tasks, or tasks of `get_tasks`. None selects all tasks of the registry or benchmark.
        encoder: A function that receives the trainer's model and returns a model for `mteb_host.run`, such as a function of texts. None if
            the trainer's model is one already, such as a `SentenceTransformer`.
        at: When to score: `"evaluate"`, `"save"` or `"epoch"`.
        registry: A registry, by name or file.
        benchmark: A benchmark: its name, or one of `get_benchmarks`.
        output_folder: Folder for the result files. None saves no files.
        quiet: Do not show the output of the program.
        options: Any other option of `mteb_host.run`.
    """

    def __init__(
        self,
        tasks: Any = None,
        *,
        encoder: Callable[[Any], Any] | None = None,
        at: str = "evaluate",
        registry: str | os.PathLike[str] | None = None,
        benchmark: Any = None,
        output_folder: str | os.PathLike[str] | None = None,
        quiet: bool = True,
        **options: Any,
    ) -> None:
        if at not in ("evaluate", "save", "epoch"):
            raise ValueError(f"expected `at` to be evaluate, save or epoch, found: {at}")
        if encoder is not None and not _is_function_of_model(encoder):
            found = type(encoder).__name__
            raise TypeError(
                "expected `encoder` to be a function that is given the trainer's model and returns a model for `mteb_host.run`, "
                f"found an object of {found}; leave it out if the trainer's model is one already, else write "
                "`encoder=lambda model: …`"
            )
        self.at, self.encoder = at, encoder
        self._scorer = Scorer(tasks, registry, benchmark, output_folder, quiet, options)
        # Those of all calls, by the step of each.
        self.results: dict[int, Results] = {}

    def on_evaluate(self, args: Any, state: Any, control: Any, **given: Any) -> None:
        """Called by the trainer."""
        if self.at == "evaluate":
            self._score(state, given.get("model"), given.get("metrics"))

    def on_save(self, args: Any, state: Any, control: Any, **given: Any) -> None:
        """Called by the trainer."""
        if self.at == "save":
            self._score(state, given.get("model"), None)

    def on_epoch_end(self, args: Any, state: Any, control: Any, **given: Any) -> None:
        """Called by the trainer."""
        if self.at == "epoch":
            self._score(state, given.get("model"), None)

    def _score(self, state: Any, model: Any, metrics: dict[str, Any] | None) -> None:
        if not state.is_world_process_zero:
            return
        # The mode of training is that of the module, whatever is made of it.
        is_training = getattr(model, "training", False) is True
        if is_training:
            model.eval()
        try:
            results = self._scorer.score(model if self.encoder is None else self.encoder(model))
        finally:
            if is_training:
                model.train()
        self.results[state.global_step] = results
        found = {f"eval_mteb_{name}": score for name, score in metrics_of(results).items()}
        if metrics is not None:
            metrics.update(found)
        state.log_history.append({**found, "step": state.global_step, "epoch": state.epoch})


def _is_function_of_model(found: Any) -> bool:
    """False of what is a model itself, which may be called, too: with the trainer's model it would fail amid the training."""
    is_model = any(callable(getattr(found, name, None)) for name in ("encode", "predict", "named_modules"))
    return callable(found) and (inspect.isclass(found) or not is_model)
