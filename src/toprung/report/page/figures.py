"""How does a figure stand in a page? As an image with its finding in words; small ones answer a pointer."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from toprung.report.charts.figure import Figure
from toprung.report.page.packed import pack, packed_tag
from toprung.report.page.words import plain, words

MOST_ROWS_TO_EXPLORE = 2_000
"""Of data: more marks make a browser slow, and cannot be told apart with a pointer."""
PARTS_OF_SPEC = ("layer", "concat", "hconcat", "vconcat", "spec")
HINT = '<span class="hint" hidden> Point at a mark to read its figures.</span>'


@dataclass(frozen=True, kw_only=True)
class WrittenFigure:
    """A figure in the words of a page."""

    markup: str
    can_be_explored: bool


def write_figure(figure: Figure, key: str, *, is_interactive: bool = False) -> WrittenFigure:
    """The figure under a key that no other one on the page has; its specification goes along where that helps."""
    can_be_explored = is_interactive and _n_rows(figure.to_spec()) <= MOST_ROWS_TO_EXPLORE
    carried = packed_tag(f"{key}-spec", pack(_dense(figure.vega))) if can_be_explored else ""
    spec_of = f' data-spec="{key}-spec"' if can_be_explored else ""
    return WrittenFigure(
        markup=(
            f'<figure class="chart" aria-labelledby="{key}-title">'
            f'<div class="plot" tabindex="0" role="group" aria-labelledby="{key}-title"{spec_of}>'
            f"{as_image(figure.to_inline_svg(), key, figure.finding)}</div>"
            f'<figcaption><b id="{key}-title">{words(_closed(figure.title))}</b> {words(figure.caption)}'
            f"{HINT if can_be_explored else ''}</figcaption></figure>\n{carried}"
        ),
        can_be_explored=can_be_explored,
    )


def _dense(spec: dict[str, Any]) -> str:
    return json.dumps(spec, separators=(",", ":"))


def _closed(title: str) -> str:
    return title if title.endswith(("?", "!", ".")) else f"{title}."


def as_image(svg: str, key: str, finding: str) -> str:
    """One image with one text, whatever marks it has; ids inside it are its own, though the page has many figures."""
    named = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{key}-", _numbered(svg))
    opened = named.index(">") + 1
    head = re.sub(r' (role|aria-[a-z]+)="[^"]*"', "", named[: opened - 1])
    title = f'<title id="{key}-finding">{plain(finding)}</title>'
    return f'{head} role="img" aria-labelledby="{key}-finding">{title}{named[opened:]}'


def _numbered(svg: str) -> str:
    """Clips counted from 1: the renderer counts those of all figures that it ever drew."""
    counted: dict[str, int] = {}
    return re.sub(r"\bclip(\d+)", lambda found: f"clip{counted.setdefault(found[1], len(counted) + 1)}", svg)


def _n_rows(spec: Any) -> int:
    """How many rows of data a specification holds, in its data and in the layers and views below it."""
    if isinstance(spec, list):
        return sum(map(_n_rows, spec))
    if not isinstance(spec, dict):
        return 0
    named = sum(map(len, spec.get("datasets", {}).values()))
    return named + len(spec.get("data", {}).get("values", ())) + sum(_n_rows(spec.get(name)) for name in PARTS_OF_SPEC)
