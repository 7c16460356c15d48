"""How is a comparison of public and private shown? Its tables, and what programs read of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from toprung.result import Column, Fact, Rows, Table, columns
from toprung.stats.intervals.bootstrap import Effect
from toprung.stats.models.divergence import Divergence
from toprung.words.wording import show_confidence, show_interval, show_number, show_p

if TYPE_CHECKING:
    from toprung.analyses.holdout.find import Holdout
    from toprung.analyses.holdout.sets import HeldOutRun, PrivateSet
    from toprung.analyses.holdout.teams import HoldoutTeam

DECIMALS = 3
MOST_MONTHS = 12
RUN_COLUMNS = (
    *columns(str, "private_set=0 run=1.run"),
    *columns(int, "public_rank=1.public_rank private_rank=1.private_rank rank_change=1.rank_change"),
    *columns(float, "public_estimate=1.public.estimate public_low=1.public.low public_high=1.public.high"),
    Column("public_n", int, "1.public.n"),
    *columns(float, "private_estimate=1.private.estimate private_low=1.private.low private_high=1.private.high"),
    Column("private_n", int, "1.private.n"),
    *columns(float, "public_gain=1.divergence.public_gain private_gain=1.divergence.private_gain"),
    *columns(float, "divergence=1.divergence.estimate divergence_low=1.divergence.low"),
    *columns(float, "divergence_high=1.divergence.high p=1.divergence.p p_holm=1.p_holm"),
    *columns(bool, "diverges=1.diverges gains_in_public_only=1.gains_in_public_only"),
    Column("smallest_seen", float, "1.divergence.smallest_seen"),
)
"""Of the name of a private set and a run on it."""
SETS = Rows(
    "sets",
    (
        "name n_queries n_shared_with_public=n_shared smallest_seen order",
        Rows("runs", RUN_COLUMNS, of="named_runs"),
        "only_public only_private",
    ),
)
TEAMS = Rows(
    "teams",
    (
        "team n_submitted",
        Fact("per_month", lambda team: {f"{month:%Y-%m}": count for month, count in team.per_month}),
        "runs first best best_over_first best_over_mean by_luck",
        Rows(
            "gains",
            (
                "private_set public_gain=public private_gain=private divergence",
                "gains_in_public_only=is_in_public_only",
            ),
        ),
    ),
)
TEAM_GAINS = Rows(
    "team_gains",
    (
        Column("team", str, "0.team"),
        *columns(int, "n_submitted=0.n_submitted n_scored=len(0.runs)"),
        *columns(str, "first=0.first best=0.best"),
        *columns(float, "best_over_first=0.best_over_first best_over_mean=0.best_over_mean by_luck=0.by_luck"),
        Column("private_set", str, "1.private_set"),
        *columns(float, "public_gain=1.public private_gain=1.private divergence=1.divergence"),
        Column("gains_in_public_only", bool, lambda row: row[1] is not None and row[1].is_in_public_only),
    ),
)
"""A row for each team and private set that its first and best run are on, or one without a set."""


def run_table(found: Holdout) -> Table:
    """A row for each run, from the top of the public leaderboard down, for one private set after the other."""
    parts = [set_table(found, each) for each in found.sets]
    if len(parts) == 1:
        return parts[0]
    return Table(
        header=("set", *parts[0].header),
        rows=tuple((each.name, *row) for each, part in zip(found.sets, parts, strict=True) for row in part.rows),
        numeric=frozenset(column + 1 for column in parts[0].numeric),
    )


def set_table(found: Holdout, each: PrivateSet) -> Table:
    """The runs on one private set."""
    share = f"({show_confidence(found.confidence)})"
    header = ["rank", "private", "moves", "run", f"{found.measure} {share}", f"private {share}"]
    header += [f"divergence {share}", "p", "Holm"]
    rows = tuple(_run_row(row) for row in each.runs)
    return Table(header=tuple(header), rows=rows, numeric=frozenset({0, 1, 2, 6, 7, 8}))


def _run_row(row: HeldOutRun) -> tuple[str, ...]:
    moves = show_number(row.rank_change, 0, signed=True) if row.rank_change else "="
    ranks = str(row.public_rank), str(row.private_rank), moves
    scores = row.run, _show_effect(row.public), _show_effect(row.private)
    if row.divergence is None:
        return *ranks, *scores, "reference", "", ""
    return *ranks, *scores, *_show_test(row.divergence, row.p_holm)


def team_table(found: Holdout) -> Table:
    """A row for each team and private set: what the best of its runs gains on its first, and by luck."""
    when, per_month = _show_months(found.teams)
    header = ("team", "runs", when, "over mean", "by luck", "gain", "private", "divergence")
    rows = [
        (on_set, team.team, str(team.n_submitted), counts, *_show_gains(team), *shown)
        for team, counts in zip(found.teams, per_month, strict=True)
        for on_set, *shown in _show_private_gains(team)
    ]
    if len(found.sets) == 1:
        return Table(header=header, rows=tuple(row[1:] for row in rows), numeric=frozenset({1, *range(3, 8)}))
    return Table(header=("set", *header), rows=tuple(rows), numeric=frozenset({2, *range(4, 9)}))


def _show_gains(team: HoldoutTeam) -> tuple[str, ...]:
    """A single run is no better than itself."""
    if len(team.runs) == 1:
        return "", "", ""
    gains = team.best_over_mean, team.by_luck, team.best_over_first
    return tuple(_show(gain, signed=True) for gain in gains)


def _show_private_gains(team: HoldoutTeam) -> list[tuple[str, str, str]]:
    """For each private set its name, the gain there and the divergence; one empty row without any."""
    shown = [
        (each.private_set, _show(each.private, signed=True), _show(each.divergence, signed=True)) for each in team.gains
    ]
    return shown or [("", "", "")]


def _show_months(teams: Sequence[HoldoutTeam]) -> tuple[str, list[str]]:
    """Submissions per month, a digit for each while they are few, and what to call the column."""
    first = min((team.per_month[0][0] for team in teams), default=date.min)
    last = max((team.per_month[-1][0] for team in teams), default=date.min)
    if _count_months(first, last) >= MOST_MONTHS:
        busiest = [max(team.per_month, key=lambda each: each[1]) for team in teams]
        return "busiest month", [f"{month:%Y-%m}: {count}" for month, count in busiest]
    return f"from {first:%Y-%m}", [_show_counts(team, first) for team in teams]


def _show_counts(team: HoldoutTeam, start: date) -> str:
    """A digit for each month from the start on, a dot for none, a plus for ten and more."""
    digits = ["·"] * _count_months(start, team.per_month[0][0])
    digits += [("+" if count > 9 else str(count)) if count else "·" for _, count in team.per_month]
    return "".join(digits)


def _count_months(first: date, last: date) -> int:
    return 12 * (last.year - first.year) + last.month - first.month


def _show_effect(effect: Effect) -> str:
    return f"{_show(effect.estimate)} ({show_interval(effect.low, effect.high, DECIMALS)})"


def _show_test(test: Divergence, p_holm: float | None) -> tuple[str, str, str]:
    shown = f"{_show(test.estimate, signed=True)} ({show_interval(test.low, test.high, DECIMALS)})"
    return shown, show_p(test.p), "" if p_holm is None else show_p(p_holm)


def _show(value: float, *, signed: bool = False) -> str:
    return show_number(value, DECIMALS, signed=signed)
