"""What varies from run to run, or from machine to machine, and is put aside before outputs are compared?"""

from __future__ import annotations

import base64
import gzip
import json
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from tests.golden.part import digest_of

from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.writing import write_inline
from toprung.version import __version__

DIGITS = 10
"""Of a number: later ones depend on the machine."""
LONG_NUMBER = re.compile(r"(?<![\w.])\d+\.\d{11,}(?:e[+-]?\d+)?(?!\w)|(?<![\w.])\d\.\d+e-\d+(?!\w)")
VERSION = re.compile(rf"(?<![\w.]){re.escape(__version__)}(?![\w.]*\d)")
MADE_AT = re.compile(r'(?:(?<="created": ")|(?<=created\n</dt>\n<dd>\n))[\d:T+-]+')
FOLDER = re.compile(rf"{re.escape(tempfile.gettempdir())}/tmp(?:\w|\\_)+")
"""Markdown and LaTeX escape some underscores."""
OBJECT = re.compile(r"<(?:\w+\.)*(\w+) object at 0x\w+>")

PACKED = re.compile(r'(<script type="text/x-packed" id="([^"]+)">)([^<]*)')
STYLE = re.compile(r"(<style[^>]*>).*?(</style>)", re.DOTALL)
SCRIPT = re.compile(r'(<script(?: type="module")?>).*?(</script>)', re.DOTALL)
ALLOWED = re.compile(r"'sha256-[^']+'")
"""The digests of style and script in a page's policy."""
FORM_TOKEN = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")\w+|(?<=name="attempt" value=")[\w-]+')
BLOCKS = (
    "html|head|meta|link|title|style|script|body|header|footer|main|nav|aside|section|article|div|p|h[1-6]|ul|ol|li|"
    "dl|dt|dd|table|caption|colgroup|col|thead|tbody|tfoot|tr|th|td|form|fieldset|legend|details|summary|figure|"
    "figcaption|template|option|select|optgroup|svg|g|path|pre|hr|br"
)
AROUND_BLOCK = re.compile(rf"\s*(</?(?:{BLOCKS})(?=[\s>/])[^>]*>)\s*", re.IGNORECASE)


def settle(text: str) -> str:
    """The text as any machine would write it at any time, in any folder."""
    text = FOLDER.sub("[folder]", MADE_AT.sub("[time]", VERSION.sub("[version]", text)))
    return LONG_NUMBER.sub(lambda found: f"{float(found[0]):.{DIGITS}g}", OBJECT.sub(r"<\1>", text))


def settle_page(page: str) -> str:
    """The page without the stylesheet and script that all have, what it carries in clear, and whitespace folded.

    White space shows between words and between words and tags within a line, so it is kept there, as one blank; around
    what begins a line of its own it does not show.
    """
    page = ALLOWED.sub("[digest]", FORM_TOKEN.sub("[token]", PACKED.sub(_unpacked, page)))
    return settle(fold(SCRIPT.sub(r"\1\2", STYLE.sub(r"\1\2", page))))


def fold(page: str) -> str:
    blank = re.sub(r"\s+", " ", page)
    lines = AROUND_BLOCK.sub(r"\n\1\n", re.sub(r"\s+(?=/?>)", "", blank))
    return re.sub(r"\n+", "\n", lines).strip() + "\n"


def _unpacked(found: re.Match[str]) -> str:
    """The library that draws is left out: it is not ours."""
    is_library = found[2] == "chart-library"
    text = "" if is_library else gzip.decompress(base64.b64decode(found[3])).decode()
    return f"{found[1]}{text}"


def to_settled_json(text: str) -> str:
    """In an order and layout of its own."""
    return settle(json.dumps(json.loads(text), indent=1, sort_keys=True, ensure_ascii=False)) + "\n"


@contextmanager
def undrawn() -> Iterator[list[str]]:
    """Figures stand in pages as the digests of what they hold: a change of one shows once, not in every page.

    What it gives is filled with the drawings, in the order in which they would have been written.
    """
    drawings: list[str] = []

    def stand_in(figure: Figure, **_: object) -> str:
        drawings.append(settle(f"{write_inline(figure.drawing, has_legend=True)}\n"))
        return f'<svg data-drawing="{digest_of(drawings[-1])}" viewBox="0 0 8 8"></svg>'

    with patch.object(Figure, "to_inline_svg", stand_in):
        yield drawings
