"""Corpus, queries, judgements and the other parts of ranking tasks."""

import from_rows
import undone
from words import Words

DOCUMENTS, QUERIES = 60, 12
# What loaders read of judgements and use for other tasks of the same data alone.
BESIDE = {"datalyes/DAPFAM_patent": {"domain_rel": "IN"}}


def tables_of(card: dict, subsets: list, words: Words, splits: str) -> dict:
    """Columns by (config, split)."""
    dataset, tables = card["dataset"], {}
    if dataset.get("layout") == "belebele":
        return belebele(card, subsets, words)
    if any("number" in given for given in dataset.get("parts", {}).values()):
        return from_rows.tables_of(card, words)
    for subset in subsets or [None]:
        facts = card.get("subsets", {}).get(subset, {})
        for split in facts.get("eval_splits", card.get("eval_splits", ["test"])):
            for part, columns in drawn(card, words).items():
                given = filled(dataset.get("parts", {}).get(part, {}), facts.get("config", subset), split)
                config = given.get("config") or config_of(dataset, part, facts.get("config", subset))
                shown = part if splits == "parts" and part != "qrels" else "train" if splits == "train" and part == "corpus" else split
                columns = undone.hub_columns(part, columns, given, words)
                if part == "qrels":
                    columns = with_spare(columns, BESIDE.get(dataset["hub"], {}))
                add(tables, (config, given.get("split", shown)), columns)
    return tables


def with_spare(columns: dict, spare: dict) -> dict:
    count = len(next(iter(columns.values())))
    return {**columns, **{name: [cell] * count for name, cell in spare.items() if name not in columns}}


def filled(given: dict, subset: str | None, split: str) -> dict:
    """The same with the names that stand for the subset and the split."""
    places = {name: given[name].replace("{subset}", subset or "").replace("{split}", split) for name in ("config", "split") if name in given}
    return {**given, **places}


def add(tables: dict, place: tuple, columns: dict) -> None:
    """Parts that share rows have their columns side by side, by the first one; of several splits that share a corpus, the
    first one's stays."""
    if place not in tables:
        tables[place] = columns
        return
    found = tables[place]
    key = next(iter(found))
    rows = {cell: row for row, cell in enumerate(columns.get(key, []))}
    for name, cells in columns.items():
        if name not in found and set(rows) >= set(found[key]):
            found[name] = [cells[rows[cell]] for cell in found[key]]


def config_of(dataset: dict, part: str, subset: str | None) -> str:
    if dataset.get("layout") == "part-suffix":
        return f"{'default' if part == 'qrels' else part}-{subset}"
    if subset is None:
        return "default" if part == "qrels" else part
    return f"{subset}-{part}"


def drawn(card: dict, words: Words) -> dict:
    """Columns by part. Ids are the same in every split and subset, so that splits may share a corpus."""
    documents = [f"d{place}" for place in range(DOCUMENTS)]
    queries = query_ids(card)
    graded = [(query, document, grade(words)) for query in queries for document in words.random.sample(documents, 5)]
    if not any(score > 0 for _, _, score in graded):
        graded[0] = (*graded[0][:2], 1)
    found = {
        "corpus": {"_id": documents, "title": [words.word() for _ in documents], "text": words.texts(DOCUMENTS)},
        "queries": {"_id": queries, "text": [words.text() for _ in queries]},
        "qrels": dict(zip(("query-id", "corpus-id", "score"), map(list, zip(*graded, strict=True)), strict=True)),
    }
    if card["type"] in ("Reranking", "InstructionReranking"):
        found["top_ranked"] = {"query-id": queries, "corpus-ids": [candidates(query, graded, documents, words) for query in queries]}
    if "excluded" in card["dataset"].get("parts", {}):
        found["excluded"] = {"query-id": queries, "corpus-ids": [excluded(documents, words) for _ in queries]}
    if card["type"] == "InstructionRetrieval":
        found["instruction"] = {"query-id": queries, "instruction": [words.text() for _ in queries]}
    if card["type"] == "InstructionReranking":
        return changed(found, graded, words)
    return found


def query_ids(card: dict) -> list:
    """Ids; some measures tell pairs and levels of queries apart by them."""
    measures = card.get("protocol", {}).get("extra_measures", [])
    if "level_scores" in measures:
        return [f"q{place // 3}_v{place % 3 + 1}" for place in range(QUERIES)]
    if {"paired_accuracy", "robustness"} & set(measures):
        return [f"q{place // 2}_q{place % 2 + 1}" for place in range(QUERIES)]
    return [f"q{place}v{place % 3 + 1}" for place in range(QUERIES)]


def grade(words: Words) -> int:
    return words.random.choice([0, 1, 1, 2])


def candidates(query: str, graded: list, documents: list, words: Words) -> list:
    """Judged documents and others, in no order."""
    found = [document for judged, document, _ in graded if judged == query]
    found += [document for document in words.random.sample(documents, 12) if document not in found]
    words.random.shuffle(found)
    return found


def excluded(documents: list, words: Words) -> list:
    """Some documents, or what stands for none."""
    return words.random.sample(documents, 3) if words.chance(0.5) else ["N/A"]


def changed(found: dict, graded: list, words: Words) -> dict:
    """Each query a second time with a changed instruction, under which some relevant documents no longer are."""
    queries, judgements = found["queries"]["_id"], found["qrels"]
    twice = [f"{query}-{kind}" for query in queries for kind in ("og", "changed")]
    texts = dict(zip(queries, found["queries"]["text"], strict=True))
    found["queries"] = {"_id": twice, "text": [texts[query.split("-")[0]] for query in twice]}
    found["instruction"] = {"query-id": twice, "instruction": [words.text() for _ in twice]}
    gone = {query: [document for judged, document, score in graded if judged == query and score > 0][:2] for query in queries}
    rows = [(f"{query}-og", document, score) for query, document, score in graded]
    rows += [(f"{query}-changed", document, 0 if document in gone[query] else score) for query, document, score in graded]
    found["qrels"] = {name: [row[place] for row in rows] for place, name in enumerate(judgements)}
    lists = dict(zip(found["top_ranked"]["query-id"], found["top_ranked"]["corpus-ids"], strict=True))
    found["top_ranked"] = {"query-id": twice, "corpus-ids": [lists[query.split("-")[0]] for query in twice]}
    found["qrel_diff"] = {"query-id": queries, "corpus-ids": [gone[query] for query in queries]}
    return found


def belebele(card: dict, subsets: list, words: Words) -> dict:
    """Passages and questions of each language; the same links everywhere."""
    tables = {}
    for language in dict.fromkeys(name for subset in subsets for name in subset.split("-")):
        passages, places = words.texts(30), list(range(30)) * 2
        tables[language, card["eval_splits"][0]] = {
            "link": [f"link{place}" for place in places],
            "flores_passage": [passages[place] for place in places],
            "question": [f"{words.text()} {row}" for row in range(len(places))],
        }
    return tables
