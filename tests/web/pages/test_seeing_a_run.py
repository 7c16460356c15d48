"""The page of a run: for everyone what the policies show, for its team and organisers what is theirs."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone
from tests.web.cast import OFFICIAL, Cast, even_ranks, run_text
from tests.web.reading import folded, text_of
from tests.web.runs import accepted, checked, post_words, settled

from toprung.boards.engine.claims import decide_claim
from toprung.data.run_card import RunCard
from toprung.web.core.models.boards import Board
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.results import Standing
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.columns import board_matrix
from toprung.web.core.store.rules import claim_policy
from toprung.web.core.store.tested_claims import to_fields
from toprung.web.services.claims.settle import settle_board
from toprung.web.services.results.compute import compute_results
from toprung.web.services.runs.score import score_submission
from toprung.web.services.runs.submit import submit

EVERYONE = ("participant", "mate", "stranger", "assessor", "organiser", "other_organiser", None)
OUTSIDERS = ("stranger", "assessor", "other_organiser", None)


def look(client: Client, cast: Cast, who: str | None, label: str) -> str:
    client.logout()
    if who is not None:
        client.force_login(getattr(cast, who))
    response = client.get(f"/b/web-docs/runs/{label}/")
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def two(cast: Cast) -> list[Submission]:
    """R1 finds every answer at rank 3, and R2, of another team, at rank 1: it takes the rung."""
    first = settled(cast, "halcyon", 3, description="Older than the other.", code="https://example.org/halcyon")
    second = settled(cast, "petrel", 1, team=cast.other_team, user=cast.stranger)
    compute_results(cast.board.pk)
    return [first, second]


def test_the_sentence_says_where_it_stands(client: Client, cast: Cast, two: list[Submission]) -> None:
    page = look(client, cast, None, "R2")
    assert "<b>petrel does best, beyond chance.</b> It was the last to prove an improvement when it came." in page
    assert "<b>halcyon ranks 2nd.</b>" in look(client, cast, None, "R1")


@pytest.fixture
def up_and_down(cast: Cast) -> Submission:
    """Finds the answer of every other query first, of the next third, and of four none: 18 of rank 1, 18 of rank 3."""
    ranks = even_ranks(1) | {query: (1, 3)[place % 2] for place, query in enumerate(OFFICIAL)}
    upload = accepted(cast, run_text(ranks | dict.fromkeys(OFFICIAL[:4], 99)))
    made = submit(upload, RunCard(name="swift"), by=cast.participant)
    score_submission(made.pk)
    settle_board(cast.board.pk)
    compute_results(cast.board.pk)
    return made


def length_of(client: Client, cast: Cast, who: str | None) -> str:
    page = text_of(look(client, cast, who, "R1"))
    return page[page.index("Search length") :][:90]


def test_search_length_has_an_interval_over_the_answered_queries(
    client: Client, cast: Cast, up_and_down: Submission
) -> None:
    """Of 36 ranks with the mean 2 and the standard deviation 1: 2 ± 1.96 / √36, which is 1.7 to 2.3."""
    assert "2.0 1.7 to 2.3" in length_of(client, cast, "organiser")
    assert "2.0 1.6 to 2.4" in length_of(client, cast, None), "wider, to the digits that are shown"
    low, high = Standing.objects.get(audience="organisers").content["length_interval"]
    assert (low, high) == pytest.approx((2 - 1.96 / 6, 2 + 1.96 / 6), abs=0.06)


def test_of_few_hidden_queries_search_length_and_its_interval_are_for_organisers(
    client: Client, cast: Cast, up_and_down: Submission
) -> None:
    cast.board.label_sets.update(is_hidden=True)
    Board.objects.filter(pk=cast.board.pk).update(results_due=F("results_due") + 1)
    compute_results(cast.board.pk)
    shown = Standing.objects.get(audience="public").content
    assert (shown["mean_esl"], shown["length_interval"]) == (None, None)
    assert "2.0 1.7 to 2.3" in length_of(client, cast, "organiser")
    assert "lower is better – – " in length_of(client, cast, None)


def test_the_sentence_says_how_many_may_be_best(client: Client, cast: Cast, two: list[Submission]) -> None:
    """One more that is as good as R2: equal runs cannot be told apart."""
    settled(cast, "tern", 1, team=cast.other_team, user=cast.stranger)
    compute_results(cast.board.pk)
    for label, name in (("R2", "petrel"), ("R3", "tern")):
        assert f"<b>{name} may be best, with 1 other.</b>" in look(client, cast, None, label)
    assert "<b>halcyon ranks 3rd.</b>" in look(client, cast, None, "R1")


def test_scores_are_as_the_policy_releases_them(client: Client, cast: Cast, two: list[Submission]) -> None:
    """A third, to three decimals for everyone, to four for organisers."""
    for who in EVERYONE:
        page = look(client, cast, who, "R1")
        assert ("0.3333" in page) == (who == "organiser")
        assert "0.333" in page
        assert "Highest score, petrel" in text_of(page)
        assert "91.2 to 100.0%" in page  # Wilson: 40 of 40 answered


def test_a_claim_stands_with_its_p_and_level(client: Client, cast: Cast, two: list[Submission]) -> None:
    page = look(client, cast, None, "R2")
    assert "This one was claim 1 of the board: the online fallback gives it the level 0.0022" in folded(page)
    assert "&lt; 0.0001" in page
    assert "Passed: proved to be better, doing no harm" in page


def test_a_run_without_a_claim_says_why(client: Client, cast: Cast, two: list[Submission]) -> None:
    assert "None: nobody held the top rung when it came." in look(client, cast, None, "R1")
    settled(cast, "tern", 2)
    assert "None: it did not score above the holder when it came." in look(client, cast, None, "R3")
    Submission.objects.filter(run_id="R3").update(shown_score=None)
    hidden = look(client, cast, None, "R3")
    assert "None is shown: the run shows no score by the release policy of this board." in hidden
    assert "the holder when it came" not in hidden
    Submission.objects.exclude(run_id="R3").update(withdrawn_at=two[0].submitted_at)
    Submission.objects.filter(run_id="R3").update(shown_score=0.5)
    assert "None: nobody held the top rung when it came." in look(client, cast, None, "R3")


def test_what_a_run_costs_has_a_unit(client: Client, cast: Cast) -> None:
    settled(cast, "tern", 2, cost=0.4, latency=12.0)
    page = text_of(look(client, cast, None, "R1"))
    assert "0.4 in its team’s unit" in page
    assert "12 ms per query" in page


def test_p_is_coarse_for_everyone_but_organisers(client: Client, cast: Cast, two: list[Submission]) -> None:
    Claim.objects.update(p=0.012345)
    assert "0.012</td>" in look(client, cast, None, "R2")
    Claim.objects.update(p=0.0012345)
    assert "0.0012</td>" in look(client, cast, None, "R2")


def test_a_voided_claim_says_why(client: Client, cast: Cast, two: list[Submission]) -> None:
    Claim.objects.update(voided_at=timezone.now(), void_reason="The labels <leaked>.")
    page = look(client, cast, None, "R2")
    assert "The labels &lt;leaked&gt;." in page
    assert "Its claim was voided by an organiser" in page


def test_it_leads_to_the_comparison_with_the_highest_score(client: Client, cast: Cast, two: list[Submission]) -> None:
    assert 'href="/b/web-docs/compare/?b=R1&amp;a=R2">Compare with petrel</a>' in folded(look(client, cast, None, "R1"))
    assert "Compare with" not in folded(look(client, cast, None, "R2")).replace("Compare</a>", "")


def test_the_check_of_its_file_is_for_its_team_and_organisers(
    client: Client, cast: Cast, two: list[Submission]
) -> None:
    for who in EVERYONE:
        page = look(client, cast, who, "R1")
        is_inside = who not in OUTSIDERS
        for told in ("Validation", "630 lines read", "run.txt", "UTC by Participant"):
            assert (told in page) == is_inside, told


def test_only_the_team_is_offered_to_change_it(client: Client, cast: Cast, two: list[Submission]) -> None:
    for who in ("participant", "stranger", None):
        page = look(client, cast, who, "R1")
        assert ("/runs/R1/edit/" in page) == ("/runs/R1/withdraw/" in page) == (who == "participant")


def test_earlier_refused_files_are_in_its_history_for_the_team(client: Client, cast: Cast) -> None:
    client.force_login(cast.participant)
    checked(client, cast, b"no run\n", name="broken.txt")
    post_words(client, cast, checked(client, cast))
    score_submission(Submission.objects.get().pk)
    settle_board(cast.board.pk)
    assert "Earlier uploads" in look(client, cast, "mate", "R1")
    assert "Earlier uploads" in look(client, cast, "organiser", "R1")
    assert "Earlier uploads" not in look(client, cast, "stranger", "R1")


def test_it_can_be_cited(client: Client, cast: Cast, two: list[Submission]) -> None:
    page = look(client, cast, None, "R1")
    assert "@misc{toprung-web-docs-R1," in page
    assert "author = {{Kestrel Lab}}" in page
    assert r"howpublished = {\url{http://localhost:8000/b/web-docs/runs/R1/}}" in page


def test_a_run_leads_to_the_others_of_its_team(client: Client, cast: Cast, two: list[Submission]) -> None:
    settled(cast, "tern", 9)
    assert 'Team’s other runs</dt><dd><a href="/b/web-docs/runs/R3/">tern</a>' in folded(look(client, cast, None, "R1"))


def test_a_board_that_is_not_computed_yet_has_no_figures(client: Client, cast: Cast) -> None:
    settled(cast, "halcyon", 3)
    page = look(client, cast, None, "R1")
    assert "Its standing is being computed." in page
    assert "0.333" not in page


@pytest.mark.parametrize("label", ["R9", "r1", "B1", "R1'", "<script>"])
def test_a_run_that_is_not_there_is_not_found(client: Client, cast: Cast, two: list[Submission], label: str) -> None:
    assert client.get(f"/b/web-docs/runs/{label}/").status_code == 404


# ---- anonymous ----


@pytest.fixture
def anonymous(cast: Cast, two: list[Submission]) -> Submission:
    until = timezone.now().date() + timedelta(days=30)
    run = Submission.objects.get(pk=two[0].pk)
    run.card = replace(run.card, anonymous_until=until, system="kestrelnet", paper="https://kestrel.example.org/paper")
    run.save()
    return run


def test_an_anonymous_run_tells_nobody_else_who_made_it(client: Client, cast: Cast, anonymous: Submission) -> None:
    for who in EVERYONE:
        page = look(client, cast, who, "R1")
        identifying = ("halcyon", "Kestrel", "kestrel", "Older than the other", "sha256:", "run.txt", "UTC by")
        found = [told for told in identifying if told in page]
        assert bool(found) == (who not in OUTSIDERS), found
        assert f"Anonymous until {anonymous.anonymous_until}" in page, "the team sees what others see"


def test_an_anonymous_run_is_cited_as_such(client: Client, cast: Cast, anonymous: Submission) -> None:
    assert "author = {{Anonymous}}" in look(client, cast, None, "R1")


def test_the_other_runs_of_its_team_do_not_lead_to_it(client: Client, cast: Cast, anonymous: Submission) -> None:
    settled(cast, "tern", 9)
    assert "Team’s other runs" not in look(client, cast, None, "R3")
    assert "Team’s other runs" in look(client, cast, "mate", "R3")


def test_the_embargo_lifts_by_itself(client: Client, cast: Cast, anonymous: Submission) -> None:
    Submission.objects.update(anonymous_until=timezone.now().date())
    assert "Kestrel Lab" in look(client, cast, None, "R1")


# ---- under the Ladder ----


@pytest.fixture
def unmoved(cast: Cast) -> Submission:
    """R2 scores below R1 of the same team, so that it does not move what is shown of the team."""
    cast.board.release = "ladder:0.01"
    cast.board.save()
    settled(cast, "halcyon", 2)
    run = settled(cast, "tern", 3)
    compute_results(cast.board.pk)
    assert run.shown_score is None
    return run


def test_a_run_that_moves_nothing_shows_participants_no_figure(client: Client, cast: Cast, unmoved: Submission) -> None:
    for who in EVERYONE:
        page = look(client, cast, who, "R2")
        told = ("0.3333", "95% interval", "ranks 2nd", "Compare with halcyon", "query by query")
        if who == "organiser":
            assert all(each in page for each in told)
        else:
            assert not any(each in page for each in told)
            assert "tern shows no score by the release policy of this board." in page


def test_its_claim_is_for_organisers_alone(client: Client, cast: Cast, unmoved: Submission) -> None:
    labels, holder = cast.board.label_sets.get(use="official"), cast.board.holder
    matrix, policy = board_matrix(labels, [holder, unmoved], cast.board), claim_policy(cast.board)
    tested, _ = decide_claim(matrix, run="R2", holder="R1", state=policy.start(), policy=policy)
    Claim.objects.create(
        board=cast.board, submission=unmoved, holder=holder, label_set=labels, **to_fields(tested) | {"p": 0.5}
    )
    assert "Not passed: " in look(client, cast, "organiser", "R2")
    assert "0.500" in look(client, cast, "organiser", "R2")
    for who in ("participant", "stranger", None):
        page = look(client, cast, who, "R2")
        for told in ("cannot be told apart", "0.500", "See the tests"):
            assert told not in page
        assert "not passed" not in page.lower()
        assert "did not pass" not in page.lower()
