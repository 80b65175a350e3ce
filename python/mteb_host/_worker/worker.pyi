from typing import Any, Callable

from .frames import Memory
from .model import Model

OWN: set[str]

class Worker:
    memory: Memory
    model: Model | None
    def __init__(self, memory: int, loaders: dict[str, Callable[[dict[str, Any]], Model]] = ...) -> None: ...
    def answer(self, ask: dict[str, Any], payload: bytes) -> dict[str, Any]: ...

def text_of(error: BaseException) -> str: ...
def failure(error: BaseException, is_made: bool) -> dict[str, Any]: ...
