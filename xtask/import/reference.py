"""The text tasks, benchmarks and models of the installed reference, without its warnings."""

import logging
import os
import warnings

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")

# Loaders are followed without their files.
os.environ["HF_HUB_OFFLINE"] = "1"

import mteb  # noqa: E402

VERSION = mteb.__version__


def is_text(task) -> bool:
    return set(task.metadata.modalities) == {"text"}


def text_tasks() -> list:
    """Every text task, superseded, beta and private ones too, by name."""
    tasks = mteb.get_tasks(exclude_superseded=False, exclude_beta=False, exclude_private=False)
    return sorted((task for task in tasks if is_text(task)), key=lambda task: task.metadata.name)


def text_benchmarks() -> list:
    """Every benchmark of which all tasks are text tasks, by name."""
    benchmarks = [found for found in mteb.get_benchmarks() if all(is_text(task) for task in found.tasks)]
    return sorted(benchmarks, key=lambda found: found.name)


def text_models() -> list:
    """What the reference's registry says of every model that takes texts, by name."""
    models = [found for found in mteb.get_model_metas() if "text" in found.modalities]
    return sorted(models, key=lambda found: found.name)


def base_of(task) -> type:
    """The class of the reference that evaluates tasks of this kind."""
    return next(c for c in type(task).__mro__ if c.__module__.startswith("mteb.abstasks"))


def own_members(task) -> dict:
    """What the task's own classes define, the most derived first: its options and its code."""
    members = {}
    for owner in reversed(type(task).__mro__):
        if owner.__module__.startswith("mteb.tasks"):
            members.update({name: value for name, value in vars(owner).items() if not name.startswith("__")})
    return members
