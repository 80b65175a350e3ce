"""Draws texts and labels: the same for the same seed and task."""

import random

SYLLABLES = "ba ke di mo su ra ti no la pe gu si ha re to".split()


class Words:
    """Seeded draws of one task."""

    def __init__(self, seed: int, task: str) -> None:
        self.random = random.Random(f"{seed}:{task}")

    def word(self) -> str:
        return "".join(self.random.choice(SYLLABLES) for _ in range(self.random.randint(1, 3)))

    def text(self) -> str:
        """Two to twelve words: few enough that some texts occur twice."""
        return " ".join(self.word() for _ in range(self.random.randint(2, 12)))

    def texts(self, count: int) -> list:
        """Texts, of which about one in twenty occurs before."""
        found: list = []
        for _ in range(count):
            found.append(self.random.choice(found) if found and self.random.random() < 0.05 else self.text())
        return found

    def labels(self, count: int, known: list) -> list:
        """Labels of unequal frequency, each of them at least twice."""
        found = known * 2 + [known[int(len(known) * self.random.random() ** 1.5)] for _ in range(count)]
        found = found[: max(count, 2 * len(known))]
        self.random.shuffle(found)
        return found

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def shared(self, name: str, draw) -> list:
        """What all rows of the task share, drawn once."""
        if not hasattr(self, name + "_drawn"):
            setattr(self, name + "_drawn", draw())
        return getattr(self, name + "_drawn")
