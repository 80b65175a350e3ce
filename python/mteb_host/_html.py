"""Tables for notebooks."""

from __future__ import annotations

import html
from typing import Any, Iterable, Sequence, cast

from ._visible import visible_line

# Rows of a table; of more the last line says how many there are.
_MOST = 100


def table(title: str, heads: Sequence[str], rows: Sequence[Iterable[Any]]) -> str:
    """A table in HTML.

    >>> table("Two", ("Name", "Score"), [("a<b", 0.5), ("c", None)])
    '<table><caption>Two</caption><thead><tr><th>Name</th><th>Score</th></tr></thead><tbody><tr><td>a&lt;b</td><td>0.5000</td></tr><tr><td>c</td><td>–</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{html.escape(visible_line(name))}</th>" for name in heads)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(visible_line(shown(cell)))}</td>" for cell in row) + "</tr>" for row in rows[:_MOST])
    if len(rows) > _MOST:
        body += f'<tr><td colspan="{len(heads)}">… and {len(rows) - _MOST} more</td></tr>'
    return f"<table><caption>{html.escape(visible_line(title))}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


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
