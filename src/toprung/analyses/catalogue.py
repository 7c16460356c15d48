"""Which analyses are there? Each is registered in its folder, and listed here: commands are in this order."""

from __future__ import annotations

from toprung.analyses.agreement.analysis import ANALYSIS as AGREEMENT
from toprung.analyses.audit.analysis import ANALYSIS as AUDIT
from toprung.analyses.best_answers.analysis import ANALYSIS as BEST_ANSWERS
from toprung.analyses.compare.analysis import ANALYSIS as COMPARE
from toprung.analyses.estimate.analysis import ANALYSIS as ESTIMATE
from toprung.analyses.evaluate.analysis import ANALYSIS as EVALUATE
from toprung.analyses.frontier.analysis import ANALYSIS as FRONTIER
from toprung.analyses.gate.analysis import ANALYSIS as GATE
from toprung.analyses.holdout.analysis import ANALYSIS as HOLDOUT
from toprung.analyses.leaderboard.analysis import ANALYSIS as LEADERBOARD
from toprung.analyses.policy.analysis import ANALYSIS as POLICY
from toprung.analyses.pools.analysis import ANALYSIS as POOLS
from toprung.analyses.power.analysis import ANALYSIS as POWER
from toprung.analyses.queries.analysis import ANALYSIS as QUERIES
from toprung.analyses.relabel.analysis import ANALYSIS as RELABEL
from toprung.analyses.scales.analysis import ANALYSIS as SCALES
from toprung.analyses.seeds.analysis import ANALYSIS as SEEDS
from toprung.analyses.significance.analysis import ANALYSIS as SIGNIFICANCE
from toprung.analyses.simulate.analysis import ANALYSIS as SIMULATE
from toprung.analyses.stability.analysis import ANALYSIS as STABILITY
from toprung.analyses.standings.analysis import ANALYSIS as STANDINGS
from toprung.analyses.table.analysis import ANALYSIS as TABLE
from toprung.analyses.timeline.analysis import ANALYSIS as TIMELINE
from toprung.analyses.win_ratio.analysis import ANALYSIS as WIN_RATIO
from toprung.analysis import Analysis, FigureOf, Part

ANALYSES: tuple[Analysis, ...] = (
    EVALUATE,
    LEADERBOARD,
    TABLE,
    COMPARE,
    QUERIES,
    GATE,
    SIGNIFICANCE,
    STANDINGS,
    TIMELINE,
    STABILITY,
    AGREEMENT,
    HOLDOUT,
    ESTIMATE,
    POWER,
    FRONTIER,
    SEEDS,
    SCALES,
    SIMULATE,
    POLICY,
    POOLS,
    AUDIT,
    BEST_ANSWERS,
    WIN_RATIO,
    RELABEL,
)


def all_analyses() -> tuple[Analysis, ...]:
    return ANALYSES


def find_analysis(key: str) -> Analysis:
    return next(each for each in all_analyses() if each.key == key)


def find_on_boards(*, is_public: bool) -> list[Analysis]:
    """Those that hosted boards have a page of; for everyone only what is registered for them."""
    return [each for each in all_analyses() if each.board is not None and (each.in_public or not is_public)]


def all_figures() -> list[tuple[Analysis, FigureOf]]:
    """Every figure with the analysis that it is of, in their order."""
    found = [(each, figure) for each in all_analyses() for figure in each.figures]
    return sorted(found, key=lambda pair: pair[1].place)


def all_parts() -> list[tuple[Analysis, Part]]:
    """Every part of the report with the analysis that answers it, in their order."""
    found = [(each, part) for each in all_analyses() for part in each.parts]
    return sorted(found, key=lambda pair: pair[1].place)
