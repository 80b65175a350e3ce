"""Ranking tasks that are made of rows with a query and its document, which have no ids of their own."""

from objects import with_objects
from words import Words

ROWS = 40
# What loaders read of rows beside what a card names.
BESIDE = ("id", "uuid", "parsed")


def tables_of(card: dict, words: Words) -> dict:
    """Columns by (config, split)."""
    dataset, tables = card["dataset"], {}
    count = max(ROWS, dataset.get("first_rows", 0) + 10)
    for split in card.get("eval_splits", ["test"]):
        own = dataset.get("merge_splits", {}).get(split, [split])[0]
        for part in ("corpus", "queries", "qrels"):
            given = dataset["parts"][part]
            found = tables.setdefault((given["config"], own), {})
            for name in texts_of(part, given):
                found.setdefault(name, words.texts(count))
            for name in BESIDE:
                found.setdefault(name, [f"{name}{row}" for row in range(count)])
        judged = dataset["parts"]["qrels"]
        if "corpus-id" in judged.get("columns", {}):
            column = judged["columns"]["corpus-id"]
            if column == dataset["parts"]["corpus"].get("columns", {}).get("_id"):
                continue
            ids = tables[dataset["parts"]["corpus"]["config"], own]["id"]
            tables[judged["config"], own][column] = [words.random.choice(ids) for _ in range(count)]
    return {place: with_objects(columns) for place, columns in tables.items()}


def texts_of(part: str, given: dict) -> list:
    """The columns of a part that hold texts."""
    names = [*given.get("columns", {}).values(), *(name for names in given.get("number", {}).values() for name in names)]
    if part != "qrels" and "text" not in given.get("columns", {}):
        names.append("text")
    return [*names, "title"] if part == "corpus" else names
