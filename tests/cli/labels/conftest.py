"""A small effort: pools, and pools with judgments."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]

# Pools: q1 {a, x}, q2 {b, y}. People prefer x to a, and b to y.
JUDGMENTS = "q1 a x x\nq2 y b b\n"


@pytest.fixture
def pooled(toprung: Command, files: Path) -> Command:
    assert toprung("labels", "pool", "qrels.txt", "good.run", "poor.run", "--state", "S").code == 0
    return toprung


@pytest.fixture
def judged(pooled: Command, files: Path) -> Command:
    (files / "judgments.txt").write_text(JUDGMENTS)
    assert pooled("labels", "import", "judgments.txt", "--state", "S").code == 0
    return pooled
