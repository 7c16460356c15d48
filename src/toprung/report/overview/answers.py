"""How is each question of a report answered? One function for each, from what is there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from toprung.analyses.agreement.find import Agreement, agreement
from toprung.analyses.best_answers.rows import LabelReport
from toprung.analyses.compare.find import Comparisons, compare
from toprung.analyses.frontier.find import CostKind, Frontier, frontier
from toprung.analyses.holdout.find import Holdout, holdout
from toprung.analyses.leaderboard.find import Leaderboard
from toprung.analyses.policy.find import PolicyAudit, audit_policy
from toprung.analyses.pools.find import PoolReport, describe_pools, remarks_on_inputs
from toprung.analyses.power.find import Power, power
from toprung.analyses.queries.find import QueryDifferences, queries
from toprung.analyses.relabel.find import rescore
from toprung.analyses.relabel.tables import Relabelled
from toprung.analyses.scales.find import check_scale
from toprung.analyses.scales.observed import check_observed_scale
from toprung.analyses.significance.find import SignificanceGrid
from toprung.analyses.stability.find import Stability
from toprung.analyses.timeline.find import Timeline
from toprung.analyses.win_ratio.result import WinRatios
from toprung.analysis import Input
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError
from toprung.labels.pools.pool import build_pools
from toprung.labels.votes.audit_report import Audit
from toprung.report.overview.material import ReportMaterial
from toprung.result import Result
from toprung.scoring.catalogue import find_if_known
from toprung.scoring.measure import Measure

ENOUGH_SPLIT_PAIRS = 50_000
"""Splits × pairs of runs that a few seconds of one core are enough for."""
MOST_PAIRS = 25_000
"""Of runs: for more even the fewest splits take too long."""
USUAL_SPLITS, FEWEST_SPLITS = 100, 5
MOST_GRADES = 5


def find_board(material: ReportMaterial) -> Leaderboard:
    return material.board


def find_grid(material: ReportMaterial) -> SignificanceGrid:
    return material.grid


def find_stability(material: ReportMaterial) -> Stability:
    return material.stability


def find_timeline(material: ReportMaterial) -> Timeline:
    return material.timeline


def compare_with_best(material: ReportMaterial) -> Comparisons:
    return _compare_with(material, material.best)


def compare_with_baseline(material: ReportMaterial) -> Comparisons:
    first = next(run for run in material.inputs.baselines if run != material.best)
    return _compare_with(material, first)


def compare_two_best(material: ReportMaterial) -> Comparisons:
    return _compare(material, [(material.best, material.next_best)])


def find_deciding_queries(material: ReportMaterial) -> QueryDifferences:
    """Of the two highest scores; with the ranks of labelled documents where labels and runs are there."""
    evaluation, best, next_best = material.inputs.evaluation, material.best, material.next_best
    alpha = material.options.alpha
    if evaluation is None:
        return queries(material.matrix, a=best, b=next_best, alpha=alpha)
    return queries(evaluation, measure=material.measure, a=best, b=next_best, alpha=alpha)


def _compare_with(material: ReportMaterial, reference: str) -> Comparisons:
    """Every other run, in the order of the board, as B with the reference as A."""
    return _compare(material, [(reference, row.run) for row in material.board.rows if row.run != reference])


def _compare(material: ReportMaterial, pairs: list[tuple[str, str]]) -> Comparisons:
    return compare(
        material.matrix,
        pairs=pairs,
        scale=material.grid.scale,
        alpha=material.options.alpha,
        top=material.top,
        tells_paper=False,
        seed=material.options.seed,
    )


def count_splits(n_runs: int) -> int:
    """How often queries are split: as usual, or as often as many pairs leave time for; 0 if not even a few times."""
    n_pairs = n_runs * (n_runs - 1) // 2
    if n_pairs > MOST_PAIRS:
        return 0
    return min(USUAL_SPLITS, max(FEWEST_SPLITS, ENOUGH_SPLIT_PAIRS // max(n_pairs, 1)))


def find_agreement(material: ReportMaterial) -> Agreement:
    splits = count_splits(len(material.runs))
    found = agreement(
        material.scores,
        splits=splits,
        alpha=material.options.alpha,
        seed=material.options.seed,
        on_progress=lambda done: material.options.on_progress(f"split {done}"),
    )
    if splits == USUAL_SPLITS:
        return found
    fewer = f"Splits: {splits} instead of {USUAL_SPLITS}, for time; `toprung agreement --splits N` draws more."
    return replace(found, remarks=(*found.remarks, fewer))


def find_scale(material: ReportMaterial) -> Result:
    """On all short rankings where Toprung computes the measure; else how the values that were seen lie."""
    measure = find_if_known(material.measure)
    if not isinstance(measure, Measure) or dict(measure.parameters).get("ties", "doc_id") != "doc_id":
        return check_observed_scale(material.scores)
    qrels = material.inputs.qrels
    highest = 1 if qrels is None else int(np.max(qrels.grades, initial=1))
    return check_scale(measure, grades=min(highest + 1, MOST_GRADES))


def find_power(material: ReportMaterial) -> Power:
    return power(material.scores, baseline=material.best, alpha=material.options.alpha)


def find_cost(material: ReportMaterial) -> Frontier:
    return _find_frontier(material, "cost")


def find_latency(material: ReportMaterial) -> Frontier:
    return _find_frontier(material, "latency")


def _find_frontier(material: ReportMaterial, by: CostKind) -> Frontier:
    costs = material.give(Input.COSTS, {"by": by})
    options = material.options
    return frontier(
        material.scores,
        costs=costs,
        by=by,
        alpha=options.alpha,
        top=material.top,
        score_intervals=material.score_intervals,
        seed=options.seed,
    )


def find_holdout(material: ReportMaterial) -> Holdout:
    first = next(iter(material.inputs.baselines), None)
    everywhere = all(first in table.runs for table in material.inputs.private.values())
    return holdout(
        material.scores,
        dict(material.inputs.private),
        reference=first if everywhere else None,
        submissions=material.submissions,
        confidence=material.options.confidence,
        seed=material.options.seed,
    )


def find_policy(material: ReportMaterial) -> PolicyAudit:
    if material.submissions is None:
        raise InputError("Found no submissions; expected a team and a date for every run.")
    return audit_policy(material.submissions, material.tops if material.inputs.runs else None)


def find_relabelled(material: ReportMaterial) -> Relabelled:
    new = material.inputs.new_labels or material.judged.report.version
    return rescore(
        material.qrels,
        new,
        material.inputs.runs,
        material.measure,
        seed=material.options.seed,
        before=_scores_before(material),
    )


def _scores_before(material: ReportMaterial) -> ScoreTable | None:
    """What `rescore` would compute again: the scores of all labelled queries, with ties broken as it does."""
    found = material.inputs.evaluation
    return None if found is None or found.policies.float32_ties else found.score_table(material.measure)


def find_labels(material: ReportMaterial) -> LabelReport:
    return material.judged.report


def find_win_ratios(material: ReportMaterial) -> WinRatios:
    options = material.options
    return material.judged.win_ratios(material.top_documents, alpha=options.alpha, confidence=options.confidence)


def find_audit(material: ReportMaterial) -> Audit:
    return material.judged.audit(material.top_documents[material.best], alpha=material.options.alpha)


def find_judged_pools(material: ReportMaterial) -> PoolReport:
    return describe_pools(material.judged.pools)


def find_pools(material: ReportMaterial) -> PoolReport:
    """The first answer of every run, with the label."""
    tops = material.top_documents
    pools = build_pools(material.qrels, tops)
    return describe_pools(
        pools,
        remarks=remarks_on_inputs(material.qrels, tops, pools),
        inputs={"labels_digest": material.qrels.digest, "depth": 1},
    )


def find_other_measures(material: ReportMaterial) -> Result:
    if material.inputs.evaluation is None:
        raise InputError("Found a matrix; expected labels and runs.")
    return material.inputs.evaluation
