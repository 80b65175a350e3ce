from typing import Any, Callable

from .model import Model

class ReferenceObject(Model):
    def __init__(
        self,
        model: Any,
        name: str,
        describe: Callable[[str], dict[str, Any] | None] | None = None,
        had: Callable[[Any], Any] | None = None,
    ) -> None: ...

def is_of_reference(model: Any) -> bool: ...
def needed(kind: Any) -> dict[str, Any]: ...
def searches(found: Any) -> bool: ...
def searching(name: str) -> str: ...
