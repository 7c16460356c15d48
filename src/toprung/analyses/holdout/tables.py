"""How is a comparison of public and private shown? Its tables, and the same figures as records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING

from toprung.result import Table
from toprung.stats.intervals.bootstrap import Effect
from toprung.stats.models.divergence import LEVEL, Divergence
from toprung.words.wording import show_confidence, show_interval, show_number, show_p

if TYPE_CHECKING:
    from toprung.analyses.holdout.find import Holdout
    from toprung.analyses.holdout.sets import HeldOutRun, PrivateSet
    from toprung.analyses.holdout.teams import HoldoutTeam, TeamGain

DECIMALS = 3
MOST_MONTHS = 12
TEAM_COLUMNS: dict[str, type] = {
    "team": str,
    "n_submitted": int,
    "n_scored": int,
    "first": str,
    "best": str,
    "best_over_first": float,
    "best_over_mean": float,
    "by_luck": float,
    "private_set": str,
    "public_gain": float,
    "private_gain": float,
    "divergence": float,
    "gains_in_public_only": bool,
}
"""Of the tidy rows of teams."""


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


def run_record(each: PrivateSet, row: HeldOutRun) -> dict[str, object]:
    """One run on one private set, flat."""
    return {
        "private_set": each.name,
        "run": row.run,
        "public_rank": row.public_rank,
        "private_rank": row.private_rank,
        "rank_change": row.rank_change,
        **{f"public_{key}": getattr(row.public, key) for key in ("estimate", "low", "high", "n")},
        **{f"private_{key}": getattr(row.private, key) for key in ("estimate", "low", "high", "n")},
        **_test_record(row.divergence, row.p_holm),
    }


def _test_record(test: Divergence | None, p_holm: float | None) -> dict[str, object]:
    """A test flat; the reference itself has none."""
    return {
        "public_gain": None if test is None else test.public_gain,
        "private_gain": None if test is None else test.private_gain,
        "divergence": None if test is None else test.estimate,
        "divergence_low": None if test is None else test.low,
        "divergence_high": None if test is None else test.high,
        "p": None if test is None else test.p,
        "p_holm": p_holm,
        "diverges": p_holm is not None and p_holm <= LEVEL,
        "gains_in_public_only": test is not None and test.gains_in_public_only,
        "smallest_seen": None if test is None else test.smallest_seen,
    }


def set_record(each: PrivateSet) -> dict[str, object]:
    return {
        "name": each.name,
        "n_queries": each.n_queries,
        "n_shared_with_public": each.n_shared,
        "smallest_seen": each.smallest_seen,
        "order": asdict(each.order),
        "runs": [run_record(each, row) for row in each.runs],
        "only_public": list(each.only_public),
        "only_private": list(each.only_private),
    }


def team_record(team: HoldoutTeam) -> dict[str, object]:
    return {
        "team": team.team,
        "n_submitted": team.n_submitted,
        "per_month": {f"{month:%Y-%m}": count for month, count in team.per_month},
        "runs": list(team.runs),
        "first": team.first,
        "best": team.best,
        "best_over_first": team.best_over_first,
        "best_over_mean": team.best_over_mean,
        "by_luck": team.by_luck,
        "gains": [{"private_set": each.private_set, **_gain_record(each)} for each in team.gains],
    }


def team_rows(team: HoldoutTeam) -> list[dict[str, object]]:
    """A team flat: a row for each private set that its first and best run are on, or one without a set."""
    of_team = {
        "team": team.team,
        "n_submitted": team.n_submitted,
        "n_scored": len(team.runs),
        "first": team.first,
        "best": team.best,
        "best_over_first": team.best_over_first,
        "best_over_mean": team.best_over_mean,
        "by_luck": team.by_luck,
    }
    gains = [{"private_set": each.private_set, **_gain_record(each)} for each in team.gains]
    return [{**of_team, **gain} for gain in gains or [{"private_set": None, **_gain_record(None)}]]


def _gain_record(gain: TeamGain | None) -> dict[str, object]:
    return {
        "public_gain": None if gain is None else gain.public,
        "private_gain": None if gain is None else gain.private,
        "divergence": None if gain is None else gain.divergence,
        "gains_in_public_only": gain is not None and gain.is_in_public_only,
    }
