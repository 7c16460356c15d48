"""What is known of each run, and of each pair? By people alone, corrected, and by the model alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from toprung.boards.engine.top_group import TopGroup
from toprung.data.matrices import ScoreTable
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.inputs import Floats
from toprung.stats.intervals.bootstrap import Effect
from toprung.stats.models.corrected import CorrectedScores, t_intervals
from toprung.stats.pairs.results import all_pairs

MEAN_AND_WEIGHT = 2
"""What is fitted to the queries that people judged."""


@dataclass(frozen=True, kw_only=True)
class EstimateRow:
    """One run, with intervals of its own."""

    run: str
    corrected: Effect
    people: Effect
    """By the queries that people judged, and nothing else."""
    model: float
    """The mean under the model's labels of all queries."""
    bias: Effect
    """The model's score less people's, on the queries that both judged."""
    favour: Effect
    """That, less what the model gives to all runs in the mean, above 0 where it helps the run; the intervals of all
    runs hold at once."""
    rank_low: int
    rank_high: int
    top_group: bool
    """Whether it may be best by the corrected scores: no run is better."""

    @property
    def is_favoured(self) -> bool:
        return self.favour.low > 0

    @property
    def is_disfavoured(self) -> bool:
        return self.favour.high < 0


@dataclass(frozen=True, kw_only=True)
class ModelAlone:
    """Pairs that the model's labels alone call different, all compared at once, and what becomes of them."""

    different: int
    borne_out: int
    """The corrected scores say the same."""
    not_told_apart: int
    """The corrected scores cannot tell the two apart."""
    contradicted: int
    """The corrected scores say the opposite."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ThreeWays:
    """The same runs by people, corrected, and by the model; columns in the order of the runs' names."""

    runs: tuple[str, ...]
    scores: CorrectedScores
    bias: Floats
    """The model's scores less people's, on the queries that count for both."""
    model: ScoreTable
    """Of all queries."""
    top: TopGroup
    """By the corrected scores."""
    top_of_people: TopGroup
    top_of_model: TopGroup
    confidence: float

    def make_rows(self) -> tuple[EstimateRow, ...]:
        """The best estimate first."""
        by_run = dict(zip(self.runs, self._make(), strict=True))
        return tuple(by_run[run] for run in self.top.runs)

    def _make(self) -> Iterator[EstimateRow]:
        confidence, n_runs = self.confidence, len(self.runs)
        corrected = t_intervals(self.scores.values, confidence=confidence, fitted=MEAN_AND_WEIGHT)
        people = t_intervals(self.scores.people, confidence=confidence)
        bias = t_intervals(self.bias, confidence=confidence)
        beyond_mean = self.bias - self.bias.mean(axis=1, keepdims=True)
        sign = 1.0 if higher_is_better(self.model.measure) else -1.0
        favour = t_intervals(sign * beyond_mean, confidence=1 - (1 - confidence) / n_runs)
        model = self.model.values.mean(axis=0).tolist()
        for column, run in enumerate(self.runs):
            row = self.top.row(run)
            yield EstimateRow(
                run=run,
                corrected=corrected[column],
                people=people[column],
                model=model[column],
                bias=bias[column],
                favour=favour[column],
                rank_low=int(self.top.intervals.low[row]),
                rank_high=int(self.top.intervals.high[row]),
                top_group=bool(self.top.is_member[row]),
            )

    def judge_model(self) -> ModelAlone:
        """What the model's labels alone would have said."""
        alone, corrected = _relation(self.top_of_model, self.runs), _relation(self.top, self.runs)
        borne_out, contradicted = alone & corrected, alone & corrected.T
        different = int(np.count_nonzero(alone))
        same, opposite = int(np.count_nonzero(borne_out)), int(np.count_nonzero(contradicted))
        return ModelAlone(
            different=different, borne_out=same, not_told_apart=different - same - opposite, contradicted=opposite
        )

    def pair_columns(self) -> dict[str, Any]:
        """Each pair: the corrected difference B less A with the interval of this pair alone, and who is better.

        ``better`` is +1 where B is better, all runs compared at once, −1 where A is, and 0 where the two cannot be told
        apart; ``by_people`` and ``by_model`` say the same by these labels alone.
        """
        from toprung.extras.frames import pl

        pairs = all_pairs(len(self.runs))
        names = pl.Series(self.runs, dtype=pl.String)
        found = t_intervals(
            self.scores.values[:, pairs.second] - self.scores.values[:, pairs.first],
            confidence=self.confidence,
            fitted=MEAN_AND_WEIGHT,
        )
        told = {"better": self.top, "by_people": self.top_of_people, "by_model": self.top_of_model}
        relations = {name: _relation(top, self.runs).astype(np.int8) for name, top in told.items()}
        return {
            "a": names.gather(pairs.first),
            "b": names.gather(pairs.second),
            "delta": np.array([each.estimate for each in found]),
            "delta_low": np.array([each.low for each in found]),
            "delta_high": np.array([each.high for each in found]),
            **{
                name: relation[pairs.second, pairs.first] - relation[pairs.first, pairs.second]
                for name, relation in relations.items()
            },
        }


def _relation(top: TopGroup, runs: tuple[str, ...]) -> Any:
    """Whether the row is better than the column, runs in this order."""
    order = np.array([top.row(run) for run in runs], dtype=np.int64)
    return top.is_better[np.ix_(order, order)]
