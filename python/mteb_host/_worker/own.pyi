from typing import Any

from .model import Model

class Own(Model):
    model: Any
    def __init__(self, model: Any, name: str, weights: str, beside: Any, revision: str | None = None) -> None: ...
    def given(self, found: Any) -> Any: ...
