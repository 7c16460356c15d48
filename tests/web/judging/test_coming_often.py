"""One visitor who throws cookies away or makes names up cannot hold the budget; nobody's address is kept."""

from __future__ import annotations

import pytest
from django.core import serializers
from django.db import connection
from django.test import Client
from pytest_django import Settings
from tests.web.cast import Cast
from tests.web.judging.walking import Walker
from tests.web.judging.world import JudgingWorld, make_campaign

from toprung.web.core.models.judging import AssessorSeat, CampaignAccess, JudgingRecord, JudgingVisit
from toprung.web.services.judging import refusals

STUDY = "study-0123456789"
HERE, THERE, V6, SAME_V6 = "203.0.113.9", "203.0.113.10", "2001:db8::1", "2001:db8::2"


def come(world: JudgingWorld, address: str) -> int:
    """Somebody new, without a cookie, agrees; the status of the last page."""
    walker = Walker(world.campaign, Client(REMOTE_ADDR=address))
    return walker.post("consent/", {"agree": "1"}).status_code


@pytest.mark.django_db
def test_so_many_seats_for_one_address_and_no_more(cast: Cast, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"judge_openly": "2/m/key"}
    world = make_campaign(cast)
    assert [come(world, HERE) for _ in range(3)] == [200, 200, 429]
    assert AssessorSeat.objects.count() == 2, "nothing is stored of who is turned away"
    assert come(world, THERE) == 200
    assert [come(world, address) for address in (V6, SAME_V6, V6)] == [200, 200, 429], "one network is one visitor"
    turned_away = Walker(world.campaign, Client(REMOTE_ADDR=HERE)).post("consent/", {"agree": "1"})
    assert refusals.TOO_MANY_COME in turned_away.text
    assert [come(world, "127.0.0.1") for _ in range(4)] == [200] * 4, "who asks for whom is not known there"


@pytest.mark.django_db
def test_who_has_a_seat_goes_on_and_the_invited_are_not_counted(cast: Cast, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"judge_openly": "1/m/key"}
    world = make_campaign(cast)
    walker = Walker(world.campaign, Client(REMOTE_ADDR=HERE))
    assert "1 of 13" in walker.begin().text
    assert come(world, HERE) == 429
    assert "2 of 13" in walker.choose("left").text
    world.campaign.access = CampaignAccess.INVITED
    world.campaign.save()
    for user in (cast.assessor, cast.organiser):
        invited = Walker(world.campaign, Client(REMOTE_ADDR=HERE))
        invited.client.force_login(user)
        assert invited.post("consent/", {"agree": "1"}).status_code == 200


@pytest.mark.django_db
def test_made_up_names_of_a_platform_are_counted_and_who_was_here_goes_on(cast: Cast, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"judge_openly": "2/m/key"}
    world = make_campaign(cast, access=CampaignAccess.PROLIFIC, study_id=STUDY)

    def arrive(number: int) -> int:
        words = {"PROLIFIC_PID": f"{number:024x}", "STUDY_ID": STUDY, "SESSION_ID": f"{number:024x}"}
        return Walker(world.campaign, Client(REMOTE_ADDR=HERE)).get(**words).status_code

    assert [arrive(number) for number in (1, 2, 3)] == [200, 200, 429]
    assert (arrive(1), AssessorSeat.objects.count()) == (200, 2)


@pytest.mark.django_db
def test_no_address_is_kept(cast: Cast) -> None:
    world = make_campaign(cast)
    Walker(world.campaign, Client(REMOTE_ADDR=HERE)).begin()
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key FROM toprung_cache")
        keys = [key for (key,) in cursor.fetchall()]
    assert any("judge_openly" in key for key in keys)
    kept = [*AssessorSeat.objects.all(), *JudgingVisit.objects.all(), *JudgingRecord.objects.all()]
    assert HERE not in str(keys) + serializers.serialize("json", kept)
