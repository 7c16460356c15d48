"""How is the picture of a link drawn? The sentence, large; the first runs; what the board is. 1200 by 630."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from toprung.report.charts.tokens import TOKENS
from toprung.report.page.words import plain
from toprung.report.share.text_widths import SERIF_BOLD, measure_text, shorten_text
from toprung.words.visible import spell_hidden

WIDTH, HEIGHT, LEFT = 1200, 630, 72
ROOM = WIDTH - 2 * LEFT
SIZES, MOST_LINES = (54, 46, 38, 32), (4, 4, 5, 6)
"""Sizes of the sentence, the largest that fits is taken, with the lines that there is room for."""
SERIF = "Charter,'DejaVu Serif',Georgia,'Liberation Sans',serif"
SANS = "Inter,'DejaVu Sans','Liberation Sans',sans-serif"
KEEP = 'xml:space="preserve"'
PAPER, INK, INK_2, MARK, TOP = (TOKENS[name].light for name in ("paper", "ink", "ink-2", "mark", "top"))


@dataclass(frozen=True, kw_only=True)
class CardBar:
    """The score interval of a run, from 0 to 1 of the width."""

    low: float
    high: float
    is_top: bool


@dataclass(frozen=True, kw_only=True)
class PreviewCard:
    """What is on the picture."""

    title: str
    bold: str
    rest: str
    facts: str
    bars: Sequence[CardBar] = ()


type Word = tuple[str, bool]
"""And whether it is bold."""


def draw_card(card: PreviewCard) -> str:
    """As SVG, in the light colours: where it is shown nobody knows which are wanted."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>'
        f"{_draw_brand()}{_write(card.title, 154, 34)}"
        f"{''.join(_write_sentence(card))}{''.join(_draw_bars(card.bars))}"
        f"{_write(card.facts, 580, 26)}</svg>\n"
    )


def _draw_brand() -> str:
    move, rungs = f"translate({LEFT} 66) scale(1.5)", "M4.5 1v20M15.5 1v20M4.5 11.5h11M4.5 17h11"
    return (
        f'<g transform="{move}" fill="none"><path stroke="{MARK}" stroke-width="2" d="{rungs}"/>'
        f'<path stroke="{TOP}" stroke-width="3.4" d="M2 5.5h16"/></g>'
        f'<text x="{LEFT + 40}" y="93" font-family="{SANS}" font-weight="700" font-size="26" fill="{INK}">'
        "Toprung</text>"
    )


def _write(text: str, y: int, size: int) -> str:
    shown = plain(shorten_text(spell_hidden(text), ROOM, size))
    return f'<text x="{LEFT}" y="{y}" font-family="{SANS}" font-size="{size}" fill="{INK_2}">{shown}</text>'


def _write_sentence(card: PreviewCard) -> Iterator[str]:
    said = (card.bold, True), (card.rest, False)
    words = [(word, is_bold) for text, is_bold in said for word in spell_hidden(text).split()]
    size, lines = _fit(words)
    for number, line in enumerate(lines):
        y = 160 + round((number + 1) * 1.24 * size)
        inner = "".join(
            f'<tspan font-weight="{700 if is_bold else 400}">{plain(text)}</tspan>' for text, is_bold in _join(line)
        )
        yield f'<text x="{LEFT}" y="{y}" font-family="{SERIF}" font-size="{size}" fill="{INK}" {KEEP}>{inner}</text>'


def _fit(words: Sequence[Word]) -> tuple[int, list[list[Word]]]:
    """The largest size at which all of it stands; at the smallest, what there is room for."""
    for size, most in zip(SIZES, MOST_LINES, strict=True):
        lines = list(_break(words, size))
        if len(lines) <= most:
            return size, lines
    return size, lines[:most]


def _break(words: Sequence[Word], size: int) -> Iterator[list[Word]]:
    line: list[Word] = []
    for word, is_bold in words:
        fitting = shorten_text(word, ROOM, size, SERIF_BOLD)
        if line and measure_text(" ".join([*(each for each, _ in line), fitting]), size, SERIF_BOLD) > ROOM:
            yield line
            line = []
        line.append((fitting, is_bold))
    if line:
        yield line


def _join(line: Sequence[Word]) -> Iterator[Word]:
    """Words of one weight together, with a blank between the two."""
    parts = [
        (" ".join(word for word, _ in group), is_bold) for is_bold, group in groupby(line, key=lambda each: each[1])
    ]
    for number, (text, is_bold) in enumerate(parts):
        yield (f" {text}" if number else text), is_bold


def _draw_bars(bars: Sequence[CardBar]) -> Iterator[str]:
    for number, bar in enumerate(bars):
        x, width = LEFT + ROOM * bar.low, max(2.0, ROOM * (bar.high - bar.low))
        yield (
            f'<rect x="{x:.1f}" y="{468 + 12 * number}" width="{width:.1f}" height="6" '
            f'fill="{TOP if bar.is_top else MARK}"/>'
        )
