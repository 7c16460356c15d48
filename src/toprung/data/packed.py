"""How are many short texts handed to compiled code? One after the other, with where each ends."""

from __future__ import annotations

from array import array
from collections.abc import Buffer, Sequence
from itertools import accumulate

from toprung.data.held import INT64


class PackedTexts:
    """Texts in UTF-8 one after the other; text ``i`` ends before byte ``ends[i]``, of 64-bit numbers."""

    def __init__(self, data: bytes, ends: Buffer) -> None:
        self.data, self.ends = data, ends

    @classmethod
    def of(cls, texts: Sequence[str]) -> PackedTexts:
        encoded = [text.encode() for text in texts]
        return cls(b"".join(encoded), array(INT64, accumulate(map(len, encoded))))
