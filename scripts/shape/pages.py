"""Which rules of stylesheets are said twice, and how much of the templates is too long to read?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from scripts.shape.figure import Figure

LONGEST_LINE = 120
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
TOKEN = re.compile(r"[{};]|[^{};]+")


def measure_pages(src: Path) -> list[Figure]:
    return [rules_twice(src), long_lines(src)]


def rules_twice(src: Path) -> Figure:
    """Same selector and same declarations, in any stylesheet and under any `@media`."""
    rules = Counter(rule for path in sorted(src.rglob("*.css")) for rule in read_rules(path.read_text("utf-8")))
    twice = [selector for (selector, _), times in rules.items() if times > 1]
    return Figure("CSS rules that occur twice", len(twice), tuple(f"`{selector}`" for selector in twice))


def read_rules(css: str) -> Iterator[tuple[str, str]]:
    """Each rule's selector and declarations, whitespace folded; `@media` and the like are opened, not rules."""
    opened: list[str] = []
    said: list[str] = []
    for token in TOKEN.findall(COMMENT.sub("", css)):
        if token == "{":
            opened.append(said.pop())
        elif token == "}":
            if said:
                yield opened[-1], "; ".join(said)
            opened.pop()
            said = []
        elif token == ";" and not opened:
            said = []
        elif token != ";" and (folded := " ".join(token.split())):
            said.append(folded)


def long_lines(src: Path) -> Figure:
    lines = [line for path in sorted(src.rglob("*.html")) for line in path.read_text("utf-8").splitlines()]
    long = sum(len(line) > LONGEST_LINE for line in lines)
    share = round(100 * long / len(lines), 1) if lines else 0.0
    return Figure(f"template lines > {LONGEST_LINE} characters, %", share, (f"{long} of {len(lines)}",))
