"""What is wrong with an open page, wide and narrow, light and dark? Looked at without loading it again."""

from __future__ import annotations

from tests.browser.chromium import Scheme
from tests.browser.looking import LAPTOP, PHONE, Visit

OF_COLOURS = ("color-contrast", "link-in-text-block")
OF_WIDTHS = ("scrollable-region-focusable", "target-size")
"""Rules that a scheme can break, and those that a width can; the others hold in every look, or in none."""

LEAST_HEADING = 120
"""Pixels: a heading beside buttons breaks between words, not letter by letter."""
SQUEEZED = "least => [...document.querySelectorAll('h1')].filter(h => h.offsetWidth < least).map(h => h.textContent)"


def find_faults_in_all_looks(seen: Visit) -> list[str]:
    """Wide and light with every rule, then the three other looks with those they can break; it ends as it began."""
    found = [
        *(f"console: {error}" for error in seen.errors),
        *(f"asked for: {url}" for url in seen.outside),
        *_find(seen, LAPTOP, "light"),
        *_find(seen, LAPTOP, "dark", *OF_COLOURS),
        *_find(seen, PHONE, "dark", *OF_COLOURS, *OF_WIDTHS),
        *_find(seen, PHONE, "light", *OF_COLOURS),
    ]
    _look(seen, LAPTOP, "light")
    return found


def _find(seen: Visit, width: int, scheme: Scheme, *rules: str) -> list[str]:
    _look(seen, width, scheme)
    squeezed = seen.run(lambda page: page.evaluate(SQUEEZED, LEAST_HEADING))
    found = [
        *(f"too wide: {each}" for each in seen.find_overflow()),
        *(f"squeezed: {each}" for each in squeezed),
        *seen.find_grave_violations(*rules),
    ]
    return [f"{width} {scheme}: {each}" for each in found]


def _look(seen: Visit, width: int, scheme: Scheme) -> None:
    seen.run(lambda page: page.emulate_media(color_scheme=scheme))
    seen.run(lambda page: page.set_viewport_size({"width": width, "height": 844}))
