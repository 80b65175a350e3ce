"""Whether the files of a model fill all of its layers: transformers makes up numbers for those that no tensor fills, and reads those of a
quantised checkpoint without settings as plain ones."""

import contextlib
import json
import os
import struct

from .frames import INVALID_INPUT, Refused

# Names in a message.
SHOWN = 3

# Number formats of safetensors that weights have before they are quantised; places of tokens are whole numbers of 64 bits.
PLAIN = ("F64", "F32", "F16", "BF16", "I64", "BOOL")

# The longest head that the library of the format reads.
LONGEST_HEAD = 100_000_000


@contextlib.contextmanager
def checked():
    """Refuses what is loaded meanwhile if transformers made up a layer of it that counts."""
    try:
        from transformers import PreTrainedModel
    except ImportError:
        # Models of other libraries alone.
        yield
        return
    original, loaded = PreTrainedModel.__dict__["from_pretrained"], []

    def from_pretrained(kind, *given, output_loading_info=False, **more):
        model, info = original.__func__(kind, *given, output_loading_info=True, **more)
        loaded.append((model, info))
        return (model, info) if output_loading_info else model

    PreTrainedModel.from_pretrained = classmethod(from_pretrained)
    try:
        yield
    finally:
        PreTrainedModel.from_pretrained = original
    for model, info in loaded:
        refuse_made_up(model, info)


def refuse_made_up(model, info):
    """Refuses a model with a layer that no tensor of its files fills.

    Raises:
        Refused: If there is one; it is named.
    """
    has = {name for name, _ in model.named_parameters(remove_duplicate=False)}
    # What is no parameter is computed, and no random number.
    made_up = sorted(name for name in has & set(info["missing_keys"]) if counts(model, name))
    # In some versions with both shapes.
    made_up += sorted(name if isinstance(name, str) else name[0] for name in info.get("mismatched_keys") or ())
    if not made_up:
        return
    left = sorted(info.get("unexpected_keys") or ())
    found = f", found {listed(left)}, which no layer takes" if left else ", found none"
    raise Refused(
        INVALID_INPUT,
        f"expected a tensor for every layer of {type(model).__name__}: {listed(made_up)}{found}; transformers would make these up, most at "
        "random, and each run would have other scores",
    )


def counts(model, name):
    """False for the pooler of a model whose rows of tokens alone are taken: many checkpoints have none."""
    return "pooler" not in name.split(".") or not type(model).__name__.endswith("Model")


def listed(names):
    """The first names of a list."""
    shown = ", ".join(f"`{name}`" for name in names[:SHOWN])
    return f"{shown} and {len(names) - SHOWN} more" if len(names) > SHOWN else shown


def refuse_lost_settings(folder):
    """Refuses files with weights in a number format of quantised ones that nothing says how to read: they would be taken for plain numbers.

    Raises:
        Refused: If there is one; the first is named.
    """
    for place, _, names in sorted(os.walk(folder)):
        if "config.json" not in names or says_how(os.path.join(place, "config.json")):
            continue
        for name in sorted(names):
            if name == "model.safetensors" or (name.startswith("model-") and name.endswith(".safetensors")):
                refuse_narrow(os.path.join(place, name))


def refuse_narrow(file):
    for name, kind in formats(file):
        if name.endswith(("weight", "bias")) and kind not in PLAIN:
            raise Refused(
                INVALID_INPUT,
                f"{file}: expected `quantization_config` in the `config.json` beside it, because the tensor `{name}` has numbers of the format "
                f"{kind}, found none; without it they would be taken for plain numbers",
            )


def says_how(config):
    """True if a configuration says how its checkpoint was quantised, or cannot be read: whoever loads it says why."""
    try:
        with open(config, encoding="utf-8") as file:
            said = json.load(file)
    except (OSError, ValueError):
        return True
    return not isinstance(said, dict) or bool(said.get("quantization_config") or said.get("compression_config"))


def formats(file):
    """Names and number formats of the tensors of a file, in the order of their names; none of one that is damaged, which loading says."""
    try:
        with open(file, "rb") as stream:
            (length,) = struct.unpack("<Q", stream.read(8))
            head = json.loads(stream.read(min(length, LONGEST_HEAD)))
    except (OSError, ValueError, struct.error):
        return []
    tensors = head.items() if isinstance(head, dict) else ()
    return sorted((name, entry["dtype"]) for name, entry in tensors if isinstance(entry, dict) and "dtype" in entry)
