"""Which file is in which split where no README says so, as datasets 5.2 finds out: names.json.

Run with a Python that has datasets; writes beside itself.
"""

import itertools
import json
import os
import pathlib
import random
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
from datasets.data_files import DataFilesDict, get_data_patterns  # noqa: E402
from datasets.load import infer_module_for_data_files  # noqa: E402
from datasets.packaged_modules import _MODULE_TO_EXTENSIONS  # noqa: E402

HERE = pathlib.Path(__file__).parent
CASES = [
    ["test.csv", "train.csv"],
    ["data/test-00000-of-00001.parquet", "data/train-00000-of-00002.parquet", "data/train-00001-of-00002.parquet"],
    ["data/extra-00000-of-00001.parquet", "data/dev-00000-of-00001.parquet", "test.parquet"],
    ["a/test/1.csv", "train/x.csv", "validation.csv"],
    ["my-eval.jsonl", "my_dev.jsonl", "contest.jsonl"],
    ["jav/test.csv", "sun/test.csv", "sun/train2.csv"],
    ["test_expert.jsonl", "test_lay.jsonl", "train.jsonl", "val.jsonl"],
    ["a.csv", "b.csv"],
    ["training data 1.csv", "test.set.csv", "evaluation/x.csv"],
    ["corpus-train.tsv", "latest.tsv", ".hidden/test.tsv", "__old__/test.tsv"],
    ["x/devtest/a.jsonl", "x/dev/a.jsonl", "config.json"],
]


def drawn():
    draw = random.Random(42)
    words = ["train", "training", "dev", "valid", "test", "testing", "eval", "data", "id", "my", "latest"]
    for _ in range(40):
        files = set()
        for _ in range(draw.randint(1, 5)):
            steps = ["".join(draw.choice(words) + draw.choice("-_. 1") for _ in range(draw.randint(1, 2))).rstrip("-_. ")
                     for _ in range(draw.randint(1, 3))]
            files.add("/".join(steps) + ".csv")
        if not any(a != b and b.startswith(a + "/") for a, b in itertools.permutations(files, 2)):
            yield sorted(files)


def resolve(files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        for name in files:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text("a\n1\n")
        found = DataFilesDict.from_patterns(get_data_patterns(str(root)), base_path=str(root))
        module, _ = infer_module_for_data_files(found, path=str(root))
        found = found.filter(extensions=_MODULE_TO_EXTENSIONS[module])
        # A file that two words put into a split is listed twice there.
        return {str(split): sorted({str(pathlib.Path(path).relative_to(root)) for path in paths}) for split, paths in found.items()}


CASES = [{"files": sorted(files), "splits": resolve(files)} for files in CASES + list(drawn())]
(HERE / "names.json").write_text(json.dumps(CASES, indent=1) + "\n")
