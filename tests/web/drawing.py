"""Results as tasks compute them, with the words of each figure, but nothing drawn: pages in tests need none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from toprung.report.charts.figure import Figure


@contextmanager
def figures_left_out() -> Iterator[None]:
    """Figures are blank paper."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Figure, "to_inline_svg", lambda *_, **__: '<svg viewBox="0 0 8 8"></svg>')
        yield
