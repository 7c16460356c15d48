"""A campaign whose tasks are taken out of use by two missed test pairs, not by one: chosen, kept, and carried out."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from tests.web.cast import Cast
from tests.web.judging.walking import Walker
from tests.web.judging.world import make_campaign

from toprung.labels.tasks.assignments import AssignmentStage
from toprung.labels.tasks.quality import MISSES
from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.models.judging import Campaign, Ending, JudgingVisit
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.claims.records import settled_submissions
from toprung.web.site.campaign.forms import CampaignForm


def filled_in(cast: Cast, **changed: object) -> dict[str, object]:
    """The form as it is offered, with a few choices of one's own."""
    sets = cast.board.label_sets.filter(use=LabelUse.OFFICIAL)
    offered = CampaignForm(sets, settled_submissions(cast.board))
    first = {name: field.initial for name, field in offered.fields.items() if field.initial is not None}
    rest = {"label_set": sets.get().pk, "challenge_rule": "best-of-3", "publish_by": "organiser"}
    return {**first, **rest, **changed}


@pytest.mark.django_db
def test_it_is_a_choice_of_the_draft(cast: Cast) -> None:
    client, address = Client(), reverse("new_campaign", args=[cast.board.slug])
    client.force_login(cast.organiser)
    refused = client.post(address, filled_in(cast, misses=2, golds_per_task=1))
    assert refused.status_code == 422
    assert "Found 2 misses of 1 test pair; expected no more than a task has." in refused.content.decode()
    assert client.post(address, filled_in(cast, misses=3)).status_code == 422
    assert not Campaign.objects.exists()
    assert client.post(address, filled_in(cast, misses=2)).status_code == 302
    made = Campaign.objects.get()
    assert (made.design.misses, CampaignRecords(made).manifest[MISSES]) == (2, 2)
    page = client.get(reverse("campaign", args=[cast.board.slug, made.slug])).content.decode()
    assert '<option value="2" selected>two missed test pairs</option>' in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("misses", "stage", "ending"),
    [
        (1, AssignmentStage.EXCLUDED, Ending.FAILED_CHECKS),
        (2, AssignmentStage.ACCEPTED, Ending.COMPLETE),
    ],
)
def test_one_miss_of_three_voids_a_task_unless_two_are_asked_for(
    cast: Cast, misses: int, stage: AssignmentStage, ending: Ending
) -> None:
    world = make_campaign(cast, manifest={MISSES: misses})
    walker = Walker(world.campaign)
    walker.begin()
    walker.judge_all(world, fails_golds=True, most_failed=1)
    walker.post("hand-in/")
    assert Sitting(world.store).assignments[0].stage is stage
    assert JudgingVisit.objects.get().ended == ending
