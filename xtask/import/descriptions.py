"""One sentence on what a task measures, made of its facts."""

import languages

KINDS = {
    "BitextMining": "Finds the translation of each sentence",
    "Classification": "Sorts {texts} into classes by a few labelled examples",
    "MultilabelClassification": "Gives {texts} all labels that fit, by a few labelled examples",
    "Clustering": "Groups {texts}",
    "PairClassification": "Tells pairs of {texts} that belong together from others",
    "Reranking": "Ranks given {documents} for each query",
    "Retrieval": "Finds the {documents} that answer a query",
    "STS": "Rates how similar two {texts} are",
    "Summarization": "Rates summaries by their similarity to those that people wrote",
    "InstructionRetrieval": "Finds the {documents} that fit a query and its instruction",
    "InstructionReranking": "Measures whether a ranking of {documents} follows a changed instruction",
    "Regression": "Predicts a number for each of the {texts} from labelled examples",
}
# Domains that say how a text is given rather than what it is about.
PLAIN = {"Written", "Spoken", "Constructed", "Non-fiction"}
ADJECTIVES = {
    "Blog": "blog", "Web": "web", "News": "news", "Reviews": "review", "Subtitles": "subtitle", "Poetry": "poetry",
    "Fiction": "fiction", "Government": "government", "Chemistry": "chemistry", "Engineering": "engineering",
}
MOST_NAMED = 3


def of(task_type: str, domains: list, subtypes: list, codes: list, subsets: int, adapted_from: list) -> str:
    """Two sentences at most."""
    about = [ADJECTIVES.get(domain, domain.lower()) for domain in domains if domain not in PLAIN]
    about = f"{listed(about)} " if 0 < len(about) <= MOST_NAMED else ""
    kind = KINDS[task_type].format(texts=f"{about}texts", documents=f"{about}documents")
    kinds = f" ({', '.join(subtype.lower() for subtype in sorted(subtypes))})" if subtypes else ""
    sentence = f"{kind}{kinds}, {tongues(codes, subsets)}."
    if adapted_from:
        sentence += f" Made from {listed(adapted_from)}."
    return sentence


def tongues(codes: list, subsets: int) -> str:
    """`in English`, `in 12 languages and 40 subsets`."""
    names = sorted({languages.name(code) for code in codes})
    shown = f"in {listed(names)}" if len(names) <= MOST_NAMED else f"in {len(names)} languages"
    return f"{shown} and {subsets} subsets" if subsets > len(names) else shown


def listed(names: list) -> str:
    """`a`, `a and b`, `a, b and c`."""
    names = list(dict.fromkeys(names))
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
