"""How many texts and characters each task has, by the reference's own counts."""

from pathlib import Path

HEAD = "# Texts (each once a column and split) and their characters, of all splits that the reference counted.\n"


def write(tasks: list, output: Path) -> None:
    lines = [HEAD, "task\ttexts\tcharacters\n"]
    for task in tasks:
        texts, characters = counted(task)
        if texts:
            lines.append(f"{task.metadata.name}\t{texts}\t{characters}\n")
    (output / "sizes.tsv").write_text("".join(lines))


def counted(task) -> tuple:
    texts = characters = 0
    for split in (task.metadata.descriptive_stats or {}).values():
        for name, part in split.items():
            if name.endswith("_statistics") and isinstance(part, dict) and "total_text_length" in part:
                texts += part["unique_texts"]
                characters += part["total_text_length"]
    return texts, characters
