"""Who may judge, and how do they come? By an open link, invited, or from Prolific; nobody who takes part."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.core import serializers
from django.test import Client
from django.urls import reverse
from tests.web.cast import Cast, make_upload
from tests.web.judging.walking import Walker
from tests.web.judging.world import make_campaign

from toprung.labels.plans.plan import AdaptivePlan
from toprung.labels.plans.price import PLATFORMS, Price
from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.models.boards import BoardRole, Role
from toprung.web.core.models.campaigns import CampaignDesign, CampaignReport
from toprung.web.core.models.data import TextAccess
from toprung.web.core.models.judging import (
    AssessorSeat,
    CampaignAccess,
    CampaignState,
    Ending,
    JudgingRecord,
    JudgingVisit,
)
from toprung.web.services.judging import refusals
from toprung.web.services.judging.prolific import assessor_of

PID, SESSION, STUDY = "5f3c2a1b9d8e7f6a5b4c3d2e", "65a1b2c3d4e5f6a7b8c9d0e1", "study-0123456789"
WORDS = {"PROLIFIC_PID": PID, "STUDY_ID": STUDY, "SESSION_ID": SESSION}
CODES = {
    Ending.COMPLETE: "C1DONE",
    Ending.NO_CONSENT: "C2NOPE",
    Ending.LEFT_EARLY: "C3LEFT",
    Ending.FAILED_CHECKS: "C4GOLD",
    Ending.NOTHING_LEFT: "C5NONE",
}


def test_who_takes_part_cannot_judge_and_is_told(cast: Cast) -> None:
    world = make_campaign(cast)
    make_upload(cast.board, cast.team, cast.participant, b"q01 Q0 d1 1 1.0 x\n")
    walker = Walker(world.campaign)
    for user, is_refused in ((cast.participant, True), (cast.mate, True), (cast.stranger, False)):
        walker.client.force_login(user)
        page = walker.get()
        assert (page.status_code == 403, refusals.IS_PARTICIPANT in page.text) == (is_refused, is_refused), user
    assert AssessorSeat.objects.count() == 0


def test_hidden_texts_are_for_the_invited_unless_said_otherwise(cast: Cast) -> None:
    world = make_campaign(cast)
    world.campaign.label_set.is_hidden = True
    world.campaign.label_set.save()
    walker = Walker(world.campaign)
    assert refusals.HIDDEN_TEXTS in walker.get().text
    world.campaign.shows_hidden_to_strangers = True
    world.campaign.save()
    assert "1 of 13" in walker.begin().text
    opened = TextAccess.objects.get()
    assert (opened.user, len(opened.assessor), opened.reason) == (None, 32, "Judging: Best answers")
    world.campaign.shows_hidden_to_strangers = False
    world.campaign.access = CampaignAccess.INVITED
    world.campaign.save()
    invited = Walker(world.campaign)
    assert "/accounts/login/" in invited.get().redirect_chain[-1][0]
    invited.client.force_login(cast.stranger)
    assert refusals.NOT_INVITED in invited.get().text
    invited.client.force_login(cast.assessor)
    assert "1 of 13" in invited.begin().text
    assert TextAccess.objects.latest("pk").user == cast.assessor
    elsewhere = Walker(world.campaign)
    elsewhere.client.force_login(cast.assessor)
    assert "1 of 13" in elsewhere.get().text, "on another device the same task goes on"


def test_of_all_roles_assessors_and_organisers_alone_read_texts_of_hidden_sets_and_it_is_logged(cast: Cast) -> None:
    """At the desk, before and after the start, by page and by script; and on the organisers' page of a query."""
    world = make_campaign(cast, access=CampaignAccess.INVITED)
    world.campaign.label_set.is_hidden = True
    world.campaign.label_set.save()
    BoardRole.objects.create(board=cast.board, user=cast.participant, role=Role.PARTICIPANT)
    CampaignDesign.objects.create(campaign=world.campaign)
    answers = [
        {"item": "q0001-0", "p_best": 1, "strength": 0, "low": -1, "high": 1, "won": 0, "shown": 0, "sources": []}
    ]
    query = {"text": "?", "why": "", "is_in_doubt": True, "new": [], "label": "q0001-0", "answers": answers, "votes": 0}
    content = {"q0001": query}
    CampaignReport.objects.create(campaign=world.campaign, kind="queries", content=content)
    query_page = reverse("campaign_query", args=[cast.board.slug, world.campaign.slug, "q0001"])
    at_desk, on_page = set(), set()
    people = {"nobody": None, "stranger": cast.stranger, "participant": cast.participant}
    people |= {"elsewhere": cast.other_organiser, "assessor": cast.assessor, "organiser": cast.organiser}
    for name, user in people.items():
        walker = Walker(world.campaign)
        if user is not None:
            walker.client.force_login(user)
        shown = [walker.get(), walker.get("pairs/"), walker.begin(), walker.get("task.json")]
        at_desk |= {name} if any("says what is known" in page.text for page in shown) else set()
        on_page |= {name} if "says what is known" in walker.client.get(query_page, follow=True).text else set()
    assert (at_desk, on_page) == ({"assessor", "organiser"}, {"organiser"})
    opened = [(each.user, each.reason) for each in TextAccess.objects.order_by("pk")]
    assert opened == [
        (cast.assessor, "Judging: Best answers"),
        (cast.organiser, "Judging: Best answers"),
        (cast.organiser, "Looking at a query of best-answers"),
    ]


def test_a_campaign_that_has_not_started_is_not_there(cast: Cast) -> None:
    world = make_campaign(cast, state=CampaignState.DRAFT)
    assert Walker(world.campaign).get().status_code == 404


def test_people_from_prolific_come_and_go_with_a_code(cast: Cast) -> None:
    world = make_campaign(cast, access=CampaignAccess.PROLIFIC, study_id=STUDY, codes=CODES)
    walker = Walker(world.campaign)
    assert "sent by Prolific" in walker.get().text
    for change in ({"PROLIFIC_PID": "x" * 10_000}, {"STUDY_ID": "another-study-1"}, {"SESSION_ID": "<script>"}):
        assert walker.get(**WORDS | change).status_code == 403, change
    assert AssessorSeat.objects.count() == 0

    walker.choose("left", walker.begin(**WORDS))
    walker.client = Client()  # the cookie is lost in the middle
    assert "2 of 13" in walker.get(**WORDS).text, "the same link resumes"
    walker.judge_all(world)
    page = walker.post("hand-in/").text
    assert "https://app.prolific.com/submissions/complete?cc=C1DONE" in page
    assert ">C1DONE<" in page
    assert "C1DONE" in walker.get(**WORDS).text, "the same session again gets the same thanks"
    assert "13 pairs" in walker.get(**WORDS | {"SESSION_ID": "another-session-1"}).text, "another a new task"
    assert "C3LEFT" in walker.post("exit/").text

    refuses = Walker(world.campaign)
    refuses.get(**WORDS | {"PROLIFIC_PID": "somebody-else-1"})
    assert "C2NOPE" in refuses.post("consent/", {"decline": "1"}).text
    careless = Walker(world.campaign)
    careless.begin(**WORDS | {"PROLIFIC_PID": "somebody-else-2"})
    careless.judge_all(world, fails_golds=True)
    assert "C4GOLD" in careless.post("hand-in/").text

    everything = serializers.serialize("json", [*AssessorSeat.objects.all(), *JudgingVisit.objects.all()])
    everything += serializers.serialize("json", JudgingRecord.objects.all())
    assert PID not in everything
    assert SESSION not in everything
    assert assessor_of(world.campaign, PID) in everything


def test_who_comes_from_prolific_when_nothing_is_left_gets_the_code_for_that(cast: Cast) -> None:
    world = make_campaign(
        cast,
        access=CampaignAccess.PROLIFIC,
        study_id=STUDY,
        codes=CODES,
        reward=Decimal("2.00"),
        budget=Decimal("1.99"),
    )
    page = Walker(world.campaign).begin(**WORDS).text
    assert "nothing left to judge" in page
    assert "https://app.prolific.com/submissions/complete?cc=C5NONE" in page
    assert ">C5NONE<" in page


def test_money_is_never_above_the_budget_and_who_is_in_the_middle_finishes(cast: Cast) -> None:
    plan = AdaptivePlan(price=Price(reward=Decimal("2.00"), platform=PLATFORMS["own"]))
    world = make_campaign(
        cast, n_queries=60, plan=plan, reward=Decimal("2.00"), fee=Decimal("0.3"), budget=Decimal("8")
    )
    walkers = [Walker(world.campaign) for _ in range(4)]
    pages = [walker.begin() for walker in walkers]
    assert ["1 of 13" in page.text for page in pages] == [True, True, True, False], "3 × $2.60, and not a fourth"
    assert "nothing left to judge" in pages[3].text
    for walker in walkers[:3]:
        walker.judge_all(world)
        assert "$2.00" in walker.post("hand-in/").text
    assert Sitting(world.store).desk.n_paid == 3


def test_who_is_blocked_gets_no_more_and_is_told(cast: Cast) -> None:
    world = make_campaign(cast)
    walker = Walker(world.campaign)
    walker.learn()
    AssessorSeat.objects.update(blocked_at="2026-11-16T12:00Z", block_reason="only left")
    page = walker.get("ready/")
    assert page.status_code == 409
    assert refusals.BLOCKED in page.text


def test_too_few_golds_are_said_and_nothing_is_stored(cast: Cast) -> None:
    world = make_campaign(cast, n_golds=2)
    page = Walker(world.campaign).begin()
    assert refusals.NO_GOLDS in page.text
    assert JudgingRecord.objects.filter(kind="tasks").count() == 0


@pytest.mark.parametrize("text", ["", "x" * 30_000, "x" * 1_000_000], ids=["none", "long", "a megabyte"])
def test_a_pair_that_cannot_be_shown_is_not_asked(cast: Cast, text: str) -> None:
    world = make_campaign(
        cast, n_queries=11, n_items=2, texts={"q0001-1": text, "q0002-1": "One  two", "q0002-0": "One two "}
    )
    walker = Walker(world.campaign)
    walker.begin()
    asked = {slot["query_id"] for task in world.store.read("tasks") for slot in task["slots"]}
    assert "q0003" in asked
    assert asked.isdisjoint({"q0001", "q0002"}), "no text, a book, and two that differ in blanks alone"


def test_texts_are_text_and_nothing_else(cast: Cast) -> None:
    bad = "<script>alert(1)</script>\x00\u202e end"
    world = make_campaign(cast, n_queries=10, n_items=2, texts={f"q{n:04}-1": f"{bad} {n}" for n in range(1, 11)})
    walker = Walker(world.campaign)
    pages = [walker.begin()]
    pages += [walker.choose("left") for _ in range(5)]
    shown = "".join(page.text for page in pages)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;[U+0000][U+202E] end" in shown
    assert "<script>alert" not in shown
