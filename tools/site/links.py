"""Hooks of the site: the README is its home page, and links that leave docs/ lead to the repository."""

import re
from os.path import normpath
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
    folder = Path(page.file.src_uri).parent
    return LINK.sub(lambda link: from_page(link, folder), markdown)


def from_readme(link):
    """A link of the README, which lies beside docs/."""
    target = link[2]
    return link[1] + (target.removeprefix("docs/") if target.startswith("docs/") else REPOSITORY + target) + link[3]


def from_page(link, folder):
    """A link of a page in a folder of docs/: one that leaves docs/ leads to the repository."""
    path = normpath(Path("docs") / folder / link[2])
    leaves = path.split("/")[0] != "docs"
    return link[1] + (REPOSITORY + path if leaves else link[2]) + link[3]
