"""Hooks of the site: the README is its home page, and links that leave docs/ lead to the repository."""

import re
from pathlib import Path

from mkdocs.structure.files import File

REPOSITORY = "https://github.com/mteb-host/mteb-host/blob/main/"
ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(\]\()([^)#\s:]+)((?:#[^)\s]*)?\))")


def on_files(files, config):
    """Adds the README as the home page."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    files.append(File.generated(config, "index.md", content=LINK.sub(from_readme, text)))
    return files


def on_page_markdown(markdown, page, config, files):
    """Leads links to files outside docs/ to the repository."""
    return LINK.sub(from_page, markdown)


def from_readme(link):
    """A link of the README, which lies beside docs/."""
    target = link[2]
    return link[1] + (target.removeprefix("docs/") if target.startswith("docs/") else REPOSITORY + target) + link[3]


def from_page(link):
    """A link of a page of docs/: one that goes up leaves the site."""
    return link[1] + (REPOSITORY + link[2].removeprefix("../") if link[2].startswith("../") else link[2]) + link[3]
