"""How are very many rows told without an object for each cell? In blocks that share their first cells."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple


class Block(NamedTuple):
    """Rows with the same first cells: a number for each text; a row whose number is NaN is left out."""

    cells: tuple[str, ...]
    numbers: Any
    """Doubles in a buffer that has ``tolist``: an ``array.array`` or a NumPy array."""


class BlockRows:
    """Rows that end with a text and a number, of which each block has one for every text.

    >>> from array import array
    >>> list(BlockRows(["q1", "q2"], [Block(("bm25", "RR"), array("d", [0.5, math.nan]))]))
    [('bm25', 'RR', 'q1', 0.5)]
    """

    def __init__(self, texts: Sequence[str], blocks: Iterable[Block]) -> None:
        self.texts = texts
        self.blocks = blocks

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        for cells, numbers in self.blocks:
            for text, number in zip(self.texts, numbers.tolist(), strict=True):
                if not math.isnan(number):
                    yield (*cells, text, number)
