"""What does a run score, beside the highest score? Rows of a table from stored standings; nothing is computed here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from toprung.scoring.catalogue import higher_is_better
from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience
from toprung.web.core.store.rows import LENGTH_INTERVAL
from toprung.web.services.results.public import decimals_for
from toprung.web.services.shown.run.intervals import interval_of_share
from toprung.words.wording import show_interval, show_number, show_share

NONE = "–"


@dataclass(frozen=True, kw_only=True)
class ScoreRow:
    """One measure of a run with its interval, and of the run with the highest score."""

    measure: str
    detail: str
    score: str
    interval: str
    highest: str


def score_rows(
    board: Board,
    audience: Audience,
    standing: dict[str, Any],
    highest: dict[str, Any] | None,
    expected_ranks: dict[str, str],
    *,
    n_queries: int,
    highest_name: str = "",
) -> Iterator[ScoreRow]:
    """``standing`` and ``highest``: rows of the board, already rounded for the audience."""
    decimals = decimals_for(board, audience)
    better = "higher" if higher_is_better(board.official_measure) else "lower"
    top = highest or {}
    yield ScoreRow(
        measure=board.official_measure,
        detail=f"official, {better} is better",
        score=show_number(standing["score"], decimals),
        interval=show_interval(standing["score_low"], standing["score_high"], decimals),
        highest=show_number(top["score"], decimals) if top else NONE,
    )
    yield from _difference_rows(standing, highest_name, decimals)
    yield from _other_rows(standing, top, decimals)
    if standing.get("answered") is not None:
        yield ScoreRow(
            measure="Answered",
            detail=f"found in the first {board.cutoff:,}",
            score=show_share(standing["answered"]),
            interval=_show_shares(interval_of_share(board, audience, standing["answered"], n_queries)),
            highest=show_share(top["answered"]) if top else NONE,
        )
        yield ScoreRow(
            measure="Search length",
            detail="mean when found, lower is better",
            score=_show_length(standing),
            interval=_show_length_interval(standing),
            highest=_show_length(top),
        )
    yield ScoreRow(
        measure="Rank",
        detail="simultaneous (Mogstad et al. 2024)",
        score=NONE,
        interval=_show_ranks(standing),
        highest=_show_ranks(top) if top else NONE,
    )
    if standing["run"] in expected_ranks:
        yield ScoreRow(
            measure="Expected rank",
            detail="over bootstrap samples",
            score=expected_ranks[standing["run"]],
            interval=NONE,
            highest=expected_ranks.get(top.get("run", ""), NONE),
        )


def _difference_rows(standing: dict[str, Any], highest_name: str, decimals: int) -> Iterator[ScoreRow]:
    """On a graded board: by how much it scores less than the highest, query by query."""
    if highest_name and standing.get("difference"):
        value, low, high = standing["difference"]
        yield ScoreRow(
            measure="Difference",
            detail=f"to {highest_name}, query by query",
            score=show_number(value, decimals, signed=True),
            interval=show_interval(low, high, decimals),
            highest=NONE,
        )


def _show_ranks(row: dict[str, Any]) -> str:
    low, high = row["rank_low"], row["rank_high"]
    return f"{low}" if low == high else f"{low} to {high}"


def _other_rows(standing: dict[str, Any], top: dict[str, Any], decimals: int) -> Iterator[ScoreRow]:
    """The measures and labels that are shown beside the official ones."""
    of_top = {(each["measure"], each["labels"]): each["mean"] for each in top.get("others", [])}
    for each in standing.get("others", []):
        key = each["measure"], each["labels"]
        yield ScoreRow(
            measure=each["measure"],
            detail=f"by the labels “{each['labels']}”" if each["labels"] else "not for the verdict",
            score=show_number(each["mean"], decimals),
            interval=show_interval(each["low"], each["high"], decimals) if "low" in each else NONE,
            highest=show_number(of_top[key], decimals) if key in of_top else NONE,
        )


def expected_ranks_in(stability: dict[str, Any]) -> dict[str, str]:
    """Each run with its expected rank, as the stored table of the stability shows it; empty where it has none."""
    for table in stability.get("tables", []):
        header = table["header"]
        if "run" in header and "expected" in header:
            run, expected = header.index("run"), header.index("expected")
            return {row[run]: row[expected] for row in table["rows"]}
    return {}


def _show_shares(interval: tuple[float, float]) -> str:
    low, high = (show_share(each) for each in interval)
    return f"{low.removesuffix('%')} to {high}"


def _show_length_interval(standing: dict[str, Any]) -> str:
    if standing[LENGTH_INTERVAL] is None:
        return NONE
    low, high = standing[LENGTH_INTERVAL]
    return show_interval(low, high, 1)


def _show_length(standing: dict[str, Any]) -> str:
    length = standing.get("mean_esl")
    return NONE if length is None else show_number(length, 1)
