"""Repositories of models: where they lie in the hub's cache, and the code in them."""

import hashlib
import sys

from .frames import INVALID_INPUT, NOT_FOUND, Refused


def in_cache(name, revision):
    """The folder of a model in the hub's cache; its files say which kind of model it is."""
    from huggingface_hub import snapshot_download

    # The library finds its own organisation's models without that name, too.
    names = [name] if "/" in name else [name, f"sentence-transformers/{name}"]
    for known in names:
        try:
            return snapshot_download(known, revision=revision, local_files_only=True)
        except Exception as error:  # noqa: BLE001 - whatever the library raises, the model is not there
            why = type(error).__name__
    raise Refused(NOT_FOUND, f"expected a folder with a model, or the name of one in the hub's cache, found: {name} ({why})")


def refuse_code():
    """Lets no code of a model's repository run: a loader of the reference may ask for it, whatever the user has said."""
    try:
        from transformers import dynamic_module_utils
    except ImportError:
        return

    def refuse(repository, *_, **__):
        raise Refused(
            INVALID_INPUT,
            f"{repository}: the model needs code of this repository, which is not run; if you trust it, add `--trust-remote-code`",
        )

    # Every way to such code leads through this function.
    dynamic_module_utils.get_cached_module_file = refuse


def with_code(weights):
    """The hash of the weights, with that of the code of repositories which has been loaded."""
    digests = set()
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None) or ""
        if name.startswith("transformers_modules.") and path.endswith(".py"):
            with open(path, "rb") as file:
                digests.add(hashlib.sha256(file.read()).hexdigest())
    return hashlib.sha256("".join([weights, *sorted(digests)]).encode()).hexdigest() if weights and digests else weights
