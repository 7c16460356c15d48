"""How are many short texts handed to compiled code? One after the other, with where each ends."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from toprung.data.held import INT64


class PackedTexts(NamedTuple):
    """Texts in UTF-8 one after the other; text ``i`` ends before byte ``ends[i]``, which are 64-bit numbers."""

    data: bytes
    ends: Any
    """A buffer that has ``tolist``: an ``array.array``, or a NumPy array."""

    @classmethod
    def of(cls, texts: Sequence[str]) -> PackedTexts:
        encoded = [text.encode() for text in texts]
        return cls(b"".join(encoded), array(INT64, accumulate(map(len, encoded))))
