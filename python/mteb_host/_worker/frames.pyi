from typing import Any, BinaryIO

FAILED: int
UNSUPPORTED: int
INVALID_INPUT: int
OUT_OF_MEMORY: int
NOT_FOUND: int

class Refused(Exception):
    code: int
    def __init__(self, code: int, message: str) -> None: ...

class Memory:
    def check_process(self) -> None: ...

def cut(message: str) -> str: ...
def read_frame(stream: BinaryIO) -> tuple[int, dict[str, Any], bytes] | None: ...
def write_frame(stream: BinaryIO, number: int, header: dict[str, Any]) -> None: ...
