"""Which model a torch module is: a hash of its weights, its configuration, and the user's own code in it.

A step of training makes another model; computing with it does not.
"""

from __future__ import annotations

import collections
import enum
import functools
import hashlib
import importlib
import inspect
import json
import sys
from typing import Any, Callable, cast

from .code import code_of, is_own

# Attributes that say how a module is used, or what for, and not what it computes.
_OF_USE = {
    "training",
    "name_or_path",
    "warnings_issued",
    "gradient_checkpointing",
    "model_card_data",
    "trainer",
    "device",
    "default_prompt_name",
}
# What configurations hold beside settings.
_OF_FILES = {"_name_or_path", "transformers_version", "torch_dtype", "dtype"}
_DEEPEST = 6
_PLAIN = (type(None), bool, int, float, complex, str, bytes)


def hash_of_module(module: Any) -> str:
    """SHA-256 of all that makes the numbers of a torch module."""
    return _Hash().of(module)


def described(value: Any) -> str:
    """A text that is another one where the code or the values of an object of the user's own are."""
    return _Hash().described(value)


class _Hash:
    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.classes: set[type] = set()

    def of(self, module: Any) -> str:
        for name, tensor in [*module.named_parameters(), *module.named_buffers()]:
            self.add(name)
            self.add_tensor(tensor)
        for name, part in module.named_modules():
            self.add(name)
            self.add_part(part, is_module)
        return self.digest.hexdigest()

    def add_part(self, part: Any, is_part: Callable[[Any], bool]) -> None:
        """What a part of the model computes with beside its weights."""
        kind = cast("type[Any]", type(part))
        self.add(f"{kind.__module__}.{kind.__qualname__}", part.extra_repr())
        if is_own(kind):
            self.add_class(kind)
        else:
            self.add(*_patched(kind, self.described))
        for key, value in sorted(_held(part, is_part).items()):
            if key not in _OF_USE and not is_part(value):
                self.add(key, self.described(value))
        for hooks in ("_forward_hooks", "_forward_pre_hooks"):
            self.add(self.described(list(getattr(part, hooks, {}).values())))
        for key in ("max_seq_length", "similarity_fn_name", "tokenizer"):
            # Properties of the library's classes.
            if isinstance(getattr(kind, key, None), property):
                self.add(key, self.described(_property(part, key)))

    def add(self, *texts: str) -> None:
        for text in texts:
            data = text.encode(errors="backslashreplace")
            self.digest.update(len(data).to_bytes(8, "little") + data)

    def add_class(self, kind: type) -> None:
        if kind not in self.classes:
            self.classes.add(kind)
            self.add(code_of(kind, self.described))

    def add_tensor(self, tensor: Any) -> None:
        self.add(str(tensor.dtype), str(tuple(tensor.shape)))
        self.digest.update(_bytes_of(tensor))

    def described(self, value: Any, depth: int = 0) -> str:
        """A text that is another one where the value is."""
        if isinstance(value, enum.Enum):
            return str(value)
        if isinstance(value, _PLAIN):
            return repr(value)
        if depth > _DEEPEST:
            return type(value).__qualname__
        if isinstance(value, dict):
            items = cast("dict[Any, Any]", value).items()
            pairs = (f"{self.described(key, depth + 1)}:{self.described(item, depth + 1)}" for key, item in items)
            return "{" + ",".join(sorted(pairs)) + "}"
        if isinstance(value, (set, frozenset)):
            return "{" + ",".join(sorted(self.described(item, depth + 1) for item in cast("set[Any]", value))) + "}"
        if isinstance(value, bytearray):
            return repr(value)
        if isinstance(value, functools.partial):
            held = cast("functools.partial[Any]", value)
            return "partial" + self.described([held.func, held.args, held.keywords], depth + 1)
        if isinstance(value, (list, tuple, collections.deque)):
            return "[" + ",".join(self.described(item, depth + 1) for item in cast("list[Any]", value)) + "]"
        return self.of_object(value, depth)

    def of_object(self, value: Any, depth: int) -> str:
        name = f"{type(value).__module__}.{type(value).__qualname__}"
        if inspect.isclass(value):
            # Those of numpy and torch have the attributes of their objects.
            return value.__qualname__ + (code_of(value, self.described) if is_own(value) else "")
        if hasattr(value, "detach") and hasattr(value, "shape"):
            return name + hashlib.sha256(_bytes_of(value)).hexdigest()
        if hasattr(value, "__array_interface__"):
            return name + str(value.dtype) + str(value.shape) + hashlib.sha256(value.tobytes()).hexdigest()
        if hasattr(value, "named_modules"):
            # Reached by its own name, or hashed where it is none of the parts.
            return name
        if hasattr(value, "backend_tokenizer"):
            return name + _of_tokenizer(value.backend_tokenizer) + self.described(value.init_kwargs, depth + 1)
        if hasattr(value, "to_str") and hasattr(value, "get_vocab_size"):
            return name + _of_tokenizer(value)
        if hasattr(value, "get_vocab") and hasattr(value, "init_kwargs"):
            return name + self.described(value.get_vocab(), depth + 1) + self.described(value.init_kwargs, depth + 1)
        if hasattr(value, "to_diff_dict"):
            settings = {key: item for key, item in value.to_dict().items() if key not in _OF_FILES}
            return name + self.described(settings, depth + 1)
        if callable(value):
            found = getattr(value, "__qualname__", name)
            return found + (code_of(value, self.described) if is_own(value) else "")
        return name + self.described(_held(value, is_module), depth + 1)


def _held(value: Any, is_part: Callable[[Any], bool]) -> dict[str, Any]:
    """The attributes that say what an object computes: of a library's what has a public name, of the user's own all."""
    held = dict(cast("dict[str, Any]", getattr(value, "__dict__", {})))
    for kind in type(value).__mro__:
        slots = vars(kind).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else cast("tuple[str, ...]", tuple(slots)):
            if hasattr(value, name):
                held[name] = getattr(value, name)
    # What torch itself keeps in a module: its parts and weights are hashed as such, its hooks too.
    of_torch = cast("dict[str, Any]", vars(_empty_module())) if is_part(value) else {}
    has_all = is_own(type(value))
    return {key: item for key, item in held.items() if not key.startswith("_") or (has_all and key not in of_torch)}


def _empty_module() -> Any:
    return cast(Any, importlib.import_module("torch")).nn.Module()


def _patched(kind: type, describe: Callable[[Any], str]) -> list[str]:
    """The methods that a user has put into classes of a library."""
    found: list[str] = []
    for part in kind.__mro__:
        methods = [(name, method) for name, method in vars(part).items() if inspect.isfunction(method) and is_own(method)]
        if not is_own(part):
            found += [f"{part.__qualname__}.{name}={code_of(method, describe)}" for name, method in sorted(methods)]
    return found


def _property(part: Any, key: str) -> Any:
    try:
        return getattr(part, key)
    except Exception:  # noqa: BLE001 - a property that cannot be had says nothing
        return None


def _bytes_of(tensor: Any) -> Any:
    torch = cast(Any, importlib.import_module("torch"))
    plain = tensor.detach().to_dense() if tensor.layout != torch.strided else tensor.detach()
    plain = plain.cpu().contiguous().reshape(-1)
    return memoryview(plain.view(torch.uint8).numpy()) if plain.numel() else b""


def _of_tokenizer(tokenizer: Any) -> str:
    """A tokenizer without the truncation and padding that each call sets anew."""
    settings = json.loads(tokenizer.to_str())
    settings.pop("truncation", None)
    settings.pop("padding", None)
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()


def is_module(found: Any) -> bool:
    """True of a torch module with weights; torch is not loaded for it."""
    module = getattr(getattr(sys.modules.get("torch"), "nn", None), "Module", None)
    return module is not None and isinstance(found, module)
