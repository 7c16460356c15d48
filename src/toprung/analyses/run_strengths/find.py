"""Which run's first answers are the strongest? Bradley–Terry strengths of runs, from all judged pairs of these.

Win ratios compare runs two at a time; one strength a run uses all pairs at once. The unit is the query: queries are
drawn again and again to see how far strengths and ranks move.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from toprung.analyses.inputs import find_named
from toprung.analyses.win_ratio.find import first_answers
from toprung.data.judgments import Pair
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome, merge_same_texts
from toprung.result import Column, Explanation, Result, Rows, Table, columns
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Floats, Ints, check_share
from toprung.stats.intervals.bootstrap import draw_weights
from toprung.stats.models.bradley_terry import fit_strengths
from toprung.words.assumptions import CAREFUL_VOTES, FAIR_SAMPLE
from toprung.words.floors import FEWEST
from toprung.words.wording import list_names, say_count, say_queries

RESAMPLES = 1_000
PENALTY = 0.4
"""λ of strengths of runs: over many queries it hardly matters."""
CELLS_PER_CHUNK = 1_000_000


@dataclass(frozen=True, kw_only=True)
class RunStrength:
    """One run's row."""

    run: str
    strength: float
    """On the logit scale, with mean 0 over the runs."""
    low: float
    high: float
    rank: int
    rank_low: int
    """The ranks it has in nearly all resamples of the queries; that is no confidence interval of its rank."""
    rank_high: int
    n_comparisons: int
    """Queries × other runs with another first answer and a judged pair."""


def run_strengths(
    outcomes: Mapping[Pair, PairOutcome],
    runs: Mapping[str, Run],
    *,
    qrels: Qrels | None = None,
    pools: Sequence[Pool] = (),
    penalty: float = PENALTY,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> RunStrengths:
    """Fit one strength a run to all outcomes between the first answers of runs.

    Parameters
    ----------
    outcomes
        The outcome of each judged pair; an even split is half a win each.
    runs
        The runs by name.
    qrels
        With labels, ``perfect`` is one more run: the one that always has the label first.
    pools
        To know which items have the same text; queries outside are left out where there are pools.
    penalty
        λ of the fit, which keeps the strength of a run that always wins finite.
    confidence, resamples, seed
        Of the bootstrap of queries.

    """
    check_share(confidence, name="confidence")
    tops = first_answers(runs, qrels, pools)
    if len(tops) < 2:
        raise InputError(f"Found {len(tops)} run; expected at least two to compare, or labels.")
    names = tuple(sorted(tops))
    wins = _wins_by_query(merge_same_texts(outcomes, pools), [tops[name] for name in names])
    if not len(wins):
        raise InputError("Found no judged pair of first answers of two runs; expected at least one.")
    drawn = _resampled_strengths(wins, resamples, penalty=penalty, seed=seed)
    rows = _to_rows(names, wins, drawn, penalty=penalty, confidence=confidence)
    return RunStrengths(
        rows=tuple(sorted(rows, key=lambda row: (row.rank, row.run))),
        n_queries=len(wins),
        penalty=penalty,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        qrels_digest=None if qrels is None else qrels.digest,
    )


def _to_rows(
    names: Sequence[str], wins: Floats, drawn: Floats, *, penalty: float, confidence: float
) -> list[RunStrength]:
    """Strength and rank of every run, with what they are in the resamples."""
    strengths = fit_strengths(wins.sum(axis=0), penalty=penalty).values[0]
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    low, high = np.quantile(drawn, tails, axis=0)
    rank_low, rank_high = np.quantile(_ranks(drawn), tails, axis=0, method="closest_observation")
    ranks = _ranks(strengths[None])[0]
    compared = (wins + wins.transpose(0, 2, 1)).sum(axis=(0, 2))
    return [
        RunStrength(
            run=name,
            strength=float(strengths[run]),
            low=float(low[run]),
            high=float(high[run]),
            rank=int(ranks[run]),
            rank_low=int(rank_low[run]),
            rank_high=int(rank_high[run]),
            n_comparisons=int(compared[run]),
        )
        for run, name in enumerate(names)
    ]


def _resampled_strengths(wins: Floats, resamples: int, *, penalty: float, seed: int) -> Floats:
    """Resamples × runs, fitted a few resamples at a time: each takes a table of runs × runs, several times over."""
    n_queries, n_runs, _ = wins.shape
    weights = draw_weights(n_queries, resamples, np.random.default_rng(seed))
    flat = wins.reshape(n_queries, -1)
    size = max(1, CELLS_PER_CHUNK // n_runs**2)
    chunks = (weights[start : start + size] for start in range(0, resamples, size))
    return np.concatenate(
        [fit_strengths((chunk @ flat).reshape(-1, n_runs, n_runs), penalty=penalty).values for chunk in chunks]
    )


def _wins_by_query(outcomes: Mapping[Pair, PairOutcome], tops: Sequence[Mapping[str, str]]) -> Floats:
    """Queries × runs × runs, only of queries that tell something: 1 where the row's run won, ½ where nobody did."""
    runs_with: dict[str, dict[str, list[int]]] = {}
    for run, by_query in enumerate(tops):
        for query_id, doc_id in by_query.items():
            runs_with.setdefault(query_id, {}).setdefault(doc_id, []).append(run)
    wins: dict[str, Floats] = {}
    for pair, outcome in sorted(outcomes.items()):
        having = runs_with.get(pair.query_id, {})
        of_a, of_b = having.get(pair.a), having.get(pair.b)
        if of_a and of_b and outcome.n:
            share = 0.5 if outcome.winner is None else float(outcome.winner == pair.a)
            table = wins.setdefault(pair.query_id, np.zeros((len(tops), len(tops))))
            table[np.ix_(of_a, of_b)] = share
            table[np.ix_(of_b, of_a)] = 1 - share
    return np.array(list(wins.values())).reshape(-1, len(tops), len(tops))


def _ranks(strengths: Floats) -> Ints:
    """From 1, the strongest first; equal ones share the best rank."""
    rounded = strengths.round(MEAN_DIGITS)
    found: Ints = 1 + (rounded[:, None, :] > rounded[:, :, None]).sum(axis=2)
    return found


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class RunStrengths(Result):
    """Runs by the strength of their first answers, the strongest first."""

    FIGURES = (
        Rows(
            "runs",
            of="rows",
            columns=(
                Column("run", str),
                *columns(float, "strength low high"),
                *columns(int, "rank rank_low rank_high n_comparisons"),
            ),
            keeps_nan=True,
        ),
    )
    MADE_FROM = ("n_queries n_runs=len(rows) penalty confidence resamples seed qrels_digest",)

    rows: tuple[RunStrength, ...]
    n_queries: int
    penalty: float
    confidence: float
    resamples: int
    seed: int
    qrels_digest: str | None = None

    def __getitem__(self, run: str) -> RunStrength:
        return find_named("run", run, {row.run: row for row in self.rows})

    @property
    def sentence(self) -> str:
        first = self.rows[0]
        near = [row.run for row in self.rows[1:] if row.rank_low <= first.rank_high]
        over = f"over {say_queries(self.n_queries)}"
        if self.n_queries < FEWEST:
            return f"{first.run} has the highest strength {over}, too few to say whose first answers are the strongest."
        if not near:
            share = f"{100 * self.confidence:g}%"
            return (
                f"{first.run} has the strongest first answers {over}: its ranks in {share} of resamples of the queries "
                "overlap with no other's."
            )
        return (
            f"{first.run} has the strongest first answers {over}, but its ranks overlap with those of "
            f"{list_names(near)} when queries are drawn again."
        )

    @property
    def table(self) -> Table:
        header = ("run", "strength", f"{100 * self.confidence:g}% interval", "rank", "ranks", "comparisons")
        rows = tuple(
            (
                row.run,
                _show(row.strength),
                f"{_show(row.low)} to {_show(row.high)}",
                str(row.rank),
                f"{row.rank_low} to {row.rank_high}",
                f"{row.n_comparisons:,}",
            )
            for row in self.rows
        )
        return Table(header=header, rows=rows, numeric=frozenset({1, 2, 3, 4, 5}))

    @property
    def notes(self) -> tuple[str, ...]:
        gap = math.log(3)
        return (
            f"Strength: Bradley–Terry on the logit scale, penalty {self.penalty:g}; a run that leads another by "
            f"{gap:.1f} is preferred 3 times in 4.",
            f"Ranks: where a run stands in {100 * self.confidence:g}% of {say_count(self.resamples, 'resample')} of "
            "queries; no confidence interval of its rank.",
        )

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=(
                "One strength for each run is fitted to all judged pairs of first answers at once (Bradley and Terry "
                f"1952, with a penalty of {self.penalty:g} that keeps strengths finite); an even split is half a win "
                f"each. Queries are drawn again {self.resamples:,} times to see how far strengths and ranks move."
            ),
            assumptions=(
                FAIR_SAMPLE,
                CAREFUL_VOTES,
                "One strength says it all: who is preferred to a run that is preferred to a third is preferred to that "
                "one too.",
            ),
        )

    def __repr__(self) -> str:
        return f"RunStrengths({len(self.rows):,} runs, {self.n_queries:,} queries)"


def _show(strength: float) -> str:
    return f"{round(strength, 2) + 0.0:.2f}".replace("-", "−")
