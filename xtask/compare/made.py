"""Random datasets of every task type, with what real data has and tests forget: copies, ties, many labels, few rows, odd ids, numbers that are missing,
several splits and subsets, and files of every format.
"""

import json
from random import Random

import kinds
import tables

WORDS = "sun moon rain hill river stone bird fish dog cat tree leaf air api laut hujan makan minum jalan rumah satu dua tiga the of running flies".split()
ODD_TEXTS = ["", " ", "é", "e\u0301", "שלום", "👩‍👩‍👧", "\u00a0x\u00a0", "a\nb", "\u3000全角", "x" * 700, "NaN", "1", "\u200b", "a,b", "say \"so\"", "null", "\ta\t", "a; b"]
# What a cell of CSV may hold and still be a text for the reference.
TEXTS_OF_CSV = [text for text in ODD_TEXTS if text not in ("", "NaN", "null", "1")]
ODD_IDS = ["", " ", "é", "e\u0301", "a b", "0", "00", "0.0", "-1", "🙂", "a/b", "\"", "'", "ﬁ", "Z", "z", "\u2028", ",", ";", "_q1"]
FORMS = [lambda n: n, lambda n: f"L{n}", lambda n: f"{'é' * (n % 3)}{n}", lambda n: n * 100 + 7, lambda n: n - 3]
LANGUAGES = {"de": ["deu-Latn"], "en-fr": ["eng-Latn", "fra-Latn"], "zh": ["zho-Hans"]}


class Case:
    """One dataset: tables by config and split, the options of its card, and what the reference is told."""

    def __init__(self, kind: str, name: str, seed: int, model: str):
        self.random = Random(f"{seed} {name}")
        self.name, self.kind = name, kind
        self.legacy = kind == "LegacyClustering"
        self.type = kind.removeprefix("Legacy")
        self.tables, self.options, self.main_score = {}, {}, None
        self.subsets = self.pick(None, None, None, ["de"], ["en-fr", "de"], ["zh", "de", "en-fr"])
        self.splits = self.pick(["test"], ["test"], ["test", "dev"], ["dev", "test"])
        self.format = self.pick("jsonl", "parquet", "csv")
        # How much of the data repeats, and how large its vocabulary is.
        self.copies = self.pick(0, 0, 0.1, 0.5)
        self.odd = self.pick(0, 0, 0.1)
        self.topics = self.pick(0.0, 0.4, 0.8)
        # How often a number is not one.
        self.missing = self.pick(0, 0, 0, 0.05)
        self.form = self.pick(*FORMS)
        self.earlier = []
        # Which of documents with equal scores are cut off is left open where words alone are counted, so that nothing is cut off.
        self.cut_off = model != "bm25"
        kinds.MAKERS[self.type](self)

    def pick(self, *values):
        return self.random.choice(values)

    def parts(self) -> list:
        """The configs of rows, one a subset."""
        return self.subsets or ["default"]

    def text(self, topic=None) -> str:
        chance = self.random
        if self.earlier and chance.random() < self.copies:
            return chance.choice(self.earlier)
        if chance.random() < self.odd:
            return chance.choice(ODD_TEXTS if self.format != "csv" else TEXTS_OF_CSV)
        word = lambda: f"t{topic}w{chance.randrange(5)}" if topic is not None and chance.random() < self.topics else chance.choice(WORDS)
        text = " ".join(word() for _ in range(chance.randint(1, 10)))
        self.earlier.append(text)
        return text

    def labels(self, count: int) -> list:
        """Labels of the one form that the case has."""
        return [self.form(number) for number in range(count)]

    def number(self, value: float) -> float:
        """The value, or what is not a number where the case has such ones and its files can say so."""
        return float("nan") if self.format == "parquet" and self.random.random() < self.missing else value

    def ids(self, letter: str, count: int) -> list:
        form = self.random.random()
        if form < 0.1:
            plain = [str(number) for number in range(count)]
        else:
            plain = [f"{letter}{number}" for number in range(count)]
        if form > 0.7:
            plain[: len(ODD_IDS)] = [letter + odd for odd in ODD_IDS[:count]]
        self.random.shuffle(plain)
        return plain


def turned(case: Case, order) -> Case:
    """The case with what stands beside a text in another order, which changes no score but by rounding and where any of several equals counts."""
    for (config, _), rows in case.tables.items():
        if config.endswith("corpus") or case.type == "BitextMining":
            order(rows)
        for row in rows:
            for name in ("human_summaries", "corpus-ids"):
                if name in row and not config.endswith("qrel_diff"):
                    row[name] = row[name][::-1]
    return case


def write(case: Case, hub, registry) -> None:
    """The dataset as a hub's folder, and its card."""
    folder = hub / "datasets" / "made" / case.name / ("0" * 40)
    configs = {}
    for (config, split), rows in case.tables.items():
        path = tables.write(folder, f"{config}/{split}", rows, case.format)
        configs.setdefault(config, []).append(f"  - split: {split}\n    path: {path}\n")
    named = "".join(f"- config_name: {config}\n  data_files:\n{''.join(files)}" for config, files in configs.items())
    (folder / "README.md").write_text(f"---\nconfigs:\n{named}---\n")
    options = dict(case.options) | ({"legacy": True} if case.legacy else {})
    main_score = [f'main_score = "{case.main_score}"'] if case.main_score else []
    languages = ['languages = ["eng-Latn"]'] if case.subsets is None else []
    subsets = [f"{json.dumps(name)} = {{ languages = {json.dumps(LANGUAGES[name])} }}" for name in case.subsets or []]
    lines = [
        "schema = 1", f'name = "{case.name}"', f'type = "{case.type}"', 'description = "Made."', *languages, *main_score, f"eval_splits = {json.dumps(case.splits)}",
        "", "[dataset]", f'hub = "made/{case.name}"', f'revision = "{"0" * 40}"',
        *(['train_split = "test"'] if "cross_validation" in case.options else []),
        *(["", "[subsets]", *subsets] if subsets else []),
        "", "[protocol]", *(f"{name} = {json.dumps(value)}" for name, value in options.items()),
    ]
    (registry / f"{case.name}.toml").write_text("\n".join(lines) + "\n")
