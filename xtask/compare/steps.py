"""What one row, pair or query more or less changes in a score that counts them out of n.

A step of a score is 1/n, of its mean over e experiments 1/(e·n). Where n is not known from the data alone (folds of
several sizes, a subsample that keeps about so many rows), there is none, and the span's width is the margin (spans.py).
"""

import re

# Names of the scores that count rows which are right. Recall weighted by true counts adds up the same rows.
OF_ROWS = {
    "BitextMining": {"accuracy", "recall"},
    "Classification": {"accuracy", "recall_weighted", "main_score"},
    "MultilabelClassification": {"accuracy", "main_score"},
    "PairClassification": {f"{name}_accuracy" for name in ("similarity", "cosine", "manhattan", "euclidean", "dot", "max")},
}
RANKED = {"Retrieval", "InstructionRetrieval", "Reranking", "InstructionReranking"}
# Scores that count queries with a hit, and hits among the first k documents of all queries.
OF_QUERIES = re.compile(r"(hit_rate|precision)_at_(\d+)")


def step_of(case, key: str) -> float | None:
    """The step of a key of the case's results; none for a score that is no count out of a known n."""
    split, subset, name = key.split(" ", 2)
    if table_of(case, split, subset) not in case.tables:
        return None
    *places, last = name.strip("/").split("/")
    if case.type in RANKED:
        found = OF_QUERIES.fullmatch(last)
        count = len(judged_queries(case, split, subset, places)) if found else 0
        ranks = int(found[2]) if found and found[1] == "precision" else 1
        return 1 / (count * ranks) if count else None
    if last not in OF_ROWS.get(case.type, ()) or has_unknown_rows(case, split, subset):
        return None
    averaged = 1 if places else case.options.get("experiments", 1)
    return 1 / (averaged * row_count(case, split, subset))


def table_of(case, split: str, subset: str) -> tuple:
    """The table whose rows the scores of a unit count: of ranking types the qrels."""
    config = subset if case.subsets else "default"
    return f"{config}-qrels" if case.subsets and case.type in RANKED else config, split


def has_unknown_rows(case, split: str, subset: str) -> bool:
    """True if an experiment does not score all rows of the table."""
    most = case.options.get("max_eval_samples")
    return "cross_validation" in case.options or (most is not None and row_count(case, split, subset) > most)


def row_count(case, split: str, subset: str) -> int:
    """The rows of a table; of one row whose cells are lists, their lengths."""
    rows = case.tables[table_of(case, split, subset)]
    cell = next(iter(rows[0].values()))
    return len(cell) if case.type == "PairClassification" and isinstance(cell, list) else len(rows)


def judged_queries(case, split: str, subset: str, places: list) -> set:
    """The queries with qrels, over which ranking measures are means; `og` and `changed` hold one half of them each."""
    rows = case.tables[table_of(case, split, subset)]
    queries = {row["query-id"] for row in rows}
    if places in (["og"], ["changed"]):
        return {query for query in queries if query.endswith("-og") == (places == ["og"])}
    return queries
