"""How does a figure stand in a page? With its finding in words, its legend below, and a drawing for small screens."""

from __future__ import annotations

from toprung.report.charts.figure import Figure
from toprung.report.page.words import plain, words

MOST_FOR_PHONES = 60_000
"""Bytes of a second drawing, for small screens; a larger one would be too heavy there, and the first is scrolled."""


def write_figure(figure: Figure, key: str, narrow: Figure | None = None) -> str:
    """The figure under a key that no other one on the page has; ``narrow`` is its drawing for a small screen."""
    small = as_image(narrow.to_inline_svg(has_legend=False), f"{key}-narrow", narrow.finding) if narrow else ""
    has_both = bool(small) and len(small) <= MOST_FOR_PHONES
    wide = as_image(figure.to_inline_svg(has_legend=False), key, figure.finding)
    return (
        f'<figure class="chart" aria-labelledby="{key}-title">'
        f"{_plot(wide, key, ' wide-only' if has_both else '')}{_plot(small, key, ' narrow-only') if has_both else ''}"
        f"{figure.legends}"
        f'<figcaption><b id="{key}-title">{words(_closed(figure.title))}</b> {words(figure.caption)}</figcaption>'
        "</figure>\n"
    )


def _plot(svg: str, key: str, kind: str) -> str:
    return f'<div class="plot{kind}" tabindex="0" role="group" aria-labelledby="{key}-title">{svg}</div>'


def _closed(title: str) -> str:
    return title if title.endswith(("?", "!", ".")) else f"{title}."


def as_image(svg: str, key: str, finding: str) -> str:
    """Named by what it shows: one image, or a group where its marks lead somewhere."""
    head, opened, rest = svg.partition(">")
    role = "group" if "<a " in rest else "img"
    title = f'<title id="{key}-finding">{plain(finding)}</title>'
    return f'{head} role="{role}" aria-labelledby="{key}-finding"{opened}{title}{rest}'
