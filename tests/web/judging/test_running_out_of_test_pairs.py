"""Test pairs run out, and the organiser is told in time and what to do: more are proposed, looked at, and in use."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from tests.web.cast import OFFICIAL, Cast
from tests.web.judging.campaigns import draft, work

from toprung.web.core.models.data import DataFile
from toprung.web.core.models.judging import Campaign
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.judging.campaigns import change
from toprung.web.services.judging.campaigns.golds import count_golds, judge_golds, propose_more
from toprung.web.services.judging.campaigns.live import watch
from toprung.web.services.judging.campaigns.plan import CampaignRefusedError
from toprung.web.services.judging.campaigns.start import start

KNOWN = (
    "From then on they meet the same ones again, and a test that is known finds nobody. Keep more, or ask more people."
)


def warned(campaign: Campaign) -> str:
    watch(campaign.pk)
    said: str = campaign.reports.get(kind="live").content["golds"]
    return said


def golds_of(campaign: Campaign, assessor: str) -> list[str]:
    """Queries of the test pairs in the last task of somebody."""
    done = work(campaign, assessor)
    assert done is not None
    tasks = {each["task_id"]: each for each in CampaignRecords(campaign).read("tasks")}
    return [slot["query_id"] for slot in tasks[done.task_id]["slots"] if slot.get("good")]


@pytest.mark.django_db
def test_who_has_met_all_of_them_is_counted_and_more_are_in_use_at_once(cast: Cast) -> None:
    """Twelve are proposed, a task has three: after three tasks one more has new ones, after four none."""
    campaign = start(draft(cast, design={"pairs_per_task": 6}), by=cast.organiser)
    assert count_golds(campaign) == {"kept": 12, "refused": 0, "open": 0}
    met = {query for _ in range(2) for query in golds_of(campaign, "often")}
    golds_of(campaign, "once")
    assert warned(campaign) == ""
    met |= set(golds_of(campaign, "often"))
    assert warned(campaign) == f"Test pairs run out: 1 of 2 people will have met all 12 with the next task. {KNOWN}"
    met |= set(golds_of(campaign, "often"))
    assert len(met) == 12
    assert warned(campaign) == f"Test pairs run out: 1 of 2 people has met all 12. {KNOWN}"

    client = Client()
    client.force_login(cast.organiser)
    here = [cast.board.slug, campaign.slug]
    golds = reverse("campaign_golds", args=here)
    assert f'href="{golds}"' in client.get(reverse("campaign", args=here)).text
    assert "All that were proposed are looked at." in client.get(golds).text
    page = client.post(golds, {"act": "more"}, follow=True).text
    new = list(campaign.proposed_golds.filter(verdict=""))
    assert (len(new), page.count('value="kept"')) == (12, 12), "those in use are not asked about again"
    assert met.isdisjoint(gold.query_id for gold in new)
    kept, refused = new[:9], new[9:]
    said = {f"gold-{gold.pk}": "kept" for gold in kept} | {f"gold-{gold.pk}": "refused" for gold in refused}
    client.post(golds, said | {"gold-" + "9" * 40: "kept"})
    assert count_golds(campaign) == {"kept": 21, "refused": 3, "open": 0}
    assert len(CampaignRecords(campaign).read("golds")) == 21
    assert warned(campaign) == ""
    assert set(golds_of(campaign, "often")) <= {gold.query_id for gold in kept}
    whats = [entry.what for entry in cast.board.audit.all()]
    assert f"Proposed 12 more test pairs of {campaign.slug}" in whats


@pytest.mark.django_db
def test_where_too_few_can_be_shown_it_is_said_that_no_work_is_given_out(cast: Cast) -> None:
    campaign = start(draft(cast), by=cast.organiser)
    assert warned(campaign) == ""
    DataFile.objects.filter(board=cast.board).delete()
    change.change_target(campaign, 0.85, by=cast.organiser)
    assert warned(Campaign.objects.get(pk=campaign.pk)) == (
        "No work is given out: of the 3 test pairs that a task needs, 0 can be shown. Keep more, or give the texts "
        "that are missing under Data."
    )
    change.pause(campaign, by=cast.organiser)
    assert warned(Campaign.objects.get(pk=campaign.pk)) == "", "nothing is given out by the organiser's word"


@pytest.mark.django_db
def test_what_cannot_be_proposed_or_kept_is_refused(cast: Cast) -> None:
    campaign = draft(cast)
    n_left = len(OFFICIAL) - 12
    while n_left:
        n_left -= propose_more(campaign, by=cast.organiser)
    with pytest.raises(CampaignRefusedError, match="Found no query of which none was proposed"):
        propose_more(campaign, by=cast.organiser)
    judge_golds(campaign, [gold.pk for gold in campaign.proposed_golds.all()], [], by=cast.organiser)
    change.close(start(campaign, by=cast.organiser), by=cast.organiser)
    with pytest.raises(CampaignRefusedError, match="Found a campaign that is closed"):
        propose_more(campaign, by=cast.organiser)
    with pytest.raises(CampaignRefusedError, match="Found a campaign that is closed"):
        judge_golds(campaign, [], [], by=cast.organiser)
