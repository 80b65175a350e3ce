"""What all models have in common, and what is to be known of weights."""

import hashlib
import os
import sys

from .frames import INVALID_INPUT, UNSUPPORTED, Refused
from .rows import MultiVectors, SparseRows


class Model:
    """A model: `info`, and `encode` or `predict`."""

    info = None

    def encode(self, texts, role, instruction):
        raise Refused(UNSUPPORTED, "this model scores pairs and encodes no texts")

    def encode_rows(self, texts, role, instruction):
        """The embeddings of a model that says `rows`: sparse rows, or several vectors a text."""
        kind = {"sparse": SparseRows, "multi-vector": MultiVectors}.get(self.info.get("rows"))
        if kind is None:
            raise Refused(UNSUPPORTED, "this model returns one row of numbers per text")
        return kind(self.encode(texts, role, instruction), len(texts), self.info["dimension"])

    def predict(self, queries, documents, instruction):
        raise Refused(UNSUPPORTED, "this model encodes texts and scores no pairs")

    def check(self):
        """Refuses to go on if the model is not any more what it was when it was made."""

    def take_notes(self):
        """What results should say of the texts since the last call, a line each."""
        return []


def dtype_of(name):
    """The torch type of `auto`, `f32`, `bf16` or `f16`."""
    import torch

    return {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}.get(name)


def device_of(name):
    return None if name == "auto" else name


def dtype_name(module):
    """The number format of a module's weights, as the interface calls it."""
    names = {"torch.float32": "f32", "torch.bfloat16": "bf16", "torch.float16": "f16"}
    parameter = next(module.parameters(), None)
    return "f32" if parameter is None else names.get(str(parameter.dtype), str(parameter.dtype))


def module_of(model):
    """The torch module that a model is or wraps; None if nobody can tell."""
    module = getattr(getattr(sys.modules.get("torch"), "nn", None), "Module", None)
    if module is not None:
        for found in (model, getattr(model, "__dict__", {}).get("model")):
            if isinstance(found, module) and next(found.parameters(), None) is not None:
                return found
    return None


def format_of(model):
    """The number format of the module in a model, as the interface calls it; empty if nobody can tell."""
    module = module_of(model)
    return "" if module is None else dtype_name(module)


def is_emulated(model, ask):
    """True if the device of a model has no instructions for its number format, and takes longer for it than for float32.

    Refused if this format was asked for."""
    import torch

    module = module_of(model)
    name = "" if module is None else dtype_name(module)
    if name not in ("bf16", "f16"):
        return False
    device = next(module.parameters()).device
    if device.type == "cpu":
        if name in ask["computes"]:
            return False
        found, other = "processor", "or on a GPU"
    else:
        # NVIDIA's GPUs multiply in bf16 since this compute capability.
        is_old = device.type == "cuda" and torch.version.hip is None and torch.cuda.get_device_capability(device) < (8, 0)
        if name == "f16" or not is_old:
            return False
        found, other = "GPU", "or `--dtype f16`"
    if ask["dtype"] == name:
        raise Refused(
            INVALID_INPUT,
            f"expected a dtype that this {found} computes in, found: {name}, which it emulates more slowly than f32; "
            f"run with `--dtype f32`, {other}",
        )
    return True


def hash_of_weights(folder):
    """SHA-256 of the weights below a folder. Files of the hub's cache are called by their own hash, and are not read for it."""
    digest, found = hashlib.sha256(), False
    for place, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith((".safetensors", ".bin", ".pt")):
                found = True
                path = os.path.join(place, name)
                target = os.path.basename(os.path.realpath(path))
                if len(target) == 64 and not set(target) - set("0123456789abcdef"):
                    digest.update(target.encode())
                    continue
                with open(path, "rb") as file:
                    for piece in iter(lambda: file.read(1 << 20), b""):
                        digest.update(piece)
    return digest.hexdigest() if found else ""
