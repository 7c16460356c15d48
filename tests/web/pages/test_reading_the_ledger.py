"""The public ledger of claims: every one of them, with what it was held to and why; voided ones struck through."""

from __future__ import annotations

import json
from typing import NamedTuple

import numpy as np
import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone
from scipy.stats import norm, t
from tests.web.reading import row_of, text_of
from tests.web.viewing import Viewed, browse

from toprung.boards.engine.verdict import Grade, PairVerdict, Verdict
from toprung.boards.engine.words import say_why_not
from toprung.web.core.access.claims_shown import claim_for, effects_of
from toprung.web.core.access.viewer import get_viewer
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.results import Audience, Standing
from toprung.web.core.models.runs import Submission
from toprung.web.services.shown.history.ledger import find_claims
from toprung.words.wording import show_p

PAGE = "/b/web-docs/history/"


def claims_of(page: str) -> str:
    return page.partition('id="claims"')[2].partition("</section>")[0]


def claim_row(label: str, person: User | None = None, page: str = PAGE) -> str:
    return row_of(claims_of(browse(person).get(page).text), label)


def test_every_claim_is_there_the_latest_first(viewed: Viewed) -> None:
    page = browse(None).get(PAGE).text
    assert "All 3 claims" in text_of(page)
    assert page.index('id="claim-3"') < page.index('id="claim-2"') < page.index('id="claim-1"')
    assert claim_row("R1") == (
        "2026-02-10 kestrel-xl Kestrel Lab bm25 better, doing no harm +0.133 0.133 to 0.134 +0.0 0.0 to 0.0 "
        "passed proved to be better, doing no harm < 0.0001 0.0022 –"
    )


HARM = {"n": 40, "margin": 0.1, "low": -0.12345, "high": 0.2}
"""Of RR where both answer: 12.3 points may be lost, more than the margin."""


class ClaimWords(NamedTuple):
    """A line of the table of words: what was found, and what is to be read."""

    verdict: PairVerdict
    p: float
    pair: str
    outcome: str


NO_GAIN = PairVerdict(verdict=Verdict.TIED)
GAIN = PairVerdict(verdict=Verdict.B, grade=Grade.BETTER)
AT_A_COST = PairVerdict(verdict=Verdict.B, grade=Grade.COST, answered=-1)
ANSWERS_FEWER = PairVerdict(verdict=Verdict.TIED, answered=-1)
NOT_EXCLUDED = "not passed harm up to 12.4 points not excluded in RR where both answer"


@pytest.mark.parametrize(
    "words",
    [
        ClaimWords(NO_GAIN, 1.0, "cannot be told apart", "not passed"),
        ClaimWords(GAIN, 0.01, "better", "not passed differs, above its level"),
        ClaimWords(GAIN, 0.001, "better", NOT_EXCLUDED),
        ClaimWords(AT_A_COST, 0.001, "better, at a cost: answers fewer queries", "not passed harm shown"),
        ClaimWords(ANSWERS_FEWER, 1.0, "cannot be told apart; answers fewer queries", "not passed harm shown"),
    ],
)
def test_whether_two_runs_differ_and_whether_the_claim_passed_are_two_columns(
    viewed: Viewed, words: ClaimWords
) -> None:
    """The claim is held to 0.0059."""
    claim, found = Claim.objects.get(board=viewed.board, number=3), words.verdict
    claim.verdict, claim.grade, claim.p = found.verdict, found.grade, words.p
    claim.evidence["told_apart"] = {"answered": found.answered, "ranking": found.ranking}
    claim.evidence["parts"]["ranking_harm"] = HARM
    claim.save()
    row, until = claim_row("R3"), claim.submission.anonymous_until
    assert row.startswith(f"2026-03-20 R3 Anonymous until {until} list-13b {words.pair} +0.012 "), row
    assert f" 0.0 to 0.0 {words.outcome} {show_p(words.p)} 0.0059 0.051" in row


def test_levels_are_those_of_steady_ten(viewed: Viewed) -> None:
    """By the statistics: two claims that pass hand their levels on, 0.002221 + 0.001949 + 0.001729."""
    claims = Claim.objects.filter(board=viewed.board).order_by("number")
    assert [round(claim.level, 6) for claim in claims] == [0.002221, 0.00417, 0.005899]


def test_what_a_claim_could_see_is_no_finer_than_scores(viewed: Viewed) -> None:
    """Of R2 over R1 when B1, R1 and R2 were there: B1 differs by the same everywhere, R2 by 1/6 on half the queries."""
    spread = np.median([0.0, np.std([1 / 6] * 20 + [0.0] * 20, ddof=1)])
    level = Claim.objects.get(board=viewed.board, number=2).level
    gain = (norm.ppf(1 - level / 4) + norm.ppf(0.8)) * spread / np.sqrt(40)
    assert f" 0.0042 {gain:.4f}" in claim_row("R2", viewed.cast.organiser)
    assert f" 0.0042 {np.ceil(1000 * gain) / 1000:.3f}" in claim_row("R2")


def test_p_has_two_digits_for_everyone_and_more_for_organisers(viewed: Viewed) -> None:
    Claim.objects.filter(board=viewed.board, number=3).update(p=0.64694)
    assert " 0.650 0.0059" in claim_row("R3", viewed.cast.participant)
    assert " 0.647 0.0059" in claim_row("R3", viewed.cast.organiser)


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


def test_queries_answered_differ_by_what_is_shown_of_both(viewed: Viewed) -> None:
    """89.1% and 87.3% on the board are 1.8 points here too, whatever the exact shares: 1.717 is 1.7."""
    Standing.objects.filter(submission__run_id="R2", content__answered=1.0).update(content=answering(0.891))
    Standing.objects.filter(submission__run_id="R1", content__answered=1.0).update(content=answering(0.873))
    claim = find_claims(get_viewer(AnonymousUser(), "web-docs")).get(number=2)
    assert effects_of(claim, viewed.board, Audience.PUBLIC)[1].difference == "+1.8"
    assert effects_of(claim, viewed.board, Audience.ORGANISERS)[1].difference == "+0.0", "exact for organisers"
    claim.label_set.superseded_at = timezone.now()
    assert effects_of(claim, viewed.board, Audience.PUBLIC)[1].difference == "+0.0", "what is shown is of other labels"


def answering(share: float) -> dict[str, float]:
    """Of a row of the board, as far as a claim asks for it."""
    return {"answered": share}


def test_it_says_why_an_interval_may_differ_from_that_of_the_comparison(viewed: Viewed) -> None:
    """R2 less R1 on 40 queries: t-intervals are made of mean and spread alone, which is all that a claim keeps."""
    said = text_of(browse(None).get(PAGE).text)
    assert "with 95% t-intervals; Compare draws its own by bootstrap, so last digits may differ." in said
    assert "BCa" in text_of(browse(None).get("/b/web-docs/compare/?b=R2&a=R1").text)


def test_a_voided_claim_is_struck_through_with_the_reason_and_the_day(viewed: Viewed) -> None:
    Claim.objects.filter(board=viewed.board, number=2).update(
        voided_at=timezone.now(), void_reason="The run was trained on <b>these</b> queries."
    )
    page = browse(None).get(PAGE).text
    row = page.split('id="claim-2"')[1].split("</tr>")[0]
    assert 'class="voided"' in row
    assert "&lt;b&gt;these&lt;/b&gt; queries." in row
    today = f"{timezone.now():%Y-%m-%d}"
    assert f" voided {today}: The run was trained on <b>these</b> queries." in text_of(row)
    assert "1 was voided by the organisers" in text_of(page)


def test_withdrawing_a_run_keeps_its_claim(viewed: Viewed) -> None:
    Submission.objects.filter(board=viewed.board, run_id="R3").update(withdrawn_at=timezone.now())
    assert "withdrawn since" in claim_row("R3")


def test_a_run_that_shows_nothing_makes_no_claim(viewed: Viewed) -> None:
    """R3 scores above the holder by less than the step: that a claim was made would tell that it does."""
    assert not viewed.ladder.claims.filter(submission__run_id="R3").exists()
    for person in (None, viewed.cast.organiser):
        assert "R3" not in claims_of(browse(person).get("/b/ladder/history/").text)


def test_the_ledger_as_json(viewed: Viewed) -> None:
    claims = json.loads(browse(None).get("/b/web-docs/history.json").text)["claims"]
    assert [(each["number"], each["run"], each["outcome"]) for each in claims] == [
        (3, "R3", "not passed"),
        (2, "R2", "passed"),
        (1, "R1", "passed"),
    ]
    assert [(each["passed"], each["verdict"], each["grade"]) for each in claims] == [
        (False, "tied", ""),
        (True, "B", "no_harm"),
        (True, "B", "no_harm"),
    ]
    assert claims[0]["smallest_gain"] == round(claims[0]["smallest_gain"], 3), "on the grid of scores"


def test_the_ledger_as_csv(viewed: Viewed) -> None:
    lines = browse(None).get("/b/web-docs/history.csv").text.splitlines()
    assert lines[0].startswith("number,date,run,name,team,against,pair,p,level,smallest_gain,outcome")
    assert lines[1].startswith("3,2026-03-20,R3,,Anonymous until ")
    assert len(lines) == 4


def test_the_next_claim_is_told_its_number_and_level(viewed: Viewed) -> None:
    """By steady:10 the fourth share of 0.05 is 0.001549; the third claim did not pass and handed nothing on."""
    said = "The next claim is number 4 and is held to 0.0015."
    assert said in text_of(browse(None).get(PAGE).text)
