"""Names what the code of a task does to its data: the classes by which transforms are told apart."""

import ast
import re

import reference
import source_code

# A class, and what the source has that does it.
SIGNS = [
    ("rename", r"\.rename_columns?\("),
    ("label-map", r"label_map|label2id|mapping\[|_TOPIC2ID|lab2idx|\.index\(|else [01]\b"),
    ("encode-labels", r"class_encode_column|ClassLabel"),
    ("filter", r"\.filter\(| if .* in (gold|ids|keep)"),
    ("map-rows", r"\.map\("),
    ("join-columns", r"f'\{[^']*\}[^']*\{|\+ ' ' \+|\+ '\\n' \+|' '\.join|'\\n'\.join|\\n\{"),
    ("subsample", r"stratified_subsampling"),
    ("split", r"train_test_split"),
    ("shuffle", r"\.shuffle\("),
    ("first-rows", r"\.select\(range|\[:\d+\]|:N_SAMPLES"),
    ("single-row", r"\[\{'sentence1'"),
    ("unfold", r"chain\.from_iterable"),
    ("drop-single-labels", r"return_counts=True"),
    ("batch-rows", r"array_split|batched\("),
    ("several-files", r"data_files|data_dir"),
    ("splits-from-column", r"context_length ==|subdataset"),
    ("qrels-from-rows", r"relevant_docs(: [^=]+)?(\[[^=]+\])* = |qrels(\[[^=]+\])* = "),
    ("corpus-from-rows", r"corpus(: [^=]+)?(\[[^=]+\])* = "),
    ("top-ranked", r"top_ranked"),
    ("excluded-ids", r"excluded_ids"),
    ("hash-ids", r"sha256|md5|hash\("),
    ("random", r"random\.Random|rng\b|np\.random"),
    ("own-measure", r"_evaluate_subset"),
]


def of(task) -> list:
    """The classes of what the task's own methods do, in the order of the table."""
    members = reference.own_members(task)
    text = "\n".join(source_code.with_helpers(task, members[name]) for name in source_code.overridden(task))
    found = [name for name, sign in SIGNS if re.search(sign, text)]
    configs = {ast.unparse(call) for call in calls(text, "load_dataset")}
    return found + (["several-configs"] if len(configs) > 1 else [])


def calls(text: str, name: str):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == name:
            yield node
