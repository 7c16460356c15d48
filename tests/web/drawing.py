"""Results as tasks compute them, with the words of each figure, but nothing drawn: pages in tests need none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from toprung.report.charts.figure import Figure
from toprung.web.core.apart.limits import ChildLimits


def run_here[R](work: Callable[..., R], *asked: Any, limits: ChildLimits) -> R:
    """Does in this process what a child does."""
    return work(*asked)


@contextmanager
def figures_left_out() -> Iterator[None]:
    """Figures are blank paper, and no child draws them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Figure, "to_inline_svg", lambda *_, **__: '<svg viewBox="0 0 8 8"></svg>')
        patch.setattr("toprung.web.services.results.content.run_apart", run_here)
        yield
