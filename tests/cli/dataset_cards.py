"""Reads dataset cards by the hub's own parser: prints {file: metadata} as JSON, with the first heading of each.

Usage: dataset_cards.py FOLDER, a folder of Markdown files.
"""

import json
import sys
from pathlib import Path

from huggingface_hub import DatasetCard

found = {}
for path in sorted(Path(sys.argv[1]).glob("*.md")):
    card = DatasetCard.load(path)
    title = next(line for line in card.content.splitlines() if line.startswith("# "))
    found[path.name] = card.data.to_dict() | {"title": title, "text": card.text}
print(json.dumps(found))
