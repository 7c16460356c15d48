"""An organiser voids a claim in public: it stays on record with the reason, and the rung it gave goes back."""

from __future__ import annotations

import pytest
from django.test import Client
from django_ox.models import OxTask
from tests.web.cast import Cast
from tests.web.runs import settled

from toprung.errors import InputError
from toprung.web.core.models.claims import Claim
from toprung.web.core.store.audit import find_break
from toprung.web.core.store.rules import online_state
from toprung.web.services.claims.void import VoidRefusedError, void_claim
from toprung.web.services.claims.withdraw import withdraw
from toprung.web.services.results.compute import compute_results

REASON = "The run was made with the hidden labels of last year."
PAGE = "/b/web-docs/claims/2/void/"


@pytest.fixture
def claims(cast: Cast) -> list[Claim]:
    """R1 holds first, R2 takes the rung from it by claim 1, R3 from R2 by claim 2."""
    settled(cast, "first", 8)
    settled(cast, "second", 4, team=cast.other_team, user=cast.stranger)
    settled(cast, "third", 1)
    assert cast.board.holder is not None
    assert cast.board.holder.run_id == "R3"
    return list(cast.board.claims.order_by("number"))


def holder_of(cast: Cast) -> str | None:
    cast.board.refresh_from_db()
    return cast.board.holder.run_id if cast.board.holder else None


def test_only_organisers_of_the_board_void(client: Client, cast: Cast, claims: list[Claim]) -> None:
    for person in (cast.participant, cast.stranger, cast.assessor, cast.other_organiser):
        client.force_login(person)
        assert client.get(PAGE).status_code == 404
        assert client.post(PAGE, {"reason": REASON}).status_code == 404
    assert not Claim.objects.exclude(voided_at=None).exists()


def test_the_page_says_what_follows_and_asks_why(client: Client, cast: Cast, claims: list[Claim]) -> None:
    client.force_login(cast.organiser)
    page = client.get(PAGE).content.decode()
    assert "R3 is the holder by it" in page
    assert "What it spent of α stays spent" in page
    assert "R2 is the holder by it" not in client.get("/b/web-docs/claims/1/void/").content.decode()


@pytest.mark.parametrize("reason", ["", "no reason"])
def test_without_a_reason_nothing_is_voided(client: Client, cast: Cast, claims: list[Claim], reason: str) -> None:
    client.force_login(cast.organiser)
    assert client.post(PAGE, {"reason": reason}).status_code == 422
    with pytest.raises(InputError, match="Reason: found"):
        void_claim(claims[1], reason=reason, by=cast.organiser)
    assert holder_of(cast) == "R3"
    assert not Claim.objects.exclude(voided_at=None).exists()


def test_a_voided_claim_stays_readable_with_its_reason(client: Client, cast: Cast, claims: list[Claim]) -> None:
    client.force_login(cast.organiser)
    assert client.post(PAGE, {"reason": REASON}).url == "/b/web-docs/history/"
    claim = cast.board.claims.get(number=2)
    assert (claim.passed, claim.p, claim.level) == (True, claims[1].p, claims[1].level), "as it was tested"
    assert (claim.voided_by, claim.void_reason) == (cast.organiser, REASON)
    client.logout()
    page = client.get("/b/web-docs/history/").content.decode()
    assert REASON in page
    assert "claim-2" in page


def test_the_rung_goes_back_to_whom_it_was_taken_from(cast: Cast, claims: list[Claim]) -> None:
    void_claim(claims[1], reason=REASON, by=cast.organiser)
    assert holder_of(cast) == "R2"
    said = [entry.what for entry in cast.board.audit.order_by("-number")[:2]]
    assert said[0] == "Claim 2 of R3 was voided: it held the top rung, it goes back to R2"
    assert said[1] == f"Voided claim 2 of R3: {REASON}"
    assert find_break(cast.board) is None
    assert OxTask.objects.filter(task_path__endswith="refresh").exists()


def test_voiding_an_earlier_claim_takes_nothing_from_the_holder(cast: Cast, claims: list[Claim]) -> None:
    void_claim(claims[0], reason=REASON, by=cast.organiser)
    assert holder_of(cast) == "R3"
    void_claim(claims[1], reason=REASON, by=cast.organiser)
    assert holder_of(cast) == "R1", "neither R2 nor R3 has a claim that stands"


def test_it_passes_over_a_run_that_was_withdrawn(cast: Cast, claims: list[Claim]) -> None:
    withdraw(claims[0].submission, by=cast.stranger)
    void_claim(claims[1], reason=REASON, by=cast.organiser)
    assert holder_of(cast) == "R1"


def test_what_a_claim_spent_stays_spent(cast: Cast, claims: list[Claim]) -> None:
    before = online_state(cast.board)
    void_claim(claims[1], reason=REASON, by=cast.organiser)
    cast.board.refresh_from_db()
    after = online_state(cast.board)
    assert (after.tested, after.carried) == (before.tested, before.carried) == (2, claims[1].level)


def test_a_claim_is_voided_once(client: Client, cast: Cast, claims: list[Claim]) -> None:
    void_claim(claims[1], reason=REASON, by=cast.organiser)
    with pytest.raises(VoidRefusedError, match="voided already"):
        void_claim(claims[1], reason="Another reason altogether.", by=cast.organiser)
    client.force_login(cast.organiser)
    assert client.post(PAGE, {"reason": "Another reason altogether."}).status_code == 422
    assert "That cannot be undone" in client.get(PAGE).content.decode()
    assert cast.board.claims.get(number=2).void_reason == REASON


def test_hostile_reasons_come_out_as_text(client: Client, cast: Cast, claims: list[Claim]) -> None:
    void_claim(claims[1], reason="<script>alert('void')</script>", by=cast.organiser)
    client.force_login(cast.organiser)
    for page in ("/b/web-docs/history/", "/b/web-docs/organise/audit/", PAGE):
        assert b"<script>alert" not in client.get(page).content


def test_the_leaderboard_says_voided_and_not_that_it_did_not_pass(cast: Cast, claims: list[Claim]) -> None:
    passed = next(claim for claim in reversed(claims) if claim.passed)
    void_claim(passed, reason=REASON, by=cast.organiser)
    cast.board.refresh_from_db()
    compute_results(cast.board.pk)
    standing = cast.board.standings.get(audience="public", submission=passed.submission)
    assert standing.content["status"] == "claim voided"
