"""How does a page become a file? Its links lead to files beside it; what needs a server is taken out, all else stays.

Forms and scripts that ask the server go. A link to what is not in the copy is no link any more: a button or an entry of
a menu goes with its words, a link within text leaves them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser

type Attributes = list[tuple[str, str | None]]
type Resolve = Callable[[str], str | None]
"""From a link as it stands on a page to the link of the copy; None where it leads out of it."""

LINKS = ("href", "src", "xlink:href")
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
MENUS = ("nav", "footer")
BUTTONS = {"btn", "who"}
"""Classes of links that are there to do something."""
SCRIPTS = ("toprung/copy.js", "toprung/marks.js")
"""Those that work without a server."""


@dataclass(frozen=True, kw_only=True)
class Rewritten:
    """A page as it stands in a copy."""

    text: str
    links: tuple[str, ...]
    """All that are left, as they stood."""
    asks: bool
    """Whether the page is there to have something done: it has a form that sends."""


def rewrite(page: str, resolve: Resolve) -> Rewritten:
    editor = _Editor(page, resolve)
    editor.feed(page)
    editor.close()
    return Rewritten(text=editor.apply(), links=tuple(editor.links), asks=editor.asks)


@dataclass(kw_only=True)
class _Dropped:
    """An element that goes, while it is open."""

    tag: str
    start: int
    depth: int = 1


@dataclass(frozen=True, kw_only=True)
class _Edit:
    start: int
    end: int
    text: str = field(default="")


class _Editor(HTMLParser):
    """Finds what has to change; the rest of the page stays as it is, to the byte."""

    def __init__(self, page: str, resolve: Resolve) -> None:
        super().__init__(convert_charrefs=True)
        self.page, self.resolve = page, resolve
        self.line_starts = [0]
        for line in page.split("\n"):
            self.line_starts.append(self.line_starts[-1] + len(line) + 1)
        self.edits: list[_Edit] = []
        self.links: list[str] = []
        self.asks = False
        self.dropped: _Dropped | None = None
        self.inside: Counter[str] = Counter()
        self.anchors: list[str] = []
        """What every open link is written as."""

    def apply(self) -> str:
        parts, end = [], 0
        for edit in self.edits:
            parts += [self.page[end : edit.start], edit.text]
            end = edit.end
        return "".join([*parts, self.page[end:]])

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        values = {name: value or "" for name, value in attrs}
        self.asks |= tag == "form" and values.get("method", "").lower() == "post"
        if self.dropped is not None:
            self.dropped.depth += tag == self.dropped.tag and tag not in VOID
            return
        if tag not in VOID:
            self.inside[tag] += 1
        if self._needs_a_server(tag, values):
            self._drop(tag)
        elif tag == "a" and "href" in values:
            self._follow(attrs, values)
        else:
            if tag == "a":
                self.anchors.append("a")
            self._edit_tag(tag, attrs)

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        if self.dropped is None:
            self._edit_tag(tag, attrs, close="/")

    def handle_endtag(self, tag: str) -> None:
        start = self._offset()
        end = self.page.index(">", start) + 1
        if self.dropped is None:
            self.inside[tag] -= 1
            written = self.anchors.pop() if tag == "a" and self.anchors else tag
            if written != tag:
                self.edits.append(_Edit(start=start, end=end, text=f"</{written}>"))
        elif tag == self.dropped.tag:
            self.dropped.depth -= 1
            if not self.dropped.depth:
                self.edits.append(_Edit(start=self.dropped.start, end=end))
                self.inside[tag] -= 1
                self.dropped = None

    def _offset(self) -> int:
        line, column = self.getpos()
        return self.line_starts[line - 1] + column

    def _needs_a_server(self, tag: str, values: dict[str, str]) -> bool:
        if tag == "script":
            return not values.get("src", "").endswith(SCRIPTS)
        if tag == "meta":
            return values.get("http-equiv", "").lower() == "refresh" or values.get("name") == "htmx-config"
        return tag == "form" or (tag == "button" and values.get("type", "submit") == "submit")

    def _drop(self, tag: str) -> None:
        start = self._offset()
        if tag in VOID:
            self.edits.append(_Edit(start=start, end=start + len(self.get_starttag_text() or "")))
        else:
            self.dropped = _Dropped(tag=tag, start=start)

    def _follow(self, attrs: Attributes, values: dict[str, str]) -> None:
        if self.resolve(values["href"]) is not None:
            self.anchors.append("a")
            self._edit_tag("a", attrs)
        elif any(self.inside[menu] for menu in MENUS) or BUTTONS & set(values.get("class", "").split()):
            self._drop("a")
        else:
            written = "g" if self.inside["svg"] else "span"
            self.anchors.append(written)
            kept = [(name, value) for name, value in attrs if name in ("class", "id")]
            self._replace_tag(written, kept)

    def _edit_tag(self, tag: str, attrs: Attributes, *, close: str = "") -> None:
        """Its links to those of the copy, and nothing for htmx."""
        kept: Attributes = []
        for name, value in attrs:
            if name.startswith("hx-"):
                continue
            if name in LINKS and value:
                found = self.resolve(value)
                if found is None:
                    continue
                self.links.append(value)
                kept.append((name, found))
            else:
                kept.append((name, value))
        if kept != attrs:
            self._replace_tag(tag, kept, close=close)

    def _replace_tag(self, tag: str, attrs: Attributes, *, close: str = "") -> None:
        start = self._offset()
        written = "".join(f" {name}" if value is None else f' {name}="{escape(value)}"' for name, value in attrs)
        end = start + len(self.get_starttag_text() or "")
        self.edits.append(_Edit(start=start, end=end, text=f"<{tag}{written}{close}>"))
