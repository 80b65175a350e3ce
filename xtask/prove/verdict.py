"""Compares two result files: every key of every entry, numbers to 1e-6."""

import math

ASIDE = ("mteb_version", "languages")
CLOSE = 1e-6


def said(found: list) -> str:
    """How many scores differ, where the first one does, and by how much at most."""
    largest = max(size for _, size in found)
    return f"{len(found)}: {found[0][0]}" + (f", at most {largest:.6f}" if len(found) > 1 and largest < math.inf else "")


def differences(theirs: dict, ours: dict) -> list:
    """Where the scores of the reference and of the host differ, each as a text and by how much; none if they are equal."""
    found = []
    if set(theirs) != set(ours):
        return [(f"splits {sorted(theirs)} and {sorted(ours)}", math.inf)]
    for split, entries in theirs.items():
        left = {entry["hf_subset"]: entry for entry in entries}
        right = {entry["hf_subset"]: entry for entry in ours[split]}
        if set(left) != set(right):
            found.append((f"{split}: subsets {sorted(left)[:3]} and {sorted(right)[:3]}", math.inf))
            continue
        for subset, entry in left.items():
            compare(entry, right[subset], f"{split}/{subset}", found)
    return found


def compare(left, right, place: str, found: list) -> None:
    if isinstance(left, dict) and isinstance(right, dict):
        for key in sorted({*left, *right} - set(ASIDE)):
            if key not in left or key not in right:
                found.append((f"{place}/{key} is only the {'reference' if key in left else 'host'}'s", math.inf))
            else:
                compare(left[key], right[key], f"{place}/{key}", found)
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for index, (one, other) in enumerate(zip(left, right, strict=True)):
            compare(one, other, f"{place}/{index}", found)
    elif is_number(left) and is_number(right):
        if not (math.isnan(left) and math.isnan(right)) and abs(left - right) > CLOSE:
            found.append((f"{place}: {left:.6f} and {right:.6f}", abs(left - right)))
    elif left != right and not (missing(left) and missing(right)):
        found.append((f"{place}: {left} and {right}", math.inf))


def is_number(value) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def missing(value) -> bool:
    """NaN is written as null by some."""
    return value is None or (is_number(value) and math.isnan(value))
