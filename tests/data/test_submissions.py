"""Submissions of teams, in order."""

from __future__ import annotations

from datetime import date

import pytest

from toprung.data.submissions import Submissions, SubmittedRun
from toprung.errors import InputError


def submitted(*rows: tuple[str, str, int]) -> Submissions:
    return Submissions(
        entries=tuple(SubmittedRun(run=run, team=team, date=date(2021, 5, day)) for run, team, day in rows)
    )


def test_those_of_one_date_keep_their_order() -> None:
    made = submitted(("c", "t", 9), ("b", "t", 3), ("a", "t", 3))
    assert [entry.run for entry in made.by_date()] == ["b", "a", "c"]


def test_teams_come_by_their_first_submission() -> None:
    made = submitted(("c", "late", 9), ("b", "early", 3), ("a", "late", 5))
    teams = {team: [entry.run for entry in entries] for team, entries in made.by_team().items()}
    assert list(teams.items()) == [("early", ["b"]), ("late", ["a", "c"])]


def test_a_run_submitted_twice_is_refused() -> None:
    with pytest.raises(InputError, match="Found run 'a' submitted twice"):
        submitted(("a", "t", 1), ("a", "u", 2))
