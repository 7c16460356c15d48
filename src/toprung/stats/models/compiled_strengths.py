"""Was the compiled part of strengths built? `strength_posterior` asks here, and has the same in NumPy."""

from __future__ import annotations

import os

try:
    from toprung.stats.models import _strengths
except ImportError:  # no compiler at install time
    _strengths = None  # type: ignore[assignment]  # has_strengths() is asked first

strengths = _strengths


def has_strengths() -> bool:
    """Whether it was built and is not switched off (``TOPRUNG_KERNEL=off``)."""
    return _strengths is not None and os.environ.get("TOPRUNG_KERNEL", "").lower() != "off"
