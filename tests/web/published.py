"""How tests get and read a published board: its files, its pages, and links that lead nowhere."""

from __future__ import annotations

import posixpath
import re
import shutil
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

from toprung.web.core.models.boards import Board
from toprung.web.ops.publish.publish import publish_board

SITE = "https://boards.example.org"
LINK = re.compile(r'\b(?:href|src|xlink:href|action|formaction|poster|srcset|data)="([^"]*)"')


def copy_of_publication(board: Board, kept: Path, folder: Path) -> Path:
    """In this folder, of what was published once and is kept: each test may change its own."""
    if not kept.exists():
        publish_board(board, kept, site=SITE)
    return Path(shutil.copytree(kept, folder))


def names_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def pages_in(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text() for name in names_in(folder) if name.endswith(".html")}


def links_of(page: str) -> list[str]:
    return list(map(unescape, LINK.findall(page)))


def find_dead_links(folder: Path) -> list[str]:
    """Links of any file that do not lead to a file of the folder, or to another site by its full address."""
    dead = []
    for name, page in pages_in(folder).items():
        for link in links_of(page):
            parts = urlsplit(link)
            if parts.scheme in ("http", "https"):
                continue
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path) or Path(name).name))
            is_there = not parts.scheme and not parts.netloc and not parts.query and not link.startswith("/")
            if not is_there or target.startswith("..") or not (folder / target).is_file():
                dead.append(f"{name}: {link}")
            elif parts.fragment and f'id="{parts.fragment}"' not in (folder / target).read_text():
                dead.append(f"{name}: {link}, where nothing has that id")
    return dead
