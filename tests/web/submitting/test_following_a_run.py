"""A run is followed: queued, scoring, settled, on the board; or failed, which costs nothing and tells no label."""

from __future__ import annotations

import pytest
from django.test import Client
from django_ox.testing import run_tasks
from pytest_django import Settings
from tests.web.cast import OFFICIAL, PRIVATE, Cast, run_text
from tests.web.reading import text_of
from tests.web.runs import accepted, settled

from toprung.data.run_card import RunCard
from toprung.web.core import queue as submission_tasks
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.runs import Charge, RunState, Submission
from toprung.web.core.store.columns import first_ranks
from toprung.web.core.work.workers import note_worker
from toprung.web.services.results import compute as results
from toprung.web.services.runs import score as scoring
from toprung.web.services.runs.score import MOST_ATTEMPTS, score_submission
from toprung.web.services.runs.submit import submit

STATUS, SECOND = "/b/web-docs/runs/R1/status/", "/b/web-docs/runs/R2/status/"
LIVE = {"HX-Request": "true"}


@pytest.fixture
def queued(cast: Cast) -> Submission:
    return submit(accepted(cast), RunCard(name="first"), by=cast.participant)


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (RunState.QUEUED, ("first is queued.", "Queued")),
        (RunState.SCORING, ("first is being scored.", "Scoring")),
        (RunState.SCORED, ("first is scored.", "Settling")),
    ],
)
def test_the_page_says_how_far_it_is(
    client: Client, cast: Cast, queued: Submission, state: RunState, said: tuple[str, str]
) -> None:
    Submission.objects.update(state=state)
    client.force_login(cast.participant)
    page = client.get(STATUS).content.decode()
    sentence, step = said
    assert f"<b>{sentence}</b>" in page
    current = page[page.index('aria-current="step"') :]
    assert current.index(f"<b>{step}</b>") == current.index("<b>")


def test_a_page_that_follows_gets_what_it_has_not_seen(client: Client, cast: Cast, queued: Submission) -> None:
    note_worker("one")
    client.force_login(cast.participant)
    page = client.get(STATUS).content.decode()
    assert 'hx-get="/b/web-docs/runs/R1/status/?seen=queued-1"' in page
    assert client.get(STATUS, {"seen": "queued-1"}, headers=LIVE).status_code == 204
    Submission.objects.update(state=RunState.SCORING)
    part = client.get(STATUS, {"seen": "queued-1"}, headers=LIVE)
    assert part.status_code == 200
    assert b"first is being scored." in part.content
    assert b"<html" not in part.content


def test_a_page_that_follows_loads_anew_when_its_reader_is_signed_out(client: Client, queued: Submission) -> None:
    """Or the login would appear in the middle of it."""
    response = client.get(STATUS, {"seen": "queued-1"}, headers=LIVE)
    assert response["HX-Refresh"] == "true"
    assert b"<html" not in response.content
    assert client.get(STATUS).url == f"/accounts/login/?next={STATUS}"


def test_it_ends_with_what_came_of_it(client: Client, cast: Cast) -> None:
    """The second finds every answer two ranks sooner: its claim passes, and the page says so where it was followed."""
    settled(cast, "first", 4)
    settled(cast, "second", 2)
    client.force_login(cast.participant)
    page = client.get(SECOND).content.decode()
    assert "<b>second is scored; the board is computed anew.</b>" in page
    results.compute_results(cast.board.pk)
    page = client.get(SECOND).content.decode()
    said = "second does best, beyond chance. It was the last to prove an improvement when it came."
    assert said in text_of(page)
    assert text_of(client.get("/b/web-docs/runs/R2/").content.decode()).count(said) == 1
    assert "every 1s" not in page
    assert 'href="/b/web-docs/runs/R2/"' in page


@pytest.mark.parametrize(
    ("who", "status"),
    [("mate", 200), ("organiser", 200), ("stranger", 404), ("assessor", 404), ("other_organiser", 404)],
)
def test_only_the_team_and_organisers_follow_it(
    client: Client, cast: Cast, queued: Submission, who: str, status: int
) -> None:
    client.force_login(getattr(cast, who))
    assert client.get(STATUS).status_code == status
    assert client.get("/b/web-docs/runs/R1/").status_code == status, "nor is there a page of it yet"


# ---- failing ----


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> str:
    secret = "rel-q01 is the answer of q01"

    def fail(*args: object) -> None:
        raise ValueError(secret)

    monkeypatch.setattr(scoring, "score_on", fail)
    monkeypatch.setattr(results, "compute_results", lambda _: None)
    return secret


def test_a_run_that_fails_is_given_back_and_its_reason_tells_no_label(
    client: Client, cast: Cast, queued: Submission, failing: str
) -> None:
    run_tasks(raise_failures=True)
    queued.refresh_from_db()
    assert queued.state == RunState.FAILED
    assert not Charge.objects.exists()
    client.force_login(cast.participant)
    for address in (STATUS, "/b/web-docs/runs/R1/"):
        page = client.get(address).content.decode()
        assert "The run could not be scored." in page
        assert failing not in page
    assert cast.board.audit.get(number=2).details["reason"] == f"ValueError: {failing}", "which organisers read"


def test_the_run_after_a_failed_one_is_settled(cast: Cast, queued: Submission, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "compute_results", lambda _: None)
    Submission.objects.update(attempts=MOST_ATTEMPTS, state=RunState.SCORING)
    second = submit(accepted(cast), RunCard(name="second"), by=cast.participant)
    run_tasks(raise_failures=True)
    queued.refresh_from_db()
    second.refresh_from_db()
    assert (queued.state, second.state) == (RunState.FAILED, RunState.DONE)


def test_scoring_that_always_ends_its_worker_is_given_up(
    cast: Cast, queued: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a worker that is killed for its memory: nothing is caught, only the count of attempts stays."""

    def die(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(scoring, "score_on", die)
    for _ in range(MOST_ATTEMPTS):
        with pytest.raises(KeyboardInterrupt):
            score_submission(queued.pk)
    submission_tasks.score.call(queued.pk)
    queued.refresh_from_db()
    assert queued.state == RunState.FAILED
    assert not Charge.objects.exists()


def test_a_run_is_scored_though_its_worker_is_killed_as_often_as_the_queue_tries_it(
    cast: Cast, queued: Submission, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    """A good file, accepted and charged: whoever kills workers does not take it off the board."""

    def die(*args: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as killed:
        killed.setattr(scoring, "score_on", die)
        for _ in range(settings.TASKS["default"]["OPTIONS"]["MAX_ATTEMPTS"]):
            with pytest.raises(KeyboardInterrupt):
                score_submission(queued.pk)
    submission_tasks.score.call(queued.pk)
    queued.refresh_from_db()
    assert (queued.state, queued.attempts) == (RunState.SCORED, 0)


# ---- nothing tells which queries are official ----


@pytest.mark.parametrize("queries", [OFFICIAL, PRIVATE], ids=["official", "private"])
def test_a_run_without_a_query_of_a_set_finds_nothing_there(cast: Cast, queries: list[str]) -> None:
    """A failure, with its charge given back, would tell which queries a set has, and as often as one likes."""
    run = submit(accepted(cast, run_text(dict.fromkeys(queries, 1))), RunCard(name="half"), by=cast.participant)
    assert score_submission(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SCORED
    assert Charge.objects.count() == 1
    for use, own in ((LabelUse.OFFICIAL, OFFICIAL), (LabelUse.PRIVATE, PRIVATE)):
        labels = LabelSet.objects.get(board=cast.board, use=use)
        assert first_ranks(labels, [run]).values[:, 0].tolist() == [1 if queries is own else 0] * len(own)
    assert run.score == (1.0 if queries is OFFICIAL else 0.0)
