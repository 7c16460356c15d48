"""How are many short texts handed to compiled code? One after the other, with where each ends."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from toprung.data.held import INT64

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class PackedTexts:
    """Texts in UTF-8 one after the other; text ``i`` ends before byte ``ends[i]``, of 64-bit numbers."""

    def __init__(self, data: bytes, ends: array[int] | NDArray[np.int64]) -> None:
        self.data, self.ends = data, ends

    @classmethod
    def of(cls, texts: Sequence[str]) -> PackedTexts:
        encoded = [text.encode() for text in texts]
        return cls(b"".join(encoded), array(INT64, accumulate(map(len, encoded))))
