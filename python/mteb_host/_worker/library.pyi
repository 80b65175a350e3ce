from typing import Any

from .model import Model

class SentenceTransformers(Model):
    model: Any
    def __init__(self, model: Any, name: str, revision: str | None, weights: str, prompts: dict[str, str] | None = None) -> None: ...

class SparseEncoders(SentenceTransformers): ...

class MultiVectorEncoders(SentenceTransformers): ...

class CrossEncoders(Model):
    def __init__(self, model: Any, name: str, revision: str | None, weights: str) -> None: ...
