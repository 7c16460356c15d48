"""The site adds to the stylesheet of the report: no rule stands in both, and each colour means the same in both."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from toprung import web
from toprung.report.page.shell import asset

BASE, REPORT = asset("shared/base.css"), asset("page.css")
SITE = (Path(web.__file__).parent / "static/toprung/toprung.css").read_text(encoding="utf-8")
NEXT = re.compile(r"\s*(?P<head>[^{}]*?)\s*(?P<brace>[{}])")


def colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6});", block))


def rules(css: str) -> Iterator[str]:
    """Each with its conditions before it, written in one way."""
    conditions: list[str] = []
    for step in NEXT.finditer(re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)):
        if step["brace"] == "{":
            conditions.append(step["head"])
        else:
            if step["head"]:
                yield " ".join(" { ".join([*conditions, step["head"].rstrip(";")]).split())
            conditions.pop()


def test_no_rule_is_said_twice() -> None:
    said = Counter(rule for css in (BASE, REPORT, SITE) for rule in rules(css))
    assert said.total() > 400
    assert [rule for rule, times in said.items() if times > 1] == []


def test_rules_are_told_apart_by_what_they_hold_for() -> None:
    css = "a { x: 1; } /* b { } */ @media print { a { x: 1 } @supports (x) { b,\n c { y: 2; z: 3; } } }"
    nested = "@media print { @supports (x) { b, c { y: 2; z: 3"
    assert list(rules(css)) == ["a { x: 1", "@media print { a { x: 1", nested]


def test_the_site_gives_no_colour_of_the_report_another_value() -> None:
    assert colours(SITE)
    assert not colours(SITE).keys() & colours(BASE).keys()


def test_every_colour_of_the_site_has_a_dark_one() -> None:
    dark = SITE.index("@media")
    assert colours(SITE[:dark]).keys() == colours(SITE[dark:]).keys()


@pytest.mark.parametrize("own", [REPORT, SITE], ids=["report", "site"])
def test_every_token_that_is_used_is_there(own: str) -> None:
    css = BASE + own
    assert set(re.findall(r"var\(--([a-z0-9-]+)\)", css)) <= set(re.findall(r"--([a-z0-9-]+):", css))
