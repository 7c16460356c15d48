"""How is it said what two runs do on public queries? A sentence, and the kinds of queries with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from toprung.analyses.queries.find import QueryDifferences
from toprung.boards.engine.words import NOT_TOLD_APART
from toprung.stats.intervals.bootstrap import Effect, mean_intervals
from toprung.web.services.query.kinds import ATTRIBUTES
from toprung.web.services.query.lines import PublicPair, QueryLine
from toprung.words.wording import show_interval, show_number

WINS, LOSSES = ("only_this", "better"), ("worse", "only_top")
DECIMALS = 3


@dataclass(frozen=True, kw_only=True)
class Slice:
    """B and A on the queries of one kind."""

    kind: str
    n: int
    b: str
    a: str
    difference: str
    interval: str
    is_told_apart: bool
    drawn: tuple[float, float, float]
    """Estimate, low and high, for the drawing."""


def say_pair(found: PublicPair, result: QueryDifferences, lines: Sequence[QueryLine]) -> tuple[str, str]:
    """What is bold, and what follows."""
    wins, losses = (sum(line.outcome in which for line in lines) for which in (WINS, LOSSES))
    name = "dev" if found.labels.use == "dev" else "public"
    bold = f"{found.b} wins {wins:,} of {len(lines):,} {name} queries, {found.a} {losses:,};"
    if not result.slices.rows:
        return bold, _say_verdict(result)
    n = result.slices.count(1) + result.slices.count(-1)
    if not n:
        return bold, "no kind of query tells them apart."
    return bold, f"{n} of {len(result.slices.tested)} kinds tell them apart."


def _say_verdict(result: QueryDifferences) -> str:
    if not result.verdict.do_differ:
        return f"on these queries the two {NOT_TOLD_APART}."
    better = result.b if result.verdict.side > 0 else result.a
    return f"on these queries {better} does better, beyond chance."


def to_slices(found: PublicPair, result: QueryDifferences) -> list[Slice]:
    """In the order of the library: those that were tested first."""
    rows = result.slices.rows
    if not rows:
        return []
    effects = _intervals(found, result)
    return [
        Slice(
            kind=row.value,
            n=row.test.n,
            b=show_number(row.mean_b, DECIMALS),
            a=show_number(row.mean_a, DECIMALS),
            difference=show_number(row.test.mean, DECIMALS, signed=True),
            interval=show_interval(effect.low, effect.high, DECIMALS) if effect.n > 1 else "",
            is_told_apart=row.verdict is not None and row.verdict.do_differ,
            drawn=(row.test.mean, effect.low, effect.high),
        )
        for row, effect in zip(rows, effects, strict=True)
    ]


def _intervals(found: PublicPair, result: QueryDifferences) -> list[Effect]:
    """Of the mean difference in each slice, from one resampling of all queries."""
    attribute = result.slices.rows[0].attribute
    told = ATTRIBUTES[attribute]
    kinds = [told(found.questions[row.query_id]) if row.query_id in found.questions else "" for row in result.rows]
    differences = np.array([row.score_b - row.score_a for row in result.rows])
    columns = [np.where([kind == row.value for kind in kinds], differences, np.nan) for row in result.slices.rows]
    return mean_intervals(np.column_stack(columns), rng=found.board.seed)
