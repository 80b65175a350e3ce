"""What people found out of the tasks whose code loads or changes data: tables to put into their cards.

The files of `transforms/` name tasks, or patterns of names as `R2MED*` with `|` between several; of entries that fit one task,
all count, the later ones on top. `$split` in a text is what the reference says under this name of where the data is, or what a table
`values` of the task says.
"""

import fnmatch
import string
import tomllib
from pathlib import Path

from toml_text import Table


class Given:
    """All tables, by the pattern that they are for."""

    def __init__(self, folder: Path) -> None:
        files = sorted(folder.glob("*.toml"))
        self.entries = [(name, entry) for file in files for name, entry in tomllib.loads(file.read_text()).items()]

    def check(self, tasks: list) -> None:
        """Every pattern is some task's."""
        names = [task.metadata.name for task in tasks]
        for patterns, _ in self.entries:
            for pattern in patterns.split("|"):
                if not fnmatch.filter(names, pattern):
                    raise ValueError(f"expected the name of a task, or a pattern of names, found: {pattern}")

    def of(self, task) -> dict | None:
        """The tables of a task; `None` if there are none."""
        found = [entry for patterns, entry in self.entries if fits(task.metadata.name, patterns)]
        if not found:
            return None
        merged: dict = {}
        for entry in found:
            merged = joined(merged, entry)
        values = {**task.metadata.dataset, **merged.pop("values", {})}
        return filled(merged, values)


def fits(name: str, patterns: str) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns.split("|"))


def joined(left: dict, right: dict) -> dict:
    """Both, table by table; what is no table comes from the right."""
    both = dict(left)
    for name, value in right.items():
        is_table = isinstance(value, dict) and isinstance(both.get(name), dict)
        both[name] = joined(both[name], value) if is_table else value
    return both


def filled(entry, values: dict):
    if isinstance(entry, str):
        return string.Template(entry).substitute(values) if "$" in entry else entry
    if isinstance(entry, list):
        return [filled(value, values) for value in entry]
    return {name: filled(value, values) for name, value in entry.items()} if isinstance(entry, dict) else entry


def with_headings(dataset: dict) -> dict:
    """The same with `[dataset.parts.…]` under headings of their own."""
    parts = {part: Table(source) for part, source in dataset.get("parts", {}).items()}
    return {**dataset, "parts": Table(parts)} if parts else dataset
