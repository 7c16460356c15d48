"""Is who asks for it forgotten? With their answers until labels are published, then without; all others in time."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.core import serializers
from django.utils import timezone
from tests.web.cast import Cast
from tests.web.judging.walking import Walker
from tests.web.judging.world import JudgingWorld, make_campaign

from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.models.data import TextAccess
from toprung.web.core.models.judging import AssessorSeat, CampaignAccess, CampaignState, JudgingNote, JudgingRecord
from toprung.web.ops.housekeeping.tidying import tidy
from toprung.web.services.judging.money import pay_due
from toprung.web.services.judging.privacy import forget_old_assessors
from toprung.web.services.people.leaving import delete_account


@pytest.fixture
def world(cast: Cast) -> JudgingWorld:
    return make_campaign(cast, n_queries=10, n_items=2, reward=Decimal("2.00"))


def work(world: JudgingWorld, walker: Walker) -> str:
    """A whole task; the name of its assessor."""
    walker.begin()
    walker.judge_all(world)
    walker.post("hand-in/")
    return walker.visit().seat.assessor


def votes(world: JudgingWorld) -> dict[str, str]:
    return {each.query_id: each.assessor for each in world.store.read_judgments().current if each.is_vote}


def everything() -> str:
    tables = (JudgingRecord, AssessorSeat, JudgingNote, TextAccess)
    return "".join(serializers.serialize("json", table.objects.all()) for table in tables)


def test_before_publication_answers_are_deleted_asked_again_and_paid(world: JudgingWorld) -> None:
    walker, other = Walker(world.campaign), Walker(world.campaign)
    assessor = work(world, walker)
    walker.post("tell/", {"text": "It was fun."})
    assert len(votes(world)) == 10
    other.begin()
    assert "nothing left" in other.get().text
    assert "Your answers are deleted" in walker.post("delete/").text
    assert votes(world) == {}
    assert all(each["assessor"] != assessor for each in world.store.read("judgments"))
    assert JudgingNote.objects.count() == 0
    desk = Sitting(world.store)
    assert [pay_due(world.campaign, desk, each) for each in desk.assignments] == [Decimal("2.00")]
    third = Walker(world.campaign)
    name = work(world, third)
    assert set(votes(world).values()) == {name}, "someone else was asked the ten pairs"


def test_after_publication_votes_stay_and_lead_to_nobody(world: JudgingWorld) -> None:
    walker = Walker(world.campaign)
    assessor = work(world, walker)
    world.campaign.published_at = timezone.now()
    world.campaign.save()
    before = votes(world)
    assert "connection is destroyed" in walker.post("delete/").text
    after = votes(world)
    assert after.keys() == before.keys()
    assert len(set(after.values())) == 1, "still one person's votes, whoever that was"
    assert assessor not in everything()
    assert AssessorSeat.objects.count() == 0
    assert "Before you start" in walker.get("thanks/").text


def test_in_time_everyone_is_forgotten(world: JudgingWorld) -> None:
    assessor = work(world, Walker(world.campaign))
    world.campaign.state, world.campaign.closed_at = CampaignState.CLOSED, timezone.now() - timedelta(days=180)
    world.campaign.save()
    world.campaign.retention_days = 181
    world.campaign.save()
    forget_old_assessors()
    assert assessor in everything()
    world.campaign.retention_days = 179
    world.campaign.save()
    tidy()
    assert assessor not in everything(), "with all that is tidied up every hour"
    assert len(votes(world)) == 10
    kept = everything()
    forget_old_assessors()
    assert everything() == kept, "and once is enough"


def test_with_an_account_its_judgments_go(cast: Cast, world: JudgingWorld) -> None:
    world.campaign.access = CampaignAccess.INVITED
    world.campaign.save()
    walker = Walker(world.campaign)
    walker.client.force_login(cast.assessor)
    work(world, walker)
    assert f"/judge/{world.campaign.key}/delete/" in walker.client.get("/account/").text
    delete_account(cast.assessor)
    assert votes(world) == {}
    assert list(AssessorSeat.objects.values_list("user", flat=True)) == [None]


def test_a_desk_that_was_open_knows_what_was_deleted(world: JudgingWorld) -> None:
    first, second = Walker(world.campaign), Walker(world.campaign)
    work(world, first)
    first.post("delete/")
    assert "1 of 13" in second.begin().text, "the desk of this process reads again, and has work"
