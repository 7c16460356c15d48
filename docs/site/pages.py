"""Which pages are there, where does each stand on the site, and what does it link to?

A page is written for whoever reads the repository; its links lead from file to file there. On the site the same page
may stand elsewhere, and ``relink`` lets its links follow.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = PurePosixPath("docs")
START = PurePosixPath("docs/README.md")
BESIDE_DOCS = {
    PurePosixPath(there): PurePosixPath(here)
    for there, here in {
        "CHANGELOG.md": "project/changelog.md",
        "CONTRIBUTING.md": "project/contributing.md",
        "SECURITY.md": "project/security.md",
        "benchmarks/README.md": "project/benchmarks.md",
        "benchmarks/RESULTS.md": "project/benchmark-results.md",
        "demo/README.md": "project/demo.md",
    }.items()
}
"""Pages of the site that stand elsewhere in the repository."""
FENCED = re.compile(r"^ *(?P<fence>`{3,}|~{3,}).*?^ *(?P=fence) *$", re.MULTILINE | re.DOTALL)
CODE = re.compile(rf"{FENCED.pattern}|`[^`\n]+`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
ELSEWHERE = ("http://", "https://", "mailto:")


class Link(NamedTuple):
    """A link to a file of the repository, and the anchor in it."""

    target: PurePosixPath
    anchor: str = ""


def find_pages(root: Path = ROOT) -> list[PurePosixPath]:
    """All pages of the site, as paths in the repository."""
    found = [path for ending in ("md", "ipynb") for path in (root / DOCS).rglob(f"*.{ending}")]
    inside = [PurePosixPath(path.relative_to(root).as_posix()) for path in found]
    return sorted([*inside, *(page for page in BESIDE_DOCS if (root / page).exists())])


def place_of(path: PurePosixPath) -> PurePosixPath:
    """Where a file of the repository stands on the site."""
    if path in BESIDE_DOCS:
        return BESIDE_DOCS[path]
    if not path.is_relative_to(DOCS):
        return PurePosixPath("files") / path
    inside = path.relative_to(DOCS)
    if inside.name == "README.md":
        return inside.with_name("index.md")
    return inside.with_suffix(".md") if inside.suffix == ".ipynb" else inside


def text_of(page: PurePosixPath, root: Path = ROOT) -> str:
    """Its Markdown; of a notebook that of its cells of text."""
    text = (root / page).read_text(encoding="utf-8")
    if page.suffix != ".ipynb":
        return text
    cells = json.loads(text)["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def links_of(page: PurePosixPath, text: str) -> list[Link]:
    """Links to files of the repository, in the order of the text, those in code left out."""
    found = [target for _, target, _ in LINK.findall(CODE.sub("", text))]
    return [_to_link(page, target) for target in found if not target.startswith(ELSEWHERE)]


def relink(page: PurePosixPath, text: str) -> str:
    """The same text with links that lead to where things stand on the site."""
    here = place_of(page).parent

    def lead(found: re.Match[str]) -> str:
        before, target, after = found.groups()
        if target.startswith((*ELSEWHERE, "#")):
            return found.group()
        to, anchor = _to_link(page, target)
        return f"{before}{posixpath.relpath(place_of(to), here)}{'#' * bool(anchor)}{anchor}{after}"

    return change_prose(text, lambda prose: LINK.sub(lead, prose))


def change_prose(text: str, change: Callable[[str], str]) -> str:
    """The text with all but its code changed."""
    parts, end = [], 0
    for code in CODE.finditer(text):
        parts += [change(text[end : code.start()]), code.group()]
        end = code.end()
    return "".join([*parts, change(text[end:])])


def to_anchor(heading: str) -> str:
    """As code hosts make it, and the site too."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def _to_link(page: PurePosixPath, target: str) -> Link:
    path, _, anchor = target.partition("#")
    joined = posixpath.normpath(posixpath.join(page.parent, path)) if path else str(page)
    return Link(PurePosixPath(joined), anchor)
