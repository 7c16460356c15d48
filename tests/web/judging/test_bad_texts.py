"""Passages that nobody can compare: a book, none at all, two that differ in blanks alone. None is waited for."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django_ox.testing import run_tasks
from tests.web.cast import Cast
from tests.web.judging.campaigns import draft, give_texts, judge_all, send

from toprung.web.core.models.campaigns import OpenChallenge
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.judging.campaigns.live import watch
from toprung.web.services.judging.campaigns.start import start
from toprung.web.services.judging.showable import LONGEST_SHOWN

BOOK = "x" * (LONGEST_SHOWN + 1)
TEXTS = {
    "rel-q01": BOOK,
    "other-q02-1": "A word, and <script>alert(1)</script>.",
    "rel-q03": "One and  the same, but for blanks.",
    "other-q03-1": " One and the same,   but for blanks. ",
    "other-q04-1": "",
}
NOT_ASKED = {"q01", "q03", "q04"}


@pytest.mark.django_db
def test_a_campaign_counts_and_asks_only_what_can_be_compared(cast: Cast) -> None:
    campaign = start(draft(cast, texts=TEXTS), by=cast.organiser)
    told = campaign.reports.get(kind="estimate").content
    assert (told["n_several"], told["n_pairs"], told["n_without_text"]) == (37, 37, 2)
    assert not campaign.proposed_golds.filter(good="rel-q01").exists()
    assert not campaign.proposed_golds.filter(bad="rel-q01").exists()
    judge_all(campaign)
    watch(campaign.pk)
    slots = [slot for task in CampaignRecords(campaign).read("tasks") for slot in task["slots"]]
    asked = {slot["query_id"] for slot in slots if not slot.get("good")}
    assert (len(asked), asked & NOT_ASKED) == (37, set())
    client = Client()
    client.force_login(cast.organiser)
    here = [cast.board.slug, campaign.slug]
    assert "37 of 37 queries are decided" in client.get(reverse("campaign", args=here)).text
    page = client.get(reverse("campaign_query", args=[*here, "q02"])).text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert" not in page


@pytest.mark.django_db
def test_a_run_with_such_answers_leaves_no_challenge_open(cast: Cast) -> None:
    campaign = start(draft(cast, is_standing=True), by=cast.organiser)
    label = "This is what rel-q06 says of the matter, in some words of its own."
    give_texts(cast.board, cast, {"book-q05": BOOK, "same-q06": label.replace(" ", "  ")})
    new = {"q05": "book-q05", "q06": "same-q06"}
    made = send(cast, lambda query: (new.get(query, f"rel-{query}"), f"x-{query}"))
    run_tasks(raise_failures=True)
    found = OpenChallenge.objects.get(submission=made)
    assert (found.n_open, found.n_without_text) == (0, 1), "a book cannot be judged; the other says what the label says"
    assert CampaignRecords(campaign).read("challenges") == []
