"""The page of a run: for everyone what the policies show, for its team and organisers what is theirs."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from tests.web.cast import Cast
from tests.web.reading import folded
from tests.web.runs import checked, post_words, settled

from toprung.boards.engine.claims import decide_claim
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.columns import board_matrix
from toprung.web.core.store.rules import claim_policy
from toprung.web.core.store.tested_claims import to_fields
from toprung.web.services.claims.settle import settle_board
from toprung.web.services.results.compute import compute_results
from toprung.web.services.runs.score import score_submission

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
    assert "<b>R2 does best, beyond chance.</b> It was the last to prove an improvement when it came." in page
    assert "<b>R1 ranks 2nd.</b>" in look(client, cast, None, "R1")


def test_the_sentence_says_how_many_may_be_best(client: Client, cast: Cast, two: list[Submission]) -> None:
    """One more that is as good as R2: equal runs cannot be told apart."""
    settled(cast, "tern", 1, team=cast.other_team, user=cast.stranger)
    compute_results(cast.board.pk)
    for label in ("R2", "R3"):
        assert f"<b>{label} may be best, with 1 other.</b>" in look(client, cast, None, label)
    assert "<b>R1 ranks 3rd.</b>" in look(client, cast, None, "R1")


def test_scores_are_as_the_policy_releases_them(client: Client, cast: Cast, two: list[Submission]) -> None:
    """A third, to three decimals for everyone, to four for organisers."""
    for who in EVERYONE:
        page = look(client, cast, who, "R1")
        assert ("0.3333" in page) == (who == "organiser")
        assert "0.333" in page
        assert "Highest score, R2" in page


def test_a_claim_stands_with_its_p_and_level(client: Client, cast: Cast, two: list[Submission]) -> None:
    page = look(client, cast, None, "R2")
    assert "This one was claim 1 of the board: the online fallback gives it the level 0.0022" in folded(page)
    assert "&lt; 0.0001" in page
    assert "Passed: proved to be better, doing no harm" in page


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
    assert 'href="/b/web-docs/compare/?b=R1&amp;a=R2">Compare with R2</a>' in folded(look(client, cast, None, "R1"))
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
    assert 'Team’s other runs</dt><dd><a href="/b/web-docs/runs/R3/">R3</a>' in folded(look(client, cast, None, "R1"))


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
        told = ("0.3333", "95% interval", "ranks 2nd", "Compare with R1", "query by query")
        if who == "organiser":
            assert all(each in page for each in told)
        else:
            assert not any(each in page for each in told)
            assert "R2 shows no score by the release policy of this board." in page


def test_its_claim_is_for_organisers_alone(client: Client, cast: Cast, unmoved: Submission) -> None:
    labels, holder = cast.board.label_sets.get(use="official"), cast.board.holder
    matrix, policy = board_matrix(labels, [holder, unmoved], cast.board), claim_policy(cast.board)
    tested, _ = decide_claim(matrix, run="R2", holder="R1", state=policy.start(), policy=policy)
    Claim.objects.create(
        board=cast.board, submission=unmoved, holder=holder, label_set=labels, **to_fields(tested) | {"p": 0.5}
    )
    assert "Did not pass: " in look(client, cast, "organiser", "R2")
    assert "0.500" in look(client, cast, "organiser", "R2")
    for who in ("participant", "stranger", None):
        page = look(client, cast, who, "R2")
        for told in ("cannot be told apart", "0.500", "See the tests"):
            assert told not in page
        assert "Did not pass" not in page
