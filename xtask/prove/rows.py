"""Rows of each task type in the protocol's columns, before a card's changes are undone."""

import inspect

import mteb
from words import Words

# Labels that a task's rows have where its card names none.
NUMBERS, NAMES = [0, 1, 2, 3], ["alam", "bumi", "cuaca", "desa"]


def rows_of(card: dict, words: Words, part: str, split: str) -> dict:
    """Columns of the rows of one split of one subset; `part` is `rows` or `train`."""
    found = MAKERS[card["type"]](card, words, part, wanted(card, part, split))
    drawn_by = card.get("dataset", {}).get("subsample", {}).get("label")
    renamed = {theirs for ours, theirs in card.get("dataset", {}).get("columns", {}).items() if ours in found}
    if drawn_by and drawn_by not in found and drawn_by not in renamed:
        found[drawn_by] = words.labels(len(next(iter(found.values()))), NUMBERS)
    by = card.get("dataset", {}).get("hold_out", {}).get("by")
    if by and by not in found:
        found[by] = words.labels(len(next(iter(found.values()))), NAMES)
    return found


def wanted(card: dict, part: str, split: str) -> int:
    """Rows enough for real draws: more than a subsample keeps, and than a classifier learns from."""
    dataset, protocol = card.get("dataset", {}), card.get("protocol", {})
    least = 90 + 4 * protocol.get("samples_per_label", 8) if part == "train" else 40
    if card["type"] == "Regression" and part == "train":
        least = 2300
    if card["type"] == "Clustering":
        least = 60 if protocol.get("legacy") else 1500 if len(card.get("subsets", {})) < 13 else 200
    subsample = dataset.get("subsample")
    if subsample and split in subsample.get("splits", card.get("eval_splits", ["test"])):
        least = max(least, subsample.get("rows", 2048) + 60)
    if hold_out := dataset.get("hold_out"):
        least = max(least, 200, hold_out.get("test", 0) + hold_out.get("train", 0) + 60)
    return max(least, dataset.get("first_rows", 0) + 10)


def known_labels(card: dict, words: Words, column: str) -> list:
    """The labels that the card knows of, else four numbers or names."""
    dataset = card.get("dataset", {})
    if column in dataset.get("keep", {}):
        return list(dataset["keep"][column])
    if "label_map" in dataset:
        numbers = [int(label) for label in dataset["label_map"] if label.lstrip("-").isdigit()]
        # A column has one type; of names and numbers, the names have more to go wrong.
        return [label for label in dataset["label_map"] if not label.lstrip("-").isdigit()] or numbers
    if dataset.get("encode_labels"):
        return NAMES
    if dataset.get("subsample", {}).get("class_numbers"):
        return NUMBERS
    return NUMBERS if words.random.random() < 0.7 else NAMES


def classification(card: dict, words: Words, part: str, count: int) -> dict:
    if "soft_labels" in card.get("dataset", {}):
        return {"text": words.texts(count), **weights(card["dataset"]["soft_labels"], words, part, count)}
    labels = words.shared("labels", lambda: known_labels(card, words, "label"))
    return {"text": words.texts(count), "label": words.labels(count, labels)}


def weights(soft: dict, words: Words, part: str, count: int) -> dict:
    """Rows to learn from have a weight a class, as a text, and rows to score a name; some have neither, and are left out."""
    names = words.labels(count, soft["classes"])
    if part != "train":
        return {soft["column"]: ["?" if words.chance(0.1) else name for name in names]}
    lists = [[1.0 if name == known else round(words.random.uniform(0, 0.9), 2) for known in soft["classes"]] for name in names]
    return {soft["column"]: [str(found[:-1] if words.chance(0.1) else found) for found in lists]}


def multilabel(card: dict, words: Words, part: str, count: int) -> dict:
    labels = words.shared("labels", lambda: known_labels(card, words, "label"))
    drawn = [[label for label in labels if words.chance(0.4)] or [words.random.choice(labels)] for _ in range(count)]
    return {"text": words.texts(count), "label": drawn}


def clustering(card: dict, words: Words, part: str, count: int) -> dict:
    protocol = card.get("protocol", {})
    if protocol.get("legacy") and not {"unfold", "fold"} & set(card.get("dataset", {})):
        sets = [(words.texts(count), words.labels(count, NAMES)) for _ in range(3)]
        return {"sentences": [texts for texts, _ in sets], "labels": [labels for _, labels in sets]}
    labels = words.labels(count, words.shared("labels", lambda: known_labels(card, words, "labels")))
    if split := card.get("dataset", {}).get("split_labels"):
        labels = [split["at"].join([f"{label}", *words.random.choices("xyz", k=words.random.randint(0, 2))]) for label in labels]
    deep = "max_depth" in protocol and "subsample" not in card.get("dataset", {})
    if deep:
        labels = [[f"{label}", f"{label}.{words.random.randint(0, 2)}"] for label in labels]
    return {"sentences": words.texts(count), "labels": labels}


def pairs(card: dict, words: Words, part: str, count: int) -> dict:
    mapped = card.get("dataset", {}).get("label_map")
    labels = known_labels(card, words, "labels") if mapped or "labels" in card["dataset"].get("keep", {}) else [0, 1]
    return {"sentence1": words.texts(count), "sentence2": words.texts(count), "labels": words.labels(count, labels)}


def similarities(card: dict, words: Words, part: str, count: int) -> dict:
    protocol = card.get("protocol", {})
    low, high = protocol.get("min_score", 0.0), protocol.get("max_score", 5.0)
    scores = [round(words.random.uniform(low, high), 2) for _ in range(count)]
    if reads(card["name"], "float("):
        # What the reference makes a number of, is a text on the hub.
        scores = [str(score) for score in scores]
    return {"sentence1": words.texts(count), "sentence2": words.texts(count), "score": scores}


def reads(name: str, sign: str) -> bool:
    """True if the reference's code that changes the task's rows has this in it."""
    change = vars(type(mteb.get_task(name))).get("dataset_transform")
    return change is not None and sign in inspect.getsource(change).replace('"', "'")


def bitexts(card: dict, words: Words, part: str, count: int) -> dict:
    """Each text once: which of equal ones the reference finds depends on the last bit of a product."""
    sides = [[f"{words.text()} {row}" for row in range(count)] for _ in range(2)]
    if reads(card["name"], "['gold']"):
        # One row of all texts, and the numbers of those that belong together, from 1.
        gold = [[row + 1, row + 1] for row in range(count) if words.chance(0.5)]
        return {"sentence1": [sides[0]], "sentence2": [sides[1]], "gold": [gold]}
    return {"sentence1": sides[0], "sentence2": sides[1]}


def summaries(card: dict, words: Words, part: str, count: int) -> dict:
    def lists(size, draw):
        return [[draw() for _ in range(size)] for _ in range(count)]

    return {
        "text": words.texts(count),
        "human_summaries": lists(3, words.text),
        "machine_summaries": lists(6, words.text),
        "relevance": lists(6, lambda: round(words.random.uniform(1, 5), 2)),
    }


def numbers(card: dict, words: Words, part: str, count: int) -> dict:
    """Each text once: products of equal rows may differ in their last bit, and then have an order."""
    texts = [f"{words.text()} {row}" for row in range(count)]
    return {"text": texts, "value": [round(words.random.uniform(-3, 3), 3) for _ in range(count)]}


MAKERS = {
    "Classification": classification,
    "MultilabelClassification": multilabel,
    "Clustering": clustering,
    "PairClassification": pairs,
    "STS": similarities,
    "BitextMining": bitexts,
    "Summarization": summaries,
    "Regression": numbers,
}
