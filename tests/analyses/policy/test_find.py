"""What submissions broke of a board's policy."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

import toprung as tr
from toprung.analyses.policy.find import PolicyAudit, audit_policy
from toprung.boards.policy import Policy, SmallChanges, Window
from toprung.data.formats.runs.top_of_run import TopOfRun
from toprung.data.formats.tables.metadata_files import read_submissions
from toprung.data.submissions import Submissions, SubmittedRun

UNALIKE = {"r1": "abcde", "r2": "fghij", "r3": "klmno", "r4": "pqrst"}


def made(*rows: tuple[str, str, date] | tuple[str, str, date, date]) -> Submissions:
    return Submissions(
        entries=tuple(
            SubmittedRun(run=row[0], team=row[1], date=row[2], embargo_until=row[3] if len(row) > 3 else None)
            for row in rows
        )
    )


def runs_of(rankings: dict[str, str]) -> dict[str, tr.Run]:
    return {
        name: tr.Run.from_dict({"q": {doc: float(-place) for place, doc in enumerate(docs)}}, name=name)
        for name, docs in rankings.items()
    }


def broken_by(audit: PolicyAudit) -> dict[str, tuple[bool, bool, bool]]:
    return {
        each.submission.run: (each.came_too_soon, each.is_small_change, each.embargo_is_too_long)
        for each in audit.submissions
    }


def test_the_third_run_in_the_window_came_too_soon_and_teams_do_not_mix() -> None:
    audit = audit_policy(
        made(
            ("r1", "A", date(2021, 5, 1)),
            ("x", "B", date(2021, 5, 2)),
            ("r2", "A", date(2021, 5, 10)),
            ("r3", "A", date(2021, 5, 30)),
            ("r4", "A", date(2021, 7, 1)),
        )
    )
    assert [each.submission.run for each in audit.broken] == ["r3"]
    (third,) = audit.broken
    assert (third.n_in_window, third.allowed_from) == (3, date(2021, 5, 31))
    assert audit.sentence == (
        "Of 5 submissions by 2 teams, 1 broke the policy: 1 came too soon; "
        "small changes were not looked for without the runs."
    )
    assert audit.table.rows[3] == ("2021-05-30", "A", "r3", "no. 3 in 30 days, allowed from 2021-05-31")


def test_a_run_close_to_an_earlier_one_of_the_team_is_a_small_change() -> None:
    submissions = made(
        ("r1", "A", date(2021, 1, 1)),
        ("copy", "A", date(2021, 3, 1)),
        ("r2", "A", date(2021, 5, 1)),
        ("same", "B", date(2021, 6, 1)),
    )
    audit = audit_policy(submissions, runs_of({**UNALIKE, "copy": "abcde", "same": "abcde"}))
    assert broken_by(audit) == {
        "r1": (False, False, False),
        "copy": (False, True, False),
        "r2": (False, False, False),
        "same": (False, False, False),  # another team's
    }
    assert audit.table.rows[1][-1] == "close to r1 (RBO 1.00, 100.0% identical)"
    assert audit.submissions[1].close_to[0].run == "r1"


def test_what_was_kept_of_runs_to_compare_them_serves_as_well() -> None:
    submissions = made(("r1", "A", date(2021, 1, 1)), ("copy", "A", date(2021, 3, 1)))
    runs = runs_of({"r1": "abcde", "copy": "abced"})
    tops = {name: TopOfRun.of(run, 20) for name, run in runs.items()}
    assert audit_policy(submissions, tops).submissions == audit_policy(submissions, runs).submissions


def test_more_small_changes_can_be_allowed() -> None:
    submissions = made(*((name, "A", date(2021, month, 1)) for month, name in enumerate("abc", start=1)))
    rankings = runs_of(dict.fromkeys("abc", "xyz"))
    one, two = (
        audit_policy(submissions, rankings, policy=Policy(small_changes=SmallChanges(limit=limit))) for limit in (1, 2)
    )
    assert [each.submission.run for each in one.broken] == ["b", "c"]
    assert [each.submission.run for each in two.broken] == ["c"]


def test_an_embargo_may_last_nine_months() -> None:
    audit = audit_policy(
        made(
            ("r1", "A", date(2021, 5, 31), date(2022, 2, 28)),
            ("r2", "B", date(2021, 5, 31), date(2022, 3, 1)),
        )
    )
    assert [each.submission.run for each in audit.broken] == ["r2"]
    assert audit.table.rows[1][-1] == "embargo to 2022-03-01, at most 2022-02-28"


def test_a_clean_board_is_said_to_be_clean() -> None:
    audit = audit_policy(made(("r1", "A", date(2021, 5, 1))), runs_of({"r1": "abc"}))
    assert audit.sentence == "Of 1 submission by 1 team, none broke the policy."


def test_several_breaches_of_one_run_are_all_told() -> None:
    day = date(2021, 5, 1)
    audit = audit_policy(
        made(("r1", "A", day), ("r2", "A", day), ("copy", "A", day, date(2023, 1, 1))),
        runs_of({**UNALIKE, "copy": "fghij"}),
    )
    assert broken_by(audit)["copy"] == (True, True, True)
    assert audit.sentence.endswith(
        "1 broke the policy: 1 came too soon, 1 differed little from an earlier run of the team, "
        "1 asked for too long an embargo."
    )
    assert all(len(line) <= 150 for line in audit.table.to_text().splitlines())


def test_long_names_that_begin_alike_stay_apart() -> None:
    names = [f"{'a team with a rather long name'} {place}" for place in (1, 2)]
    rows = audit_policy(made(*((name, name, date(2021, 5, 1)) for name in names))).table.rows
    assert [row[1:3] for row in rows] == [(name, name) for name in names]


def test_runs_without_submission_and_submissions_without_run_are_named() -> None:
    audit = audit_policy(
        made(("r1", "A", date(2021, 5, 1)), ("lost", "A", date(2021, 5, 2))), runs_of({"r1": "abc", "stray": "abc"})
    )
    assert "Not looked at for small changes: 1 run not given: lost." in audit.notes
    assert "Left out: 1 run given that no submission names: stray." in audit.notes


def test_everything_is_in_the_frame_and_in_json() -> None:
    audit = audit_policy(
        made(("r1", "A", date(2021, 5, 1)), ("r2", "A", date(2021, 5, 2), date(2021, 6, 1))), runs_of(UNALIKE)
    )
    frame = audit.to_frame()
    assert frame["run"].to_list() == ["r1", "r2"]
    assert frame["embargo_until"].to_list() == [None, date(2021, 6, 1)]
    assert frame["closest_run"].to_list() == [None, None]
    back = json.loads(json.dumps(audit.to_dict(), allow_nan=False))
    assert back["submissions"][1]["embargo_until"] == "2021-06-01"
    assert back["provenance"]["window"] == "2 in 30 days"


def test_progress_is_told_for_every_submission() -> None:
    told: list[str] = []
    audit_policy(made(("r1", "A", date(2021, 5, 1)), ("r2", "B", date(2021, 5, 2))), on_progress=told.append)
    assert sorted(told) == ["r1", "r2"]


def test_no_submissions_are_refused() -> None:
    with pytest.raises(tr.InputError, match="Found no submissions"):
        audit_policy(Submissions(entries=()))


def test_the_real_document_leaderboard(shared_data: Path) -> None:
    submissions = read_submissions(shared_data / "leaderboard-history" / "msmarco-doc.csv")
    audit = audit_policy(submissions)
    assert len(audit.submissions) == 117
    # Counted by hand: four of one team on 2020-08-16, and three of Glasgow's from 2020-08-31 to 2020-09-03.
    broken = {each.submission.run for each in audit.broken}
    assert {"20200816d", "20200816-h2oloo-bm25base", "20200903a"} <= broken
    assert not {"20200816b", "20200816c", "20200831c", "20200901a"} & broken
    assert not audit_policy(submissions, policy=Policy(window=Window(limit=117))).broken
