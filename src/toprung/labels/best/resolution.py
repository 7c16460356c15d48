"""By which rule does a query get its best answer? Elimination, votes or strength: named, and kept with the labels.

``elimination`` is the source's (``tournament.py``) and needs every pair judged. ``votes`` takes the answer that won
most single votes, which favours whoever was shown most. ``strength`` takes the answer that is most probably the best
(``labels/doubt``), and none where that is less probable than was asked for: it is the rule where pairs are missing or
were judged more than once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from toprung.data.judgments import Pair
from toprung.errors import InputError, check_choice
from toprung.labels.best.tournament import BestAnswers, hold_in_groups
from toprung.labels.doubt.arenas import ArenaGroup, group_pools
from toprung.labels.doubt.posterior import PoolPosterior, posteriors_in_groups
from toprung.labels.doubt.prior import StrengthPrior, estimate_prior
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome
from toprung.labels.votes.voted_pairs import EVEN

AT_LEAST = 0.5
CLEAR = 0.01
"""P(best) is computed to this; an answer that leads by less has no lead."""


class ResolutionRule(StrEnum):
    """How the votes of a query give its best answer."""

    ELIMINATION = "elimination"
    VOTES = "votes"
    STRENGTH = "strength"


@dataclass(frozen=True, kw_only=True)
class Resolution:
    """The best answers of every query, by which rule, and how sure they are."""

    rule: ResolutionRule
    at_least: float
    """How probable it must be that a best answer is among those named; less leaves its query without."""
    results: Mapping[str, BestAnswers]
    prior: StrengthPrior
    posteriors: Mapping[str, PoolPosterior]
    """Of the pools that have something to compare; none where nobody asked and the rule does without."""


def resolve_queries(
    pools: Iterable[Pool],
    outcomes: Mapping[Pair, PairOutcome],
    *,
    rule: str | None = None,
    counted: Mapping[Pair, PairOutcome] | None = None,
    prior: StrengthPrior | None = None,
    at_least: float | None = None,
    allow_incomplete: bool = False,
    with_posteriors: bool = True,
) -> Resolution:
    """The best answers of every pool, by query.

    Parameters
    ----------
    pools, outcomes
        The candidates, and what the votes say; of items that stand for their texts (`merge_same_texts`).
    rule
        ``"elimination"``, ``"votes"`` or ``"strength"``; `default_rule` where nobody chose one.
    counted
        The same with every vote counted alike, for strengths; ``outcomes`` unless they are weighted.
    prior
        Of the strengths; `estimate_prior` of these outcomes unless it is known.
    at_least
        The least P(best) of a label: 0.5 by strength, and 0 by the other rules, which ask for nothing.
    allow_incomplete
        Let the judged pairs decide an elimination where others are missing.
    with_posteriors
        Whether to find out how sure they are also where the rule does without (`needs_strengths`).

    Examples
    --------
    >>> pool = Pool(query_id="q", items=("d1", "d2"))
    >>> [pair] = pool.pairs()
    >>> found = resolve_queries([pool], {pair: PairOutcome(pair=pair, wins_a=2, wins_b=1, ties=0, n=3)})
    >>> found.rule.value, found.results["q"].best
    ('strength', ('d1',))

    """
    given = list(pools)
    compared = [pool for pool in given if pool.n_pairs]
    groups = group_pools(compared, outcomes)
    chosen = _rule_by_votes(compared, groups) if rule is None else to_rule(rule)
    level = (AT_LEAST if chosen is ResolutionRule.STRENGTH else 0.0) if at_least is None else at_least
    if not 0 <= level < 1:
        raise InputError(f"at_least: found {level:g}; expected a probability from 0 to less than 1.")
    in_strengths = groups if counted is None or counted is outcomes else group_pools(compared, counted)
    prior = estimate_prior(outcomes if counted is None else counted) if prior is None else prior
    has_posteriors = with_posteriors or needs_strengths(chosen, level)
    posteriors = posteriors_in_groups(in_strengths, prior=prior) if has_posteriors else {}
    if chosen is ResolutionRule.ELIMINATION:
        results = hold_in_groups(given, groups, allow_incomplete=allow_incomplete)
    elif chosen is ResolutionRule.VOTES:
        results = _to_answers(given, _most_votes(compared, outcomes), groups)
    else:
        results = _strongest(given, in_strengths, posteriors)
    kept = {query_id: _keep_if_sure(found, posteriors.get(query_id), level) for query_id, found in results.items()}
    return Resolution(rule=chosen, at_least=level, results=kept, prior=prior, posteriors=posteriors)


def default_rule(pools: Iterable[Pool], outcomes: Mapping[Pair, PairOutcome]) -> ResolutionRule:
    """Elimination where every pair of the pools was judged once, strength anywhere else."""
    compared = [pool for pool in pools if pool.n_pairs]
    return _rule_by_votes(compared, group_pools(compared, outcomes))


def _rule_by_votes(pools: Iterable[Pool], groups: Iterable[ArenaGroup]) -> ResolutionRule:
    for pool in pools:
        pool.check_order()
    is_once = all((group.count_inside(group.votes.n[group.pairs] == 1) == group.n_pairs).all() for group in groups)
    return ResolutionRule.ELIMINATION if is_once else ResolutionRule.STRENGTH


def needs_strengths(rule: str, at_least: float | None) -> bool:
    """Whether P(best) decides what becomes a label."""
    return to_rule(rule) is ResolutionRule.STRENGTH or bool(at_least)


def to_rule(rule: str) -> ResolutionRule:
    check_choice(rule, ResolutionRule, name="rule")
    return ResolutionRule(rule)


def _most_votes(pools: Sequence[Pool], outcomes: Mapping[Pair, PairOutcome]) -> dict[str, tuple[str, ...]]:
    """Those with most single votes; a vote for neither is half a vote for each."""
    won: dict[tuple[str, str], float] = {}
    for pair, outcome in outcomes.items():
        for item, wins in ((pair.a, outcome.wins_a), (pair.b, outcome.wins_b)):
            won[pair.query_id, item] = won.get((pair.query_id, item), 0.0) + wins + outcome.ties / 2
    found = {}
    for pool in pools:
        votes = {item: won.get((pool.query_id, item), 0.0) for item in pool.items}
        most = max(votes.values())
        leaders = tuple(item for item in pool.items if most - votes[item] <= EVEN)
        found[pool.query_id] = leaders if most > 0 else ()
    return found


def _strongest(
    pools: Sequence[Pool], groups: Sequence[ArenaGroup], posteriors: Mapping[str, PoolPosterior]
) -> dict[str, BestAnswers]:
    """The likeliest best answer, where some answer of the pool was judged and one is likelier than the others."""
    arenas = (arena for group in groups for arena in group.arenas)
    judged = {arena.query_id for arena in arenas if any(place < arena.n_pooled for place in arena.places)}
    best = {query_id: _leader(each) if query_id in judged else () for query_id, each in posteriors.items()}
    found = _to_answers(pools, best, groups)
    unsure = {query_id for query_id in judged if not best[query_id]}
    return {query_id: replace(each, is_unsure=query_id in unsure) for query_id, each in found.items()}


def _leader(posterior: PoolPosterior) -> tuple[str, ...]:
    first, second = sorted(posterior.p_best, reverse=True)[:2]
    return (posterior.best,) if first - second > CLEAR else ()


def _to_answers(
    pools: Sequence[Pool], best: Mapping[str, tuple[str, ...]], groups: Iterable[ArenaGroup]
) -> dict[str, BestAnswers]:
    """A pool of the label alone is settled, and one of another answer alone is not: nobody vouched for it."""
    has_gaps: dict[str, bool] = {}
    for group in groups:
        gaps = group.count_inside() != group.n_pairs
        has_gaps |= {arena.query_id: gap for arena, gap in zip(group.arenas, gaps.tolist(), strict=True)}
    found = {}
    for pool in pools:
        pool.check_order()
        chosen = best[pool.query_id] if pool.n_pairs else pool.items if pool.is_settled else ()
        is_incomplete = bool(chosen) and has_gaps.get(pool.query_id, False)
        found[pool.query_id] = BestAnswers(query_id=pool.query_id, best=chosen, is_incomplete=is_incomplete)
    return found


def _keep_if_sure(found: BestAnswers, posterior: PoolPosterior | None, at_least: float) -> BestAnswers:
    if posterior is None or not found.best or at_least == 0:
        return found
    chances = dict(zip(posterior.items, posterior.p_best, strict=True))
    if sum(chances[item] for item in found.best) >= at_least:
        return found
    return replace(found, best=(), is_unsure=True, is_incomplete=False)
