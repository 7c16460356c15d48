"""The public ledger of claims: every one of them, with what it was held to and why; voided ones struck through."""

from __future__ import annotations

import json

import numpy as np
from django.utils import timezone
from scipy.stats import norm, t
from tests.web.reading import row_of, text_of
from tests.web.viewing import Viewed, browse

from toprung.boards.engine.words import say_why_not
from toprung.web.core.access.claims_shown import claim_for, effects_of
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.results import Audience
from toprung.web.core.models.runs import Submission

PAGE = "/b/web-docs/claims/"


def test_every_claim_is_there_the_latest_first(viewed: Viewed) -> None:
    page = browse(None).get(PAGE).text
    assert "3 claims to the top rung, 2 of them passed." in text_of(page)
    assert page.index('id="claim-3"') < page.index('id="claim-2"') < page.index('id="claim-1"')
    first = row_of(page, "R1")
    assert first.startswith("1 2026-02-10 R1 kestrel-xl Kestrel Lab B1 < 0.0001 0.0022 Passed better, doing no harm")
    assert "The claim of R1 over B1 passed its level (p < 0.0001, level 0.0022)" in first


def test_whether_two_runs_differ_and_whether_the_claim_passed_are_two_columns(viewed: Viewed) -> None:
    """R3 and R2 differ on one query of 40: the sign of one difference tells nothing, p = 1."""
    third = row_of(browse(None).get(PAGE).text, "R3")
    assert " R2 1.000 0.0059 Did not pass cannot be told apart The claim of R3 over R2 did not pass its level" in third
    Claim.objects.filter(board=viewed.board, number=3).update(verdict="B", grade="better")
    third = row_of(browse(None).get(PAGE).text, "R3")
    assert "Did not pass better" in third
    assert third.endswith("this pair differs, above the level of this claim.")


def test_levels_are_those_of_steady_ten(viewed: Viewed) -> None:
    """By the statistics: two claims that pass hand their levels on, 0.002221 + 0.001949 + 0.001729."""
    claims = Claim.objects.filter(board=viewed.board).order_by("number")
    assert [round(claim.level, 6) for claim in claims] == [0.002221, 0.00417, 0.005899]


def test_what_a_claim_could_see_is_no_finer_than_scores(viewed: Viewed) -> None:
    """Of R2 over R1 when B1, R1 and R2 were there: B1 differs by the same everywhere, R2 by 1/6 on half the queries."""
    spread = np.median([0.0, np.std([1 / 6] * 20 + [0.0] * 20, ddof=1)])
    level = Claim.objects.get(board=viewed.board, number=2).level
    gain = (norm.ppf(1 - level / 4) + norm.ppf(0.8)) * spread / np.sqrt(40)
    exact = f"could see gains of {gain:.4f} and more"
    coarse = f"could see gains of {np.ceil(1000 * gain) / 1000:.3f} and more"
    assert exact in row_of(browse(viewed.cast.organiser).get(PAGE).text, "R2")
    assert coarse in row_of(browse(None).get(PAGE).text, "R2")


def test_p_has_two_digits_for_everyone_and_more_for_organisers(viewed: Viewed) -> None:
    Claim.objects.filter(board=viewed.board, number=3).update(p=0.64694)
    assert " R2 0.650 0.0059" in row_of(browse(viewed.cast.participant).get(PAGE).text, "R3")
    assert " R2 0.647 0.0059" in row_of(browse(viewed.cast.organiser).get(PAGE).text, "R3")


def test_harm_that_is_not_excluded_is_said_no_finer_than_scores(viewed: Viewed) -> None:
    claim = Claim.objects.get(board=viewed.board, number=3)
    claim.p, claim.passed = 0.001, False
    claim.evidence["parts"]["ranking_harm"] |= {"low": -0.12345, "high": 0.2, "n": 40, "margin": 0.1}
    viewed.board.release = "rounded:2"
    public = claim_for(claim, viewed.board, Audience.PUBLIC)
    assert say_why_not(public) == "harm up to 13.0 points not excluded in RR where both answer"
    exact = claim_for(claim, viewed.board, Audience.ORGANISERS)
    assert say_why_not(exact) == "harm up to 12.3 points not excluded in RR where both answer"


def test_differences_are_no_finer_than_scores(viewed: Viewed) -> None:
    """R2 less R1: 1/6 on half of the queries; by t the 95% interval of the mean is 1/12 ± 0.02699."""
    claim = Claim.objects.get(board=viewed.board, number=2)
    measure, answered, ranking = effects_of(claim, viewed.board, Audience.ORGANISERS)
    half = t.ppf(0.975, 39) * np.std([1 / 6] * 20 + [0.0] * 20, ddof=1) / np.sqrt(40)
    assert (measure.difference, measure.interval) == ("+0.0833", f"{1 / 12 - half:.4f} to {1 / 12 + half:.4f}")
    assert (answered.question, answered.difference, answered.interval) == ("Answered", "+0.0", "0.0 to 0.0")
    assert ranking.difference == measure.difference, "both answer everywhere"
    shown = effects_of(claim, viewed.board, Audience.PUBLIC)[0]
    assert (shown.difference, shown.interval) == ("+0.084", "0.056 to 0.111"), "0.417 less 0.333, as both are shown"


def test_a_voided_claim_is_struck_through_with_the_reason_and_the_day(viewed: Viewed) -> None:
    Claim.objects.filter(board=viewed.board, number=2).update(
        voided_at=timezone.now(), void_reason="The run was trained on <b>these</b> queries."
    )
    page = browse(None).get(PAGE).text
    row = page.split('id="claim-2"')[1].split("</tr>")[0]
    assert "<s>The claim of R2 over R1 passed its level" in row
    today = f"{timezone.now():%Y-%m-%d}"
    assert f"Voided {today}: The run was trained on &lt;b&gt;these&lt;/b&gt; queries." in row
    assert "1 was voided by the organisers" in text_of(page)
    assert "3 claims to the top rung, 1 of them passed." in text_of(page)


def test_withdrawing_a_run_keeps_its_claim(viewed: Viewed) -> None:
    Submission.objects.filter(board=viewed.board, run_id="R3").update(withdrawn_at=timezone.now())
    assert "withdrawn since" in row_of(browse(None).get(PAGE).text, "R3")


def test_a_run_that_shows_nothing_makes_no_claim(viewed: Viewed) -> None:
    """R3 scores above the holder by less than the step: that a claim was made would tell that it does."""
    assert not viewed.ladder.claims.filter(submission__run_id="R3").exists()
    for person in (None, viewed.cast.organiser):
        assert "R3" not in browse(person).get("/b/ladder/claims/").text


def test_the_ledger_as_json(viewed: Viewed) -> None:
    claims = json.loads(browse(None).get("/b/web-docs/claims.json").text)["claims"]
    assert [(each["number"], each["run"], each["outcome"]) for each in claims] == [
        (3, "R3", "did not pass"),
        (2, "R2", "passed"),
        (1, "R1", "passed"),
    ]
    assert [(each["passed"], each["verdict"], each["grade"]) for each in claims] == [
        (False, "tied", ""),
        (True, "B", "no_harm"),
        (True, "B", "no_harm"),
    ]
    assert claims[0]["smallest_gain"] == round(claims[0]["smallest_gain"], 3), "on the grid of scores"


def test_without_claims_it_says_so(viewed: Viewed) -> None:
    assert "Nobody has claimed the top rung yet." in browse(None).get("/b/elsewhere/claims/").text
