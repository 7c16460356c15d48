"""How are many short texts handed to compiled code? One after the other, with where each ends."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate

from toprung.data.held import INT64


class PackedTexts:
    """Texts in UTF-8 one after the other; text ``i`` ends before byte ``ends[i]``."""

    def __init__(self, texts: Sequence[str]) -> None:
        encoded = [text.encode() for text in texts]
        self.data = b"".join(encoded)
        self.ends = array(INT64, accumulate(map(len, encoded)))
