"""Which links of the built site lead nowhere? Sphinx looks at those that it made; here all are looked at."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

LINK = re.compile(r'(?:href|src)="([^"#?]+)[^"]*"')
ELSEWHERE = re.compile(r"[a-z]+:|//|\{")


def find_dead_links(site: Path) -> list[str]:
    """Each as the page that has it, and where it leads."""
    pages = sorted(site.rglob("*.html"))
    return [f"{page.relative_to(site)}: {link}" for page in pages for link in _links(page) if not _leads(page, link)]


def _links(page: Path) -> list[str]:
    found = dict.fromkeys(LINK.findall(page.read_text(encoding="utf-8")))
    return [link for link in found if not ELSEWHERE.match(link)]


def _leads(page: Path, link: str) -> bool:
    return (page.parent / unquote(link)).exists()
