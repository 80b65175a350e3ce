"""Columns whose cells are objects or lists."""


def with_objects(found: dict) -> dict:
    """Columns that are called as fields, `translation.en`, are those of objects in one column; `tags.0` is the first of lists."""
    made = {name: cells for name, cells in found.items() if "." not in name}
    for path, cells in found.items():
        head, _, field = path.partition(".")
        if field == "0":
            # What comes second is the first of another row, so that it matters which one counts.
            made[head] = [[cell, cells[place - 1]] for place, cell in enumerate(cells)]
        elif field:
            objects = made.setdefault(head, [{} for _ in cells])
            made[head] = [{**held, field: cell} for held, cell in zip(objects, cells, strict=True)]
    return made
