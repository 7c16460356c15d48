"""In which order do pages stand in the navigation? In that of the links of the page that lists them.

The start page, ``docs/README.md``, makes a part of the navigation of each of its headings. The ``README.md`` of a
folder lists the pages of that folder. So a page that is linked there is in the navigation, and
nothing else need be said.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from docs.site.pages import START, find_pages, links_of, place_of

PART = re.compile(r"^## +(.+?) *$", re.MULTILINE)


def contents_of(page: PurePosixPath, text: str) -> str:
    """What is put at the end of a page that lists others; nothing for all other pages."""
    if page == START:
        return "".join(_part_of_navigation(page, part, heading) for heading, part in _parts(text))
    return _part_of_navigation(page, text) if page.name == "README.md" else ""


def listed_in(page: PurePosixPath, text: str) -> list[PurePosixPath]:
    """The pages that a page lists, each once: the start page those that it links to, others those of their folder."""
    known = set(find_pages())
    linked = dict.fromkeys(link.target for link in links_of(page, text))
    return [each for each in linked if each in known and each != page and (page == START or each.parent == page.parent)]


def _parts(text: str) -> Iterable[tuple[str, str]]:
    pieces = PART.split(text)[1:]
    return zip(pieces[::2], pieces[1::2], strict=True)


def _part_of_navigation(page: PurePosixPath, text: str, heading: str = "") -> str:
    here = place_of(page).parent
    listed = [posixpath.relpath(place_of(each), here) for each in listed_in(page, text)]
    if not listed:
        return ""
    options = ":hidden:\n" + f":caption: {heading}\n" * bool(heading)
    return f"\n```{{toctree}}\n{options}\n{'\n'.join(listed)}\n```\n"
