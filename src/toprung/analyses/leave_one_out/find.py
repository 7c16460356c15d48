"""What is it worth to a run that it was pooled? Its score if the answers that only it found had not been judged.

New labels can only be answers that some pooled run put first. For each run in turn, the answers that nobody else
contributed are taken out of the pools with all votes on them, best answers are found again by the same rule, and every
run is scored again. That takes no new judgment. With and without are compared over the queries that have a label both
ways.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from toprung.analyses.leave_one_out.tables import LeaveOneOut, LeftOutRun
from toprung.analyses.run_scores import is_higher_better, order_correlation, score_runs
from toprung.data.judgments import Pair
from toprung.data.matrices import ScoreTable
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.best.challenges import Challenge
from toprung.labels.best.replacement import ReplacementRule, find_rule
from toprung.labels.best.resolution import Resolution, resolve_queries
from toprung.labels.best.upkeep import DEFAULT_RULE, replay_challenges
from toprung.labels.doubt.prior import estimate_prior
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome, merge_same_texts
from toprung.scoring.inputs import Reading, to_named_runs
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Floats
from toprung.stats.intervals.bootstrap import column_means, mean_intervals
from toprung.stats.ranks.places import places_of
from toprung.workers import IN_PROCESS, Workers

SOURCE = "preference labels"
# What one worker leaves out at a time; and the steps (``Workers.if_worth``) of a run left out for each pair judged.
RUNS_PER_BLOCK, STEPS_PER_PAIR = 8, 500

type Labels = dict[str, dict[str, int]]


def leave_one_out(
    pools: Sequence[Pool],
    outcomes: Mapping[Pair, PairOutcome],
    runs: Any,
    measure: str = "RR@10",
    *,
    rule: str | None = None,
    at_least: float | None = None,
    allow_incomplete: bool = False,
    challenges: Sequence[Challenge] = (),
    challenge_rule: str = DEFAULT_RULE,
    counted: Mapping[Pair, PairOutcome] | None = None,
    ties: bool = False,
    seed: int = 0,
    workers: Workers = IN_PROCESS,
    on_progress: Callable[[str], None] = lambda _: None,
) -> LeaveOneOut:
    """Leave out each run's own answers in turn, and score everyone again.

    Parameters
    ----------
    pools, outcomes
        The candidates with the runs that contributed them, and the outcomes of judged pairs.
    runs
        The runs to leave out and to score, in any form that ``evaluate`` takes; names as in the pools.
    measure
        By its name, such as ``"RR@10"``.
    rule, at_least, allow_incomplete
        How votes give best answers, and how sure these must be: see `resolve_queries`. The rule and the prior are
        those of the whole pools throughout.
    challenges, challenge_rule
        All that were made against the labels, and when one is won. A run that is left out made none.
    counted
        The votes on each pair by plain count, which decide challenges; ``outcomes`` unless those are weighted.
    ties
        Whether ties are outcomes of their own behind P(best), not half a win each.
    seed
        Of the bootstrap of queries behind the 95% intervals of the changes.
    workers
        Who leaves runs out, some at a time; the result is the same.

    """
    loaded = {run.name: run.load() for run in to_named_runs(runs, Reading())}
    _check(pools, challenges, loaded)
    merged = merge_same_texts(outcomes, pools)
    prior = estimate_prior(merged, ties=ties)
    whole = resolve_queries(pools, merged, rule=rule, prior=prior, at_least=at_least, allow_incomplete=allow_incomplete)
    labelling = _Labelling(
        pools={pool.query_id: pool for pool in pools},
        outcomes=merged,
        whole=whole,
        allow_incomplete=allow_incomplete,
        challenges=challenges,
        challenge_rule=find_rule(challenge_rule),
        counted=merged if counted is None else merge_same_texts(counted, pools),
    )
    labels = labelling.labels_of(whole, challenges)
    if not labels:
        raise InputError(f"Found no decided query among {len(pools):,}; expected at least one. Judge more pairs first.")
    full = score_runs(Qrels.from_dict(labels, source=SOURCE), loaded, measure)
    leave_out = partial(_leave_out, labelling, labels, loaded, full)
    chosen = workers.if_worth(STEPS_PER_PAIR * len(full.runs) * len(merged))
    size = 1 if chosen.is_here else RUNS_PER_BLOCK
    blocks = [full.runs[start : start + size] for start in range(0, len(full.runs), size)]
    names = iter(blocks)  # results come in this order

    def tell(_: str) -> None:
        for run in next(names):
            on_progress(run)

    found = chosen.map(leave_out, blocks, on_progress=tell)
    variants = [each for left_out in found for each in left_out]
    return _to_result(full, variants, whole, seed=seed, n_undecided=len(pools) - len(labels))


def _leave_out(
    labelling: _Labelling, labels: Labels, loaded: Mapping[str, Run], full: ScoreTable, runs: Sequence[str]
) -> list[_Variant]:
    variants = []
    for run in runs:
        smaller = labelling.without(run, labels)
        variants.append(_Variant(without=smaller, values=_score(smaller, loaded, full)))
    return variants


def _check(pools: Sequence[Pool], challenges: Sequence[Challenge], runs: Mapping[str, object]) -> None:
    contributors = {name for pool in pools for names in pool.sources.values() for name in names}
    contributors.update(each.run for each in challenges)
    if not contributors & runs.keys():
        known = ", ".join(sorted(contributors)) or "none, since nothing was pooled"
        raise InputError(
            f"Found no run that contributed to the pools among {', '.join(sorted(runs))}; the pools know of {known}."
        )


@dataclass(frozen=True, kw_only=True)
class _Without:
    """What becomes of the labels without one run's own answers."""

    changed: Labels
    """Queries with other labels than before."""
    lost: frozenset[str]
    """Queries without any."""
    n_items: int


@dataclass(frozen=True, eq=False, kw_only=True)
class _Labelling:
    """How pools become labels."""

    pools: Mapping[str, Pool]
    outcomes: Mapping[Pair, PairOutcome]
    whole: Resolution
    """With all answers; what it says of the rule and the prior holds for the rest too."""
    allow_incomplete: bool
    challenges: Sequence[Challenge]
    challenge_rule: ReplacementRule
    counted: Mapping[Pair, PairOutcome]

    def resolve(self, pools: Sequence[Pool], own: Collection[tuple[str, str]]) -> Resolution:
        """Of smaller pools, as if what was left out, ``own`` challengers too, had never been judged."""
        left_out = {
            (pool.query_id, item) for pool in pools for item in set(self.pools[pool.query_id].items) - set(pool.items)
        }
        left_out.update(own)
        queries = {pool.query_id for pool in pools}
        outcomes = {
            pair: outcome
            for pair, outcome in self.outcomes.items()
            if pair.query_id in queries and not {(pair.query_id, pair.a), (pair.query_id, pair.b)} & left_out
        }
        return resolve_queries(
            pools,
            outcomes,
            rule=self.whole.rule,
            prior=self.whole.prior,
            at_least=self.whole.at_least,
            allow_incomplete=self.allow_incomplete,
        )

    def labels_of(self, resolution: Resolution, challenges: Iterable[Challenge]) -> Labels:
        """Grade 1 for the best answers of the decided queries after the challenges, and for items with their text."""
        met = [each for each in challenges if each.query_id in resolution.results]
        results = replay_challenges(resolution.results, met, self.counted, rule=self.challenge_rule).results
        labels: Labels = {}
        for query_id in sorted(results):
            best = results[query_id].best
            if best:
                twins = (doc_id for doc_id, item in self.pools[query_id].same_text.items() if item in best)
                labels[query_id] = dict.fromkeys((*best, *twins), 1)
        return labels

    def without(self, run: str, labels: Labels) -> _Without:
        """The labels if the items that only this run put into the pools, or challenged with, had never been there."""
        own = {(query_id, item) for query_id, item in self._own_challengers(run) if query_id in labels}
        challenged = {query_id for query_id, _ in own}
        smaller = {query_id: _drop_own(self.pools[query_id], run) for query_id in labels}
        touched = [pool for key, pool in smaller.items() if pool is not self.pools[key] or key in challenged]
        others = [each for each in self.challenges if (each.query_id, each.challenger) not in own]
        found = self.labels_of(self.resolve([pool for pool in touched if pool.items], own), others)
        return _Without(
            changed={query_id: docs for query_id, docs in found.items() if docs.keys() != labels[query_id].keys()},
            lost=frozenset(pool.query_id for pool in touched if pool.query_id not in found),
            n_items=sum(len(self.pools[pool.query_id].items) - len(pool.items) for pool in touched) + len(own),
        )

    def _own_challengers(self, run: str) -> set[tuple[str, str]]:
        """Query and answer of the challengers that nobody else found."""
        finders: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        for each in self.challenges:
            finders[each.query_id, each.challenger].add(each.run)
        return {
            (query_id, item)
            for (query_id, item), runs in finders.items()
            if runs == {run} and query_id in self.pools and item not in self.pools[query_id].items
        }


def _drop_own(pool: Pool, run: str) -> Pool:
    """The pool without the classes of items that only this run put there; itself if there are none."""
    of_class = pool.sources_of_class
    items = tuple(item for item in pool.items if of_class[item] != (run,))
    if items == pool.items:
        return pool
    # An answer left alone was judged with the others: nobody is left who could be better.
    return replace(pool, items=items, label=items[0] if len(items) == 1 else pool.label)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Variant:
    """The scores without one run's own answers, queries × runs; NaN for queries that have no label then."""

    without: _Without
    values: Floats


def _score(without: _Without, runs: Mapping[str, Run], full: ScoreTable) -> Floats:
    """The full scores, but those of queries whose labels are others or gone."""
    values = full.values.copy()
    row_of = {query_id: row for row, query_id in enumerate(full.query_ids)}
    values[[row_of[query_id] for query_id in without.lost]] = np.nan
    if without.changed:
        scored = score_runs(Qrels.from_dict(without.changed, source=SOURCE), runs, full.measure)
        values[[row_of[query_id] for query_id in scored.query_ids]] = scored.values
    return values


def _to_result(
    full: ScoreTable, variants: Sequence[_Variant], whole: Resolution, *, seed: int, n_undecided: int
) -> LeaveOneOut:
    higher = is_higher_better(full.measure)
    changes = [variant.values - full.values for variant in variants]  # NaN unless there is a value both ways
    own = mean_intervals(np.column_stack([change[:, run] for run, change in enumerate(changes)]), rng=seed)
    before = np.array([column_means(np.where(np.isnan(change), np.nan, full.values)) for change in changes])
    after = np.array(
        [
            column_means(np.where(np.isnan(change), np.nan, variant.values))
            for change, variant in zip(changes, variants, strict=True)
        ]
    )
    rows = []
    for run, variant in enumerate(variants):
        most = _most_moved(after[run] - before[run], run)
        rows.append(
            LeftOutRun(
                run=full.runs[run],
                n_items=variant.without.n_items,
                n_labels_changed=len(variant.without.changed),
                n_labels_lost=len(variant.without.lost),
                score=float(before[run, run]),
                score_without=float(after[run, run]),
                change=own[run],
                place=int(places_of(before[run], higher_is_better=higher)[run]),
                place_without=int(places_of(after[run], higher_is_better=higher)[run]),
                most_moved=None if most is None else full.runs[most],
                most_moved_by=0.0 if most is None else float(after[run, most] - before[run, most]),
                tau=order_correlation(before[run], after[run]),
            )
        )
    on_all = dict(zip(full.runs, places_of(column_means(full.values), higher_is_better=higher).tolist(), strict=True))
    return LeaveOneOut(
        measure=full.measure,
        runs=full.runs,
        rows=tuple(sorted(rows, key=lambda row: (on_all[row.run], row.run))),
        scores=before,
        scores_without=after,
        n_queries=len(full.query_ids),
        n_undecided=n_undecided,
        rule=whole.rule.value,
        at_least=whole.at_least,
        seed=seed,
        digest=full.digest,
        remarks=full.remarks,
    )


def _most_moved(moves: Floats, run: int) -> int | None:
    """Which other run's score moved most; None if none did."""
    sizes = np.nan_to_num(np.abs(moves).round(MEAN_DIGITS))
    sizes[run] = 0.0
    return int(sizes.argmax()) if sizes.any() else None
