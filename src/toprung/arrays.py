"""NumPy, loaded where it is first used: evaluating by common measures needs none, and takes less than its import."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
else:

    class _LoadedWhenUsed:
        def __getattr__(self, name: str) -> object:
            found = getattr(importlib.import_module("numpy"), name)
            setattr(self, name, found)
            return found

    np = _LoadedWhenUsed()

__all__ = ["np"]
