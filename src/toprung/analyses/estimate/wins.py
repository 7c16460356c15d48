"""Whose first answers would people prefer on all pairs? A model's votes on all, corrected by people's on some.

A contest is a query on which the first answers of two runs differ and the model has voted. A run's share of contests
won, ties counted half, is a ratio of sums over queries; each query's influence on it is a row, and the rows are
corrected as scores are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from toprung.analyses.estimate.find import LEAST_JUDGED
from toprung.analyses.estimate.making import Sources, make_estimate
from toprung.analyses.estimate.result import Estimate
from toprung.analyses.estimate.sampling import HumanSample, check_sample
from toprung.analyses.inputs import check_run_count
from toprung.analyses.win_ratio.find import first_answers
from toprung.data.judgments import Pair
from toprung.data.matrices import ScoreTable
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import Outcomes, PairOutcome, merge_same_texts
from toprung.stats.inputs import Floats, check_share
from toprung.stats.models.corrected import correct_scores
from toprung.words.wording import say_queries

WINS = "wins"
"""The share of contests with other runs that a run wins."""
BY_PEOPLE, BY_MODEL, JUDGED, REST_BY_MODEL, REST = range(5)


def estimate_wins(
    people: Outcomes,
    model: Outcomes,
    runs: Mapping[str, Run],
    *,
    pools: Sequence[Pool] = (),
    human_sample: HumanSample = None,
    alpha: float = 0.05,
    seed: int = 0,
) -> Estimate:
    """Estimate how often people would prefer each run's first answer, from few of their votes and a model's on all.

    Parameters
    ----------
    people, model
        The outcomes of pairs by people's votes and by the model's, as ``resolve_pairs`` gives them.
    runs
        The runs by name.
    pools
        To know which items have the same text; queries outside are left out where there are pools.
    human_sample
        ``"random"`` declares that the pairs people judged are a random sample of the model's, or all those of a random
        sample of queries.
    alpha, seed
        As of ``estimate``.

    """
    check_share(alpha, name="alpha")
    check_run_count(runs)
    names = tuple(sorted(runs))
    tops = first_answers({name: runs[name] for name in names}, None, pools)
    contests = _Contests.of(tops, merge_same_texts(people, pools), merge_same_texts(model, pools))
    contests.check()
    is_judged = contests.sums[:, :, JUDGED].any(axis=1)
    judged = frozenset(query for query, has in zip(contests.query_ids, is_judged.tolist(), strict=True) if has)
    of_model = ScoreTable(query_ids=contests.query_ids, runs=names, values=contests.by_model(), measure=WINS)
    sample = check_sample(human_sample, judged, of_model, contests.query_ids, seed=seed)
    by_people, by_model = (contests.influences(part, JUDGED)[is_judged] for part in (BY_PEOPLE, BY_MODEL))
    has_rest = contests.sums[:, :, REST].any(axis=1)
    row_of = np.where(is_judged, np.cumsum(is_judged) - 1, -1)
    scores = correct_scores(
        by_people,
        by_model,
        contests.influences(REST_BY_MODEL, REST)[has_rest],
        share=float(contests.sums[..., REST].sum() / contests.sums[..., [JUDGED, REST]].sum()),
        rows=row_of[has_rest],
        rng=seed,
    )
    sources = Sources(
        people=ScoreTable(query_ids=tuple(sorted(judged)), runs=names, values=by_people, measure=WINS),
        model=of_model,
        judged=tuple(sorted(judged)),
        scores=scores,
        bias=by_model - by_people,
    )
    return make_estimate(sources, sample, alpha=alpha, seed=seed)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Contests:
    """For each query and run: contests won by people's votes and by the model's, and how many; then of the rest."""

    query_ids: tuple[str, ...]
    runs: tuple[str, ...]
    sums: Floats

    @classmethod
    def of(cls, tops: Mapping[str, Mapping[str, str]], people: Outcomes, model: Outcomes) -> _Contests:
        query_ids, sums = [], []
        for query in sorted(set().union(*tops.values())):
            found = _of_query(query, [of_run.get(query) for of_run in tops.values()], people, model)
            if found[:, [JUDGED, REST]].any():
                query_ids.append(query)
                sums.append(found)
        return cls(query_ids=tuple(query_ids), runs=tuple(tops), sums=np.array(sums).reshape(-1, len(tops), 5))

    def check(self) -> None:
        """Refuse where there is too little that both judged."""
        n_judged = int(np.count_nonzero(self.sums[:, :, JUDGED].any(axis=1)))
        if n_judged < LEAST_JUDGED:
            raise InputError(
                f"Found {say_queries(n_judged)} with a pair of first answers that both people and the model voted on; "
                f"expected at least {LEAST_JUDGED}."
            )
        lonely = [run for run, count in zip(self.runs, self.sums[..., JUDGED].sum(axis=0), strict=True) if not count]
        if lonely:
            raise InputError(f"{lonely[0]}: found no pair of its first answers that people voted on; expected some.")

    def influences(self, part: int, counted: int) -> Floats:
        """Queries × runs: what each query adds to a run's share; the mean over those that count is the share."""
        wins, counts = self.sums[..., part], self.sums[..., counted]
        return _ratio_rows(wins, counts, int(np.count_nonzero(counts.any(axis=1))))

    def by_model(self) -> Floats:
        """The same by all votes of the model."""
        wins = self.sums[..., BY_MODEL] + self.sums[..., REST_BY_MODEL]
        return _ratio_rows(wins, self.sums[..., JUDGED] + self.sums[..., REST], len(wins))


def _ratio_rows(wins: Floats, counts: Floats, n: int) -> Floats:
    total = np.maximum(counts.sum(axis=0), 1)
    share = wins.sum(axis=0) / total
    rows: Floats = share + n * (wins - share * counts) / total
    return rows


def _of_query(query: str, items: Sequence[str | None], people: Outcomes, model: Outcomes) -> Floats:
    """Runs × 5."""
    found = np.zeros((len(items), 5))
    for run, rival in permutations(range(len(items)), 2):
        mine, other = items[run], items[rival]
        if mine is None or other is None or mine == other:
            continue
        pair = Pair.of(query, mine, other)
        if pair not in model:
            continue
        by_model = _won(model[pair], mine)
        if pair in people:
            found[run, [BY_PEOPLE, BY_MODEL, JUDGED]] += (_won(people[pair], mine), by_model, 1)
        else:
            found[run, [REST_BY_MODEL, REST]] += (by_model, 1)
    return found


def _won(outcome: PairOutcome, item: str) -> float:
    return 0.5 if outcome.winner is None else float(outcome.winner == item)
