"""What labels do the votes give, by which rule, and how sure are they?"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from toprung.analyses.best_answers.rows import LabelReport, PairingRecord
from toprung.data.judgments import Judgments, Pair
from toprung.data.qrels import Qrels
from toprung.errors import InputError
from toprung.labels.best.challenges import Challenge
from toprung.labels.best.preference_qrels import to_preference_qrels
from toprung.labels.best.replacement import find_rule
from toprung.labels.best.resolution import Resolution, ResolutionRule, resolve_queries
from toprung.labels.best.tournament import TIED, BestAnswers
from toprung.labels.best.upkeep import DEFAULT_RULE, replay_challenges
from toprung.labels.doubt.assessors import resolve_by_accuracy
from toprung.labels.doubt.posterior import PoolPosterior, posteriors_of
from toprung.labels.doubt.prior import estimate_prior
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import (
    OFFICIAL_KINDS,
    Outcomes,
    PairOutcome,
    VotePolicy,
    columns_of,
    merge_same_texts,
    resolve_pairs,
)
from toprung.labels.votes.totals import VoteTotals
from toprung.labels.votes.voters import are_of_models


def derive_labels(
    judgments: Judgments,
    pools: Sequence[Pool],
    *,
    parent: Qrels | str | None = None,
    policy: str = VotePolicy.MAJORITY,
    kinds: Collection[str] = OFFICIAL_KINDS,
    voters: Collection[str] = (),
    rule: str | None = None,
    at_least: float | None = None,
    soft: bool = False,
    ties: bool | None = None,
    assessors: bool = False,
    known_golds: Mapping[Pair, str] | None = None,
    allow_incomplete: bool = False,
    challenges: Sequence[Challenge] = (),
    challenge_rule: str = DEFAULT_RULE,
) -> LabelReport:
    """Find the best answers of every pool and make them labels.

    Parameters
    ----------
    judgments
        All judgments.
    pools
        What was to be judged; `pools_of_judgments` where nothing was pooled.
    parent
        The labels the pools came from, or their digest: the new version names them as its parent.
    policy, kinds
        How votes are counted, and whose: see `resolve_pairs`.
    voters
        The assessors whose judgments these are, where they were chosen by name (`choose_voters`): for the manifest.
    rule, at_least, allow_incomplete
        How votes give best answers, and how sure these must be: see `resolve_queries`.
    soft
        Make every answer that may be the best a label, with P(best) in percent as its grade.
    ties, assessors
        Whether ties are outcomes of their own behind P(best), not half a win each: by default where all votes are of
        language models, which are asked in both orders, so that a bias to one side makes ties. And whether votes count
        by how often their assessor is right, with golds (``known_golds``: the good answer of each) as known.
    challenges, challenge_rule
        All that were made against the labels, and when one is won: those that are decided count.

    """
    rule = _rule_of_soft_labels(rule) if soft else rule
    counted = merge_same_texts(resolve_pairs(judgments, kinds=kinds), pools)  # challenges count votes, and weigh none
    outcomes = counted
    if policy != VotePolicy.MAJORITY:
        outcomes = merge_same_texts(resolve_pairs(judgments, policy=policy, kinds=kinds), pools)
    weighed = _weighed(judgments, kinds, counted, pools, assessors=assessors, known_golds=known_golds or {})
    ties = are_of_models(judgments, kinds) if ties is None else ties
    prior = estimate_prior(weighed, ties=ties)
    resolution = resolve_queries(
        pools, outcomes, rule=rule, counted=weighed, prior=prior, at_least=at_least, allow_incomplete=allow_incomplete
    )
    replay = replay_challenges(resolution.results, challenges, counted, rule=find_rule(challenge_rule))
    results = replay.results
    posteriors = {**resolution.posteriors, **_of_challenged(results, pools, weighed, resolution)}
    version = to_preference_qrels(
        results,
        parent=parent,
        judgments=judgments,
        policy=f"{policy}, challenges by {challenge_rule}" if challenges else str(policy),
        kinds=kinds,
        voters=voters,
        pools=pools,
        rule=resolution,
        gains=_gains(results, posteriors) if soft else None,
    )
    best = {query_id: set(result.best) for query_id, result in results.items() if result.best}
    labels = {pool.query_id: {pool.represent(pool.label)} for pool in pools if pool.label and pool.query_id in best}
    return LabelReport(
        results=results,
        version=version,
        totals=VoteTotals.of(counted, pools),
        new_labels=_pairing_record(best, outcomes),
        old_labels=_pairing_record(labels, outcomes) if labels else None,
        n_kept=sum(labels[query_id] <= best[query_id] for query_id in labels),
        n_with_label=len(labels),
        n_unvouched=sum(not pool.n_pairs and not pool.is_settled for pool in pools),
        replay=replay,
        p_best=_p_best(results, posteriors),
        prior=prior,
        with_assessors=assessors,
    )


def _rule_of_soft_labels(rule: str | None) -> ResolutionRule:
    if rule not in (None, ResolutionRule.STRENGTH):
        raise InputError(f"rule: found '{rule}' for soft labels; expected strength, which has a P(best) to write.")
    return ResolutionRule.STRENGTH


def _weighed(
    judgments: Judgments,
    kinds: Collection[str],
    counted: Outcomes,
    pools: Sequence[Pool],
    *,
    assessors: bool,
    known_golds: Mapping[Pair, str],
) -> Outcomes:
    """The outcomes that strengths are fitted to: every vote alike, or by how often its assessor is right."""
    if not assessors:
        return counted
    found = resolve_by_accuracy(judgments, kinds=kinds, known_golds=known_golds)
    return merge_same_texts(found.outcomes, pools)


def _of_challenged(
    results: Mapping[str, BestAnswers],
    pools: Sequence[Pool],
    outcomes: Mapping[Pair, PairOutcome],
    resolution: Resolution,
) -> dict[str, PoolPosterior]:
    """The posteriors of the pools in which a challenger has come to be best: it is one of them now."""
    joined = [
        replace(pool, items=tuple(sorted({*pool.items, *results[pool.query_id].best})))
        for pool in pools
        if not set(results[pool.query_id].best) <= set(pool.items)
    ]
    return posteriors_of(joined, outcomes, prior=resolution.prior)


def _p_best(results: Mapping[str, BestAnswers], posteriors: Mapping[str, PoolPosterior]) -> dict[str, dict[str, float]]:
    """For each label how probable it is that it is the best of its pool; none where nobody judged."""
    return {
        query_id: {item: p for item, p in zip(each.items, each.p_best, strict=True) if item in results[query_id].best}
        for query_id, each in posteriors.items()
        if each.n_votes and results[query_id].best
    }


def _gains(results: Mapping[str, BestAnswers], posteriors: Mapping[str, PoolPosterior]) -> dict[str, dict[str, float]]:
    """P(best) of every answer of a judged pool; a pool of the label alone has that."""
    found = {
        query_id: dict(zip(each.items, each.p_best, strict=True))
        for query_id, each in posteriors.items()
        if each.n_votes
    }
    settled = {query_id: each.best for query_id, each in results.items() if each.best and query_id not in posteriors}
    return found | {query_id: dict.fromkeys(best, 1.0) for query_id, best in settled.items()}


def _pairing_record(labels: Mapping[str, set[str]], outcomes: Mapping[Pair, PairOutcome]) -> PairingRecord:
    votes = columns_of(outcomes)
    is_label = votes.mark(labels)
    of_a, of_b = is_label[votes.a], is_label[votes.b]
    counts = (of_a != of_b) & (votes.shares != TIED)
    wins = counts & (of_a == (votes.shares > TIED))
    return PairingRecord(wins=int(wins.sum()), n=int(counts.sum()))
