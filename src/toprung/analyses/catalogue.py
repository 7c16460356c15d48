"""Which analyses are there? Each is registered in its folder, and listed here: commands are in this order.

By what is typed for its command stands where it is registered, and it is loaded when it is asked for: a command loads
its own analysis only.
"""

from __future__ import annotations

from toprung.analysis import Analysis, FigureOf, Part, Place, load

ANALYSES: dict[str, Place] = {
    "evaluate": "toprung.analyses.evaluate.analysis:ANALYSIS",
    "leaderboard": "toprung.analyses.leaderboard.analysis:ANALYSIS",
    "table": "toprung.analyses.table.analysis:ANALYSIS",
    "compare": "toprung.analyses.compare.analysis:ANALYSIS",
    "queries": "toprung.analyses.queries.analysis:ANALYSIS",
    "gate": "toprung.analyses.gate.analysis:ANALYSIS",
    "significance": "toprung.analyses.significance.analysis:ANALYSIS",
    "standings": "toprung.analyses.standings.analysis:ANALYSIS",
    "timeline": "toprung.analyses.timeline.analysis:ANALYSIS",
    "stability": "toprung.analyses.stability.analysis:ANALYSIS",
    "agreement": "toprung.analyses.agreement.analysis:ANALYSIS",
    "holdout": "toprung.analyses.holdout.analysis:ANALYSIS",
    "estimate": "toprung.analyses.estimate.analysis:ANALYSIS",
    "power": "toprung.analyses.power.analysis:ANALYSIS",
    "frontier": "toprung.analyses.frontier.analysis:ANALYSIS",
    "seeds": "toprung.analyses.seeds.analysis:ANALYSIS",
    "scales": "toprung.analyses.scales.analysis:ANALYSIS",
    "simulate": "toprung.analyses.simulate.analysis:ANALYSIS",
    "policy": "toprung.analyses.policy.analysis:ANALYSIS",
    "labels pool": "toprung.analyses.pools.analysis:ANALYSIS",
    "labels audit": "toprung.analyses.audit.analysis:ANALYSIS",
    "labels tournament": "toprung.analyses.best_answers.analysis:ANALYSIS",
    "labels winratio": "toprung.analyses.win_ratio.analysis:ANALYSIS",
    "labels rescore": "toprung.analyses.relabel.analysis:ANALYSIS",
}


def all_analyses() -> tuple[Analysis, ...]:
    return tuple(map(load, ANALYSES.values()))


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
