"""How does a chart stand on a page, and how is it taken along? With its legend beside it, or as a picture."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from django.utils.safestring import SafeString, mark_safe

from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.writing import FONT, write_file
from toprung.report.charts.tokens import INK_2, PAPER
from toprung.report.page.figures import MOST_FOR_PHONES, as_image
from toprung.report.share.text_widths import wrap_text
from toprung.words.visible import in_one_line

VIEW = re.compile(r'viewBox="([^"]+)"')
LINE_BELOW, LEADING, SIZE_BELOW = 22, 15, 11.5
"""What the first line takes and each other one, and how large they are."""


@dataclass(frozen=True, kw_only=True)
class ShownChart:
    """A chart, ready for a template."""

    key: str
    title: str
    caption: str
    svg: SafeString
    legend: SafeString
    files: Mapping[str, str]
    """Where it is as a file, by the ending."""
    narrow: str = ""
    """Drawn for a small screen; empty where the page has another way there."""


def show_chart(figure: Figure, files: Mapping[str, str], *, key: str = "", narrow: Figure | None = None) -> ShownChart:
    """``key``: what the chart is called on its page, if not by its kind; ``narrow``: drawn for a small screen.

    A second drawing that would be too heavy is left out; the first is scrolled there.
    """
    name = key or figure.kind
    small = "" if narrow is None else _to_image(narrow, f"{name}-narrow")
    return ShownChart(
        key=name,
        title=figure.title,
        caption=figure.caption,
        svg=_to_image(figure, name),
        legend=mark_safe(figure.legends),  # noqa: S308 - report/charts/svg/writing.py escapes every text
        files=files,
        narrow=small if len(small) <= MOST_FOR_PHONES else "",
    )


def _to_image(figure: Figure, name: str) -> SafeString:
    image = as_image(figure.to_inline_svg(has_legend=False), name, figure.finding)
    return mark_safe(image)  # noqa: S308 - report/charts/svg/writing.py escapes every text


def show_stored(figure: Mapping[str, str], files: Mapping[str, str], caption: str) -> ShownChart:
    """One that a task drew."""
    wide, narrow = (mark_safe(figure[each]) for each in ("svg", "narrow"))  # noqa: S308 - ours, or checked on import
    return ShownChart(
        key=figure["kind"],
        title=figure["title"],
        caption=caption,
        svg=wide,
        legend=SafeString(""),
        files=files,
        narrow=narrow,
    )


def draw_file(figure: Figure, ending: str) -> str:
    """To be taken along: as SVG it turns dark where its reader's screen is, one to be painted is light."""
    return write_file(figure.drawing, title=figure.finding, dark=None if ending == "svg" else False)


def draw_stored_file(svg: str, below: str) -> str:
    """The same of one that a task drew for a page: on its own paper, with a few words below it."""
    head, _, drawn = svg.partition(">")
    found = VIEW.search(head)
    if found is None:
        raise ValueError(head)
    left, top, wide, high = map(float, found[1].split())
    lines = wrap_text(in_one_line(below), wide - 8, SIZE_BELOW) or [""]
    grown = high + LINE_BELOW + LEADING * (len(lines) - 1)
    paper = f'<rect x="{left:g}" y="{top:g}" width="{wide:g}" height="{grown:g}" fill="{PAPER}"/>'
    said = escape(in_one_line(below))
    words = "".join(
        f'<text x="{left + 4:g}" y="{top + high + 13 + LEADING * place:g}" font-size="{SIZE_BELOW}" fill="{INK_2}">'
        f"{escape(line)}</text>"
        for place, line in enumerate(lines)
    )
    body = re.sub(r"<title.*?</title>", "", drawn, count=1).removesuffix("</svg>")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:g} {top:g} {wide:g} {grown:g}" width="{wide:g}" '
        f'height="{grown:g}" font-size="11.5" font-family="{FONT}"><title>{said}</title>{paper}'
        f"{body}{words}</svg>\n"
    )
