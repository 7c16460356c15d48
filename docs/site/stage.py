"""Copies the pages to where the site is built from, with links that fit, and with what is written at build time."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path, PurePosixPath

from docs.site.commands import fill_commands
from docs.site.contents import contents_of
from docs.site.names import fill_names
from docs.site.notebooks import to_page
from docs.site.pages import DOCS, ROOT, find_pages, links_of, place_of, relink, text_of

PICTURE = re.compile(r'<picture><source [^>]*srcset="([^"]+)"><img src="([^"]+)" alt="([^"]*)"></picture>')
BOARD = re.compile(r"^```\{published-board\}\n```$", re.MULTILINE)
TO_BOARD = '<p><a class="to-board" href="{up}board/index.html">Open the published board</a></p>'


def stage(target: Path) -> None:
    """All pages and the files they link to; what stood there before is removed."""
    shutil.rmtree(target, ignore_errors=True)
    pages = find_pages()
    for page in pages:
        write(target / place_of(page), change(page))
        if page.suffix == ".ipynb":
            shutil.copyfile(ROOT / page, target / place_of(page).with_suffix(".ipynb"))
    linked = {link.target for page in pages for link in links_of(page, text_of(page))}
    for path in sorted(linked - set(pages)):
        if (ROOT / path).is_file():
            copy(path, target)
    for picture in (ROOT / DOCS).rglob("*.svg"):
        copy(PurePosixPath(picture.relative_to(ROOT).as_posix()), target)


def change(page: PurePosixPath) -> str:
    """A page as it stands on the site."""
    if page.suffix == ".ipynb":
        return change_notebook(page)
    text = text_of(page)
    up = "../" * (len(place_of(page).parts) - 1)
    shown = PICTURE.sub(to_pictures, relink(page, text))
    shown = BOARD.sub(TO_BOARD.format(up=up), fill_names(fill_commands(shown)))
    return shown + contents_of(page, text)


def change_notebook(page: PurePosixPath) -> str:
    """The notebook as a page, with a link to the notebook itself, which ``stage`` puts beside it."""
    notebook = json.loads((ROOT / page).read_text(encoding="utf-8"))
    return f"{relink(page, to_page(notebook))}\n[Take this notebook along]({page.name})\n"


def to_pictures(found: re.Match[str]) -> str:
    """One picture for light pages, one for dark ones: readers may choose otherwise than their machine does."""
    dark, light, says = found.groups()
    shown = "".join(
        f'<img class="only-{scheme}" src="{source}" alt="{says}">'
        for scheme, source in (("light", light), ("dark", dark))
    )
    return f'<div class="figure">{shown}</div>'


def copy(path: PurePosixPath, target: Path) -> None:
    there = target / place_of(path)
    there.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ROOT / path, there)


def write(there: Path, text: str) -> None:
    there.parent.mkdir(parents=True, exist_ok=True)
    there.write_text(text, encoding="utf-8")
