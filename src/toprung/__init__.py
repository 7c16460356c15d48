"""Toprung: who really stands on the top rung? Honest evaluation of ranked-retrieval runs.

Names are loaded when they are first used, so that the command line starts fast.
"""

import importlib
from typing import TYPE_CHECKING

from toprung.version import __version__

if TYPE_CHECKING:
    from toprung.analyses.agreement import Agreement, agreement
    from toprung.analyses.compare import Comparisons, compare
    from toprung.analyses.holdout import Holdout, holdout
    from toprung.analyses.holdout_scores import ScoreHoldout, score_holdout
    from toprung.analyses.policy import PolicyAudit, audit_policy
    from toprung.analyses.policy_similarity import run_similarity
    from toprung.analyses.power import Power, power
    from toprung.analyses.power_plan import Plan, plan
    from toprung.analyses.scales import ScaleChecks, check_scale, check_scales
    from toprung.analyses.scales_check import ScaleCheck
    from toprung.analyses.scales_observed import ObservedScale, check_observed_scale
    from toprung.analyses.score_timeline import ScoreTimeline, score_timeline
    from toprung.analyses.significance import SignificanceGrid, significance
    from toprung.analyses.simulate import Simulation, simulate
    from toprung.analyses.stability import Stability, stability
    from toprung.analyses.standings import Standings, standings
    from toprung.analyses.timeline import Timeline, timeline
    from toprung.data.formats.content import Limits
    from toprung.data.formats.leaderboard_files import (
        read_dates,
        read_leaderboard,
        read_submissions,
        read_twice_scored,
    )
    from toprung.data.formats.matrix_files import read_ranks, read_scores
    from toprung.data.formats.qrels_files import read_qrels
    from toprung.data.formats.run_files import read_run, write_run
    from toprung.data.formats.validate import Validation, read_query_ids, validate_run
    from toprung.data.matrices import FirstRanks, ScoreTable
    from toprung.data.qrels import Qrels
    from toprung.data.run import Run
    from toprung.errors import (
        FormatError,
        InputError,
        MeasureError,
        MissingPackageError,
        NoOverlapError,
        TooLargeError,
        ToprungError,
        WorkerLostError,
    )
    from toprung.scoring.catalogue import find_measure
    from toprung.scoring.evaluate import evaluate
    from toprung.scoring.evaluation import Evaluation
    from toprung.workers import Workers

__all__ = [
    "Agreement",
    "Comparisons",
    "Evaluation",
    "FirstRanks",
    "FormatError",
    "Holdout",
    "InputError",
    "Limits",
    "MeasureError",
    "MissingPackageError",
    "NoOverlapError",
    "ObservedScale",
    "Plan",
    "PolicyAudit",
    "Power",
    "Qrels",
    "Run",
    "ScaleCheck",
    "ScaleChecks",
    "ScoreHoldout",
    "ScoreTable",
    "ScoreTimeline",
    "SignificanceGrid",
    "Simulation",
    "Stability",
    "Standings",
    "Timeline",
    "TooLargeError",
    "ToprungError",
    "Validation",
    "WorkerLostError",
    "Workers",
    "__version__",
    "agreement",
    "audit_policy",
    "check_observed_scale",
    "check_scale",
    "check_scales",
    "compare",
    "evaluate",
    "find_measure",
    "holdout",
    "plan",
    "power",
    "read_dates",
    "read_leaderboard",
    "read_qrels",
    "read_query_ids",
    "read_ranks",
    "read_run",
    "read_scores",
    "read_submissions",
    "read_twice_scored",
    "run_similarity",
    "score_holdout",
    "score_timeline",
    "significance",
    "simulate",
    "stability",
    "standings",
    "timeline",
    "validate_run",
    "write_run",
]

_HOMES = {
    "toprung.analyses.agreement": ("Agreement", "agreement"),
    "toprung.analyses.compare": ("Comparisons", "compare"),
    "toprung.analyses.holdout": ("Holdout", "holdout"),
    "toprung.analyses.holdout_scores": ("ScoreHoldout", "score_holdout"),
    "toprung.analyses.policy": ("PolicyAudit", "audit_policy"),
    "toprung.analyses.policy_similarity": ("run_similarity",),
    "toprung.analyses.power": ("Power", "power"),
    "toprung.analyses.power_plan": ("Plan", "plan"),
    "toprung.analyses.scales": ("ScaleChecks", "check_scale", "check_scales"),
    "toprung.analyses.scales_check": ("ScaleCheck",),
    "toprung.analyses.scales_observed": ("ObservedScale", "check_observed_scale"),
    "toprung.analyses.score_timeline": ("ScoreTimeline", "score_timeline"),
    "toprung.analyses.significance": ("SignificanceGrid", "significance"),
    "toprung.analyses.simulate": ("Simulation", "simulate"),
    "toprung.analyses.stability": ("Stability", "stability"),
    "toprung.analyses.standings": ("Standings", "standings"),
    "toprung.analyses.timeline": ("Timeline", "timeline"),
    "toprung.data.formats.content": ("Limits",),
    "toprung.data.formats.leaderboard_files": (
        "read_dates",
        "read_leaderboard",
        "read_submissions",
        "read_twice_scored",
    ),
    "toprung.data.formats.matrix_files": ("read_ranks", "read_scores"),
    "toprung.data.formats.qrels_files": ("read_qrels",),
    "toprung.data.formats.run_files": ("read_run", "write_run"),
    "toprung.data.formats.validate": ("Validation", "read_query_ids", "validate_run"),
    "toprung.data.matrices": ("FirstRanks", "ScoreTable"),
    "toprung.data.qrels": ("Qrels",),
    "toprung.data.run": ("Run",),
    "toprung.errors": (
        "FormatError",
        "InputError",
        "MeasureError",
        "MissingPackageError",
        "NoOverlapError",
        "TooLargeError",
        "ToprungError",
        "WorkerLostError",
    ),
    "toprung.scoring.catalogue": ("find_measure",),
    "toprung.scoring.evaluate": ("evaluate",),
    "toprung.scoring.evaluation": ("Evaluation",),
    "toprung.workers": ("Workers",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'toprung' has no attribute '{name}'")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
