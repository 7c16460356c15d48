"""Which figures are there, and of which results? Analyses register them; what draws is imported when one is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from toprung.analyses.catalogue import all_figures
from toprung.analysis import Place, load
from toprung.errors import InputError
from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.setting import PLAIN, ChartSetting
from toprung.result import Result
from toprung.words.wording import list_names, say_type


@dataclass(frozen=True, kw_only=True)
class FigureKind:
    """A kind of figure: its name, what it shows, the result it is drawn from, and who computes and draws it."""

    name: str
    shows: str
    result: str
    """The name of the result's class."""
    computed_by: str
    """What is typed after ``toprung`` for the result."""
    drawn_by: Place

    def draw(self, result: Result, setting: ChartSetting = PLAIN) -> Figure | None:
        """The figure; None where there is nothing to see."""
        found: Figure | None = load(self.drawn_by)(result, setting)
        return found


def all_kinds() -> tuple[FigureKind, ...]:
    """The figures that analyses register."""
    return tuple(
        FigureKind(
            name=figure.kind,
            shows=figure.shows,
            result=figure.result or analysis.result,
            computed_by=analysis.command_path,
            drawn_by=figure.draw,
        )
        for analysis, figure in all_figures()
    )


def kinds_of(result: Result) -> tuple[FigureKind, ...]:
    """The kinds that can be drawn of a result, the most telling first."""
    return tuple(kind for kind in all_kinds() if kind.result == type(result).__name__)


def figures_of(result: Result, setting: ChartSetting = PLAIN) -> tuple[Figure, ...]:
    """Every figure of a result that has something to show."""
    drawn = (kind.draw(result, setting) for kind in kinds_of(result))
    return tuple(figure for figure in drawn if figure is not None)


def figure_of(result: Result, kind: str | None = None) -> Figure:
    """One figure of a result: of the kind named, or the first that it has; an InputError where there is none."""
    drawn = result.to_draw()
    known = kinds_of(drawn)
    if kind is not None and kind not in {each.name for each in known}:
        raise InputError(f"kind: found '{kind}'; expected {_say_kinds(known)}.")
    for each in known:
        if kind in (None, each.name) and (figure := each.draw(drawn)) is not None:
            return figure
    raise InputError(f"Found {say_type(result)} with nothing to draw; expected a result that has a figure.")


def _say_kinds(known: tuple[FigureKind, ...]) -> str:
    if not known:
        return "a result that has a figure"
    return f"{'one of ' if len(known) > 1 else ''}{list_names([each.name for each in known])}"
