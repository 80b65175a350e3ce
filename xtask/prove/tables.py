"""Tables of a made dataset: by config and split, in the layout and with the columns that a card says the hub's has."""

from itertools import count

import parts
import rows
from objects import with_objects
from words import Words

RANKING = ("Retrieval", "Reranking", "InstructionRetrieval", "InstructionReranking")


# What the splits of parts are called: as the parts, as most datasets of the hub have it; as the evaluation split; or, of a corpus, `train`.
SPLITS = ("parts", "evaluation", "train")


def tables_of(card: dict, subsets: list, words: Words, splits: str) -> dict:
    """Columns by (config, split). `subsets` are those that are run, none for a task that has only `default`.

    `splits` is one of `SPLITS`; but for the first of them, rows have the usual splits beside those of the card, for loaders that
    touch them.
    """
    if card["type"] in RANKING:
        return parts.tables_of(card, subsets, words, splits)
    tables = tables_of_rows(card, subsets, words)
    return tables if splits == SPLITS[0] else with_spare_splits(tables)


def with_spare_splits(tables: dict) -> dict:
    found = dict(tables)
    for (config, _), columns in tables.items():
        for split in ("train", "validation", "test"):
            found.setdefault((config, split), columns)
    return found


def tables_of_rows(card: dict, subsets: list, words: Words) -> dict:
    dataset, tables = card["dataset"], {}
    layout = dataset.get("layout", "config-per-subset")
    own = dataset.get("parts", {}).get("rows", {})
    if own.get("keep"):
        return {(dataset.get("config", "default"), own["split"]): by_split(card, words)}
    for part, split in own_splits(card):
        if layout == "parallel-columns":
            tables[dataset.get("config", "default"), split] = parallel(card, subsets, words, part, split)
        elif layout == "lang-column":
            tables[dataset.get("config", "default"), split] = by_language(card, subsets, words, part, split)
        else:
            for subset in subsets or [None]:
                facts = card.get("subsets", {}).get(subset, {})
                config = facts.get("config", subset) if subset else dataset.get("config", "default")
                if part == "train" and "hold_out" in facts:
                    continue
                if split in facts.get("eval_splits", [split]) or part == "train":
                    found = hub_columns(card, rows.rows_of(card, words, part, split))
                    if (config, split) in tables:
                        continue
                    tables[config, split] = with_pair(found, facts.get("columns"))
    return tables


def own_splits(card: dict) -> list:
    """The splits of the dataset that rows come from, with the part that they are."""
    dataset = card["dataset"]
    merged = dataset.get("merge_splits", {})
    found = [("rows", own) for split in card.get("eval_splits", ["test"]) for own in merged.get(split, [split])]
    if card["type"] in ("Classification", "MultilabelClassification", "Regression") and "hold_out" not in dataset:
        train = dataset.get("train_split", "train")
        found = [("train", own) for own in merged.get(train, [train])] + found
    seen: dict = {}
    for part, split in found:
        seen.setdefault(split, part)
    return [(part, split) for split, part in seen.items()]


def hub_columns(card: dict, found: dict) -> dict:
    """The same rows with what the card changes in them undone."""
    dataset = card["dataset"]
    for column in dataset.get("drop_blank", []):
        found = with_blanks(found, column)
    for column, kept in dataset.get("keep", {}).items():
        found = with_others(found, column, kept, dataset.get("label_map", {}))
    for ours, theirs in dataset.get("columns", {}).items():
        if ours in found:
            found = {theirs if name == ours else name: cells for name, cells in found.items()}
    found = with_objects(found)
    for ours, joined in dataset.get("join", {}).items():
        cells = found.pop(ours)
        names = joined["columns"] if isinstance(joined, dict) else joined
        for place, name in enumerate(names):
            found[name] = [piece(text, place, len(names)) for text in cells]
    if dataset.get("unfold"):
        found = folded(found, 1 if card["type"] == "PairClassification" else 3)
    return found


def with_blanks(found: dict, column: str) -> dict:
    """Every tenth row once more with nothing, or white space, in the column."""
    blanks = [None, "", " \n"]
    more = {name: list(cells) for name, cells in found.items()}
    for name, cells in found.items():
        more[name] += [blanks[place % 3] if name == column else cell for place, cell in enumerate(cells[::10])]
    return more


def with_others(found: dict, column: str, kept: list, mapped: dict) -> dict:
    """Every fourth row once more, with a value that is not kept: null where the card maps all other texts."""
    # Labels of real data have no gaps, and the reference numbers them anew before it draws.
    other = f"not {kept[0]}"
    if isinstance(kept[0], bool):
        other = not kept[0]
    elif isinstance(kept[0], (int, float)):
        other = next(number for number in count() if number not in kept)
    if isinstance(kept[0], str) and set(kept) == set(mapped):
        other = None
    if column not in found:
        found = found | {column: [kept[0]] * len(next(iter(found.values())))}
    more = {name: list(cells) for name, cells in found.items()}
    for name, cells in found.items():
        more[name] += [other if name == column else cell for cell in cells[::4]]
    return more


def piece(text, place: int, count: int):
    """So many of the words of a text, or of each text of a list."""
    if isinstance(text, list):
        return [piece(one, place, count) for one in text]
    words = text.split()
    size = -(-len(words) // count)
    return " ".join(words[place * size : (place + 1) * size])


def folded(found: dict, count: int) -> dict:
    """`count` rows of lists."""
    return {name: [cells[place::count] for place in range(count)] for name, cells in found.items()}


def with_pair(found: dict, columns: list | None) -> dict:
    for ours, theirs in zip(("sentence1", "sentence2"), columns or [], strict=False):
        found = {theirs if name == ours else name: cells for name, cells in found.items()}
    return found


def by_language(card: dict, subsets: list, words: Words, part: str, split: str) -> dict:
    """The rows of all subsets in one table, mixed, with the column `lang`."""
    drawn = []
    for subset in subsets:
        if part == "train" and "hold_out" in card["subsets"][subset]:
            continue
        found = hub_columns(card, rows.rows_of(card, words, part, split))
        names = list(found)
        drawn += [(subset, *cells) for cells in zip(*found.values(), strict=True)]
    words.random.shuffle(drawn)
    return {name: [row[place] for row in drawn] for place, name in enumerate(["lang", *names])}


def by_split(card: dict, words: Words) -> dict:
    """The rows of all evaluation splits in one split, mixed, with the column that names them."""
    drawn, column = [], next(iter(card["dataset"]["parts"]["rows"]["keep"]))
    for split in card["eval_splits"]:
        found = hub_columns(card, rows.rows_of(card, words, "rows", split))
        names = list(found)
        drawn += [(split, *cells) for cells in zip(*found.values(), strict=True)]
    words.random.shuffle(drawn)
    return {name: [row[place] for row in drawn] for place, name in enumerate([column, *names])}


def parallel(card: dict, subsets: list, words: Words, part: str, split: str) -> dict:
    """One column a language."""
    count = rows.wanted(card, part, split)
    names = []
    for subset in subsets:
        names += card["subsets"].get(subset, {}).get("columns") or subset.split("-")
    return {name: words.texts(count) for name in dict.fromkeys(names)}
