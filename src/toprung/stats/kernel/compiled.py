"""Was the compiled kernel built? Whoever has a loop in it asks here, and has the same loop in NumPy.

The sources are beside this file; module.c tells what there is.
"""

from __future__ import annotations

import os

try:
    from toprung.stats.kernel import _kernel
except ImportError:  # no compiler at install time
    _kernel = None  # type: ignore[assignment]  # has_kernel() is asked first

kernel = _kernel


def has_kernel() -> bool:
    """Whether the kernel was built and is not switched off (``TOPRUNG_KERNEL=off``)."""
    return _kernel is not None and os.environ.get("TOPRUNG_KERNEL", "").lower() != "off"
