"""Values that compiled code made, as Polars takes them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ArrowArray:
    """The two capsules of an Arrow array."""

    capsules: tuple[object, object]

    def __arrow_c_array__(self, _: object = None) -> tuple[object, object]:
        return self.capsules
