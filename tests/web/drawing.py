"""Results as tasks compute them, with the words of each figure, but nothing drawn: drawings take most of the time."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import ModuleType

import pytest

import toprung.report.charts
from toprung.report.charts.figure import Figure


class Blank:
    """Stands for Altair, and for whatever is made with it."""

    def __getattr__(self, name: str) -> Blank:
        return self

    def __call__(self, *_: object, **__: object) -> Blank:
        return self


@contextmanager
def figures_left_out() -> Iterator[None]:
    """Figures are blank."""
    with pytest.MonkeyPatch.context() as patch:
        for module in _drawing_modules():
            patch.setattr(module, "alt", Blank())
            patch.setattr(module, "values", Blank(), raising=False)
        patch.setattr(Figure, "to_inline_svg", lambda _: "<svg></svg>")
        yield


@cache
def _drawing_modules() -> tuple[ModuleType, ...]:
    """Those that build charts with Altair."""
    package = toprung.report.charts
    names = [each.name for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    return tuple(module for name in names if hasattr(module := importlib.import_module(name), "alt"))
