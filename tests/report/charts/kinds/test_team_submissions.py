from __future__ import annotations

from datetime import date

import numpy as np
from tests.report.charts.drawn import facts_of, marks_of

import toprung as tr
from toprung.analyses.policy.find import audit_policy
from toprung.boards.policy import Policy, Window
from toprung.data.submissions import Submissions, SubmittedRun
from toprung.report.charts.kinds.team_submissions import draw
from toprung.report.charts.svg.marks import PointMark
from toprung.report.charts.team_grid import BROKE, KEPT, ROW

MADE = Submissions(
    entries=tuple(
        SubmittedRun(run=f"r{number}", team=team, date=date(2021, month, day))
        for number, (team, month, day) in enumerate(
            [("Halden", 5, 1), ("Halden", 5, 3), ("Halden", 5, 8), ("Lacuna", 6, 1)]
        )
    )
)


def test_a_submission_that_broke_the_policy_is_a_cross_and_a_place_not_used_is_empty() -> None:
    """At most two in thirty days: the third of May is one too many."""
    audit = audit_policy(MADE)
    figure = draw(audit)
    assert figure is not None
    points = marks_of(figure, PointMark)
    told = [(point.facts["team"], point.facts.get("kind", KEPT)) for point in points if point.facts]
    assert sorted(told) == [("Halden", BROKE), ("Halden", KEPT), ("Halden", KEPT), ("Lacuna", KEPT)]
    # Two places a month in May and June: Halden used both of May, Lacuna one of June.
    empty = [point.y for point in points if not point.facts]
    assert [empty.count(ROW * 0.5), empty.count(ROW * 1.5)] == [2, 3]
    assert figure.finding == audit.sentence
    assert "At most 2 submissions of a team in any 30 days, shown by calendar month." in figure.caption


def test_a_window_that_is_no_month_has_no_places_to_draw() -> None:
    figure = draw(audit_policy(MADE, policy=Policy(window=Window(limit=1, days=7))))
    assert figure is not None
    assert "empty" not in figure.caption


def test_public_and_private_scores_with_submissions_show_who_submitted_most() -> None:
    values = np.random.default_rng(1).random((20, 4))
    runs = tuple(f"r{number}" for number in range(4))
    public, private = (
        tr.ScoreTable(query_ids=tuple(f"{side}{row:02d}" for row in range(20)), runs=runs, values=values, measure="RR")
        for side in "ps"
    )
    figure = draw(tr.holdout(public, private, submissions=MADE))
    assert figure is not None
    assert figure.kind == "private-teams"
    assert figure.finding == "Of 4 submissions by 2 teams, Halden made most: 3."
    assert [row["team"] for row in facts_of(figure)] == ["Halden"] * 3 + ["Lacuna"]
    assert draw(tr.holdout(public, private)) is None


def test_an_only_team_did_not_make_most() -> None:
    values = np.random.default_rng(1).random((20, 2))
    public, private = (
        tr.ScoreTable(
            query_ids=tuple(f"{side}{row:02d}" for row in range(20)), runs=("r0", "r1"), values=values, measure="RR"
        )
        for side in "ps"
    )
    figure = draw(tr.holdout(public, private, submissions=Submissions(entries=MADE.entries[:2])))
    assert figure is not None
    assert figure.finding == "Halden made the only 2 submissions."
