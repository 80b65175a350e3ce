"""Writes TOML as the hand-written cards have it: short lists and tables in one line, long ones one entry a line."""

import json
import re

WIDTH = 118
BARE = re.compile(r"[A-Za-z0-9_-]+")


class Table(dict):
    """A table that is written under a heading of its own."""


class Literal(str):
    """A text of several lines, written as it is."""


def document(head: dict) -> str:
    """A file: plain keys first, then tables."""
    lines = [f"{key(name)} = {value(entry, name)}" for name, entry in head.items() if not is_heading(entry)]
    blocks = ["\n".join(lines)]
    for name, entry in head.items():
        if isinstance(entry, Table):
            blocks.extend(tables([name], entry))
        elif is_heading(entry):
            blocks.extend(block for row in entry for block in rows(key(name), row))
    return "\n\n".join(block for block in blocks if block) + "\n"


def is_heading(entry) -> bool:
    return isinstance(entry, Table) or (isinstance(entry, list) and bool(entry) and isinstance(entry[0], Table))


def tables(path: list, table: Table) -> list:
    heading = f"[{'.'.join(key(step) for step in path)}]"
    inner = [block for name, entry in table.items() if isinstance(entry, Table) for block in tables([*path, name], entry)]
    own = body(table)
    return ["\n".join([heading, *own]), *inner] if own or not inner else inner


def rows(path: str, row: Table) -> list:
    """One entry of a list of tables, and the lists of tables in it."""
    inner = [(name, entry) for name, entry in row.items() if is_heading(entry)]
    below = [block for name, entries in inner for entry in entries for block in rows(f"{path}.{key(name)}", entry)]
    return ["\n".join([f"[[{path}]]", *body(row)]), *below]


def body(table: dict) -> list:
    plain = ((name, entry) for name, entry in table.items() if not is_heading(entry))
    return [f"{key(name)} = {value(entry, name)}" for name, entry in plain]


def key(name: str) -> str:
    return name if BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def value(entry, name: str = "") -> str:
    if isinstance(entry, Literal):
        return literal(entry)
    if isinstance(entry, bool):
        return "true" if entry else "false"
    if isinstance(entry, str):
        return text(entry)
    if isinstance(entry, (int, float)):
        return repr(entry)
    if isinstance(entry, dict):
        return "{ " + ", ".join(f"{key(inner)} = {value(found)}" for inner, found in entry.items()) + " }"
    line = "[" + ", ".join(value(found) for found in entry) + "]"
    if len(name) + 3 + len(line) <= WIDTH:
        return line
    return "[\n" + "".join(f"    {value(found)},\n" for found in entry) + "]"


def text(entry: str) -> str:
    written = json.dumps(entry, ensure_ascii=False)
    return written.replace("\x7f", "\\u007f")


def literal(entry: str) -> str:
    entry = entry.strip("\n")
    if "'''" in entry or entry.endswith("'") or "\r" in entry:
        return text(entry + "\n")
    return f"'''\n{entry}\n'''"
