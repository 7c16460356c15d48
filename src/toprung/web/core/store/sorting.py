"""What can the rows of a leaderboard be ordered by? Figures as they are stored for an audience, by short keys.

An order tells no more than the figures beside it: everyone's rows are ordered by what everyone is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from toprung.boards.row import Status

ARRIVALS = (Status.LAST_PROVED, Status.PROVED, Status.NOT_PASSED, Status.VOIDED, Status.NONE, Status.BASELINE)
"""What came of a run's claim, in the order of the column."""


AGAINST = "against"


def against_key(reference: str) -> str:
    """Of outcomes, or differences, against one run; empty for the highest score."""
    return f"{AGAINST} {reference}" if reference else AGAINST


def figures_to_sort(content: Mapping[str, Any]) -> dict[str, float]:
    """Of one row; what it does not have is not there, and comes last in either direction.

    >>> found = figures_to_sort({"run": "R1", "rank_low": 1, "rank_high": 4, "answered": None, "status": ""})
    >>> found["rank"] < figures_to_sort({"rank_low": 1, "rank_high": 5})["rank"], "answered" in found
    (True, False)
    """
    return {key: value for key, value in _figures(content) if value is not None}


def _figures(content: Mapping[str, Any]) -> Iterator[tuple[str, float | None]]:
    yield "rank", _rank(content)
    yield "score", content.get("score")
    yield "answered", content.get("answered")
    yield "length", content.get("mean_esl")
    yield "arrival", ARRIVALS.index(Status(content.get("status", "")))
    for each in content.get("others", ()):
        yield each["key"], each["mean"]
    if (outcomes := content.get("outcomes")) is not None:
        yield AGAINST, _wins(outcomes)
    if (difference := content.get("difference")) is not None:
        yield AGAINST, difference[0]
    for reference, shares in content.get("against", {}).items():
        yield against_key(reference), _wins(shares)
    for reference, difference in content.get("differences", {}).items():
        yield against_key(reference), difference[0]


def _wins(shares: Mapping[str, float]) -> float:
    return round(shares["only_this"] + shares["better"], 6)


def _rank(content: Mapping[str, Any]) -> float:
    """By the best rank that it may have, then by the worst."""
    low, high = float(content["rank_low"]), float(content["rank_high"])
    return low + high / 1e6
