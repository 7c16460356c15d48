"""How is a row written as CSV? So that no spreadsheet runs a cell as a formula; very many rows by compiled code."""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections.abc import Iterable
from itertools import accumulate

from toprung.result.block_rows import Block, BlockRows
from toprung.words.visible import spell_hidden

try:
    from toprung.report import _rows
except ImportError:  # no compiler at install time: Python writes the same
    _rows = None  # type: ignore[assignment]  # write_rows() asks for it first

# At the start of a cell, of a line in it, or of what a spreadsheet that parts cells at semicolons or tabs takes for
# one; the wide forms count where such letters are at home.
FORMULA = re.compile(r"(?:^|(?<=[;\t\r\n]))(?=[^\S\t\r\n]*[=+\-@＝＋－＠])|^(?=[\t\r\n])")

MOST_KEPT = 1 << 16
"""Texts that are remembered while rows are written."""


def write_rows(rows: Iterable[Iterable[object]]) -> str:
    """The rows as text, each with its line end."""
    if isinstance(rows, BlockRows) and _rows is not None:
        return _write_blocks(rows)
    text = io.StringIO()
    harmless = _HarmlessTexts()
    csv.writer(text, lineterminator="\n").writerows(
        [harmless[cell] if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    return text.getvalue()


def _write_blocks(rows: BlockRows) -> str:
    cells = [_write_cell(text).encode() for text in rows.texts]
    together, ends = b"".join(cells), array("q", accumulate(map(len, cells)))
    return b"".join(_rows.write(_before(block), together, ends, block.numbers) for block in rows.blocks).decode()


def _before(block: Block) -> bytes:
    """What all its rows begin with."""
    return "".join(f"{_write_cell(cell)}," for cell in block.cells).encode()


def _write_cell(text: str) -> str:
    """A cell that is not alone in its row, and so may be empty."""
    is_plain = text.isascii() and text.isalnum()
    return text if is_plain else write_rows([("", text)])[1:-1]


class _HarmlessTexts(dict[str, str]):
    """What a spreadsheet would run as a formula gets an apostrophe before it. Most cells of a column are met again."""

    def __missing__(self, text: str) -> str:
        found = FORMULA.sub("'", spell_hidden(text))
        if len(self) < MOST_KEPT:
            self[text] = found
        return found
