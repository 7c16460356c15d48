"""How are many short texts handed to compiled code? One after the other, with where each ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class PackedTexts:
    """Texts in UTF-8 one after the other; text ``i`` ends before byte ``ends[i]``."""

    data: bytes
    ends: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Sequence[str]) -> PackedTexts:
        encoded = [text.encode() for text in texts]
        ends = np.cumsum(np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded)))
        return cls(b"".join(encoded), ends)
