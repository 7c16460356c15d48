"""How is a comparison of public and private shown? Its tables, and the same figures as records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING

from toprung.result import Table
from toprung.stats.divergence import Divergence
from toprung.stats.intervals import Effect
from toprung.wording import fit, show_interval, show_number, show_p

if TYPE_CHECKING:
    from toprung.analyses.holdout import Holdout
    from toprung.analyses.holdout_sets import HeldOutRun, PrivateSet
    from toprung.analyses.holdout_teams import Team

DECIMALS = 3
MOST_MONTHS = 12
TEAM_WIDTH, RUN_WIDTH = 18, 20


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
    share = f"({100 * found.confidence:g}%)"
    header = ["rank", "private", "moves", "run", f"{found.measure} {share}", f"private {share}"]
    header += [f"divergence {share}", "p", "Holm"]
    rows = tuple(_run_row(row) for row in each.runs)
    return Table(header=tuple(header), rows=rows, numeric=frozenset({0, 1, 2, 6, 7, 8}))


def _run_row(row: HeldOutRun) -> tuple[str, ...]:
    moves = show_number(row.rank_change, 0, signed=True) if row.rank_change else "="
    ranks = str(row.public_rank), str(row.private_rank), moves
    scores = fit(row.run, RUN_WIDTH), _show_effect(row.public), _show_effect(row.private)
    if row.divergence is None:
        return *ranks, *scores, "reference", "", ""
    return *ranks, *scores, *_show_test(row.divergence, row.p_holm)


def team_table(found: Holdout) -> Table:
    """A row for each team and private set: what the best of its runs gains on its first, and by luck."""
    share = f"({100 * found.confidence:g}%)"
    when, per_month = _show_months(found.teams)
    header = ["team", "runs", when, "over mean", "by luck", "gain", "private", f"divergence {share}", "p", "Holm"]
    rows = [
        (test[0], fit(team.team, TEAM_WIDTH), str(team.n_submitted), counts, *_show_gains(team), *test[1:])
        for team, counts in zip(found.teams, per_month, strict=True)
        for test in _team_tests(team)
    ]
    if len(found.sets) == 1:
        return Table(header=tuple(header), rows=tuple(row[1:] for row in rows), numeric=frozenset({1, *range(3, 10)}))
    return Table(header=("set", *header), rows=tuple(rows), numeric=frozenset({2, *range(4, 11)}))


def _show_gains(team: Team) -> tuple[str, ...]:
    """A single run is no better than itself."""
    if len(team.runs) == 1:
        return "", "", ""
    gains = team.best_over_mean, team.by_luck, team.best_over_first
    return tuple(_show(gain, signed=True) for gain in gains)


def _team_tests(team: Team) -> list[tuple[str, ...]]:
    """For each private set its name, the gain there and the test; one empty row without any."""
    tests: list[tuple[str, ...]] = [
        (each.private_set, _show(each.divergence.private_gain, signed=True), *_show_test(each.divergence, each.p_holm))
        for each in team.divergences
    ]
    return tests or [("", "", "", "", "")]


def _show_months(teams: Sequence[Team]) -> tuple[str, list[str]]:
    """Submissions per month, a digit for each while they are few, and what to call the column."""
    first = min((team.per_month[0][0] for team in teams), default=date.min)
    last = max((team.per_month[-1][0] for team in teams), default=date.min)
    if _count_months(first, last) >= MOST_MONTHS:
        busiest = [max(team.per_month, key=lambda each: each[1]) for team in teams]
        return "busiest month", [f"{month:%Y-%m}: {count}" for month, count in busiest]
    return f"from {first:%Y-%m}", [_show_counts(team, first) for team in teams]


def _show_counts(team: Team, start: date) -> str:
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
    test = row.divergence
    return {
        "private_set": each.name,
        "run": row.run,
        "public_rank": row.public_rank,
        "private_rank": row.private_rank,
        "rank_change": row.rank_change,
        **{f"public_{key}": getattr(row.public, key) for key in ("estimate", "low", "high", "n")},
        **{f"private_{key}": getattr(row.private, key) for key in ("estimate", "low", "high", "n")},
        "public_gain": None if test is None else test.public_gain,
        "private_gain": None if test is None else test.private_gain,
        "divergence": None if test is None else test.estimate,
        "divergence_low": None if test is None else test.low,
        "divergence_high": None if test is None else test.high,
        "p": None if test is None else test.p,
        "p_holm": row.p_holm,
        "diverges": row.diverges,
        "gains_in_public_only": row.gains_in_public_only,
        "smallest_seen": None if test is None else test.smallest_seen,
    }


def set_record(each: PrivateSet) -> dict[str, object]:
    return {
        "name": each.name,
        "n_queries": each.n_queries,
        "n_shared_with_public": each.n_shared,
        "smallest_seen": each.smallest_seen,
        "order": {"tau": asdict(each.order.tau), "tau_ap": asdict(each.order.tau_ap)},
        "runs": [run_record(each, row) for row in each.runs],
        "only_public": list(each.only_public),
        "only_private": list(each.only_private),
    }


def team_record(team: Team) -> dict[str, object]:
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
        "divergences": [
            {
                "private_set": each.private_set,
                **asdict(each.divergence),
                "p_holm": each.p_holm,
                "gains_in_public_only": each.gains_in_public_only,
            }
            for each in team.divergences
        ],
    }
