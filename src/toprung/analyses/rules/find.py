"""Which rule finds the best answers? Votes are held out, and the labels of each rule are held against them.

A third of the votes is put aside, each rule finds labels with the rest, and it is counted how often a label wins the
votes put aside that it is in; then the next third. Models of the votes behind P(best) are compared by how probable they
made those votes. The unit is the query: queries are drawn again and again for the intervals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from toprung.analyses.rules.models import MODELS, PLAIN, Model, log_chances
from toprung.analyses.rules.rows import ModelRow, RuleComparison, RuleRow
from toprung.data.judgments import Choice, Judgment, Judgments, Pair
from toprung.errors import InputError
from toprung.labels.best.resolution import AT_LEAST, Resolution, ResolutionRule, resolve_queries
from toprung.labels.doubt.prior import estimate_prior
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import OFFICIAL_KINDS, Outcomes, merge_same_texts, resolve_pairs, votes_of
from toprung.labels.votes.voters import are_of_models
from toprung.stats.inputs import Floats
from toprung.stats.intervals.bootstrap import draw_weights

FOLDS = 3
RESAMPLES = 2_000
TAILS = (0.025, 0.975)
SURE = f"strength, P(best) ≥ {AT_LEAST:g}"
"""Strength as it is where nothing else is asked for, which leaves queries without a label."""


@dataclass(frozen=True, kw_only=True)
class _Tally:
    """Over all folds, by query: the votes put aside with a label in them, and those it won; and how many labels."""

    won: Counter[str] = field(default_factory=Counter)
    n: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)

    def add(self, resolution: Resolution, held_out: Sequence[Judgment], pools: Mapping[str, Pool]) -> None:
        for query_id, found in resolution.results.items():
            self.labels[query_id] += bool(found.best) and bool(pools[query_id].n_pairs)
        for vote in held_out:
            pool = pools.get(vote.query_id)
            best = () if pool is None else resolution.results[vote.query_id].best
            left, right = (pool is not None and pool.represent(each) in best for each in (vote.left, vote.right))
            if left != right:
                is_tie = vote.choice is Choice.TIE
                self.n[vote.query_id] += 2  # in halves, so that they are whole numbers
                self.won[vote.query_id] += 1 if is_tie else 2 * ((vote.choice is Choice.LEFT) == left)


def compare_rules(
    judgments: Judgments,
    pools: Sequence[Pool],
    *,
    kinds: Collection[str] = OFFICIAL_KINDS,
    known_golds: Mapping[Pair, str] | None = None,
    folds: int = FOLDS,
    seed: int = 0,
) -> RuleComparison:
    """Hold the labels of each rule against votes that it has not seen.

    Parameters
    ----------
    judgments, pools
        All judgments, and what was to be judged; `pools_of_judgments` where nothing was pooled.
    kinds
        Whose votes count.
    known_golds
        The good answer of each gold, for the model with accuracies of assessors.
    folds
        Into how many parts votes are put, each held out once.
    seed
        Of the parts, and of the bootstrap of queries behind the 95% intervals.

    """
    votes = list(votes_of(judgments, kinds=kinds))
    if folds < 2 or len(votes) < folds:
        raise InputError(
            f"folds: found {folds} for {len(votes):,} votes; expected from 2 to as many as there are votes."
        )
    golds = [each for each in judgments.current if each.is_gold]
    part = np.random.default_rng(seed).permutation(len(votes)) % folds
    tallies = {name: _Tally() for name in (*ResolutionRule, SURE)}
    models = [model for model in MODELS if model.can_tell(votes)]
    chances: dict[Model, list[Floats]] = {model: [] for model in models}
    tested: list[Judgment] = []
    for fold in range(folds):
        held_out = [vote for vote, number in zip(votes, part.tolist(), strict=True) if number == fold]
        rest = [vote for vote, number in zip(votes, part.tolist(), strict=True) if number != fold]
        _tally_rules(tallies, pools, rest, held_out, kinds)
        train = Judgments.of([*rest, *golds])
        tested += held_out
        for model in models:
            chances[model].append(log_chances(model, train, held_out, kinds=kinds, known_golds=known_golds or {}))
    joined = {model: np.concatenate(each) for model, each in chances.items()}
    return RuleComparison(
        rules=tuple(_rule_rows(tallies, seed)),
        models=tuple(_model_rows(joined, [vote.query_id for vote in tested], seed)),
        n_votes=len(votes),
        n_queries=len({vote.query_id for vote in votes}),
        folds=folds,
        seed=seed,
        judgments_digest=judgments.digest,
    )


def _tally_rules(
    tallies: Mapping[str, _Tally],
    pools: Sequence[Pool],
    rest: Sequence[Judgment],
    held_out: Sequence[Judgment],
    kinds: Collection[str],
) -> None:
    """Labels by each rule from the rest of the votes, however sure, and by strength once more where it is sure."""
    outcomes: Outcomes = merge_same_texts(resolve_pairs(Judgments.of(rest), kinds=kinds), pools)
    prior = estimate_prior(outcomes, ties=are_of_models(Judgments.of(rest), kinds))
    for name, tally in tallies.items():
        rule, at_least = (ResolutionRule.STRENGTH, AT_LEAST) if name == SURE else (name, 0.0)
        found = resolve_queries(pools, outcomes, rule=rule, prior=prior, at_least=at_least, allow_incomplete=True)
        tally.add(found, held_out, {pool.query_id: pool for pool in pools})


def _rule_rows(tallies: Mapping[str, _Tally], seed: int) -> list[RuleRow]:
    base = tallies[ResolutionRule.STRENGTH]
    queries = sorted(set().union(*(tally.n for tally in tallies.values())))
    weights = draw_weights(len(queries), RESAMPLES, np.random.default_rng(seed))
    drawn = {name: _shares(tally, queries, weights) for name, tally in tallies.items()}
    rows = []
    for name, tally in tallies.items():
        share, of_base = _share(tally), _share(base)
        is_known = bool(tally.n and base.n)
        low, high = np.quantile(drawn[name] - drawn[ResolutionRule.STRENGTH], TAILS) if is_known else (np.nan, np.nan)
        rows.append(
            RuleRow(
                rule=str(name),
                n_labels=sum(tally.labels.values()),
                won=sum(tally.won.values()) / 2,
                n=sum(tally.n.values()) // 2,
                share=share,
                difference=share - of_base,
                low=float(low),
                high=float(high),
                is_base=tally is base,
            )
        )
    return rows


def _share(tally: _Tally) -> float:
    n = sum(tally.n.values())
    return sum(tally.won.values()) / n if n else float("nan")


def _shares(tally: _Tally, queries: Sequence[str], weights: Floats) -> Floats:
    """The share of votes won, in each resample of the queries."""
    won, n = (np.array([counts[query] for query in queries], dtype=np.float64) for counts in (tally.won, tally.n))
    found: Floats = weights @ won / np.maximum(weights @ n, 1.0)
    return found


def _model_rows(chances: Mapping[Model, Floats], query_ids: Sequence[str], seed: int) -> list[ModelRow]:
    names, query = np.unique(query_ids, return_inverse=True)
    weights = draw_weights(len(names), RESAMPLES, np.random.default_rng(seed))
    n = np.bincount(query, minlength=len(names))
    rows = []
    for model, found in chances.items():
        gain = np.bincount(query, found - chances[PLAIN], minlength=len(names))
        low, high = np.quantile(weights @ gain / (weights @ n), TAILS)
        rows.append(
            ModelRow(
                model=model.name,
                log_likelihood=float(found.mean()),
                gain=float(gain.sum() / n.sum()),
                low=float(low),
                high=float(high),
                n=len(found),
                is_base=model == PLAIN,
            )
        )
    return rows
