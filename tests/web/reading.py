"""How tests read a page: its words, one row of a table, and whether its markup is sound."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

VOID = {"br", "col", "hr", "img", "input", "link", "meta"}
EMPTY_IN_SVG = {"path", "rect", "line", "circle", "stop", "use"}
REFERENCES = ("for", "aria-labelledby", "aria-describedby", "popovertarget")


def text_of(html: str) -> str:
    """The words of a page, without its tags."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", html))).strip()


def folded(html: str) -> str:
    """A page on one line, without the blanks between its tags and at the inner edges of its elements."""
    html = re.sub(r"\s+", " ", html).replace(" >", ">").replace("> <", "><").replace(" </", "</")
    return re.sub(r"(<[a-z][^>]*>) ", r"\1", html)


def row_of(html: str, label: str) -> str:
    """The words of one row, found by the link to its run."""
    rows = [row for row in re.findall(r"<tr\b[^>]*>(.*?)</tr>", html, re.DOTALL) if f"/runs/{label}/" in row]
    assert len(rows) == 1
    return text_of(rows[0])


def faults_of(html: str) -> list[str]:
    """What is wrong with a page: tags that do not close, ids twice, references to nothing, inline style or script."""
    checker = _Checker()
    checker.feed(html)
    checker.close()
    return checker.find_faults()


class _Checker(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self._look_at(tag, attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if "svg" not in self.open and tag not in VOID:
            self.faults.append(f"<{tag}/> does not close itself outside SVG")
        self._look_at(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> at line {self.getpos()[0]} closes {self.open[-1:]}")
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["script"] and data.strip():
            self.faults.append("a script stands in the page")

    def _look_at(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        values = {name: value or "" for name, value in attrs}
        if len(set(names)) < len(names):
            self.faults.append(f"<{tag}> has an attribute twice")
        if tag == "style" or any(name == "style" or name.startswith("on") for name in names):
            self.faults.append(f"<{tag}> has inline style or script: {values}")
        if values.get("href", "").strip().lower().startswith(("javascript:", "data:")):
            self.faults.append(f"<{tag}> leads to {values['href']}")
        if tag == "svg" and values.get("role") == "img" and not {"aria-label", "aria-labelledby"} & set(names):
            self.faults.append("an image says nothing")
        if "id" in values:
            self.ids.append(values["id"])
        self.references += [part for name in REFERENCES for part in values.get(name, "").split()]

    def find_faults(self) -> list[str]:
        twice = sorted({f"id {each} twice" for each in self.ids if self.ids.count(each) > 1})
        missing = sorted({f"nothing has the id {each}" for each in self.references if each not in self.ids})
        left = [f"<{tag}> is never closed" for tag in self.open]
        return [*self.faults, *twice, *missing, *left]
