"""ROUGE-1, ROUGE-2 and ROUGE-L of 1,000 generated pairs by Google's `rouge-score`.

Run with rouge-score 0.1.2: `python make.py` writes `rouge.json` beside this file. Words are drawn from a small
vocabulary so that they repeat; capitals, digits, marks, and letters beyond a to z are among them.
"""
import json
import pathlib
import random

from rouge_score import rouge_scorer

HERE = pathlib.Path(__file__).parent
WORDS = (
    "banjir melanda kota sejak pagi Warga mengungsi ke balai desa 2024 17.000 rumah 3,5 meter air-air "
    "the River rose OVER its banks don't e-mail naïve São Ñandú İstanbul Kelvin K ﬁnal ½ 東京 it's a_b "
    "— … ( ) \" ' \t \n"
).split(" ")
TYPES = ["rouge1", "rouge2", "rougeL"]


def text(rng, longest):
    words = rng.choices(WORDS, k=rng.randint(0, longest))
    return "".join(word + rng.choice([" ", " ", " ", ", ", ". ", "\n", "", "  "]) for word in words)


def changed(rng, original):
    """The original with words left out, put in and moved."""
    words = [word for word in original.split(" ") if rng.random() < 0.8]
    for _ in range(rng.randint(0, 4)):
        words.insert(rng.randint(0, len(words)), rng.choice(WORDS))
    if rng.random() < 0.3:
        cut = rng.randint(0, len(words))
        words = words[cut:] + words[:cut]
    return " ".join(words)


def cases(rng):
    scorer = rouge_scorer.RougeScorer(TYPES, use_stemmer=False)
    for index in range(1000):
        reference = text(rng, 5 if index % 10 == 0 else 24)
        other = changed(rng, reference) if rng.random() < 0.7 else text(rng, 24)
        found = scorer.score(reference, other)
        scores = [[float(x) for x in (found[t].precision, found[t].recall, found[t].fmeasure)] for t in TYPES]
        yield {"reference": reference, "text": other, "scores": scores}


if __name__ == "__main__":
    rows = ",\n".join(json.dumps(case, separators=(",", ":"), ensure_ascii=True) for case in cases(random.Random(17)))
    (HERE / "rouge.json").write_text(f"[\n{rows}\n]\n")
