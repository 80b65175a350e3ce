"""Works out the main score of each task from its outcomes, as pandas, polars and DuckDB read them.

Usage: outcomes.py RESULTS, a folder with results and `outcomes/` in it.
"""

import json
import math
import sys
from collections import Counter
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow.parquet
from sklearn.metrics import label_ranking_average_precision_score as lrap


def average_ranks(values):
    return pandas.Series(values).rank().tolist()


def correlation(left, right):
    return pandas.Series(left).corr(pandas.Series(right))


def spearman(left, right):
    return correlation(average_ranks(left), average_ranks(right))


def entropy(labels):
    total = len(labels)
    return -sum(n / total * math.log(n / total) for n in Counter(labels).values())


def v_measure(gold, clusters):
    both = entropy(list(zip(gold, clusters)))
    mutual = entropy(gold) + entropy(clusters) - both
    return 2 * mutual / (entropy(gold) + entropy(clusters))


def average_precision(scores, gold):
    ranked = sorted(zip(scores, gold), key=lambda pair: -pair[0])
    positives, hits, seen, area, place = sum(gold), 0, 0, 0.0, 0
    while place < len(ranked):
        tied = [label for score, label in ranked[place:] if score == ranked[place][0]]
        place += len(tied)
        hits, seen, before = hits + sum(tied), seen + len(tied), hits
        area += (hits - before) / positives * hits / seen
    return area


def f1_of_places(gold, found):
    """Weighted by how often a place is expected."""
    right = Counter(one for one, other in zip(gold, found) if one == other)
    expected, found = Counter(gold), Counter(found)
    f1 = {place: 2 * right[place] / (expected[place] + found[place]) for place in expected}
    return sum(f1[place] * count for place, count in expected.items()) / len(gold)


def experiments(columns):
    return [columns[name] for name in columns if name.startswith("prediction_")]


def macro_f1(gold, predicted):
    labels = {label for label in [*gold, *predicted]}
    right = Counter(one for one, other in zip(gold, predicted) if one == other)
    both = Counter(gold) + Counter(predicted)
    return sum(2 * right[label] / both[label] for label in labels) / len(labels)


def mean(values):
    return sum(values) / len(values)


def main_score(kind, name, columns):
    """The main score called `name` of a task of type `kind`."""
    if name in columns:
        values = [value for value in columns[name] if value is not None and not math.isnan(value)]
        return round(mean(values), 5) if name != "p-MRR" else mean(values)
    gold = columns["gold"]
    if kind == "STS":
        return spearman(gold, columns["cosine"])
    if kind == "PairClassification":
        measures = ["similarity", "cosine", "manhattan", "euclidean", "dot"]
        return max(average_precision(columns[measure], gold) for measure in measures)
    if kind == "BitextMining":
        return f1_of_places(gold, columns["found"])
    if kind == "Classification" and name == "f1":
        return mean([macro_f1(gold, predicted) for predicted in experiments(columns)])
    if kind in ("Classification", "MultilabelClassification") and name == "accuracy":
        right = lambda predicted: mean([list(one) == list(other) for one, other in zip(gold, predicted)])
        return mean([right(predicted) for predicted in experiments(columns)])
    if kind == "MultilabelClassification" and name == "lrap":
        labels = sorted({label for row in gold for label in row})
        marks = lambda rows: [[int(label in row) for label in labels] for row in rows]
        return mean([lrap(marks(gold), marks(predicted)) for predicted in experiments(columns)])
    if kind == "MultilabelClassification":
        labels = {label for row in gold for label in row}

        def f1(predicted):
            both = [set(one) & set(other) for one, other in zip(gold, predicted)]
            count = lambda rows: Counter(label for row in rows for label in row)
            right, all_ = count(both), count(gold) + count(predicted)
            return mean([2 * right[label] / all_[label] if all_[label] else 0.0 for label in labels])

        return mean([f1(predicted) for predicted in experiments(columns)])
    if kind == "Clustering":
        draws = {}
        for experiment, level, label, cluster in zip(*(columns[name] for name in ("experiment", "level", "gold", "cluster"))):
            labels, clusters = draws.setdefault((level, experiment), ([], []))
            labels.append(label)
            clusters.append(cluster)
        return mean([v_measure(*draw) for draw in draws.values()])
    if kind == "Summarization":
        documents = {}
        for row, score, cosine in zip(columns["row"], gold, columns["cosine"]):
            scores, cosines = documents.setdefault(row, ([], []))
            scores.append(score)
            cosines.append(cosine)
        varied = [one for one in documents.values() if all(len(set(values)) > 1 for values in one)]
        return mean([spearman(*document) for document in varied])
    raise AssertionError(f"{kind}: no main score {name}")


def readers(path):
    """The columns of a file as lists, by each of the three."""
    plain = lambda values: [list(value) if hasattr(value, "__len__") and not isinstance(value, str) else value for value in values]
    frame = pandas.read_parquet(path)
    yield {name: plain(frame[name].tolist()) for name in frame.columns}
    yield polars.read_parquet(path).to_dict(as_series=False)
    relation = duckdb.read_parquet(str(path))
    rows = relation.fetchall()
    yield {name: [row[place] for row in rows] for place, name in enumerate(relation.columns)}


def main(results):
    tasks = 0
    for folder in sorted((results / "outcomes").iterdir()):
        result = json.loads((results / f"{folder.name}.json").read_text())
        for path in folder.glob("*/*.parquet"):
            facts = json.loads(pyarrow.parquet.read_metadata(path).metadata[b"mteb_host"])
            options = facts["unit"]["options"]
            entries = result["scores"][facts["split"]]
            expected = next(entry["main_score"] for entry in entries if entry["hf_subset"] == facts["subset"])
            for columns in readers(path):
                found = main_score(options["type"], options["main_score"], columns)
                # Results have six decimals.
                assert abs(found - expected) < 6e-7, (folder.name, found, expected)
        tasks += 1
    print(tasks, "tasks")


main(Path(sys.argv[1]))
