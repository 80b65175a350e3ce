"""Columns of a part of a ranking task as the hub has them: what a card changes in the part, undone."""

from words import Words


def hub_columns(part: str, columns: dict, given: dict, words: Words) -> dict:
    found = {name: list(cells) for name, cells in columns.items()}
    count = len(next(iter(found.values())))
    if "grade" in given:
        del found["score"]
    for name in given.get("without", []):
        found.setdefault(name, words.texts(count))
    for name, kept in given.get("keep", {}).items():
        found = with_others(part, found, name, kept[0], f"not {kept[0]}", words)
    for name, dropped in given.get("drop", {}).items():
        found = with_others(part, found, name, dropped[0] + 1 if is_number(dropped[0]) else f"not {dropped[0]}", dropped[0], words)
    for name, join in given.get("join", {}).items():
        found = {**found, **pieces(found.pop(name), join)}
    for ours, theirs in given.get("columns", {}).items():
        found = {theirs if name == ours else name: cells for name, cells in found.items()}
    return folded(found) if given.get("unfold") else found


def is_number(value) -> bool:
    return isinstance(value, (int, float))


def with_others(part: str, found: dict, column: str, own, other, words: Words) -> dict:
    """A column of one value, and rows of another one that the task must not have: other documents, queries or judgements."""
    count = len(next(iter(found.values())))
    more = {name: list(cells) for name, cells in found.items()}
    more[column] = more.get(column, [own] * count)
    judged = set(zip(found.get("query-id", []), found.get("corpus-id", []), strict=True))
    for row in range(0, count, 3):
        copy = {name: more[name][row] for name in more} | {column: other}
        if part == "qrels":
            copy["corpus-id"] = next(f"d{place}" for place in range(60) if (copy["query-id"], f"d{place}") not in judged)
            judged.add((copy["query-id"], copy["corpus-id"]))
        else:
            copy["_id"] = f"other {copy['_id']}"
            copy["text"] = words.text()
        for name, cell in copy.items():
            more[name].append(cell)
    return more


def pieces(texts: list, join) -> dict:
    """The columns of which texts are made; of short texts the last ones are empty."""
    names = join if isinstance(join, list) else join["columns"]
    split = [text.split() for text in texts]
    size = -(-max(map(len, split)) // len(names))
    return {name: [" ".join(parts[place * size : (place + 1) * size]) for parts in split] for place, name in enumerate(names)}


def folded(found: dict) -> dict:
    """One row for each value of the first column, with lists of the others."""
    key, *others = found
    rows: dict = {}
    for place, value in enumerate(found[key]):
        rows.setdefault(value, []).append(place)
    return {key: list(rows), **{name: [[found[name][place] for place in places] for places in rows.values()] for name in others}}
