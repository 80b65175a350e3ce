"""Writes cards, benchmarks and facts of the installed reference into a folder laid out as the project.

usage: python xtask/import REGISTRIES OUTPUT

REGISTRIES is the folder whose hand-written cards take precedence; OUTPUT gets every file that an import makes.
`cargo xtask import` puts them into the project.
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
    registries, project = Path(sys.argv[1]), Path(sys.argv[2])
    output = project / "registries"
    output.mkdir()
    tasks = reference.text_tasks()
    vocabulary = Vocabulary(registries / "schemas" / "task-card.json")
    written = task_cards.write(tasks, vocabulary, registries, output)
    transforms_list.write(written, project / "xtask" / "import")
    sizes.write(tasks, output)
    benchmark_file.write(reference.text_benchmarks(), written, registries, output)
    model_cards.write(tasks, registries, output)


if __name__ == "__main__":
    main()
