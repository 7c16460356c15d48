"""Figures in a bundle are shown as they are, so nothing but a figure may be in them."""

from __future__ import annotations

from typing import Any

import pytest

from toprung.boards.archive.rows import Row
from toprung.errors import InputError
from toprung.web.services.bundle.drawings import check_content, find_fault


def svg(inner: str, attributes: str = "") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{inner}</svg>'


def row(content: Any) -> Row:
    return Row(source="a.toprung, results.jsonl", line=3, values={"content": content})


@pytest.mark.parametrize(
    "drawn",
    [
        svg("<g class='mark'><path d='M0,0L1,1' fill='#00685f' stroke-width='1.5'/></g>", 'viewBox="0 0 1 1"'),
        svg("<text x='1' text-anchor='end' font-size='11px'>R1 &lt; R2</text>"),
        svg(
            "<defs><clipPath id='a-clip1'><rect width='3' height='4'/></clipPath></defs><g clip-path='url(#a-clip1)'/>"
        ),
        svg("<title>R1 holds the top rung.</title>", 'role="img" aria-labelledby="t"'),
    ],
)
def test_lines_areas_and_words_are_a_figure(drawn: str) -> None:
    assert find_fault(drawn) == ""


@pytest.mark.parametrize(
    ("drawn", "fault"),
    [
        (svg("<script>alert(1)</script>"), "the element script"),
        (svg("<foreignObject><p>Sign in</p></foreignObject>"), "the element foreignObject"),
        (svg("<image href='https://example.org/x.png'/>"), "the element image"),
        (svg("<a href='javascript:alert(1)'><text>x</text></a>"), "the element a"),
        (svg("<use href='#x'/>"), "the element use"),
        (svg("<style>*{display:none}</style>"), "the element style"),
        (svg("<g onclick='alert(1)'/>"), "the attribute onclick"),
        (svg("<g style='fill:red'/>"), "the attribute style"),
        (svg("<g fill='url(https://example.org/x)'/>"), "the attribute fill"),
        (svg(r"<g fill='u\72l(https://example.org/x)'/>"), "the attribute fill"),
        (svg("") + "<p>after</p>", "markup that cannot be read"),
        ("<form action='/x'></form>", "the element form"),
        ("<!DOCTYPE svg [<!ENTITY a 'aaaa'>]>" + svg("&a;"), "a declaration"),
        (svg("&nothing;"), "markup that cannot be read"),
        ("plain words", "markup that cannot be read"),
    ],
)
def test_anything_else_is_none(drawn: str, fault: str) -> None:
    assert find_fault(drawn) == fault


def test_figures_are_found_wherever_they_stand() -> None:
    check_content(row({"figures": [{"svg": svg("<g/>")}]}))
    with pytest.raises(InputError, match="line 3: found a figure with the element script"):
        check_content(row({"parts": [{"figures": [{"svg": svg("<script/>")}]}]}))
    with pytest.raises(InputError, match="the element script"):
        check_content(row({"figures": [{"svg": svg("<g/>"), "narrow": svg("<script/>")}]}))


def test_what_pages_draw_from_is_numbers() -> None:
    check_content(row({"axis": {"low": 0.1, "ticks": [0.1, 0.2]}, "sentence": "p < 0.0001", "tags": ["<b>"]}))
    with pytest.raises(InputError, match="found markup in axis; expected numbers"):
        check_content(row({"axis": {"low": "<b>0.1"}}))


@pytest.mark.parametrize("content", [None, [], "text", {"svg": 3}])
def test_other_content_is_refused(content: Any) -> None:
    with pytest.raises(InputError):
        check_content(row(content))
