"""A run is withdrawn: it leaves the board, its claim stays, and the rung it held goes back."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone
from django_ox.models import OxTask
from tests.web.cast import Cast
from tests.web.runs import accepted, settled

from toprung.data.run_card import RunCard
from toprung.web.core.models.people import Team
from toprung.web.core.models.results import Standing, StoredResult
from toprung.web.core.models.runs import Charge, RunState, Submission
from toprung.web.core.store.audit import find_break
from toprung.web.core.store.locks import lock_board
from toprung.web.services.claims.holders import return_rung
from toprung.web.services.claims.records import settled_submissions
from toprung.web.services.claims.withdraw import WithdrawalRefusedError, withdraw
from toprung.web.services.results.compute import compute_results
from toprung.web.services.runs.submit import submit


@pytest.fixture
def three(cast: Cast) -> list[Submission]:
    """R1 holds first, R2 takes the rung from it, R3 from R2; R1 and R3 are of the participant's team."""
    first = settled(cast, "first", 8)
    second = settled(cast, "second", 4, team=cast.other_team, user=cast.stranger)
    third = settled(cast, "third", 1)
    assert cast.board.holder == third
    return [first, second, third]


def holder_of(cast: Cast) -> str | None:
    cast.board.refresh_from_db()
    return cast.board.holder.run_id if cast.board.holder else None


def test_the_page_asks_first(client: Client, cast: Cast, three: list[Submission]) -> None:
    client.force_login(cast.mate)
    page = client.get("/b/web-docs/runs/R3/withdraw/").content.decode()
    assert "It leaves the leaderboard for good." in page
    assert "Its claim stays on record" in page
    assert "then they are against the run it was taken from" in page
    assert not Submission.objects.exclude(withdrawn_at=None).exists()


def test_a_withdrawn_run_leaves_the_board_and_its_claim_stays(
    client: Client, cast: Cast, three: list[Submission]
) -> None:
    due = cast.board.results_due
    client.force_login(cast.mate)
    response = client.post("/b/web-docs/runs/R3/withdraw/")
    assert response.url == "/b/web-docs/runs/R3/"
    assert [run.run_id for run in settled_submissions(cast.board)] == ["R1", "R2"]
    claim = cast.board.claims.get(submission=three[2])
    assert (claim.passed, claim.voided_at) == (True, None)
    assert Charge.objects.count() == 3, "what it cost is not given back"
    cast.board.refresh_from_db()
    assert cast.board.results_due == due + 1
    assert OxTask.objects.filter(task_path__endswith="refresh").exists()
    page = client.get("/b/web-docs/runs/R3/").content.decode()
    assert "third was withdrawn by its team" in page
    assert "Its claim passed: it proved an improvement when it came. That stays on record." in page


def test_the_rung_goes_back_to_whom_it_was_taken_from(cast: Cast, three: list[Submission]) -> None:
    withdraw(three[2], by=cast.participant)
    assert holder_of(cast) == "R2"
    said = [entry.what for entry in cast.board.audit.order_by("-number")[:2]]
    assert said == ["R3 was withdrawn: it held the top rung, it goes back to R2", "Withdrew R3"]
    assert find_break(cast.board) is None


def test_it_passes_over_who_withdrew_before(cast: Cast, three: list[Submission]) -> None:
    withdraw(three[1], by=cast.stranger)
    assert holder_of(cast) == "R3", "another's withdrawal takes nothing from the holder"
    withdraw(three[2], by=cast.participant)
    assert holder_of(cast) == "R1"


def test_it_passes_over_a_voided_claim(cast: Cast, three: list[Submission]) -> None:
    cast.board.claims.filter(submission=three[1]).update(voided_at=timezone.now())
    withdraw(three[2], by=cast.participant)
    assert holder_of(cast) == "R1"


def test_the_last_run_leaves_nobody(cast: Cast) -> None:
    only = settled(cast, "only", 4)
    withdraw(only, by=cast.participant)
    assert holder_of(cast) is None


def test_the_next_run_holds_first_then(cast: Cast) -> None:
    withdraw(settled(cast, "only", 4), by=cast.participant)
    settled(cast, "next", 8)
    assert holder_of(cast) == "R2"
    assert not cast.board.claims.exists()


def test_a_void_returns_the_rung_too(cast: Cast, three: list[Submission]) -> None:
    with lock_board(cast.board.pk) as board:
        board.claims.filter(submission=three[2]).update(voided_at=timezone.now())
        assert return_rung(board, three[2], why="Claim 2 was voided", by=cast.organiser) == three[1]
    assert holder_of(cast) == "R2"
    assert cast.board.audit.latest("number").what == "Claim 2 was voided: it held the top rung, it goes back to R2"


def test_a_run_is_withdrawn_once(cast: Cast, three: list[Submission]) -> None:
    withdraw(three[0], by=cast.participant)
    with pytest.raises(WithdrawalRefusedError, match="withdrawn already"):
        withdraw(three[0], by=cast.participant)


def test_a_run_that_is_not_done_is_not_withdrawn(cast: Cast) -> None:
    run = submit(accepted(cast), RunCard(name="first"), by=cast.participant)
    with pytest.raises(WithdrawalRefusedError, match="Found R1 queued; expected a run that is done"):
        withdraw(run, by=cast.participant)
    assert Submission.objects.get().state == RunState.QUEUED


@pytest.mark.parametrize("who", ["stranger", "organiser", "assessor"])
def test_only_its_team_withdraws_a_run(client: Client, cast: Cast, three: list[Submission], who: str) -> None:
    client.force_login(getattr(cast, who))
    for send in (client.get, client.post):
        assert send("/b/web-docs/runs/R3/withdraw/").status_code == 404
    assert holder_of(cast) == "R3"


def test_a_board_without_runs_shows_none(cast: Cast) -> None:
    run = settled(cast, "only", 4)
    compute_results(cast.board.pk)
    assert Standing.objects.count() == 2
    withdraw(run, by=cast.participant)
    compute_results(cast.board.pk)
    assert not Standing.objects.exists()
    assert not StoredResult.objects.exclude(kind="compare").exists()


def test_a_team_that_was_closed_withdraws_nothing(client: Client, cast: Cast, three: list[Submission]) -> None:
    Team.objects.get(pk=cast.team.pk).membership_set.all().delete()
    client.force_login(cast.participant)
    assert client.post("/b/web-docs/runs/R3/withdraw/").status_code == 404
