"""The public ledger of claims: every one of them, with what it was held to and why; voided ones struck through."""

from __future__ import annotations

import json

from django.utils import timezone
from tests.web.reading import row_of, text_of
from tests.web.viewing import Viewed, browse

from toprung.web.core.models.claims import Claim
from toprung.web.core.models.results import Audience
from toprung.web.core.models.runs import Submission
from toprung.web.services.shown.ledger import reason_for

PAGE = "/b/web-docs/claims/"


def test_every_claim_is_there_the_latest_first(viewed: Viewed) -> None:
    page = browse(None).get(PAGE).text
    assert "3 claims to the top rung, 2 of them supported." in text_of(page)
    assert page.index('id="claim-3"') < page.index('id="claim-2"') < page.index('id="claim-1"')
    first = row_of(page, "R1")
    assert first.startswith("1 2026-02-10 R1 kestrel-xl Kestrel Lab B1 < 0.0001 0.025 Supported the run does better")
    assert "finds it sooner, no harm" in first
    assert "only R1 answers 0.0% of queries, only B1 0.0%" in first
    assert "mean rank 3.00 against 5.00 where both answer" in first


def test_p_has_two_digits_for_everyone_and_more_for_organisers(viewed: Viewed) -> None:
    """With t = 1 and 39 degrees of freedom p = 0.32347, and the claim has twice that."""
    assert " R2 0.650 0.03" in row_of(browse(viewed.cast.participant).get(PAGE).text, "R3")
    assert " R2 0.647 0.03" in row_of(browse(viewed.cast.organiser).get(PAGE).text, "R3")


def test_a_voided_claim_is_struck_through_with_the_reason_and_the_day(viewed: Viewed) -> None:
    Claim.objects.filter(board=viewed.board, number=2).update(
        voided_at=timezone.now(), void_reason="The run was trained on <b>these</b> queries."
    )
    page = browse(None).get(PAGE).text
    row = page.split('id="claim-2"')[1].split("</tr>")[0]
    assert "<s>R2 cannot be told apart in what it answers" in row
    today = f"{timezone.now():%Y-%m-%d}"
    assert f"Voided {today}: The run was trained on &lt;b&gt;these&lt;/b&gt; queries." in row
    assert "1 was voided by the organisers" in text_of(page)
    assert "3 claims to the top rung, 1 of them supported." in text_of(page)


def test_withdrawing_a_run_keeps_its_claim(viewed: Viewed) -> None:
    Submission.objects.filter(board=viewed.board, run_id="R3").update(withdrawn_at=timezone.now())
    assert "withdrawn since" in row_of(browse(None).get(PAGE).text, "R3")


def test_of_a_run_that_shows_nothing_only_the_claim_is_shown(viewed: Viewed) -> None:
    row = row_of(browse(None).get("/b/ladder/claims/").text, "R3")
    assert "not shown 0.03" in row
    assert row.endswith("Not supported Not shown under this board’s release policy.")
    assert "0.65" not in row
    organisers = row_of(browse(viewed.cast.organiser).get("/b/ladder/claims/").text, "R3")
    assert "0.647" in organisers


def test_means_of_rr_in_a_reason_are_no_finer_than_scores(viewed: Viewed) -> None:
    claim = Claim.objects.get(board=viewed.board, number=2)
    claim.evidence |= {"facet": "rr", "mean_run": 5 / 12, "mean_holder": 1 / 3}
    claim.reason = "R2 finds it sooner (mean RR 0.4167 against 0.3333 where both answer): claim supported."
    shown = reason_for(claim, viewed.board, Audience.PUBLIC)
    assert shown == "R2 finds it sooner (mean RR 0.417 against 0.333 where both answer): claim supported."
    assert reason_for(claim, viewed.board, Audience.ORGANISERS) == claim.reason


def test_the_ledger_as_json(viewed: Viewed) -> None:
    claims = json.loads(browse(None).get("/b/web-docs/claims.json").text)["claims"]
    assert [(each["number"], each["run"], each["outcome"]) for each in claims] == [
        (3, "R3", "not supported"),
        (2, "R2", "supported"),
        (1, "R1", "supported"),
    ]


def test_without_claims_it_says_so(viewed: Viewed) -> None:
    assert "Nobody has claimed the top rung yet." in browse(None).get("/b/elsewhere/claims/").text
