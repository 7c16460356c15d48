"""What was found of one run: its values, its figures, and what was decided where tools differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING

from toprung.arrays import np
from toprung.data.placement import Placement
from toprung.records import record
from toprung.scoring.catalogue import AnyMeasure
from toprung.scoring.measure import Measure
from toprung.scoring.ranked_labels import LabelledQueries
from toprung.scoring.score_run import Row, score_run
from toprung.scoring.tie_bounds import Bounds, bounds_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


@record(kw_only=True)
class Policies:
    """What was decided where tools differ."""

    denominator: str
    float32_ties: bool

    @property
    def ties(self) -> str:
        bits = "32-bit" if self.float32_ties else "64-bit"
        return f"by score as {bits} number, ties by doc_id descending; runs without scores by their rank column"

    @property
    def missing_queries(self) -> str:
        if not self.may_rank:
            return "each run's mean is over the labelled queries it has"
        return "a labelled query missing from a run scores 0"

    @property
    def may_rank(self) -> bool:
        """Means over different queries must not be ranked."""
        return self.denominator == "qrels"


@record(eq=False, kw_only=True)
class RunScores:
    """One run's values, measures × queries, and where it put the labelled documents."""

    name: str
    placement: Placement
    rows: tuple[Row, ...]
    """Each measure's values, in the order of the queries."""
    labels: LabelledQueries
    native: tuple[Measure, ...]
    """Those of the measures whose ties are known."""
    external_32_bit: Mapping[str, Row] = field(default_factory=dict)
    """What the other measures give on 32-bit scores, where these would move a labelled document."""

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """Measures × queries."""
        return np.array(self.rows)

    @cached_property
    def has_query(self) -> list[bool]:
        """Of each scored query whether the run has it."""
        retrieved = self.placement.buffer("retrieved").tolist()
        return [retrieved[place] > 0 for place in self.labels.places]

    def of_own_queries(self, row: Row) -> list[float]:
        """The values of the queries that the run has."""
        return list(compress(row.tolist(), self.has_query))

    def values_32_bit(self, measure: AnyMeasure) -> Row | None:
        """The values that 32-bit scores would give; None where they are those of 64-bit scores."""
        if self.placement.buffer("rank_32_bit") is None:
            return None
        if isinstance(measure, Measure):
            return score_run([measure], self.placement, self.labels, in_32_bits=True)[0]
        return self.external_32_bit.get(str(measure))

    @cached_property
    def tie_bounds(self) -> dict[str, Bounds]:
        """How far ties alone could move each figure; found when asked for, since it costs more than the figures."""
        return bounds_of(self.native, self.placement, self.labels)


@record(kw_only=True)
class Score:
    """One figure of the leaderboard: a run's mean (or sum), and how far ties alone could move it."""

    run: str
    measure: str
    value: float
    tie_low: float | None
    """None where it is not known: measures computed by ir_measures."""
    tie_high: float | None
    value_32_bit: float | None
    """What it would be if scores were compared as 32-bit numbers, as trec_eval up to 9 does; None where that moves no
    labelled document."""
    n_queries: int
