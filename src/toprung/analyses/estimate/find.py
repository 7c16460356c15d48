"""What would people say of all queries? A model's labels of all, corrected by people's labels of some.

The corrected scores are a matrix like any other, of the queries that people judged
(``toprung.stats.models.corrected``). So who may be best comes from the one relation of a board
(``toprung.boards.engine.top_group``), in the words of a board.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from toprung.analyses.estimate.making import Sources, make_estimate
from toprung.analyses.estimate.result import Estimate, LabelDigests
from toprung.analyses.estimate.sampling import HumanSample, check_sample
from toprung.analyses.inputs import check_scores
from toprung.analyses.run_scores import restrict, score_runs
from toprung.analyses.subject import MeasureName
from toprung.boards.engine.defaults import choose_defaults
from toprung.data.matrices import ScoreTable
from toprung.data.qrels import Qrels
from toprung.errors import InputError
from toprung.scoring.inputs import to_qrels
from toprung.stats.inputs import Bools, Floats, check_share
from toprung.stats.models.corrected import correct_scores
from toprung.words.wording import say_count, say_queries

LEAST_JUDGED = 5


def estimate(
    human: Any,
    runs: Any,
    measure: MeasureName = None,
    *,
    model: Any,
    human_sample: HumanSample = None,
    alpha: float = 0.05,
    seed: int = 0,
    on_progress: Callable[[str], None] = lambda _: None,
) -> Estimate:
    """Estimate what people's labels of all queries would give, from few of theirs and a model's of all.

    Parameters
    ----------
    human
        People's labels of some queries, in any form that ``evaluate`` takes.
    runs
        One run or several, in any form that ``evaluate`` takes.
    measure
        By its name, such as ``"nDCG@10"``; chosen from people's labels when left out.
    model
        The model's labels of all queries, those that people judged included.
    human_sample
        How people's queries were drawn from the model's: ``"random"`` declares it, the folder of a judging effort
        records it. Where nothing is said, or the labels speak against it, an InputError.
    alpha
        The chance that any two runs are told apart wrongly; intervals have the confidence 1 − alpha.
    seed
        Of the resamples, and of how the rest of the queries is dealt to those that people judged.
    on_progress
        Called with a run's name when it is scored, once for each set of labels.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> labels = {f"q{number}": {f"d{rng.integers(4)}": 1} for number in range(40)}
    >>> first = {query: {f"d{doc}": 4.0 - doc for doc in range(4)} for query in labels}
    >>> last = {query: {f"d{doc}": doc + 1.0 for doc in range(4)} for query in labels}
    >>> people = {query: labels[query] for query in list(labels)[::4]}
    >>> found = estimate(people, {"first": first, "last": last}, "RR", model=labels, human_sample="random")
    >>> found.n_human, found.n_queries, found.top.members
    (10, 40, ('last', 'first'))

    """
    check_share(alpha, name="alpha")
    labels = _Labels.of(to_qrels(human), to_qrels(model))
    name = measure or choose_defaults(labels.human).measure
    people = score_runs(labels.human, runs, name, on_progress=on_progress)
    of_model = _score_all(labels.model, score_runs(labels.model, runs, name, on_progress=on_progress))
    for table in (people, of_model):
        check_scores(table, least_queries=1, least_runs=1)
    sample = check_sample(human_sample, labels.judged, of_model, labels.model.query_ids, seed=seed)
    is_judged = np.array([query_id in labels.judged for query_id in of_model.query_ids])
    given = _spread_out(people, of_model, is_judged)
    scores = correct_scores(given, of_model.values[is_judged], of_model.values[~is_judged], rng=seed)
    counts = ~np.isnan(given).any(axis=1)
    sources = Sources(
        people=people,
        model=of_model,
        judged=tuple(sorted(labels.judged)),
        scores=scores,
        bias=(of_model.values[is_judged] - given)[counts],
    )
    return make_estimate(
        sources,
        sample,
        labels=LabelDigests(human=labels.human.digest, model=labels.model.digest),
        alpha=alpha,
        seed=seed,
        n_only_human=labels.n_only_human,
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class _Labels:
    """People's labels of queries that the model judged too, and the model's of all."""

    human: Qrels
    model: Qrels
    n_only_human: int

    @classmethod
    def of(cls, human: Qrels, model: Qrels) -> _Labels:
        both = set(human.query_ids) & set(model.query_ids)
        if len(both) < LEAST_JUDGED:
            raise InputError(
                f"Found {say_queries(len(both))} judged both by people ({human.source}) and by the model "
                f"({model.source}); expected at least {LEAST_JUDGED}. Do the two files use the same query ids?"
            )
        n_only = human.n_queries - len(both)
        return cls(human=restrict(human, both) if n_only else human, model=model, n_only_human=n_only)

    @property
    def judged(self) -> frozenset[str]:
        return frozenset(self.human.query_ids)


def _score_all(labels: Qrels, table: ScoreTable) -> ScoreTable:
    """With every query the model judged: where it finds nothing relevant, it predicts 0 for every run."""
    without = [query for query, has in zip(labels.query_ids, labels.has_relevant, strict=True) if not has]
    if not without:
        return table
    remark = f"The model finds nothing relevant for {say_count(len(without), 'query', 'queries')}: it scores 0 there."
    return replace(
        table,
        query_ids=(*table.query_ids, *without),
        values=np.vstack([table.values, np.zeros((len(without), len(table.runs)))]),
        remarks=(*table.remarks, remark),
    )


def _spread_out(people: ScoreTable, model: ScoreTable, is_judged: Bools) -> Floats:
    """People's scores in the order of the model's queries that they judged; NaN where they found nothing relevant."""
    judged = [query_id for query_id, chosen in zip(model.query_ids, is_judged.tolist(), strict=True) if chosen]
    row_of = {query_id: row for row, query_id in enumerate(people.query_ids)}
    spread = np.full((len(judged), len(people.runs)), np.nan)
    known = [row for row, query_id in enumerate(judged) if query_id in row_of]
    spread[known] = people.values[[row_of[judged[row]] for row in known]]
    return spread
