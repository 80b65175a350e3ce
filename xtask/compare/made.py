"""Random datasets of every task type, with what real data has and tests forget: copies, ties, many labels, few rows, odd ids."""

import json
from random import Random

WORDS = "sun moon rain hill river stone bird fish dog cat tree leaf air api laut hujan makan minum jalan rumah satu dua tiga".split()
ODD_TEXTS = ["", " ", "é", "e\u0301", "שלום", "👩‍👩‍👧", "\u00a0x\u00a0", "a\nb", "\u3000全角", "x" * 700, "NaN", "1", "\u200b"]
ODD_IDS = ["", " ", "é", "e\u0301", "a b", "0", "00", "0.0", "-1", "🙂", "a/b", "\"", "'", "ﬁ", "Z", "z", "\u2028"]
SIZES = [1, 2, 3, 5, 9, 20, 60]
FORMS = [lambda n: n, lambda n: f"L{n}", lambda n: f"{'é' * (n % 3)}{n}", lambda n: n * 100 + 7]
TYPES = [
    "BitextMining", "Classification", "MultilabelClassification", "Clustering", "LegacyClustering", "PairClassification", "STS",
    "Summarization", "Regression", "Retrieval", "Reranking", "InstructionReranking",
]


class Case:
    """One dataset: tables by the path of their file, the options of its card, and what the reference is told."""

    def __init__(self, kind: str, name: str, seed: int):
        self.random = Random(f"{seed} {name}")
        self.name = name
        self.legacy = kind == "LegacyClustering"
        self.type = kind.removeprefix("Legacy")
        self.tables, self.options, self.main_score = {}, {}, None
        # How much of the data repeats, and how large its vocabulary is.
        self.copies = self.random.choice([0, 0, 0.1, 0.5])
        self.odd = self.random.choice([0, 0, 0.1])
        self.topics = self.random.choice([0.0, 0.4, 0.8])
        self.form = self.random.choice(FORMS)
        self.earlier = []
        MAKERS[self.type](self)

    def pick(self, *values):
        return self.random.choice(values)

    def text(self, topic=None) -> str:
        chance = self.random
        if self.earlier and chance.random() < self.copies:
            return chance.choice(self.earlier)
        if chance.random() < self.odd:
            return chance.choice(ODD_TEXTS)
        word = lambda: f"t{topic}w{chance.randrange(5)}" if topic is not None and chance.random() < self.topics else chance.choice(WORDS)
        text = " ".join(word() for _ in range(chance.randint(1, 10)))
        self.earlier.append(text)
        return text

    def labels(self, count: int) -> list:
        """Labels of the one form that the case has."""
        return [self.form(number) for number in range(count)]

    def ids(self, letter: str, count: int) -> list:
        plain = [f"{letter}{number}" for number in range(count)]
        if self.random.random() < 0.3:
            plain[: len(ODD_IDS)] = [letter + odd for odd in ODD_IDS[:count]]
        self.random.shuffle(plain)
        return plain


def bitext(case: Case) -> None:
    rows = [{"sentence1": case.text(n % 5), "sentence2": case.text(n % 5)} for n in range(case.pick(*SIZES))]
    case.tables["test"] = rows


def classes(case: Case) -> None:
    # Of two labels one must be 1, or neither side scores them.
    labels = case.pick([0, 1], [False, True], *(case.labels(count) for count in (3, 8, 25)))
    def rows(count):
        numbers = [case.random.randrange(len(labels)) for _ in range(count)]
        return [{"text": case.text(number), "label": labels[number]} for number in numbers]
    case.tables["train"] = rows(case.pick(20, 60, 200)) + [{"text": case.text(n), "label": label} for n, label in enumerate(labels)]
    case.tables["test"] = rows(case.pick(3, 10, 60)) + [{"text": case.text(n), "label": label} for n, label in enumerate(labels)][:2]
    case.options = {"samples_per_label": case.pick(2, 8, 16), "experiments": case.pick(2, 5)}


def label_lists(case: Case) -> None:
    labels = case.labels(case.pick(2, 4, 12))
    def rows(count):
        drawn = [case.random.sample(labels, case.random.randint(0, min(4, len(labels)))) for _ in range(count)]
        return [{"text": case.text(len(some)), "label": some} for some in drawn]
    every = [{"text": case.text(n), "label": [label]} for n, label in enumerate(labels)]
    case.tables["train"] = rows(case.pick(30, 90)) + every * 3
    case.tables["test"] = rows(case.pick(5, 40)) + every
    case.options = {"samples_per_label": case.pick(5, 8), "experiments": case.pick(2, 4)}


def clusters(case: Case) -> None:
    if case.legacy:
        rows = []
        for _ in range(case.pick(1, 2, 3)):
            labels = case.labels(case.pick(1, 2, 9, 40))
            numbers = [case.random.randrange(len(labels)) for _ in range(case.pick(45, 120, 400))]
            rows.append({"sentences": [case.text(n) for n in numbers], "labels": [labels[n] for n in numbers]})
        case.tables["test"] = rows
        return
    labels = case.labels(case.pick(2, 5, 30))
    if case.pick(False, False, True):
        labels = [number + 0.5 for number in range(len(labels))]
    numbers = [case.random.randrange(len(labels)) for _ in range(case.pick(60, 200, 500))]
    deep = case.pick(False, False, True)
    label = lambda n: [labels[n // 2], labels[n]] if deep else labels[n]
    case.tables["test"] = [{"sentences": case.text(n), "labels": label(n)} for n in numbers]
    case.options = {"max_documents": 0, "max_documents_per_cluster": case.pick(50, 300), "rounds": case.pick(2, 3), "batch_size": case.pick(7, 50, 512)}


def pairs(case: Case) -> None:
    forms = [(0, 1), (False, True), ("0", "1"), (0.0, 1.0)]
    form = case.random.choice(forms)
    numbers = [case.random.randrange(2) for _ in range(case.pick(2, 5, 30, 200))] + [0, 1]
    case.tables["test"] = [{"sentence1": case.text(n), "sentence2": case.text(n), "labels": form[n]} for n in numbers]


def graded_pairs(case: Case) -> None:
    score = case.pick(lambda: case.random.randrange(6), lambda: case.random.random() * 5, lambda: case.random.random() < 0.5)
    rows = [{"sentence1": case.text(), "sentence2": case.text(), "score": score()} for _ in range(case.pick(2, 3, 10, 80))]
    case.tables["test"] = rows


def summaries(case: Case) -> None:
    rows = []
    for _ in range(case.pick(2, 6, 15)):
        human = [case.text() for _ in range(case.pick(1, 3, 10))]
        machine = [case.random.choice(human) if case.random.random() < case.copies else case.text() for _ in range(case.pick(2, 5, 16))]
        rows.append({"text": case.text(), "human_summaries": human, "machine_summaries": machine, "relevance": [float(case.random.randint(0, 5)) for _ in machine]})
    case.tables["test"] = rows


def values(case: Case) -> None:
    value = case.pick(lambda: case.random.randint(0, 9), lambda: case.random.gauss(3, 2))
    for split, sizes in (("train", (50, 150, 400)), ("test", (2, 10, 60))):
        case.tables[split] = [{"text": case.text(), "value": float(value())} for _ in range(case.pick(*sizes))]
    case.options = {"experiments": case.pick(1, 2)}


def search(case: Case) -> None:
    documents = case.ids("d", case.pick(4, 12, 60, 150))
    case.tables["corpus/test"] = [{"_id": name, "text": case.text(n % 6)} | ({"title": ""} if case.odd else {}) for n, name in enumerate(documents)]
    topics = case.ids("q", case.pick(3, 8, 30))
    changed = case.type == "InstructionReranking"
    queries = [f"{topic}-{half}" for topic in topics for half in ("og", "changed")] if changed else topics
    case.tables["queries/test"] = [{"_id": name, "text": case.text(n % 6)} for n, name in enumerate(queries)]
    grade = case.pick(lambda: case.random.randrange(2), lambda: case.random.randrange(-1, 4), lambda: str(case.random.randrange(3)), lambda: case.random.random() < 0.5)
    judged = [(query, case.random.sample(documents, case.random.randint(1, min(8, len(documents))))) for query in queries]
    case.tables["default/test"] = [{"query-id": query, "corpus-id": name, "score": grade()} for query, names in judged for name in names]
    if case.pick(True, False):
        case.options = {"k_values": sorted({1, 10, *case.random.sample(range(2, 40), 2)})}
        case.main_score = "map_at_10" if case.type == "Reranking" else None
    if case.type == "Retrieval":
        return
    lists = {query: case.random.sample(documents, case.random.randint(0 if case.odd else 1, min(12, len(documents)))) for query in queries}
    case.tables["top_ranked/test"] = [{"query-id": query, "corpus-ids": names} for query, names in lists.items()]
    if changed:
        fallen = [{"query-id": topic, "corpus-ids": case.random.sample(documents, case.random.randint(1, 3))} for topic in topics]
        case.tables["qrel_diff/qrel_diff"] = fallen


def turned(case: Case) -> Case:
    """The case with what stands beside a text in the reverse order, which changes no score but by rounding."""
    for path, rows in case.tables.items():
        if path == "corpus/test":
            rows.reverse()
        for row in rows:
            for name in ("human_summaries", "corpus-ids") if path in ("test", "top_ranked/test") else ():
                if name in row:
                    row[name] = row[name][::-1]
    return case


MAKERS = {
    "BitextMining": bitext, "Classification": classes, "MultilabelClassification": label_lists, "Clustering": clusters, "PairClassification": pairs,
    "STS": graded_pairs, "Summarization": summaries, "Regression": values, "Retrieval": search, "Reranking": search, "InstructionReranking": search,
}


def write(case: Case, hub, registry) -> None:
    """The dataset as a hub's folder, and its card."""
    folder = hub / "datasets" / "made" / case.name / ("0" * 40)
    configs = {}
    for path, rows in case.tables.items():
        file = folder / f"{path}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        config, _, split = path.rpartition("/")
        configs.setdefault(config or "default", []).append(f"  - split: {split}\n    path: {path}.jsonl\n")
    named = "".join(f"- config_name: {config}\n  data_files:\n{''.join(files)}" for config, files in configs.items())
    (folder / "README.md").write_text(f"---\nconfigs:\n{named}---\n")
    options = dict(case.options) | ({"legacy": True} if case.legacy else {})
    main_score = [f'main_score = "{case.main_score}"'] if case.main_score else []
    lines = [
        "schema = 1", f'name = "{case.name}"', f'type = "{case.type}"', 'description = "Made."', 'languages = ["eng-Latn"]', *main_score, "", "[dataset]",
        f'hub = "made/{case.name}"', f'revision = "{"0" * 40}"', "", "[protocol]", *(f"{name} = {json.dumps(value)}" for name, value in options.items()),
    ]
    (registry / f"{case.name}.toml").write_text("\n".join(lines) + "\n")
