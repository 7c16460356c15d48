"""Toprung: who really stands on the top rung? Honest evaluation of ranked-retrieval runs.

Names are loaded when they are first used, so that the command line starts fast.
"""

import importlib
from typing import TYPE_CHECKING

from toprung.version import __version__

if TYPE_CHECKING:
    from toprung.analyses.agreement.find import Agreement, agreement
    from toprung.analyses.best_answers.find import derive_labels
    from toprung.analyses.best_answers.rows import LabelReport
    from toprung.analyses.challenge_interval.find import ChallengeInterval, challenge_interval
    from toprung.analyses.compare.find import Comparisons, compare
    from toprung.analyses.estimate.find import estimate
    from toprung.analyses.estimate.result import Estimate
    from toprung.analyses.estimate.wins import estimate_wins
    from toprung.analyses.frontier.find import Frontier, frontier
    from toprung.analyses.gate.find import Gate, gate
    from toprung.analyses.gate.state import GateState
    from toprung.analyses.gate.state_file import read_gate_state, write_gate_state
    from toprung.analyses.holdout.find import Holdout, holdout
    from toprung.analyses.holdout.published import ScoreHoldout, score_holdout
    from toprung.analyses.leaderboard.find import Leaderboard, leaderboard
    from toprung.analyses.leave_one_out.find import leave_one_out
    from toprung.analyses.leave_one_out.tables import LeaveOneOut
    from toprung.analyses.order_agreement.find import OrderAgreement, order_agreement
    from toprung.analyses.policy.find import PolicyAudit, audit_policy
    from toprung.analyses.pools.find import PoolReport, describe_pools
    from toprung.analyses.power.find import Power, power
    from toprung.analyses.power.plan import Plan, plan
    from toprung.analyses.queries.find import QueryDifferences, queries
    from toprung.analyses.relabel.find import rescore
    from toprung.analyses.relabel.tables import Relabelled
    from toprung.analyses.rules.find import compare_rules
    from toprung.analyses.rules.rows import RuleComparison
    from toprung.analyses.run_strengths.find import RunStrengths, run_strengths
    from toprung.analyses.sample_check.find import SampleCheck, check_sample_order
    from toprung.analyses.scales.check import ScaleCheck
    from toprung.analyses.scales.find import ScaleChecks, check_scale, check_scales
    from toprung.analyses.scales.observed import ObservedScale, check_observed_scale
    from toprung.analyses.seeds.find import SeedSpread, seeds
    from toprung.analyses.significance.find import SignificanceGrid, significance
    from toprung.analyses.simulate.find import Simulation, simulate
    from toprung.analyses.stability.find import Stability, stability
    from toprung.analyses.standings.find import Standings, standings
    from toprung.analyses.standings.tiers import TierStandings
    from toprung.analyses.table.find import PaperTable, table
    from toprung.analyses.timeline.find import Timeline, timeline
    from toprung.analyses.timeline.published import ScoreTimeline, score_timeline
    from toprung.analyses.win_ratio.find import win_ratios
    from toprung.analyses.win_ratio.result import WinRatios
    from toprung.boards.disclosure.release import FullRelease, Ladder, ParameterFreeLadder, RoundedRelease
    from toprung.boards.policy import Embargo, Policy, SmallChanges, Window
    from toprung.boards.similarity import run_similarity
    from toprung.data.formats.content import Limits
    from toprung.data.formats.judgments.files import read_judgments
    from toprung.data.formats.judgments.writing import write_judgments
    from toprung.data.formats.qrels_files import read_qrels
    from toprung.data.formats.runs.files import read_run, write_run
    from toprung.data.formats.runs.validate import Validation, read_query_ids, validate_run
    from toprung.data.formats.tables.leaderboard_files import read_leaderboard, read_twice_scored
    from toprung.data.formats.tables.matrix_files import read_ranks, read_scores
    from toprung.data.formats.tables.metadata_files import read_dates, read_metadata, read_submissions
    from toprung.data.formats.tables.text_files import read_texts
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
    from toprung.labels.best.preference_qrels import PreferenceQrels, to_preference_qrels, write_preference_qrels
    from toprung.labels.best.resolution import Resolution, resolve_queries
    from toprung.labels.best.tournament import BestAnswers, hold_tournaments
    from toprung.labels.pools.pool import Pool, build_pools
    from toprung.labels.tasks.assignments import AssignmentStage
    from toprung.labels.tasks.quality import pay_for
    from toprung.labels.votes.outcomes import PairOutcome, resolve_pairs
    from toprung.labels.votes.voters import choose_voters
    from toprung.report.charts.plot import plot
    from toprung.report.overview.find import report
    from toprung.report.overview.result import Overview
    from toprung.scoring.catalogue import find_measure
    from toprung.scoring.evaluate import evaluate
    from toprung.scoring.evaluation import Evaluation
    from toprung.workers import Workers

__all__ = [
    "Agreement",
    "AssessorKind",
    "AssignmentStage",
    "BestAnswers",
    "ChallengeInterval",
    "Choice",
    "Comparisons",
    "Embargo",
    "Estimate",
    "Evaluation",
    "FirstRanks",
    "FormatError",
    "Frontier",
    "FullRelease",
    "Gate",
    "GateState",
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
    "PaperTable",
    "ParameterFreeLadder",
    "Plan",
    "Policy",
    "PolicyAudit",
    "Pool",
    "PoolReport",
    "Power",
    "PreferenceQrels",
    "Qrels",
    "QueryDifferences",
    "Relabelled",
    "Resolution",
    "RoundedRelease",
    "RuleComparison",
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
    "TierStandings",
    "Timeline",
    "TooLargeError",
    "ToprungError",
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
    "choose_voters",
    "compare",
    "compare_rules",
    "derive_labels",
    "describe_pools",
    "estimate",
    "estimate_wins",
    "evaluate",
    "find_measure",
    "frontier",
    "gate",
    "hold_tournaments",
    "holdout",
    "leaderboard",
    "leave_one_out",
    "order_agreement",
    "pay_for",
    "plan",
    "plot",
    "power",
    "queries",
    "read_dates",
    "read_gate_state",
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
    "report",
    "rescore",
    "resolve_pairs",
    "resolve_queries",
    "run_similarity",
    "run_strengths",
    "score_holdout",
    "score_timeline",
    "seeds",
    "significance",
    "simulate",
    "stability",
    "standings",
    "table",
    "timeline",
    "to_preference_qrels",
    "validate_run",
    "win_ratios",
    "write_gate_state",
    "write_judgments",
    "write_preference_qrels",
    "write_run",
]

_HOMES = {
    "toprung.analyses.agreement.find": ("Agreement", "agreement"),
    "toprung.analyses.leaderboard.find": ("Leaderboard", "leaderboard"),
    "toprung.analyses.challenge_interval.find": ("ChallengeInterval", "challenge_interval"),
    "toprung.analyses.compare.find": ("Comparisons", "compare"),
    "toprung.analyses.estimate.find": ("estimate",),
    "toprung.analyses.estimate.result": ("Estimate",),
    "toprung.analyses.estimate.wins": ("estimate_wins",),
    "toprung.analyses.frontier.find": ("Frontier", "frontier"),
    "toprung.analyses.gate.find": ("Gate", "gate"),
    "toprung.analyses.gate.state": ("GateState",),
    "toprung.analyses.gate.state_file": ("read_gate_state", "write_gate_state"),
    "toprung.analyses.holdout.find": ("Holdout", "holdout"),
    "toprung.analyses.holdout.published": ("ScoreHoldout", "score_holdout"),
    "toprung.analyses.leave_one_out.find": ("leave_one_out",),
    "toprung.analyses.leave_one_out.tables": ("LeaveOneOut",),
    "toprung.report.overview.find": ("report",),
    "toprung.report.overview.result": ("Overview",),
    "toprung.analyses.policy.find": ("PolicyAudit", "audit_policy"),
    "toprung.boards.policy": ("Embargo", "Policy", "SmallChanges", "Window"),
    "toprung.boards.similarity": ("run_similarity",),
    "toprung.analyses.power.find": ("Power", "power"),
    "toprung.analyses.power.plan": ("Plan", "plan"),
    "toprung.analyses.queries.find": ("QueryDifferences", "queries"),
    "toprung.analyses.relabel.find": ("rescore",),
    "toprung.analyses.relabel.tables": ("Relabelled",),
    "toprung.analyses.sample_check.find": ("SampleCheck", "check_sample_order"),
    "toprung.analyses.scales.find": ("ScaleChecks", "check_scale", "check_scales"),
    "toprung.analyses.scales.check": ("ScaleCheck",),
    "toprung.analyses.scales.observed": ("ObservedScale", "check_observed_scale"),
    "toprung.analyses.timeline.published": ("ScoreTimeline", "score_timeline"),
    "toprung.analyses.seeds.find": ("SeedSpread", "seeds"),
    "toprung.analyses.significance.find": ("SignificanceGrid", "significance"),
    "toprung.analyses.simulate.find": ("Simulation", "simulate"),
    "toprung.analyses.stability.find": ("Stability", "stability"),
    "toprung.analyses.standings.find": ("Standings", "standings"),
    "toprung.analyses.standings.tiers": ("TierStandings",),
    "toprung.analyses.table.find": ("PaperTable", "table"),
    "toprung.analyses.timeline.find": ("Timeline", "timeline"),
    "toprung.data.formats.content": ("Limits",),
    "toprung.data.formats.judgments.files": ("read_judgments",),
    "toprung.data.formats.judgments.writing": ("write_judgments",),
    "toprung.data.formats.tables.leaderboard_files": ("read_leaderboard", "read_twice_scored"),
    "toprung.data.formats.tables.matrix_files": ("read_ranks", "read_scores"),
    "toprung.data.formats.tables.metadata_files": ("read_dates", "read_metadata", "read_submissions"),
    "toprung.data.formats.qrels_files": ("read_qrels",),
    "toprung.data.formats.runs.files": ("read_run", "write_run"),
    "toprung.data.formats.tables.text_files": ("read_texts",),
    "toprung.data.formats.runs.validate": ("Validation", "read_query_ids", "validate_run"),
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
    "toprung.analyses.order_agreement.find": ("OrderAgreement", "order_agreement"),
    "toprung.labels.votes.outcomes": ("PairOutcome", "resolve_pairs"),
    "toprung.labels.votes.voters": ("choose_voters",),
    "toprung.labels.pools.pool": ("Pool", "build_pools"),
    "toprung.analyses.pools.find": ("PoolReport", "describe_pools"),
    "toprung.labels.tasks.assignments": ("AssignmentStage",),
    "toprung.labels.tasks.quality": ("pay_for",),
    "toprung.labels.best.preference_qrels": ("PreferenceQrels", "to_preference_qrels", "write_preference_qrels"),
    "toprung.analyses.rules.find": ("compare_rules",),
    "toprung.analyses.rules.rows": ("RuleComparison",),
    "toprung.analyses.run_strengths.find": ("RunStrengths", "run_strengths"),
    "toprung.labels.best.resolution": ("Resolution", "resolve_queries"),
    "toprung.labels.best.tournament": ("BestAnswers", "hold_tournaments"),
    "toprung.analyses.best_answers.find": ("derive_labels",),
    "toprung.analyses.best_answers.rows": ("LabelReport",),
    "toprung.analyses.win_ratio.find": ("win_ratios",),
    "toprung.analyses.win_ratio.result": ("WinRatios",),
    "toprung.report.charts.plot": ("plot",),
    "toprung.scoring.catalogue": ("find_measure",),
    "toprung.scoring.evaluate": ("evaluate",),
    "toprung.scoring.evaluation": ("Evaluation",),
    "toprung.boards.disclosure.release": ("FullRelease", "Ladder", "ParameterFreeLadder", "RoundedRelease"),
    "toprung.workers": ("Workers",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'toprung' has no attribute '{name}'")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    # By now Python has set ``report`` to the package of that name, which can be called: so it stays.
    return globals().setdefault(name, value)


def __dir__() -> list[str]:
    return __all__
