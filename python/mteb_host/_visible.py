"""Text of models, files and folders as people may see it: what would steer a terminal, or what nobody would see, is written as JSON writes it."""

from __future__ import annotations

import re
import unicodedata

# Letters that are drawn as nothing, beside those of the categories below.
_DRAWN_AS_NOTHING = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufff0-\ufff8]")
# Control and format characters, separators of lines and paragraphs, and halves of pairs of surrogates.
_HIDDEN = ("Cc", "Cf", "Zl", "Zp", "Cs")
# These join letters and pictures of scripts from Hebrew on, and choose the shape of a picture.
_JOINERS, _JOINING = "\u200c\u200d", "\u0590"
_SHAPES = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
# Format characters that are drawn, before a number or above a word.
_DRAWN = re.compile("[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd\U00013430-\U0001343f]")


def visible(text: str) -> str:
    """The text as the program shows what comes from data; line ends and tabulators stay.

    >>> visible("\\x1b[31mred\\u202e") == "\\\\u001b[31mred\\\\u202e"
    True
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(letter) if _is_hidden(letter, text, place) else letter for place, letter in enumerate(text))


def visible_line(text: str) -> str:
    """The same in one line.

    >>> visible_line("a\\nb") == "a\\\\nb"
    True
    """
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def _is_hidden(letter: str, text: str, place: int) -> bool:
    if letter in "\n\t":
        return False
    if letter in _JOINERS:
        return not ("" < text[place - 1 : place] >= _JOINING and "" < text[place + 1 : place + 2] >= _JOINING)
    if _SHAPES.match(letter):
        before = text[place - 1 : place]
        return not before or (before.isascii() and before.isalpha())
    if _DRAWN.match(letter):
        return False
    return unicodedata.category(letter) in _HIDDEN or _DRAWN_AS_NOTHING.match(letter) is not None


def _escaped(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{int.from_bytes(units[place : place + 2], 'big'):04x}" for place in range(0, len(units), 2))
