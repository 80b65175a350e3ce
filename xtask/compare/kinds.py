"""What a dataset of each task type holds."""

SIZES = [1, 2, 3, 5, 9, 20, 60]
SEARCHED = ["Retrieval", "InstructionRetrieval"]
RERANKED = ["Reranking", "InstructionReranking"]
TYPES = [
    "BitextMining", "Classification", "MultilabelClassification", "Clustering", "LegacyClustering", "PairClassification", "STS",
    "Summarization", "Regression", *SEARCHED, *RERANKED,
]


def bitext(case) -> None:
    for part in case.parts():
        for split in case.splits:
            case.tables[part, split] = [{"sentence1": case.text(n % 5), "sentence2": case.text(n % 5)} for n in range(case.pick(*SIZES))]


def classes(case) -> None:
    # Of two labels one must be 1, or neither side scores them.
    labels = case.pick([0, 1], [False, True], *(case.labels(count) for count in (3, 8, 25)))

    def rows(count):
        numbers = [case.random.randrange(len(labels)) for _ in range(count)]
        return [{"text": case.text(number), "label": labels[number]} for number in numbers]

    every = lambda: [{"text": case.text(n), "label": label} for n, label in enumerate(labels)]
    case.options = {"samples_per_label": case.pick(2, 8, 16)}
    folds = case.random.random() < 0.15
    if folds:
        case.splits = ["test"]
        case.options["cross_validation"] = case.pick(2, 3, 5)
    else:
        case.options["experiments"] = case.pick(2, 5)
    for part in case.parts():
        if not folds:
            case.tables[part, "train"] = rows(case.pick(20, 60, 200)) + every()
        for split in case.splits:
            case.tables[part, split] = rows(case.pick(30, 90)) + every() * 2 if folds else rows(case.pick(3, 10, 60)) + every()[:2]


def label_lists(case) -> None:
    labels = case.labels(case.pick(2, 4, 12))

    def rows(count):
        drawn = [case.random.sample(labels, case.random.randint(0, min(4, len(labels)))) for _ in range(count)]
        return [{"text": case.text(len(some)), "label": some} for some in drawn]

    every = lambda: [{"text": case.text(n), "label": [label]} for n, label in enumerate(labels)]
    for part in case.parts():
        case.tables[part, "train"] = rows(case.pick(30, 90)) + every() * 3
        for split in case.splits:
            case.tables[part, split] = rows(case.pick(5, 40)) + every()
    case.options = {"samples_per_label": case.pick(5, 8), "experiments": case.pick(2, 4)} | case.pick({}, {}, {"max_eval_samples": 12})


def clusters(case) -> None:
    if case.legacy:
        for part in case.parts():
            for split in case.splits:
                case.tables[part, split] = [label_set(case) for _ in range(case.pick(1, 2, 3))]
        return
    labels = case.labels(case.pick(2, 5, 30, 120))
    if case.pick(False, False, True):
        labels = [number + 0.5 for number in range(len(labels))]
    depth = case.pick(1, 1, 2, 3)
    fractions = isinstance(labels[0], float) and depth == 1

    def label(n):
        path = [labels[n // 4], labels[n // 2], labels[n]][3 - depth :]
        return path if depth > 1 else case.number(path[0]) if fractions else path[0]

    for part in case.parts():
        for split in case.splits:
            numbers = [case.random.randrange(len(labels)) for _ in range(case.pick(60, 200, 500))]
            case.tables[part, split] = [{"sentences": case.text(n), "labels": label(n)} for n in numbers]
    drawn = case.pick({"max_documents": 0}, {"max_documents": 40}, {"max_fraction_of_documents": 0.5})
    case.options = drawn | {"max_documents_per_cluster": case.pick(50, 300), "rounds": case.pick(2, 3), "batch_size": case.pick(7, 50, 512)}
    if depth > 1:
        case.options |= case.pick({}, {"max_depth": 1})


def label_set(case) -> dict:
    labels = case.labels(case.pick(1, 2, 9, 40))
    numbers = [case.random.randrange(len(labels)) for _ in range(case.pick(45, 120, 400))]
    return {"sentences": [case.text(n) for n in numbers], "labels": [labels[n] for n in numbers]}


def pairs(case) -> None:
    form = case.pick((0, 1), (False, True), ("0", "1"), (0.0, 1.0))
    whole = case.format != "csv" and case.random.random() < 0.15
    for part in case.parts():
        for split in case.splits:
            numbers = [case.random.randrange(2) for _ in range(case.pick(2, 5, 30, 200))] + [0, 1]
            rows = [{"sentence1": case.text(n), "sentence2": case.text(n), "labels": form[n]} for n in numbers]
            case.tables[part, split] = [{name: [row[name] for row in rows] for name in rows[0]}] if whole else rows


def graded_pairs(case) -> None:
    score = case.pick(lambda: case.random.randrange(6), lambda: case.number(case.random.random() * 5), lambda: case.random.random() < 0.5)
    for part in case.parts():
        for split in case.splits:
            rows = [{"sentence1": case.text(), "sentence2": case.text(), "score": score()} for _ in range(case.pick(2, 3, 10, 80))]
            case.tables[part, split] = rows
    case.options = case.pick({}, {}, {"min_score": 1, "max_score": 7})


def summaries(case) -> None:
    grade = case.pick(lambda: case.number(float(case.random.randint(0, 5))), lambda: case.number(case.random.random() * 5), lambda: case.random.randint(0, 5))
    for part in case.parts():
        for split in case.splits:
            case.tables[part, split] = [summarized(case, grade) for _ in range(case.pick(2, 6, 15))]
    case.options = case.pick({}, {}, {"average_p_values": True}, {"min_score": 1, "max_score": 5})


def summarized(case, grade) -> dict:
    human = [case.text() for _ in range(case.pick(1, 3, 10))]
    machine = [case.random.choice(human) if case.random.random() < case.copies else case.text() for _ in range(case.pick(2, 5, 16))]
    return {"text": case.text(), "human_summaries": human, "machine_summaries": machine, "relevance": [grade() for _ in machine]}


def values(case) -> None:
    value = case.pick(lambda: case.random.randint(0, 9), lambda: case.random.gauss(3, 2))
    for part in case.parts():
        for split in ["train", *case.splits]:
            size = case.pick(*((50, 150, 400) if split == "train" else (2, 10, 60)))
            case.tables[part, split] = [{"text": case.text(), "value": float(value())} for _ in range(size)]
    case.options = {"experiments": case.pick(1, 2)}


def search(case) -> None:
    if case.type == "InstructionReranking":
        case.splits = case.splits[:1]
    grade = case.pick(lambda: case.random.randrange(2), lambda: case.random.randrange(-1, 4), lambda: str(case.random.randrange(3)), lambda: case.random.random() < 0.5)
    style = {"grade": grade, "titles": case.pick(False, False, True), "told": case.pick("", "column", "config") if case.type.startswith("Instruction") else ""}
    style["talks"] = case.format != "csv" and case.random.random() < 0.08
    style["whole"] = case.format != "csv" and case.random.random() < 0.15
    for part in case.subsets or [None]:
        shared = case.ids("d", case.pick(4, 12, 60, 150)) if case.pick(False, True) else None
        for split in case.splits:
            searched(case, f"{part}-" if part else "", split, shared, style)
    if case.pick(True, False) and case.cut_off and case.type != "InstructionReranking":
        case.options = {"k_values": sorted({1, 10, *case.random.sample(range(2, 40), 2)})}
        case.main_score = "map_at_10" if case.type == "Reranking" else None
    if case.random.random() < 0.1:
        case.options["ignore_identical_ids"] = True


def searched(case, prefix: str, split: str, shared, style: dict) -> None:
    """The tables of one subset and split; documents that are shared have a table of one split."""
    documents = shared or case.ids("d", case.pick(4, 12, 60, 150))
    # Whole numbers as ids, where all of them are digits.
    name_of = int if style["whole"] and all(name.isdigit() and (name == "0" or name[0] != "0") for name in documents) else str
    if (f"{prefix}corpus", "test") not in case.tables or shared is None:
        title = lambda: {"title": case.pick("" if case.format != "csv" else "T", case.text())} if style["titles"] else {}
        rows = [{"_id": name_of(name), "text": case.text(n % 6)} | title() for n, name in enumerate(documents)]
        case.tables[f"{prefix}corpus", "test" if shared else split] = rows
    topics = case.ids(case.pick("q", "q", "d"), case.pick(3, 8, 30))
    changed = case.type == "InstructionReranking"
    queries = [f"{topic}-{half}" for topic in topics for half in ("og", "changed")] if changed else topics
    talk = lambda n: [{"role": role, "content": case.text(n)} for role in ("user", "assistant")] if style["talks"] else case.text(n)
    told = lambda: {"instruction": case.text()} if style["told"] == "column" else {}
    case.tables[f"{prefix}queries", split] = [{"_id": name, "text": talk(n % 6)} | told() for n, name in enumerate(queries)]
    if style["told"] == "config":
        case.tables[f"{prefix}instruction", split] = [{"query-id": name, "instruction": case.text()} for name in queries]
    # Some queries have no judgement, and some documents two.
    asked = queries if changed else [name for name in queries if case.random.random() < 0.9] or queries
    judged = [(query, case.random.sample(documents, case.random.randint(1, min(8, len(documents))))) for query in asked]
    rows = [{"query-id": query, "corpus-id": name_of(name), "score": style["grade"]()} for query, names in judged for name in names]
    case.tables[f"{prefix}qrels" if prefix else "default", split] = rows + [dict(row, score=style["grade"]()) for row in rows[:: case.pick(3, 1000)]]
    if case.type in SEARCHED:
        return
    fewest = 0 if case.odd else 1
    lists = {query: case.random.sample(documents, case.random.randint(fewest, min(12, len(documents)))) for query in queries}
    case.tables[f"{prefix}top_ranked", split] = [{"query-id": query, "corpus-ids": [name_of(name) for name in names]} for query, names in lists.items()]
    if changed:
        fallen = [{"query-id": topic, "corpus-ids": case.random.sample(documents, case.random.randint(1, 3))} for topic in topics]
        case.tables[f"{prefix}qrel_diff", "qrel_diff"] = fallen


MAKERS = {
    "BitextMining": bitext, "Classification": classes, "MultilabelClassification": label_lists, "Clustering": clusters, "PairClassification": pairs,
    "STS": graded_pairs, "Summarization": summaries, "Regression": values, **dict.fromkeys(SEARCHED + RERANKED, search),
}
