"""Tables for notebooks, and for terminals."""

from __future__ import annotations

import html
from typing import Any, Iterable, Sequence, cast

from ._visible import visible_line

# Rows of a table; of more the last line says how many there are.
_MOST = 100


def table(title: str, heads: Sequence[str], rows: Sequence[Iterable[Any]], notes: Sequence[str] = ()) -> str:
    """A table in HTML.

    >>> table("Two", ("Name", "Score"), [("a<b", 0.5), ("c", None)])
    '<table><caption>Two</caption><thead><tr><th>Name</th><th>Score</th></tr></thead><tbody><tr><td>a&lt;b</td><td>0.5000</td></tr><tr><td>c</td><td>–</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{html.escape(visible_line(name))}</th>" for name in heads)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(visible_line(shown(cell)))}</td>" for cell in row) + "</tr>" for row in rows[:_MOST])
    if len(rows) > _MOST:
        body += f'<tr><td colspan="{len(heads)}">… and {len(rows) - _MOST} more</td></tr>'
    below = "".join(f"<p>{html.escape(visible_line(note))}</p>" for note in notes)
    return f"<table><caption>{html.escape(visible_line(title))}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"


def text_table(heads: Sequence[str], rows: Sequence[Iterable[Any]], notes: Sequence[str] = ()) -> str:
    """A table in letters of one width.

    >>> print(text_table(("Name", "Score"), [("a", 0.5), ("long", None)], ["One has no score"]))
    Name   Score
    a     0.5000
    long       –
    One has no score
    """
    lines = [list(heads), *([shown(cell) for cell in row] for row in rows[:_MOST])]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    numbers = [column > 0 and all(_is_number(line[column]) for line in lines[1:]) for column in range(len(heads))]
    told = [
        "  ".join(cell.rjust(width) if is_number else cell.ljust(width) for cell, width, is_number in zip(line, widths, numbers)).rstrip()
        for line in lines
    ]
    if len(rows) > _MOST:
        told.append(f"… and {len(rows) - _MOST} more")
    return "\n".join([*told, *notes])


def _is_number(cell: str) -> bool:
    return not cell.strip("-–0123456789.")


def shown(cell: Any) -> str:
    """A cell as people read it: a score with four digits, a dash for nothing.

    >>> shown(0.25), shown(None), shown(3), shown(("ind", "jav"))
    ('0.2500', '–', '3', 'ind, jav')
    """
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.4f}"
    if isinstance(cell, (tuple, list)):
        return ", ".join(shown(item) for item in cast("Sequence[Any]", cell))
    return str(cell)
