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
from functools import cached_property, partial
from typing import Any

import numpy as np

from toprung.analyses.leave_one_out.tables import LeaveOneOut, LeftOutRun
from toprung.analyses.run_scores import is_higher_better, order_correlation, score_runs
from toprung.data.joined_labels import JoinedLabels
from toprung.data.judgments import Pair
from toprung.data.matrices import ScoreTable
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.best.challenges import Challenge
from toprung.labels.best.replacement import ReplacementRule, find_rule
from toprung.labels.best.resolution import Resolution, default_rule, needs_strengths, resolve_queries
from toprung.labels.best.upkeep import DEFAULT_RULE, replay_challenges
from toprung.labels.doubt.prior import StrengthPrior, estimate_prior
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import OutcomesOfPairs, PairOutcome, columns_of, merge_same_texts
from toprung.labels.votes.voted_pairs import VotedPairs
from toprung.scoring.inputs import NamedRun, Reading, to_named_runs
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Floats
from toprung.stats.intervals.bootstrap import column_means, mean_intervals
from toprung.stats.ranks.places import places_of
from toprung.workers import IN_PROCESS, Workers

SOURCE = "preference labels"
# The steps (``Workers.if_worth``) of a run left out for each pair judged.
STEPS_PER_PAIR = 500

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
    chosen = default_rule(pools, merged) if rule is None else rule
    whole = resolve_queries(
        pools,
        merged,
        rule=chosen,
        prior=estimate_prior(merged, ties=ties) if needs_strengths(chosen, at_least) else StrengthPrior(),
        at_least=at_least,
        allow_incomplete=allow_incomplete,
        with_posteriors=False,
    )
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
    smaller = [labelling.without(run, labels) for run in sorted(loaded)]
    with_all = Qrels.from_dict(labels, source=SOURCE)
    placed = _place_once(loaded, [with_all, *(each.labels for each in smaller if each.changed)])
    full = score_runs(with_all, placed, measure)
    spread = workers.if_worth(STEPS_PER_PAIR * len(full.runs) * len(merged))
    names = iter(full.runs)  # results come in this order
    found = spread.map(partial(_score, placed, full), smaller, on_progress=lambda _: on_progress(next(names)))
    variants = [_Variant(without=each, values=values) for each, values in zip(smaller, found, strict=True)]
    return _to_result(full, variants, whole, seed=seed, n_undecided=len(pools) - len(labels))


def _check(pools: Sequence[Pool], challenges: Sequence[Challenge], runs: Mapping[str, object]) -> None:
    contributors = {name for pool in pools for names in pool.sources.values() for name in names}
    contributors.update(each.run for each in challenges)
    if not contributors & runs.keys():
        known = ", ".join(sorted(contributors)) or "none, since nothing was pooled"
        raise InputError(
            f"Found no run that contributed to the pools among {', '.join(sorted(runs))}; the pools know of {known}."
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class _Without:
    """What becomes of the labels without one run's own answers."""

    changed: Labels
    """Queries with other labels than before."""
    lost: frozenset[str]
    """Queries without any."""
    n_items: int

    @cached_property
    def labels(self) -> Qrels:
        return Qrels.from_dict(self.changed, source=SOURCE)


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
        votes, left_out = self._votes, defaultdict[str, set[str]](set)
        for pool in pools:
            left_out[pool.query_id].update(set(self.pools[pool.query_id].items).difference(pool.items))
        for query_id, item in own:
            left_out[query_id].add(item)
        is_out = votes.mark(left_out)
        is_asked = np.array([query_id in left_out for query_id in votes.query_ids], dtype=np.bool_)
        is_kept = is_asked[votes.query] & ~(is_out[votes.a] | is_out[votes.b])
        return resolve_queries(
            pools,
            OutcomesOfPairs(votes.select(is_kept)),
            rule=self.whole.rule,
            prior=self.whole.prior,
            at_least=self.whole.at_least,
            allow_incomplete=self.allow_incomplete,
            with_posteriors=False,
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
        own = {(query_id, item) for query_id, item in self._own_challengers[run] if query_id in labels}
        queries = self._with_own_items[run] | {query_id for query_id, _ in own}
        touched = [_drop_own(self.pools[query_id], run) for query_id in sorted(queries) if query_id in labels]
        others = [each for each in self.challenges if (each.query_id, each.challenger) not in own]
        found = self.labels_of(self.resolve([pool for pool in touched if pool.items], own), others)
        return _Without(
            changed={query_id: docs for query_id, docs in found.items() if docs.keys() != labels[query_id].keys()},
            lost=frozenset(pool.query_id for pool in touched if pool.query_id not in found),
            n_items=sum(len(self.pools[pool.query_id].items) - len(pool.items) for pool in touched) + len(own),
        )

    @cached_property
    def _votes(self) -> VotedPairs:
        return columns_of(self.outcomes)

    @cached_property
    def _with_own_items(self) -> defaultdict[str, set[str]]:
        """For each run the queries that have an item which nobody else put there."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for pool in self.pools.values():
            for names in pool.sources_of_class.values():
                if len(names) == 1:
                    found[names[0]].add(pool.query_id)
        return found

    @cached_property
    def _own_challengers(self) -> defaultdict[str, set[tuple[str, str]]]:
        """For each run query and answer of the challengers that nobody else found."""
        finders: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        for each in self.challenges:
            finders[each.query_id, each.challenger].add(each.run)
        found: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
        for (query_id, item), runs in finders.items():
            if len(runs) == 1 and query_id in self.pools and item not in self.pools[query_id].items:
                found[min(runs)].add((query_id, item))
        return found


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


def _place_once(runs: Mapping[str, Run], labels: Iterable[Qrels]) -> dict[str, NamedRun]:
    """The runs, each placed once for all of these labels."""
    joined = JoinedLabels.of(labels)
    return {run.name: replace(run, place=joined.place_once(run.place)) for run in to_named_runs(dict(runs), Reading())}


def _score(runs: Mapping[str, NamedRun], full: ScoreTable, without: _Without) -> Floats:
    """The full scores, but those of queries whose labels are others or gone."""
    values = full.values.copy()
    row_of = {query_id: row for row, query_id in enumerate(full.query_ids)}
    values[[row_of[query_id] for query_id in without.lost]] = np.nan
    if without.changed:
        scored = score_runs(without.labels, runs, full.measure, workers=IN_PROCESS)  # placed already
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
