"""A page as a browser sees it: its tags, attributes and texts."""

from __future__ import annotations

import base64
import gzip
from html.parser import HTMLParser


class Page(HTMLParser):
    """What a page holds; it fails where a tag closes nothing."""

    VOID = frozenset({"meta", "link", "img", "br", "input", "col"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.texts: dict[str, list[str]] = {}
        """By tag, each with what stands inside it, also deeper."""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data: str) -> None:
        for tag in set(self.open):
            self.texts[tag][-1] += data

    def all_of(self, attribute: str) -> list[str]:
        """The values of an attribute, wherever it stands."""
        return [value or "" for name, value in self.attributes if name == attribute]


def unpack(packed: str) -> str:
    """What the page's script does on a click."""
    return gzip.decompress(base64.b64decode(packed)).decode()
