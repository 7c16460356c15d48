"""Templates can be read: short lines, and a line is indented by what is open around it.

A line stands a step deeper than the innermost thing that an earlier line opened: an element, a block of Django's, or a
tag whose attributes go over several lines. What closes that thing stands as deep as it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from toprung import web

FOLDER = Path(web.__file__).parent / "templates"
TEMPLATES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.*"))
PAGES = [name for name in TEMPLATES if name.endswith(".html")]
LONGEST, STEP = 120, 2
BLOCKS = {"autoescape", "block", "for", "if", "with"}
BETWEEN = {"elif": "if", "else": "if", "empty": "for"}
VOID = {"!doctype", "br", "circle", "col", "img", "input", "link", "meta", "path", "rect"}
TOKEN = re.compile(
    r"(?P<comment>{% comment %}.*?{% endcomment %})"
    r"|{% (?P<word>\w+)[^\n]*?%}"
    r"|</(?P<end>\w+)>"
    r"|<(?P<start>!?[a-z]\w*)"
    r"""|=(?:"(?:{[{%].*?[%}]}|[^"])*"|'(?:{[{%].*?[%}]}|[^'])*')"""
    r"|(?P<shut>/?>)",
    re.DOTALL,
)
WRITTEN = re.compile(r"""(<(pre|textarea)\b(?:{[{%].*?[%}]}|"[^"]*"|[^>"])*>).*?(</\2>)""", re.DOTALL)
"""Where a blank is a blank: nothing is indented there."""


class Nesting:
    """What is open, innermost last: its name, how deep it stands, and the line that opened it."""

    def __init__(self) -> None:
        self.open: list[tuple[str, int, int]] = []

    def depth(self, line: int) -> int:
        """How deep the line stands here; what is opened on one line counts once."""
        if not self.open:
            return 0
        _, depth, opened = self.open[-1]
        return depth if opened == line else depth + STEP

    def take(self, token: re.Match[str], line: int) -> int | None:
        """Open or close what the token opens or closes; the depth of what it closes."""
        word, start, end, shut = (token[name] for name in ("word", "start", "end", "shut"))
        if start or word in BLOCKS:
            self.open.append((f"<{start}" if start else word, self.depth(line), line))
            return None
        if shut and self.open and self.open[-1][0].startswith("<"):
            name, depth, _ = self.open.pop()
            if name[1:] not in VOID and shut == ">":
                self.open.append((name[1:], depth, line))
            return depth
        if word in BETWEEN:
            depth = self.close(BETWEEN[word])
            self.open.append((BETWEEN[word], depth, line))
            return depth
        closed = end or (word or "").removeprefix("end")
        return self.close(closed) if end or closed in BLOCKS else None

    def close(self, name: str) -> int:
        assert self.open, f"{name} is closed and was not opened"
        opened, depth, _ = self.open.pop()
        assert opened == name, f"{opened} is open where {name} is closed"
        return depth


def misplaced(text: str) -> Iterator[str]:
    """Every line that stands too deep or not deep enough."""
    nesting, start = Nesting(), 0
    text = WRITTEN.sub(lambda found: found[1] + found[3], text)
    tokens = [*TOKEN.finditer(text)]
    for number, line in enumerate(text.splitlines(keepends=True)):
        depth, end = len(line) - len(line.lstrip()), start + len(line)
        expected = nesting.depth(number)
        for token in [token for token in tokens if start <= token.start() < end]:
            closed = nesting.take(token, number)
            if token.start() == start + depth and closed is not None:
                expected = closed
        is_within = any(token.start() < start < token.end() for token in tokens)
        if line.strip() and not is_within and depth != expected:
            yield f"{line.rstrip()} ← {expected}"
        start = end
    assert nesting.open == [], "not closed"


@pytest.mark.parametrize("name", TEMPLATES)
def test_lines_are_short(name: str) -> None:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > LONGEST or line != line.rstrip()] == []


@pytest.mark.parametrize("name", PAGES)
def test_lines_stand_by_what_is_open_around_them(name: str) -> None:
    assert list(misplaced((FOLDER / name).read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<p>\n  {% if a %}\n    b\n  {% else %}\n    c\n  {% endif %}\n</p>\n", []),
        ('<input\n  name="a > b"\n  {% if c %}checked{% endif %}\n>\n<br>\n<b>d</b>\n', []),
        ("<pre>\na\n</pre>\n<p>b</p>\n", []),
        ("<p>\nb\n</p>\n", ["b ← 2"]),
        ("<p>\n  b\n  </p>\n", ["  </p> ← 0"]),
        ("{% if a %}<p>\n    b\n</p>{% endif %}\n", ["    b ← 2"]),
    ],
)
def test_a_line_that_stands_elsewhere_is_found(text: str, found: list[str]) -> None:
    assert list(misplaced(text)) == found


@pytest.mark.parametrize("text", ["<p>\n", "</p>\n", "{% if a %}<b>{% endif %}a</b>\n"])
def test_what_is_opened_is_closed_in_its_place(text: str) -> None:
    with pytest.raises(AssertionError):
        list(misplaced(text))
