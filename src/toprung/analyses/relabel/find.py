"""What do better labels do to the leaderboard? Every run's score under the original and under the new labels.

A run that puts a better answer above the old label loses by the old labels and gains by the new ones. The ranking that
is perfect by the old labels is scored too: runs above it are "better than perfect".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from toprung.analyses.relabel.soft import SoftScores
from toprung.analyses.relabel.tables import Relabelled, RelabelledRun
from toprung.analyses.run_scores import (
    PERFECT,
    check_top,
    is_higher_better,
    order_correlation,
    perfect_run,
    queries_with_relevant,
    restrict,
    score_runs,
)
from toprung.analyses.sample_check.find import SampleCheck, compare_orders
from toprung.data.matrices import ScoreTable
from toprung.data.qrels import Qrels
from toprung.errors import InputError
from toprung.labels.best.preference_qrels import PreferenceQrels, QrelsManifest
from toprung.scoring.catalogue import GivenMeasure
from toprung.scoring.evaluate import ALL_CORES
from toprung.scoring.inputs import to_qrels
from toprung.stats.intervals.bootstrap import Effect, column_means, mean_intervals
from toprung.stats.ranks.places import best_first, places_of
from toprung.workers import Workers

TOP = 10


def rescore(
    original: Any,
    preference: Any,
    runs: Any = None,
    measure: GivenMeasure = "RR@10",
    *,
    top: int = TOP,
    seed: int = 0,
    before: ScoreTable | None = None,
    after: ScoreTable | None = None,
    workers: Workers = ALL_CORES,
    on_progress: Callable[[str], None] = lambda _: None,
) -> Relabelled:
    """Score runs under the original and under new labels, on the queries that have both.

    Parameters
    ----------
    original, preference
        The labels before and now, in any form that ``evaluate`` takes, or as ``derive_labels`` made them. Of soft
        labels, scores are the mean over the labels that each query may have, with how far they move as labels are drawn
        from P(best).
    runs
        One run or several, in any form that ``evaluate`` takes; not needed where both scores are known.
    measure
        By its name, such as ``"RR@10"``.
    top
        Kendall's τ is given for all runs, and for so many that were first under the original labels.
    seed
        Of the bootstrap of queries behind the 95% intervals.
    before, after
        The scores of these runs under the original and under the new labels, where they are known already.
    workers
        Who reads and scores the runs, as in ``evaluate``.

    Returns
    -------
    Relabelled

    Examples
    --------
    >>> old, new = {"q1": {"d1": 1}, "q2": {"d1": 1}}, {"q1": {"d2": 1}}
    >>> runs = {"a": {"q1": {"d1": 2, "d2": 1}}, "b": {"q1": {"d2": 2, "d1": 1}}}
    >>> print(rescore(old, new, runs).sentence)
    b has the highest RR@10 under the new labels, 1.0000 (place 2 of 2 before). Kendall's τ of the two orders is −1.00.

    """
    check_top(top)
    if runs is None and (before is None or after is None):
        raise InputError("runs: found none; expected some, or their scores under both label sets.")
    labels = to_qrels(original)
    on_all = (
        score_runs(labels, runs, measure, workers=workers, on_progress=on_progress)
        if before is None
        else _by_name(before)
    )
    new = _NewLabels.of(preference)
    queries = _shared_queries(labels, new.qrels)
    on_shared = on_all.select_queries(queries, name="new labels")
    soft = None
    if after is None:
        after, soft = new.score(queries, runs, measure, workers=workers, on_progress=on_progress)
    else:
        after = _same_runs(_by_name(after), on_all).select_queries(queries, name="new labels")
    perfect = _Perfect.of(restrict(labels, queries), new, queries, after.measure)
    higher = is_higher_better(after.measure)
    old_means, new_means = column_means(on_shared.values), column_means(after.values)
    first = best_first(old_means, after.runs, higher_is_better=higher)[:top]
    return Relabelled(
        measure=after.measure,
        rows=_rows(on_shared, after, perfect, soft, higher_is_better=higher, seed=seed),
        perfect_before=perfect.means[0],
        perfect_after=perfect.means[1],
        tau=order_correlation(old_means, new_means),
        tau_top=order_correlation(old_means[first], new_means[first]) if top < len(after.runs) else math.nan,
        top=top,
        n_queries=len(queries),
        n_without_new=len(on_all.query_ids) - len(queries),
        n_only_new=len(queries_with_relevant(new.qrels)) - len(queries),
        sample=_check_sample(on_all, queries),
        higher_is_better=higher,
        seed=seed,
        digests={"original_labels": labels.digest, "new_labels": new.qrels.digest},
        remarks=after.remarks,
        doubt=None if soft is None else soft.draw_tops(higher_is_better=higher, seed=seed),
        made_by=new.made_by,
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class _NewLabels:
    """New labels, and what made them where that is known."""

    qrels: Qrels
    made_by: QrelsManifest | None

    @classmethod
    def of(cls, given: Any) -> _NewLabels:
        if isinstance(given, PreferenceQrels):
            return cls(qrels=given.qrels, made_by=given.manifest)
        return cls(qrels=to_qrels(given), made_by=None)

    def score(
        self,
        queries: list[str],
        runs: Any,
        measure: GivenMeasure,
        *,
        workers: Workers = ALL_CORES,
        on_progress: Callable[[str], None] = lambda _: None,
    ) -> tuple[ScoreTable, SoftScores | None]:
        """The scores on these queries; of soft labels the mean over all that a query may have, and these."""
        labels = restrict(self.qrels, queries)
        if self.made_by is None or not self.made_by.is_soft:
            return score_runs(labels, runs, measure, workers=workers, on_progress=on_progress), None
        soft = SoftScores.of(labels, self.made_by.same_text, runs, measure, workers=workers, on_progress=on_progress)
        return soft.table, soft


def _by_name(table: ScoreTable) -> ScoreTable:
    """Runs in the order that `score_runs` gives them."""
    return table.select(sorted(table.runs))


def _same_runs(after: ScoreTable, before: ScoreTable) -> ScoreTable:
    if (after.runs, after.measure) != (before.runs, before.measure):
        raise InputError(
            f"after: found {after.measure} of {len(after.runs):,} runs; expected {before.measure} of the "
            f"{len(before.runs):,} runs that were scored before."
        )
    return after


def _shared_queries(original: Qrels, preference: Qrels) -> list[str]:
    found = sorted(set(queries_with_relevant(original)).intersection(queries_with_relevant(preference)))
    if not found:
        raise InputError(
            f"{preference.source}: found no query with a relevant document that has one in {original.source} too; "
            "expected new labels for some of the same queries."
        )
    return found


def _check_sample(on_all: ScoreTable, queries: list[str]) -> SampleCheck | None:
    is_sample = len(queries) < len(on_all.query_ids) and len(on_all.runs) > 1
    return compare_orders(on_all, queries) if is_sample else None


@dataclass(frozen=True, eq=False, kw_only=True)
class _Perfect:
    """The ranking that is perfect by the old labels, under the old and the new ones."""

    tables: tuple[ScoreTable, ScoreTable]

    @classmethod
    def of(cls, old_labels: Qrels, new: _NewLabels, queries: list[str], measure: str) -> _Perfect:
        ranking = {PERFECT: perfect_run(old_labels)}
        return cls(tables=(score_runs(old_labels, ranking, measure), new.score(queries, ranking, measure)[0]))

    @property
    def means(self) -> tuple[float, float]:
        before, after = (float(column_means(table.values)[0]) for table in self.tables)
        return before, after


def _rows(
    before: ScoreTable,
    after: ScoreTable,
    perfect: _Perfect,
    soft: SoftScores | None,
    *,
    higher_is_better: bool,
    seed: int,
) -> tuple[RelabelledRun, ...]:
    """Of each run, the best under the new labels first; one resampling of queries serves all intervals."""
    over_perfect = after.values - perfect.tables[1].values
    effects = mean_intervals(np.hstack([before.values, after.values, over_perfect]), rng=seed)
    n = len(after.runs)
    old, new, lead = effects[:n], effects[n : 2 * n], effects[2 * n :]
    old_places, new_places = (_places(each, higher_is_better) for each in (old, new))
    rows = [
        RelabelledRun(
            run=run,
            before=old[column],
            after=new[column],
            over_perfect=lead[column],
            place_before=old_places[column],
            place_after=new_places[column],
            label_doubt=math.nan if soft is None else float(soft.spread[column]),
        )
        for column, run in enumerate(after.runs)
    ]
    return tuple(sorted(rows, key=lambda row: (row.place_after, row.run)))


def _places(effects: list[Effect], higher_is_better: bool) -> list[int]:
    found: list[int] = places_of([each.estimate for each in effects], higher_is_better=higher_is_better).tolist()
    return found
