"""What a BibTeX entry says of who wrote what, where and when; abstracts and notes are left out."""

import re

FIELDS = {
    "address", "archiveprefix", "article-number", "articleno", "author", "booktitle", "chapter", "collaboration", "doi",
    "edition", "editor", "editors", "eprint", "eprinttype", "howpublished", "institution", "isbn", "issn", "issue",
    "journal", "journaltitle", "location", "month", "number", "numpages", "organization", "pages", "primaryclass",
    "publisher", "school", "series", "shortauthor", "title", "type", "url", "venue", "version", "volume", "year",
}


def facts(citation: str | None) -> str | None:
    """The entries with the fields that say where the work is; `None` if there is none that can be read.

    Raises `ValueError` where an entry of these fields would not be BibTeX.
    """
    found = [written for written in map(entry, split(citation or "")) if written]
    for written in found:
        if closing(written, written.find("{")) != len(written) - 1:
            raise ValueError(f"expected an entry whose braces close at its end, found:\n{written}")
    return "\n\n".join(found) or None


def split(text: str) -> list:
    """The texts of the entries: from an `@` to the brace that closes it."""
    found, start = [], text.find("@")
    while start >= 0:
        end = closing(text, text.find("{", start))
        if end is None:
            break
        found.append(text[start : end + 1])
        start = text.find("@", end)
    return found


def closing(text: str, opening: int) -> int | None:
    if opening < 0:
        return None
    depth = 0
    for place in range(opening, len(text)):
        if text[place] in "{}" and text[place - 1] != "\\":
            depth += 1 if text[place] == "{" else -1
            if depth == 0:
                return place
    return None


def entry(text: str) -> str | None:
    head = re.match(r"@\s*(\w+)\s*\{\s*([^,\s]*)\s*,", text)
    if head is None:
        return None
    lines = [f"@{head[1].lower()}{{{head[2]},"]
    fields = dict(read_fields(text[head.end() : -1]))
    lines.extend(f"  {name} = {fields[name]}," for name in sorted(fields) if name in FIELDS)
    return "\n".join([*lines, "}"])


def end_of_pieces(text: str, place: int) -> int:
    """Where a value ends that begins with a word: numbers, words and texts in braces or quotes with `#` between, as `dec # {14--15}`."""
    while place < len(text) and text[place] not in ",\n}":
        end = closing(text, place) if text[place] == "{" else text.find('"', place + 1) if text[place] == '"' else place
        place = len(text) if end is None or end < 0 else end + 1
    return place


def read_fields(text: str):
    """Each field by its name in small letters, its value with the braces or quotes around it."""
    place = 0
    while match := re.compile(r"\s*,?\s*([\w-]+)\s*=\s*").match(text, place):
        start = place = match.end()
        if text[place : place + 1] == "{":
            end = closing(text, place)
            place = len(text) if end is None else end + 1
        elif text[place : place + 1] == '"':
            end = text.find('"', place + 1)
            while end > 0 and text[end - 1] == "\\":
                end = text.find('"', end + 1)
            place = len(text) if end < 0 else end + 1
        else:
            place = end_of_pieces(text, place)
        value = text[start:place].strip()
        if len(value) >= 2 and value[0] == value[-1] == '"':
            value = "{" + value[1:-1] + "}"
        yield match[1].lower(), re.sub(r"[ \t]+\n", "\n", value)
