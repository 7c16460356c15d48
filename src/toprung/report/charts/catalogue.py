"""Which figures are there, and of which results? Their modules are imported only when one is drawn."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toprung.errors import InputError
from toprung.report.charts.figure import Figure
from toprung.result import Result
from toprung.wording import list_names

if TYPE_CHECKING:
    from toprung.report.charts.figure import Chart


@dataclass(frozen=True, kw_only=True)
class FigureKind:
    """A kind of figure: its name, what it shows, the result it is drawn from, and the module that draws it."""

    name: str
    shows: str
    result: str
    """The name of the result's class."""
    module: str
    """Below ``toprung.report.charts``; it has ``draw(result) -> Figure | None``, None where there is nothing to see."""

    def draw(self, result: Result) -> Figure | None:
        found: Figure | None = importlib.import_module(f"toprung.report.charts.{self.module}").draw(result)
        return found


KINDS = (
    FigureKind(
        name="stability",
        shows="how often each run takes each rank when queries are drawn anew",
        result="Stability",
        module="rank_heatmap",
    ),
)


def kinds_of(result: Result) -> tuple[FigureKind, ...]:
    """The kinds that can be drawn of a result, the most telling first."""
    return tuple(kind for kind in KINDS if kind.result == type(result).__name__)


def figures_of(result: Result) -> tuple[Figure, ...]:
    """Every figure of a result that has something to show."""
    drawn = (kind.draw(result) for kind in kinds_of(result))
    return tuple(figure for figure in drawn if figure is not None)


def figure_of(result: Result, kind: str | None = None) -> Figure:
    """One figure of a result: of the kind named, or the first that it has; an InputError where there is none."""
    known = kinds_of(result)
    if kind is not None and kind not in {each.name for each in known}:
        raise InputError(f"kind: found '{kind}'; expected {_say_kinds(known)}.")
    for each in known:
        if kind in (None, each.name) and (figure := each.draw(result)) is not None:
            return figure
    raise InputError(f"Found a {type(result).__name__} with nothing to draw; expected a result that has a figure.")


def plot(result: Result, kind: str | None = None) -> Chart:
    """The Altair chart of a result, in Toprung's theme: the figure of the kind named, or the first it has."""
    return figure_of(result, kind).to_chart()


def _say_kinds(known: tuple[FigureKind, ...]) -> str:
    if not known:
        return "a result that has a figure"
    return f"{'one of ' if len(known) > 1 else ''}{list_names([each.name for each in known])}"
