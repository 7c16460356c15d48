"""Which figures are there, and of which results? Their modules are imported only when one is drawn."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toprung.errors import InputError
from toprung.report.charts.figure import Figure
from toprung.result import Result
from toprung.words.wording import list_names

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
    """Below ``toprung.report.charts.kinds``; it has ``draw(result) -> Figure | None``: None where nothing is to see."""

    def draw(self, result: Result) -> Figure | None:
        found: Figure | None = importlib.import_module(f"toprung.report.charts.kinds.{self.module}").draw(result)
        return found


KINDS = (
    FigureKind(
        name="scores",
        shows="the score of each run with its interval, and who cannot be told apart from the top",
        result="Leaderboard",
        module="forest",
    ),
    FigureKind(
        name="timeline",
        shows="who held the top rung over time, and the claims that were not supported",
        result="Timeline",
        module="timeline",
    ),
    FigureKind(
        name="score-timeline",
        shows="the highest score of a published leaderboard over time",
        result="ScoreTimeline",
        module="score_timeline",
    ),
    FigureKind(
        name="outcomes",
        shows="on how many queries each of two runs does better, and in which way",
        result="Comparisons",
        module="outcome_bars",
    ),
    FigureKind(
        name="rank-differences",
        shows="how far apart two runs put the answer, where both find it",
        result="Comparisons",
        module="rank_differences",
    ),
    FigureKind(
        name="miss-cost",
        shows="what a miss would have to cost for one run to be the cheaper to read",
        result="Comparisons",
        module="miss_cost",
    ),
    FigureKind(
        name="significance",
        shows="which pairs of runs differ beyond chance",
        result="SignificanceGrid",
        module="significance_grid",
    ),
    FigureKind(
        name="stability",
        shows="how often each run takes each rank when queries are drawn anew",
        result="Stability",
        module="rank_heatmap",
    ),
    FigureKind(
        name="top-ranks",
        shows="how often the first runs keep their ranks, in figures",
        result="Stability",
        module="top_ranks",
    ),
    FigureKind(
        name="conditions",
        shows="where chosen runs stand under other measures, queries or labels",
        result="Stability",
        module="rank_positions",
    ),
    FigureKind(
        name="private",
        shows="whether runs do as well on private queries as on public ones",
        result="Holdout",
        module="private_scatter",
    ),
    FigureKind(
        name="private-scores",
        shows="two score columns of a published leaderboard against each other",
        result="ScoreHoldout",
        module="column_scatter",
    ),
    FigureKind(
        name="private-teams",
        shows="how often each team submitted",
        result="Holdout",
        module="team_submissions",
    ),
    FigureKind(
        name="teams",
        shows="the submissions of each team against the policy",
        result="PolicyAudit",
        module="team_submissions",
    ),
    FigureKind(
        name="pool-sizes",
        shows="how many answers the queries have to compare",
        result="PoolReport",
        module="pool_sizes",
    ),
    FigureKind(
        name="win-ratios",
        shows="how often the first answer of each run is preferred to that of each other",
        result="WinRatios",
        module="win_ratio_matrix",
    ),
    FigureKind(
        name="label-sets",
        shows="the scores of runs under the original and the new labels",
        result="Relabelled",
        module="two_label_sets",
    ),
    FigureKind(
        name="audit",
        shows="whether a run's answers or the labels are preferred, in four parts",
        result="Audit",
        module="audit_shares",
    ),
    FigureKind(
        name="cost",
        shows="score against cost or latency, and which runs are worth it",
        result="Frontier",
        module="frontier",
    ),
    FigureKind(
        name="seeds",
        shows="the seeds of each system, and their mean with its interval",
        result="SeedSpread",
        module="seeds",
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
