"""How are rules compared? By the votes put aside that their labels win, beside those that strength's win."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toprung.result import Column, Explanation, Result, Rows, Table, columns
from toprung.words.assumptions import CAREFUL_VOTES, FAIR_SAMPLE
from toprung.words.wording import say_count, say_queries, show_interval, show_number, show_share

FEWEST_QUERIES = 10
"""Fewer queries than this show nothing of which rule is better."""


@dataclass(frozen=True, kw_only=True)
class RuleRow:
    """The labels of one rule against the votes it has not seen; the difference is that from strength."""

    rule: str
    n_labels: int
    """Queries with a label, over all parts."""
    won: float
    n: int
    """Votes put aside on a label and another answer."""
    share: float
    difference: float
    low: float
    high: float
    is_base: bool


@dataclass(frozen=True, kw_only=True)
class ModelRow:
    """How probable a model of the votes made those it has not seen; the gain is over the plain one, for each vote."""

    model: str
    log_likelihood: float
    gain: float
    low: float
    high: float
    n: int
    is_base: bool


@dataclass(frozen=True, kw_only=True, repr=False)
class RuleComparison(Result):
    """Each rule, and each model of the votes, against votes that were put aside."""

    FIGURES = (
        Rows(
            "rules",
            (
                Column("rule", str),
                Column("n_labels", int),
                Column("won"),
                Column("n", int),
                *columns(float, "share difference low high"),
            ),
        ),
        Rows("models", (Column("model", str), *columns(float, "log_likelihood gain low high"), Column("n", int))),
    )
    MADE_FROM = ("judgments=judgments_digest n_votes n_queries folds seed",)

    rules: tuple[RuleRow, ...]
    models: tuple[ModelRow, ...]
    n_votes: int
    n_queries: int
    folds: int
    seed: int
    judgments_digest: str

    @property
    def sentence(self) -> str:
        base = next(row for row in self.rules if row.is_base)
        over = f"{say_count(self.n_votes, 'vote')} of {say_queries(self.n_queries)}"
        if not base.n:
            return f"No vote put aside was on a label: {over} are too few to compare rules."
        said = f"Labels by strength win {show_share(base.share)} of {say_count(base.n, 'vote')} they have not seen"
        if self.n_queries < FEWEST_QUERIES:
            return f"{said}; {over} are too few to say whether another rule's win more."
        return f"{said}; {self._say_others()}."

    def _say_others(self) -> str:
        others = [row for row in self.rules if not row.is_base and row.n and row.n_labels >= self._n_base]
        said = []
        for row in others:
            size = f"{100 * abs(row.difference):.1f} points"
            if row.high < 0:
                said.append(f"by {row.rule} {size} fewer")
            elif row.low > 0:
                said.append(f"by {row.rule} {size} more")
            else:
                said.append(f"by {row.rule} not clearly more or fewer")
        return ", ".join(said) or "no other rule gave labels"

    @property
    def _n_base(self) -> int:
        return next(row.n_labels for row in self.rules if row.is_base)

    @property
    def tables(self) -> tuple[tuple[str, Table], ...]:
        return ("", self.table), ("Models of the votes behind P(best)", self._model_table)

    @property
    def table(self) -> Table:
        rows = tuple(
            (
                row.rule,
                f"{row.n_labels:,}",
                f"{row.won:,g} of {row.n:,}",
                show_share(row.share),
                "" if row.is_base else show_number(100 * row.difference, 1, signed=True),
                "" if row.is_base else show_interval(100 * row.low, 100 * row.high, 1),
            )
            for row in self.rules
        )
        header = ("rule", "labels", "votes won", "share", "points beside strength", "95% interval")
        return Table(header=header, rows=rows, numeric=frozenset(range(1, 6)))

    @property
    def _model_table(self) -> Table:
        rows = tuple(
            (
                row.model,
                show_number(row.log_likelihood, 4),
                "" if row.is_base else show_number(row.gain, 4, signed=True),
                "" if row.is_base else show_interval(row.low, row.high, 4),
            )
            for row in self.models
        )
        header = ("model", "log-likelihood a vote", "gain over plain", "95% interval")
        return Table(header=header, rows=rows, numeric=frozenset({1, 2, 3}))

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._say_notes())

    def _say_notes(self) -> Iterator[str]:
        yield (
            f"{self.folds} parts: each is put aside once, and labels come from the votes that are left, so that they "
            "are less sure than those of all votes. A vote for neither is half a win."
        )
        yield "By elimination the judged pairs decide where others are missing."
        yield "Intervals: bootstrap of queries. Pairs that were never judged are in none of these figures."
        if len(self.models) == 1:
            yield "Models: there are no ties, and no two assessors with a name, that another could tell of."

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=(
                f"Votes are put into {self.folds} parts at random; for each, labels are found by every rule from the "
                "votes of the others, and it is counted how often a label wins the votes of that part which it is in. "
                "Models of the votes are compared by the logarithm of how probable they made each of those votes."
            ),
            assumptions=(
                FAIR_SAMPLE,
                CAREFUL_VOTES,
                "Which pairs were judged does not depend on the votes: in rounds of winners it does, and shares of all "
                "rules are lower than those of pairs at random.",
            ),
        )
