"""An assessor writes to the organisers, they answer, and the answer is read where the note was written."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from tests.web.cast import Cast
from tests.web.judging.campaigns import draft
from tests.web.judging.walking import Walker

from toprung.web.core.models.judging import Campaign, CampaignAccess, JudgingNote
from toprung.web.services.judging.campaigns.live import watch
from toprung.web.services.judging.campaigns.start import start
from toprung.web.services.judging.notes import MOST_WAITING

NOTE, ANSWER = "The left passage of the third pair is empty.", "Thank you: that pair is out of use, and you are paid."


@pytest.fixture
def campaign(cast: Cast) -> Campaign:
    return start(draft(cast, access=CampaignAccess.OPEN, shows_hidden_to_strangers=True), by=cast.organiser)


@pytest.fixture
def walker(campaign: Campaign) -> Walker:
    """Who has judged a task and written a note."""
    made = Walker(campaign)
    made.begin()
    made.judge_all_as("left")
    made.post("hand-in/")
    assert "organisers" in made.post("tell/", {"text": NOTE}).text
    return made


def organiser_at(campaign: Campaign, name: str) -> str:
    client = Client()
    client.force_login(campaign.created_by)
    return " ".join(client.get(reverse(name, args=[campaign.board.slug, campaign.slug])).text.split())


def answer(campaign: Campaign, pk: int, text: str) -> str:
    """What the organiser is told."""
    client = Client()
    client.force_login(campaign.created_by)
    here = reverse("answer_note", args=[campaign.board.slug, campaign.slug, pk])
    return client.post(here, {"answer": text}, follow=True).text


@pytest.mark.django_db
def test_a_note_waits_until_it_is_answered(campaign: Campaign, walker: Walker) -> None:
    watch(campaign.pk)
    assert "1 note from them to answer" in organiser_at(campaign, "campaign")
    assert NOTE in organiser_at(campaign, "campaign_assessors")
    assert "not answered yet" in walker.get("tell/").text
    assert "answer to what you wrote" not in walker.get("thanks/").text

    note = JudgingNote.objects.get()
    assert "Answered: who wrote it reads your words" in answer(campaign, note.pk, ANSWER)
    assert "from them to answer" not in organiser_at(campaign, "campaign")
    page = organiser_at(campaign, "campaign_assessors")
    assert (ANSWER in page, 'name="answer"' in page) == (True, False)
    assert "Answered a note of a-01 in second-look" in [each.what for each in campaign.board.audit.all()]
    assert "1 answer to what you wrote" in " ".join(walker.get("thanks/").text.split())
    told = walker.get("tell/").text
    assert (NOTE in told, ANSWER in told, "not answered yet" in told) == (True, True, False)

    stranger = Walker(campaign)
    stranger.begin()
    assert NOTE not in stranger.get("tell/").text

    walker.post("delete/")
    assert not JudgingNote.objects.exists()
    assert "Found no such note" in answer(campaign, note.pk, ANSWER)


@pytest.mark.django_db
def test_an_answer_that_says_nothing_is_none(campaign: Campaign, walker: Walker) -> None:
    note = JudgingNote.objects.get()
    assert "Found 0 characters; expected from 3 to 2,000." in answer(campaign, note.pk, " ")
    assert JudgingNote.objects.get().answered_at is None


@pytest.mark.django_db
def test_answered_notes_make_room_for_others(campaign: Campaign, walker: Walker) -> None:
    for number in range(1, MOST_WAITING):
        walker.post("tell/", {"text": f"Note {number}"})
    assert walker.post("tell/", {"text": "One too many"}).status_code == 422
    answer(campaign, JudgingNote.objects.earliest("pk").pk, ANSWER)
    assert walker.post("tell/", {"text": "Now there is room"}).status_code == 200
