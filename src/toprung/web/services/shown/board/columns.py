"""Which columns can a leaderboard show? Each declared once, for the table, the chooser, addresses, orders and files."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from toprung.data.run_card import COST_UNIT
from toprung.words.wording import say_queries, show_confidence

SHOWN_OTHERS = 2
"""Measures beside the official one that a graded board shows unless it is asked for others."""
MS = "ms"


class ColumnKind(StrEnum):
    """What the cells of a column are; the values are their classes in the stylesheet."""

    RANK = "rank"
    RUN = "run"
    SCORE = "score"
    MEASURE = "measure"
    ANSWERED = "ans"
    LENGTH = "len"
    OUTCOMES = "vs"
    DIFFERENCE = "dl"
    COST = "cost"
    LATENCY = "ms"
    DATE = "date"
    ARRIVAL = "status"

    @property
    def is_figure(self) -> bool:
        """Whether a small screen tells it in one line with others."""
        kinds = (ColumnKind.MEASURE, ColumnKind.ANSWERED, ColumnKind.LENGTH, ColumnKind.COST, ColumnKind.LATENCY)
        return self in kinds

    @property
    def is_number(self) -> bool:
        return self.is_figure or self is ColumnKind.SCORE


@dataclass(frozen=True, kw_only=True)
class BoardColumn:
    """One column of a leaderboard."""

    key: str
    """In addresses."""
    kind: ColumnKind
    name: str
    """Above it and in the chooser."""
    about: str
    """In the chooser."""
    said: str = ""
    """After "Sorted by", where it is not the name."""
    help: str = ""
    """For who asks above the column, where the name is not plain."""
    starts_high: bool = False
    """Whether the first click puts high figures first."""
    is_usual: bool = True
    """Whether it is shown where no columns are chosen."""

    @property
    def sort(self) -> str:
        """What the first click asks for."""
        return f"-{self.key}" if self.starts_high else self.key


def offer_columns(content: Mapping[str, Any], reference: str) -> tuple[BoardColumn, ...]:
    """All that this board can show, in the order of the table; ``content`` is its stored result."""
    return tuple(_offer(content, reference))


def _offer(content: Mapping[str, Any], reference: str) -> Iterator[BoardColumn]:
    sure, n_runs = show_confidence(content["confidence"]), content["n_runs"]
    yield BoardColumn(
        key="rank",
        kind=ColumnKind.RANK,
        name="Rank",
        said="rank",
        about=f"interval, {sure}, simultaneous",
        help=(
            f"The ranks these queries cannot rule out. All {n_runs:,} intervals hold at once with {sure} confidence "
            "(Mogstad et al. 2024). “1–4”: could be first, could be fourth. With 1 in it a run may be best."
        ),
    )
    yield BoardColumn(key="run", kind=ColumnKind.RUN, name="Run", said="name", about="name, team, links and tags")
    yield BoardColumn(
        key="score",
        kind=ColumnKind.SCORE,
        name=content["measure"],
        about=f"official: the mean over {say_queries(content['n_queries'])}, with its {sure} interval",
        starts_high=content["more_is_better"],
    )
    yield from _offer_measures(content)
    if content["has_ranks"]:
        yield from _offer_of_ranks()
    yield _offer_against(content, reference)
    yield from _offer_reported(content.get("reported", ()))
    yield BoardColumn(
        key="date", kind=ColumnKind.DATE, name="Date", said="date", about="of submission", starts_high=True
    )
    yield _offer_arrival(content)


def _offer_measures(content: Mapping[str, Any]) -> Iterator[BoardColumn]:
    for number, each in enumerate(content["others"]):
        on = f" on {each['labels']}" if each["labels"] else ""
        yield BoardColumn(
            key=each["key"],
            kind=ColumnKind.MEASURE,
            name=f"{each['measure']}{on}",
            about="for information, with its interval; does not decide",
            starts_high=True,
            is_usual=not content["has_ranks"] and number < SHOWN_OTHERS,
        )


def _offer_of_ranks() -> Iterator[BoardColumn]:
    yield BoardColumn(
        key="answered",
        kind=ColumnKind.ANSWERED,
        name="Answered",
        said="queries answered",
        about="share of queries with an answer above the cutoff",
        starts_high=True,
    )
    yield BoardColumn(
        key="length",
        kind=ColumnKind.LENGTH,
        name="Search length",
        said="search length",
        about="documents read until the answer, where found; less is better",
    )


def _offer_against(content: Mapping[str, Any], reference: str) -> BoardColumn:
    if content["has_ranks"]:
        return BoardColumn(
            key="against",
            kind=ColumnKind.OUTCOMES,
            name=f"against {reference}",
            said=f"queries better than {reference}",
            about="query by query: an outcome bar against one run",
            help=(
                f"Blue, from the left: queries this run does better on. Orange, from the right: queries {reference} "
                "does better on. Select a bar to see the tests; choose another run under “Against”."
            ),
            starts_high=True,
        )
    return BoardColumn(
        key="against",
        kind=ColumnKind.DIFFERENCE,
        name=f"Difference to {reference}",
        said=f"difference to {reference}",
        about="of the official measure to one run, with its 95% interval",
        help=(
            f"Its mean {content['measure']} less that of {reference}, with the 95% interval of the difference, drawn "
            "against zero. Select it to see the tests; choose another run under “Against”."
        ),
        starts_high=content["more_is_better"],
    )


def _offer_reported(reported: Collection[str]) -> Iterator[BoardColumn]:
    """What teams say of their runs; a column that nobody fills is not offered."""
    if "cost" in reported:
        yield BoardColumn(
            key="cost",
            kind=ColumnKind.COST,
            name="Cost",
            said="cost",
            about=f"as reported, {COST_UNIT}",
            is_usual=False,
        )
    if "latency" in reported:
        yield BoardColumn(
            key=MS,
            kind=ColumnKind.LATENCY,
            name="ms per query",
            said="latency",
            about="latency, as reported by the team",
        )


def _offer_arrival(content: Mapping[str, Any]) -> BoardColumn:
    tested = (
        "It is tested once, at a level fixed beforehand. ● passed last; ○ did not pass: the queries could not show the "
        "gain. This says nothing about the order by score."
    )
    return BoardColumn(
        key="arrival",
        kind=ColumnKind.ARRIVAL,
        name="On arrival",
        said="what came of the claim",
        about="what came of its claim when it came",
        help=tested if content["has_claims"] else "By the rule of this board no claim is tested.",
    )
