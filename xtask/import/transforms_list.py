"""Lists the tasks whose code loads or changes data: by which methods, what they do, and whether a card says the same."""

from pathlib import Path

HEAD = "task\ttype\tmethods\tclasses\tstate\treason\n"


def write(written: list, output: Path) -> None:
    lines = [HEAD]
    for found in written:
        if found.methods or found.state not in ("by hand", "imported"):
            reason = (found.card or {}).get("unsupported", "")
            cells = (found.task.metadata.name, found.task.metadata.type, ",".join(found.methods), ",".join(found.classes))
            lines.append("\t".join((*cells, found.state, reason)) + "\n")
    output.mkdir(parents=True)
    (output / "transforms.tsv").write_text("".join(lines))
