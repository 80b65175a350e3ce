"""Writes cards, benchmarks and facts of the installed reference into a folder laid out as `registries/`.

usage: python xtask/import REGISTRIES OUTPUT

REGISTRIES is the folder whose hand-written cards take precedence; OUTPUT gets the files that belong beside them.
`cargo xtask import` compares the two.
"""

import sys
from pathlib import Path

import benchmark_file
import model_cards
import reference
import sizes
import task_cards
import transforms_list
from vocabulary import Vocabulary


def main() -> None:
    registries, output = Path(sys.argv[1]), Path(sys.argv[2])
    tasks = reference.text_tasks()
    vocabulary = Vocabulary(registries / "schemas" / "task-card.json")
    written = task_cards.write(tasks, vocabulary, registries, output)
    transforms_list.write(written, output)
    sizes.write(tasks, output)
    benchmark_file.write(reference.text_benchmarks(), written, registries, output)
    model_cards.write(registries, output)


if __name__ == "__main__":
    main()
