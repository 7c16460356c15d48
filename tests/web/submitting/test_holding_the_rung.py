"""Who holds the rung is the same on record and on the pages, whatever comes late, is withdrawn or is voided."""

from __future__ import annotations

from math import nextafter

import pytest
from django_ox.models import OxTask
from tests.web.cast import Cast, even_ranks, make_upload, run_text
from tests.web.runs import accepted, settled

from toprung.data.run_card import RunCard
from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.queue import settle
from toprung.web.core.store.columns import first_ranks, official_labels
from toprung.web.services.claims import settle as settling
from toprung.web.services.claims.records import recorded_timeline, released_submissions, settled_submissions
from toprung.web.services.claims.settle import settle_board
from toprung.web.services.claims.void import void_claim
from toprung.web.services.claims.withdraw import withdraw
from toprung.web.services.runs.check import check_upload
from toprung.web.services.runs.score import score_submission
from toprung.web.services.runs.submit import add_baseline, submit

pytestmark = pytest.mark.postgres


def baseline(cast: Cast, name: str, rank: int) -> Submission:
    upload = make_upload(cast.board, None, cast.organiser, run_text(even_ranks(rank), name=name))
    check_upload(upload.pk)
    upload.refresh_from_db()
    submission = add_baseline(upload, RunCard(name=name), by=cast.organiser)
    score_submission(submission.pk)
    settle_board(cast.board.pk)
    return submission


def holders_of(cast: Cast) -> tuple[str, str, str]:
    """On record, on the pages of organisers, and on those of everyone."""
    board = Board.objects.get(pk=cast.board.pk)
    runs = settled_submissions(board)
    shown = [
        recorded_timeline(board, first_ranks(official_labels(board), each), each).submissions[-1].holder
        for each in (runs, released_submissions(runs))
    ]
    assert board.holder is not None
    return board.holder.run_id, shown[0], shown[1]


def test_a_baseline_that_comes_late_holds_nothing_on_the_pages_either(cast: Cast) -> None:
    settled(cast, "first", 4)
    baseline(cast, "perfect", 1)
    assert holders_of(cast) == ("R1", "R1", "R1")


def test_a_better_baseline_follows_one_that_still_holds(cast: Cast) -> None:
    baseline(cast, "weak", 8)
    settled(cast, "run", 9)
    baseline(cast, "strong", 4)
    assert holders_of(cast) == ("B2", "B2", "B2")


def test_a_score_that_is_higher_by_rounding_alone_makes_no_claim(cast: Cast) -> None:
    first = settled(cast, "first", 4)
    upload = accepted(cast, run_text(even_ranks(4), name="second"))
    second = submit(upload, RunCard(name="second"), by=cast.participant)
    score_submission(second.pk)
    Submission.objects.filter(pk=second.pk).update(score=nextafter(first.score or 0.0, 1.0))
    settle_board(cast.board.pk)
    assert not cast.board.claims.exists()
    assert holders_of(cast) == ("R1", "R1", "R1")


def test_a_run_with_a_voided_claim_does_not_become_the_first(cast: Cast) -> None:
    first = settled(cast, "first", 8)
    settled(cast, "second", 4, team=cast.other_team, user=cast.stranger)
    settled(cast, "third", 9, team=cast.other_team, user=cast.stranger)
    void_claim(cast.board.claims.get(), reason="The run was made with the labels.", by=cast.organiser)
    withdraw(first, by=cast.participant)
    assert holders_of(cast) == ("R3", "R3", "R3")


@pytest.mark.parametrize("release", ["ladder:0.01", "board-ladder:0.01"])
def test_a_run_that_was_not_released_holds_nothing_when_the_rung_returns(cast: Cast, release: str) -> None:
    """Else who takes runs back would see every score in turn."""
    Board.objects.filter(pk=cast.board.pk).update(release=release, quota=20)
    first, second = settled(cast, "first", 2), settled(cast, "second", 4)
    assert (first.shown_score, second.shown_score) == (0.5, None)
    withdraw(first, by=cast.participant)
    third = settled(cast, "third", 3)
    for each in (second, third):
        each.refresh_from_db()
        assert each.shown_score is None
    cast.board.refresh_from_db()
    assert cast.board.holder is None
    assert settled(cast, "fourth", 1).shown_score == 1.0
    assert holders_of(cast) == ("R4", "R4", "R4")
    assert not cast.board.claims.exists()


def test_a_rung_returns_to_the_last_run_that_was_released(cast: Cast) -> None:
    Board.objects.filter(pk=cast.board.pk).update(release="board-ladder:0.01")
    settled(cast, "first", 4, team=cast.other_team, user=cast.stranger)
    settled(cast, "worse", 8)
    second = settled(cast, "second", 1)
    assert holders_of(cast) == ("R3", "R3", "R3")
    withdraw(second, by=cast.participant)
    assert holders_of(cast) == ("R1", "R1", "R1")
    assert cast.board.submissions.get(run_id="R2").shown_score is None


def test_results_are_asked_for_after_a_worker_ended_between_settling_and_asking(cast: Cast) -> None:
    settled(cast, "first", 4)  # settled; nobody has asked for results
    OxTask.objects.all().delete()
    settle.func(cast.board.pk)
    assert [each.task_path.rpartition(".")[2] for each in OxTask.objects.all()] == ["refresh"]


def test_what_was_settled_stays_settled_when_the_next_run_fails(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, team, user in (("one", cast.team, cast.participant), ("two", cast.other_team, cast.stranger)):
        upload = accepted(cast, run_text(even_ranks(4), name=name), team=team, user=user)
        score_submission(submit(upload, RunCard(name=name), by=user).pk)
    settle_one = settling._settle

    def fail_on_the_second(board: Board, submission: Submission) -> None:
        if submission.run_id == "R2":
            raise RuntimeError("the worker ends here")
        settle_one(board, submission)

    monkeypatch.setattr(settling, "_settle", fail_on_the_second)
    with pytest.raises(RuntimeError):
        settle_board(cast.board.pk)
    assert list(cast.board.submissions.values_list("state", flat=True)) == [RunState.DONE, RunState.SCORED]
