"""Toprung: who really stands on the top rung? Honest evaluation of ranked-retrieval runs.

Names are loaded when they are first used, so that the command line starts fast.
"""

import importlib
from typing import TYPE_CHECKING

from toprung.version import __version__

if TYPE_CHECKING:
    from toprung.analyses.agreement import Agreement, agreement
    from toprung.analyses.board import Leaderboard, leaderboard
    from toprung.analyses.challenge_interval import ChallengeInterval, challenge_interval
    from toprung.analyses.compare import Comparisons, compare
    from toprung.analyses.frontier import Frontier, frontier
    from toprung.analyses.holdout import Holdout, holdout
    from toprung.analyses.holdout_scores import ScoreHoldout, score_holdout
    from toprung.analyses.leave_one_out import leave_one_out
    from toprung.analyses.leave_one_out_tables import LeaveOneOut
    from toprung.analyses.overview import Overview, overview
    from toprung.analyses.policy import PolicyAudit, audit_policy
    from toprung.analyses.policy_rules import Embargo, Policy, SmallChanges, Window
    from toprung.analyses.policy_similarity import run_similarity
    from toprung.analyses.power import Power, power
    from toprung.analyses.power_plan import Plan, plan
    from toprung.analyses.relabel import rescore
    from toprung.analyses.relabel_tables import Relabelled
    from toprung.analyses.sample_check import SampleCheck, check_sample_order
    from toprung.analyses.scales import ScaleChecks, check_scale, check_scales
    from toprung.analyses.scales_check import ScaleCheck
    from toprung.analyses.scales_observed import ObservedScale, check_observed_scale
    from toprung.analyses.score_timeline import ScoreTimeline, score_timeline
    from toprung.analyses.seeds import SeedSpread, seeds
    from toprung.analyses.significance import SignificanceGrid, significance
    from toprung.analyses.simulate import Simulation, simulate
    from toprung.analyses.stability import Stability, stability
    from toprung.analyses.standings import Standings, standings
    from toprung.analyses.timeline import Timeline, timeline
    from toprung.data.formats.content import Limits
    from toprung.data.formats.judgment_files import read_judgments
    from toprung.data.formats.judgment_writing import write_judgments
    from toprung.data.formats.leaderboard_files import read_leaderboard, read_twice_scored
    from toprung.data.formats.matrix_files import read_ranks, read_scores
    from toprung.data.formats.metadata_files import read_dates, read_metadata, read_submissions
    from toprung.data.formats.qrels_files import read_qrels
    from toprung.data.formats.run_files import read_run, write_run
    from toprung.data.formats.text_files import read_texts
    from toprung.data.formats.validate import Validation, read_query_ids, validate_run
    from toprung.data.judgments import AssessorKind, Choice, Judgment, Judgments, Pair
    from toprung.data.matrices import FirstRanks, ScoreTable
    from toprung.data.qrels import Qrels
    from toprung.data.run import Run
    from toprung.data.run_metadata import Metadata, RunMetadata
    from toprung.data.submissions import Submissions, SubmittedRun
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
    from toprung.labels.assignments import AssignmentStage
    from toprung.labels.order_agreement import OrderAgreement, order_agreement
    from toprung.labels.outcomes import PairOutcome, resolve_pairs
    from toprung.labels.pool import Pool, build_pools
    from toprung.labels.pool_report import PoolReport, describe_pools
    from toprung.labels.preference_qrels import PreferenceQrels, to_preference_qrels, write_preference_qrels
    from toprung.labels.quality import pay_for
    from toprung.labels.run_strengths import RunStrengths, run_strengths
    from toprung.labels.tournament import TournamentResult, hold_tournaments
    from toprung.labels.tournament_report import LabelReport, derive_labels
    from toprung.labels.win_ratio import win_ratios
    from toprung.labels.win_ratio_result import WinRatios
    from toprung.report.charts.catalogue import plot
    from toprung.scoring.catalogue import find_measure
    from toprung.scoring.evaluate import evaluate
    from toprung.scoring.evaluation import Evaluation
    from toprung.stats.release import FullRelease, Ladder, ParameterFreeLadder, RoundedRelease
    from toprung.workers import Workers

__all__ = [
    "Agreement",
    "AssessorKind",
    "AssignmentStage",
    "ChallengeInterval",
    "Choice",
    "Comparisons",
    "Embargo",
    "Evaluation",
    "FirstRanks",
    "FormatError",
    "Frontier",
    "FullRelease",
    "Holdout",
    "InputError",
    "Judgment",
    "Judgments",
    "LabelReport",
    "Ladder",
    "Leaderboard",
    "LeaveOneOut",
    "Limits",
    "MeasureError",
    "Metadata",
    "MissingPackageError",
    "NoOverlapError",
    "ObservedScale",
    "OrderAgreement",
    "Overview",
    "Pair",
    "PairOutcome",
    "ParameterFreeLadder",
    "Plan",
    "Policy",
    "PolicyAudit",
    "Pool",
    "PoolReport",
    "Power",
    "PreferenceQrels",
    "Qrels",
    "Relabelled",
    "RoundedRelease",
    "Run",
    "RunMetadata",
    "RunStrengths",
    "SampleCheck",
    "ScaleCheck",
    "ScaleChecks",
    "ScoreHoldout",
    "ScoreTable",
    "ScoreTimeline",
    "SeedSpread",
    "SignificanceGrid",
    "Simulation",
    "SmallChanges",
    "Stability",
    "Standings",
    "Submissions",
    "SubmittedRun",
    "Timeline",
    "TooLargeError",
    "ToprungError",
    "TournamentResult",
    "Validation",
    "WinRatios",
    "Window",
    "WorkerLostError",
    "Workers",
    "__version__",
    "agreement",
    "audit_policy",
    "build_pools",
    "challenge_interval",
    "check_observed_scale",
    "check_sample_order",
    "check_scale",
    "check_scales",
    "compare",
    "derive_labels",
    "describe_pools",
    "evaluate",
    "find_measure",
    "frontier",
    "hold_tournaments",
    "holdout",
    "leaderboard",
    "leave_one_out",
    "order_agreement",
    "overview",
    "pay_for",
    "plan",
    "plot",
    "power",
    "read_dates",
    "read_judgments",
    "read_leaderboard",
    "read_metadata",
    "read_qrels",
    "read_query_ids",
    "read_ranks",
    "read_run",
    "read_scores",
    "read_submissions",
    "read_texts",
    "read_twice_scored",
    "rescore",
    "resolve_pairs",
    "run_similarity",
    "run_strengths",
    "score_holdout",
    "score_timeline",
    "seeds",
    "significance",
    "simulate",
    "stability",
    "standings",
    "timeline",
    "to_preference_qrels",
    "validate_run",
    "win_ratios",
    "write_judgments",
    "write_preference_qrels",
    "write_run",
]

_HOMES = {
    "toprung.analyses.agreement": ("Agreement", "agreement"),
    "toprung.analyses.board": ("Leaderboard", "leaderboard"),
    "toprung.analyses.challenge_interval": ("ChallengeInterval", "challenge_interval"),
    "toprung.analyses.compare": ("Comparisons", "compare"),
    "toprung.analyses.frontier": ("Frontier", "frontier"),
    "toprung.analyses.holdout": ("Holdout", "holdout"),
    "toprung.analyses.holdout_scores": ("ScoreHoldout", "score_holdout"),
    "toprung.analyses.leave_one_out": ("leave_one_out",),
    "toprung.analyses.leave_one_out_tables": ("LeaveOneOut",),
    "toprung.analyses.overview": ("Overview", "overview"),
    "toprung.analyses.policy": ("PolicyAudit", "audit_policy"),
    "toprung.analyses.policy_rules": ("Embargo", "Policy", "SmallChanges", "Window"),
    "toprung.analyses.policy_similarity": ("run_similarity",),
    "toprung.analyses.power": ("Power", "power"),
    "toprung.analyses.power_plan": ("Plan", "plan"),
    "toprung.analyses.relabel": ("rescore",),
    "toprung.analyses.relabel_tables": ("Relabelled",),
    "toprung.analyses.sample_check": ("SampleCheck", "check_sample_order"),
    "toprung.analyses.scales": ("ScaleChecks", "check_scale", "check_scales"),
    "toprung.analyses.scales_check": ("ScaleCheck",),
    "toprung.analyses.scales_observed": ("ObservedScale", "check_observed_scale"),
    "toprung.analyses.score_timeline": ("ScoreTimeline", "score_timeline"),
    "toprung.analyses.seeds": ("SeedSpread", "seeds"),
    "toprung.analyses.significance": ("SignificanceGrid", "significance"),
    "toprung.analyses.simulate": ("Simulation", "simulate"),
    "toprung.analyses.stability": ("Stability", "stability"),
    "toprung.analyses.standings": ("Standings", "standings"),
    "toprung.analyses.timeline": ("Timeline", "timeline"),
    "toprung.data.formats.content": ("Limits",),
    "toprung.data.formats.judgment_files": ("read_judgments",),
    "toprung.data.formats.judgment_writing": ("write_judgments",),
    "toprung.data.formats.leaderboard_files": ("read_leaderboard", "read_twice_scored"),
    "toprung.data.formats.matrix_files": ("read_ranks", "read_scores"),
    "toprung.data.formats.metadata_files": ("read_dates", "read_metadata", "read_submissions"),
    "toprung.data.formats.qrels_files": ("read_qrels",),
    "toprung.data.formats.run_files": ("read_run", "write_run"),
    "toprung.data.formats.text_files": ("read_texts",),
    "toprung.data.formats.validate": ("Validation", "read_query_ids", "validate_run"),
    "toprung.data.judgments": ("AssessorKind", "Choice", "Judgment", "Judgments", "Pair"),
    "toprung.data.matrices": ("FirstRanks", "ScoreTable"),
    "toprung.data.qrels": ("Qrels",),
    "toprung.data.run": ("Run",),
    "toprung.data.run_metadata": ("Metadata", "RunMetadata"),
    "toprung.data.submissions": ("Submissions", "SubmittedRun"),
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
    "toprung.labels.order_agreement": ("OrderAgreement", "order_agreement"),
    "toprung.labels.outcomes": ("PairOutcome", "resolve_pairs"),
    "toprung.labels.pool": ("Pool", "build_pools"),
    "toprung.labels.pool_report": ("PoolReport", "describe_pools"),
    "toprung.labels.assignments": ("AssignmentStage",),
    "toprung.labels.quality": ("pay_for",),
    "toprung.labels.preference_qrels": ("PreferenceQrels", "to_preference_qrels", "write_preference_qrels"),
    "toprung.labels.run_strengths": ("RunStrengths", "run_strengths"),
    "toprung.labels.tournament": ("TournamentResult", "hold_tournaments"),
    "toprung.labels.tournament_report": ("LabelReport", "derive_labels"),
    "toprung.labels.win_ratio": ("win_ratios",),
    "toprung.labels.win_ratio_result": ("WinRatios",),
    "toprung.report.charts.catalogue": ("plot",),
    "toprung.scoring.catalogue": ("find_measure",),
    "toprung.scoring.evaluate": ("evaluate",),
    "toprung.scoring.evaluation": ("Evaluation",),
    "toprung.stats.release": ("FullRelease", "Ladder", "ParameterFreeLadder", "RoundedRelease"),
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
