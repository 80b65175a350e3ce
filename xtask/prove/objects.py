"""Columns whose cells are objects."""


def with_objects(found: dict) -> dict:
    """Columns that are called as fields, `translation.en`, are those of objects in one column."""
    made = {name: cells for name, cells in found.items() if "." not in name}
    for path, cells in found.items():
        head, _, field = path.partition(".")
        if field:
            objects = made.setdefault(head, [{} for _ in cells])
            made[head] = [{**held, field: cell} for held, cell in zip(objects, cells, strict=True)]
    return made
