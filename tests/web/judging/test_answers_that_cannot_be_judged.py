"""A new answer without a text: it is counted, organisers read so, and once the text is there it is put to the test."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse
from django_ox.testing import run_tasks
from tests.web.cast import Cast
from tests.web.judging.campaigns import draft, give_texts, send
from tests.web.reading import text_of
from tests.web.telling import told_to

from toprung.web.core.models.campaigns import OpenChallenge
from toprung.web.core.models.judging import Campaign
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.judging.campaigns.start import start

LACKS = "1 cannot be judged: a text is missing, or too long."


@pytest.fixture
def lacking(cast: Cast) -> Campaign:
    """Two new answers, of which one has no text; a team may have one open challenge."""
    campaign = start(draft(cast, is_standing=True), by=cast.organiser)
    give_texts(cast.board, cast, {"new-q02": "Quite another text about the second question."})
    new = {"q01": "new-q01", "q02": "new-q02"}
    send(cast, lambda query: (new.get(query, f"rel-{query}"), f"x-{query}"))
    run_tasks(raise_failures=True)
    return campaign


def counts() -> tuple[int, int, int]:
    found = OpenChallenge.objects.get(submission__run_id="R2")
    return found.n_open, found.n_without_text, found.n_held_back


def read(cast: Cast, name: str, *more: object, as_organiser: bool = True) -> str:
    client = Client()
    if as_organiser:
        client.force_login(cast.organiser)
    return text_of(client.get(reverse(name, args=[cast.board.slug, *more])).text)


@pytest.mark.django_db
def test_it_is_counted_for_organisers_alone(cast: Cast, lacking: Campaign) -> None:
    assert counts() == (1, 1, 0)
    for name, *more in (("leaderboard",), ("run", "R2"), ("campaign", lacking.slug)):
        assert LACKS in read(cast, name, *more), name
    for name, *more in (("leaderboard",), ("run", "R2")):
        assert "cannot be judged" not in read(cast, name, *more, as_organiser=False), name
    told, path = (
        (told_to(user, cast.board.slug) for user in (cast.organiser, None)),
        f"/api/v1/boards/{cast.board.slug}",
    )
    exact, public = (json.loads(each.ask(path))["upkeep"] for each in told)
    assert (exact["n_without_text"], exact["n_held_back"]) == (1, 0)
    assert (public["n_without_text"], public["n_held_back"]) == (None, None)


@pytest.mark.django_db
def test_it_is_put_to_the_test_once_its_text_is_given(cast: Cast, lacking: Campaign) -> None:
    more = {"new-q01": "A text that came later.", "new-q02": "Quite another text about the second question."}
    give_texts(cast.board, cast, more)
    run_tasks(raise_failures=True)
    assert counts() == (2, 0, 0)
    queued = {each["challenger"] for each in CampaignRecords(lacking).read("challenges")}
    assert queued == {"new-q01", "new-q02"}
    assert "cannot be judged" not in read(cast, "leaderboard")


@pytest.mark.django_db
def test_an_answer_to_a_query_without_a_text_cannot_be_judged_either(cast: Cast) -> None:
    start(draft(cast, is_standing=True), by=cast.organiser)
    give_texts(cast.board, cast, {"new-q01": "One new text."}, without=["q01"])
    send(cast, lambda query: ("new-q01" if query == "q01" else f"rel-{query}", f"x-{query}"))
    run_tasks(raise_failures=True)
    assert counts() == (0, 1, 0)


@pytest.mark.django_db
def test_what_is_held_back_is_said_too(cast: Cast) -> None:
    start(draft(cast, design={"most_per_team": 1}, is_standing=True), by=cast.organiser)
    give_texts(cast.board, cast, {"new-q01": "One new text.", "new-q02": "Quite another one."})
    new = {"q01": "new-q01", "q02": "new-q02"}
    send(cast, lambda query: (new.get(query, f"rel-{query}"), f"x-{query}"))
    run_tasks(raise_failures=True)
    assert counts() == (2, 0, 1)
    assert "1 is held back: its team has its most open challenges." in read(cast, "run", "R2")
