"""Teams: how often, how lucky, and whether it paid in private."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from numpy.typing import NDArray

import toprung as tr
from toprung.analyses.holdout.teams import HoldoutTeam, count_per_month, follow_teams
from toprung.data.submissions import Submissions, SubmittedRun


def table(values: NDArray[np.float64], runs: str, prefix: str) -> tr.ScoreTable:
    return tr.ScoreTable(
        query_ids=tuple(f"{prefix}{row:04d}" for row in range(len(values))),
        runs=tuple(runs),
        values=values,
        measure="nDCG@10",
    )


def made(rows: list[tuple[str, str, date]]) -> Submissions:
    return Submissions(entries=tuple(SubmittedRun(run=run, team=team, date=when) for run, team, when in rows))


def follow(
    submissions: Submissions, public: tr.ScoreTable, private: tr.ScoreTable, sign: int = 1
) -> dict[str, HoldoutTeam]:
    found = follow_teams(submissions, public, {"private": private}, sign=sign, seed=0)
    return {team.team: team for team in found}


def test_submissions_are_counted_per_month_also_where_there_were_none() -> None:
    days = [date(2020, 11, 3), date(2020, 11, 30), date(2021, 1, 1)]
    entries = [SubmittedRun(run=str(place), team="t", date=day) for place, day in enumerate(days)]
    assert count_per_month(entries) == ((date(2020, 11, 1), 2), (date(2020, 12, 1), 0), (date(2021, 1, 1), 1))


def test_first_best_and_gains_by_hand() -> None:
    values = np.array([[0.1, 0.4, 0.3], [0.3, 0.6, 0.3]])  # means 0.2, 0.5, 0.3
    submissions = made([("b", "T", date(2021, 2, 1)), ("a", "T", date(2021, 1, 1)), ("c", "T", date(2021, 3, 1))])
    team = follow(submissions, table(values, "abc", "p"), table(values, "abc", "s"))["T"]
    assert (team.runs, team.first, team.best) == (("a", "b", "c"), "a", "b")
    assert team.best_over_first == pytest.approx(0.3)
    assert team.best_over_mean == pytest.approx(0.5 - 1 / 3)
    assert (team.gains[0].public, team.gains[0].private) == pytest.approx((0.3, 0.3))
    assert team.gains[0].divergence == pytest.approx(0, abs=1e-12)


def test_of_runs_alike_but_for_rounding_the_earlier_is_the_best() -> None:
    values = np.array([[0.1, 0.3, 0.3 + 1e-14], [0.2, 0.4, 0.4]])  # c is above b by less than counts
    for order in ("abc", "acb"):
        rows = [(run, "T", date(2021, month, 1)) for month, run in enumerate(order, start=1)]
        assert follow(made(rows), table(values, "abc", "p"), table(values, "abc", "s"))["T"].best == order[1]


def test_where_lower_is_better_the_lowest_is_the_best() -> None:
    values = np.array([[5.0, 3.0], [7.0, 4.0]])
    submissions = made([("a", "T", date(2021, 1, 1)), ("b", "T", date(2021, 2, 1))])
    team = follow(submissions, table(values, "ab", "p"), table(values, "ab", "s"), sign=-1)["T"]
    assert (team.best, team.best_over_first) == ("b", 2.5)


def test_the_luck_of_the_best_of_n_equally_good_runs_is_what_is_observed() -> None:
    """Independent runs: the largest of n standard normal deviates, times the standard error."""
    rng = np.random.default_rng(1)
    n, queries = 8, 2_000
    values = rng.normal(0.5, 0.3, (queries, n))
    submissions = made([(run, "T", date(2021, 1, 1)) for run in "abcdefgh"])
    team = follow(submissions, table(values, "abcdefgh", "p"), table(values[:50], "abcdefgh", "s"))["T"]
    largest = 1.4236  # the expected largest of eight standard normal deviates
    assert team.by_luck == pytest.approx(largest * 0.3 / np.sqrt(queries), rel=0.05)
    assert team.best_over_mean == pytest.approx(team.by_luck, rel=0.6)


def test_runs_that_are_nearly_the_same_have_little_luck() -> None:
    rng = np.random.default_rng(2)
    base = rng.normal(0.5, 0.3, (500, 1))
    apart, alike = rng.normal(0.5, 0.3, (500, 4)), base + rng.normal(0, 0.01, (500, 4))
    values = np.hstack([apart, alike])
    rows = [(run, "apart" if run in "abcd" else "alike", date(2021, 1, 1)) for run in "abcdefgh"]
    teams = follow(made(rows), table(values, "abcdefgh", "p"), table(values[:40], "abcdefgh", "s"))
    # nearly the same noise moves them all: the luckiest is no luckier than the others
    assert teams["alike"].by_luck < 0.1 * teams["apart"].by_luck


def test_what_a_team_gains_in_public_alone_diverges() -> None:
    rng = np.random.default_rng(3)
    public, private = rng.normal(0.4, 0.2, (400, 4)), rng.normal(0.4, 0.2, (100, 4))
    public[:, 1] += 0.2  # b of T gains in public alone
    public[:, 3] += 0.2  # d of U gains in both
    private[:, 3] += 0.2
    rows = [("a", "T", 1), ("b", "T", 2), ("c", "U", 1), ("d", "U", 2)]
    submissions = made([(run, team, date(2021, month, 1)) for run, team, month in rows])
    teams = follow(submissions, table(public, "abcd", "p"), table(private, "abcd", "s"))
    (fitted,), (honest,) = teams["T"].gains, teams["U"].gains
    assert fitted.divergence == pytest.approx(0.2, abs=0.08)
    assert honest.divergence == pytest.approx(0, abs=0.08)
    assert not honest.is_in_public_only


def test_where_all_runs_are_equally_good_the_divergence_is_what_luck_gives() -> None:
    """Why it is not tested: the best is picked by its public luck."""
    rng = np.random.default_rng(5)
    submissions = made([(run, "T", date(2021, 1, day)) for day, run in enumerate("abcdefgh", start=1)])
    found = [
        follow(
            submissions,
            table(rng.normal(0, 1, (50, 8)), "abcdefgh", "p"),
            table(rng.normal(0, 1, (50, 8)), "abcdefgh", "s"),
        )["T"]
        for _ in range(60)
    ]
    divergences = [gain.divergence for team in found for gain in team.gains] + [0.0] * sum(
        not team.gains for team in found
    )
    by_luck = np.mean([team.by_luck for team in found])
    assert by_luck == pytest.approx(1.4236 / np.sqrt(50), rel=0.1)  # the largest of eight normal deviates
    assert np.mean(divergences) == pytest.approx(by_luck, rel=0.3)


def test_gains_are_counted_on_queries_that_both_runs_have_a_value_on() -> None:
    public, private = np.array([[1.0, 3.0], [np.nan, 9.0]]), np.array([[2.0, 3.0], [5.0, np.nan]])
    submissions = made([("a", "T", date(2021, 1, 1)), ("b", "T", date(2021, 2, 1))])
    (gain,) = follow(submissions, table(public, "ab", "p"), table(private, "ab", "s"))["T"].gains
    assert (gain.public, gain.private) == (2.0, 1.0)


def test_a_team_of_one_run_has_no_luck_and_no_gain() -> None:
    values = np.array([[0.1, 0.2], [0.3, 0.4]])
    submissions = made([("a", "T", date(2021, 1, 1)), ("b", "U", date(2021, 1, 1)), ("lost", "U", date(2021, 1, 2))])
    teams = follow(submissions, table(values, "ab", "p"), table(values, "ab", "s"))
    assert (teams["T"].by_luck, teams["T"].best_over_first, teams["T"].gains) == (0.0, 0.0, ())
    assert (teams["U"].runs, teams["U"].n_submitted) == (("b",), 2)


def test_teams_with_more_submissions_come_first_and_those_without_scores_not_at_all() -> None:
    values = np.ones((3, 3))
    rows = [("a", "one", 1), ("b", "two", 1), ("c", "two", 2), ("lost", "none", 1)]
    submissions = made([(run, team, date(2021, month, 1)) for run, team, month in rows])
    assert list(follow(submissions, table(values, "abc", "p"), table(values, "abc", "s"))) == ["two", "one"]


def test_a_private_set_without_the_teams_runs_gives_no_gain() -> None:
    rng = np.random.default_rng(4)
    submissions = made([("a", "T", date(2021, 1, 1)), ("b", "T", date(2021, 2, 1))])
    team = follow(submissions, table(rng.random((9, 2)), "ab", "p"), table(rng.random((9, 1)), "a", "s"))["T"]
    assert team.gains == ()
