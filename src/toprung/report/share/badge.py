"""How is a badge drawn? Two fields of measured width: whose it is, and what is known."""

from __future__ import annotations

from toprung.report.page.words import plain
from toprung.report.share.text_widths import measure_text, shorten_text
from toprung.words.visible import spell_hidden

HEIGHT, SIZE, BESIDE = 20, 11, 7
MOST_LEFT, MOST_RIGHT = 180, 320
DARK, TOP, GREY = "#33383d", "#00685f", "#5b6167"
FONTS = "Verdana,'DejaVu Sans',Geneva,sans-serif"


def draw_badge(about: str, words: str, *, is_top: bool = False) -> str:
    """An SVG by itself: attributes alone, so that no policy of any page forbids its looks."""
    about, words = spell_hidden(about), spell_hidden(words)
    left, right = shorten_text(about, MOST_LEFT, SIZE), shorten_text(words, MOST_RIGHT, SIZE)
    wide_left, wide_right = _room(left), _room(right)
    width, title = wide_left + wide_right, plain(f"{about}: {words}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}" viewBox="0 0 {width} {HEIGHT}" '
        f'role="img" aria-label="{title}"><title>{title}</title>'
        f'<rect width="{wide_left}" height="{HEIGHT}" fill="{DARK}"/>'
        f'<rect x="{wide_left}" width="{wide_right}" height="{HEIGHT}" fill="{TOP if is_top else GREY}"/>'
        f"{_write(left, BESIDE)}{_write(right, wide_left + BESIDE)}</svg>\n"
    )


def _room(text: str) -> int:
    return round(measure_text(text, SIZE)) + 2 * BESIDE


def _write(text: str, x: int) -> str:
    """As wide as it was measured, whatever font there is."""
    length = round(measure_text(text, SIZE))
    return (
        f'<text x="{x}" y="14" fill="#ffffff" font-family="{FONTS}" font-size="{SIZE}" '
        f'textLength="{length}" lengthAdjust="spacingAndGlyphs">{plain(text)}</text>'
    )
