"""Small encoders that both sides load: the host as `python:FILE:CLASS`, the reference through reference.py."""

import hashlib

import numpy as np


def number(text: str, salt: str) -> int:
    return int.from_bytes(hashlib.sha256((salt + text).encode("utf-8", "surrogatepass")).digest()[:8], "little")


class Encoder:
    revision = "1"
    similarity = "cosine"
    dimension = 32

    def encode(self, texts):
        rows = [self.row(text) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self.dimension)

    def row(self, text):
        raise NotImplementedError


class Counts(Encoder):
    """Words counted with a sign, in whole numbers: products are exact, and many are equal."""

    similarity = "dot"
    dimension = 24

    def row(self, text):
        row = np.zeros(self.dimension)
        for word in text.split():
            found = number(word, "word")
            row[found % self.dimension] += 1 if found >> 32 & 1 else -1
        return row


class CountsEuclidean(Counts):
    similarity = "euclidean"


class Directions(Encoder):
    """Rows of length 1 without a pattern."""

    def row(self, text):
        row = np.random.default_rng(number(text, "row")).normal(size=self.dimension)
        return row / np.sqrt((row * row).sum())


class DirectionsDot(Directions):
    similarity = "dot"
    dimension = 7


class Long(Directions):
    dimension = 384


class Uneven(Directions):
    """Rows of very different lengths."""

    dimension = 16

    def row(self, text):
        return super().row(text) * 10.0 ** (number(text, "length") % 7 - 3)


class Holes(Directions):
    """Every fourth row has zeros alone."""

    def row(self, text):
        return np.zeros(self.dimension) if number(text, "hole") % 4 == 0 else super().row(text)


class Overlap:
    """A cross-encoder: the share of words that both texts have."""

    revision = "1"

    def predict(self, pairs):
        shares = [len({*query.split()} & {*document.split()}) / (1 + len({*query.split()} | {*document.split()})) for query, document in pairs]
        return np.array(shares, dtype=np.float32)


CLASSES = [Counts, CountsEuclidean, Directions, DirectionsDot, Holes, Long, Overlap, Uneven]
