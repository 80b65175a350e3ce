"""Where two result files differ: every key, whole numbers and rounded ones exactly."""

import math
import re

ASIDE = {"evaluation_time", "kg_co2_emissions", "date", "mteb_version", "evaluation_phases", "dataset_revision", "languages", "mteb_host", "hf_subset", "ranked"}


def flat(value, place=""):
    """The numbers of an entry by their places."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if place or key not in ASIDE:
                yield from flat(inner, f"{place}/{key}")
    elif isinstance(value, list):
        yield f"{place}#", len(value)
        for number, inner in enumerate(value):
            yield from flat(inner, f"{place}[{number}]")
    else:
        yield place, None if value is None or (isinstance(value, float) and math.isnan(value)) else value


def scores(result: dict) -> dict:
    """All numbers of a result file by split, subset and name; a score without value is None, however it is written."""
    entries = [(f"{split} {entry['hf_subset']} ", entry) for split, entries in result["scores"].items() for entry in entries]
    return {place + key: value for place, entry in entries for key, value in flat(entry)}


def differences(theirs: dict, ours: dict) -> list:
    """The keys of which one side has another value, or none."""
    return [key for key in {**theirs, **ours} if key not in theirs or key not in ours or theirs[key] != ours[key]]


def without_scoreless(theirs: dict, refused: list) -> tuple:
    """The reference's scores without the units whose main score is not a number and that the host refuses, and the other refusals."""
    left = []
    for line in refused:
        unit = re.search(r"split (\S+), subset (\S+?):", line)
        place = f"{unit[1]} {unit[2]} " if unit else None
        if place and f"{place}/main_score" in theirs and theirs[f"{place}/main_score"] is None:
            theirs = {key: value for key, value in theirs.items() if not key.startswith(place)}
        else:
            left.append(line)
    return theirs, left
