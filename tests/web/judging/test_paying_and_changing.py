"""What an organiser does beside the labels: pay lists for the platform, money and target, texts that ask again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from tests.web.cast import Cast
from tests.web.judging.campaigns import draft, judge_all, work
from tests.web.judging.walking import Walker

from toprung.labels.plans.plan import PLAN
from toprung.labels.tasks.assignments import AssignmentStage
from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.models.campaigns import PlanKind
from toprung.web.core.models.judging import Campaign, CampaignAccess, CampaignState
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.judging import refusals
from toprung.web.services.judging.campaigns import change
from toprung.web.services.judging.campaigns.excluding import exclude
from toprung.web.services.judging.campaigns.live import watch
from toprung.web.services.judging.campaigns.pay import list_pay, match_platform, read_ids
from toprung.web.services.judging.campaigns.plan import CampaignRefusedError
from toprung.web.services.judging.campaigns.start import start
from toprung.web.services.judging.money import note_pay
from toprung.web.services.judging.prolific import assessor_of
from toprung.web.services.judging.seats import take_seat

DONE, SET_ASIDE, LEFT, STRANGER = (letter * 24 for letter in "abcd")
REASON = "Nothing was read, as the times tell."


@pytest.mark.django_db
def test_everything_but_the_labels(cast: Cast) -> None:
    campaign = draft(cast, access=CampaignAccess.PROLIFIC, study_id="5" * 24, codes={"complete": "C0DE1"})
    start(campaign, by=cast.organiser)
    work(campaign, assessor_of(campaign, DONE))
    work(campaign, assessor_of(campaign, SET_ASIDE))
    exclude(campaign, assessor_of(campaign, SET_ASIDE), reason=REASON, by=cast.organiser)
    sitting = Sitting(CampaignRecords(campaign))
    held = sitting.offer(take_seat(campaign, assessor_of(campaign, LEFT)).assessor)
    assert held is not None
    held = sitting.move(held, AssignmentStage.CONSENTED, AssignmentStage.ACTIVE)
    note_pay(campaign, sitting, held, n_answered=5)
    sitting.move(held, AssignmentStage.EXITED)

    # work that is not used is approved like other work; 5 of 13 at $2.00 are 77 cents
    lists = match_platform(campaign, f"id\n{DONE}\n{SET_ASIDE},x\n{LEFT}\n{STRANGER}\n{DONE}")
    assert (lists.approve, lists.returned, lists.bonus) == ([DONE, SET_ASIDE], [LEFT], [f"{LEFT},0.77"])
    assert lists.unknown == 1
    client = Client()
    client.force_login(cast.organiser)
    page = client.post(reverse("campaign_pay", args=[cast.board.slug, campaign.slug]), {"people": DONE})
    assert DONE in page.content.decode()
    kept = CampaignRecords(campaign)
    assert not any(DONE in str(kept.read(kind)) for kind in ("assignments", "judgments", "payments"))

    # money, target, pause and end; each on record
    change.top_up(campaign, Decimal("60.00"), by=cast.organiser)
    change.change_target(campaign, 0.8, by=cast.organiser)
    plan = kept.manifest[PLAN]
    assert (plan["budget"], plan["target"]) == ("460.00", 0.8)
    assert change.pause(campaign, by=cast.organiser).state == CampaignState.PAUSED
    with pytest.raises(CampaignRefusedError, match="is paused; expected pilot or running"):
        change.pause(campaign, by=cast.organiser)
    assert change.resume(campaign, by=cast.organiser).state == CampaignState.RUNNING
    changed = change.change_texts(campaign, by=cast.organiser, guidelines="", consent="<b>Ours</b>")
    assert (changed.consent_version, changed.guidelines_version) == (2, 1)
    assert change.close(campaign, by=cast.organiser).closed_at is not None
    said = [entry.what for entry in cast.board.audit.all()]
    assert "Topped up second-look by $60.00" in said
    assert "Closed second-look" in said


@pytest.mark.django_db
def test_what_organisers_are_told_of_people_in_the_middle_is_what_becomes_of_them(cast: Cast) -> None:
    campaign = start(draft(cast, access=CampaignAccess.OPEN), by=cast.organiser)
    client = Client()
    client.force_login(cast.organiser)

    def act(what: str) -> str:
        return client.post(
            reverse("act_on_campaign", args=[cast.board.slug, campaign.slug]), {"act": what}, follow=True
        ).text

    done, half = Walker(campaign), Walker(campaign)
    for walker in (done, half):
        walker.begin()
    task = half.task()
    done.judge_all_as("left")
    assert half.send(assignment=task["assignment"], slot=0).status_code == 200
    assert "no answer is kept, until you resume" in act("pause")
    assert half.send(assignment=task["assignment"], slot=1).json()["error"] == refusals.PAUSED_MEANWHILE
    act("resume")
    assert half.send(assignment=task["assignment"], slot=1).status_code == 200
    assert change.AFTER_THE_END in client.get(reverse("campaign", args=[cast.board.slug, campaign.slug])).text
    assert change.AFTER_THE_END in act("close")
    assert half.send(assignment=task["assignment"], slot=2).json()["error"] == refusals.CLOSED_MEANWHILE
    assert [row.amount for row in list_pay(campaign)] == [Decimal("2.00"), Decimal("0.31")], "before they come back"
    assert "This pays $2.00" in done.post("hand-in/").text
    left = half.get()
    assert ("the study was closed" in left.text, "You are paid $0.31 for your share." in left.text) == (True, True)
    assert "This pays $0.31" in half.post("exit/").text, "two of thirteen at $2.00, rounded up"


@pytest.mark.django_db
def test_who_was_in_the_middle_of_a_long_pause_is_paid_by_the_share(cast: Cast) -> None:
    """Two had begun three hours ago; the third began before a pause of a minute, and goes on."""
    campaign = start(draft(cast, access=CampaignAccess.OPEN), by=cast.organiser)
    done, half, late = (Walker(campaign) for _ in range(3))
    for walker in (done, half, late):
        walker.begin()
    done.judge_all_as("left")
    half.send(assignment=half.task()["assignment"], slot=0)
    at, name = (datetime.now(UTC) - timedelta(hours=3)).isoformat(), late.visit().seat.assessor
    CampaignRecords(campaign).rewrite(
        "assignments", lambda record: record if record["assessor"] == name else record | {"at": at}
    )
    change.pause(campaign, by=cast.organiser)
    change.resume(campaign, by=cast.organiser)
    assert late.send(assignment=late.task()["assignment"], slot=0).status_code == 200
    assert "Thank you. That was the last pair." in done.get().text
    assert "You are paid $0.16 for your share." in half.get().text
    assert [row.amount for row in list_pay(campaign)] == [Decimal("2.00"), Decimal("0.16"), Decimal("0.00")]


@pytest.mark.django_db
def test_more_votes_on_a_doubtful_query_are_asked_of_the_next_people_and_no_longer(cast: Cast) -> None:
    campaign = draft(cast)
    start(campaign, by=cast.organiser)
    judge_all(campaign)
    assert work(campaign, "someone") is None, "every query is sure"
    client = Client()
    client.force_login(cast.organiser)
    here = [cast.board.slug, campaign.slug]
    for _ in range(2):  # twice is once, for none has come meanwhile
        said = client.post(reverse("judge_label", args=here), {"act": "more", "query_id": "q01"}, follow=True)
    assert "5 more votes on it are asked for." in said.text
    assert "Asked for 5 more votes on a query in second-look" in [each.what for each in cast.board.audit.all()]
    people = [f"more-{number}" for number in range(7)]
    asked = [work(campaign, person) for person in people]
    assert [each is not None for each in asked] == 5 * [True] + 2 * [False]
    tasks = Sitting(CampaignRecords(campaign)).tasks
    own = {slot.query_id for each in asked if each for slot in tasks[each.task_id].slots if not slot.is_gold}
    assert own == {"q01"}

    watch(campaign.pk)
    page = client.get(reverse("campaign_query", args=[*here, "q01"])).text
    assert "Ask for more votes" in page
    none = client.post(reverse("judge_label", args=here), {"act": "more", "query_id": "q99"}, follow=True)
    assert "Found no such query with answers to compare" in none.text
    change.close(campaign, by=cast.organiser)
    assert "Ask for more votes" not in client.get(reverse("campaign_query", args=[*here, "q01"])).text
    with pytest.raises(CampaignRefusedError, match="is closed"):
        change.ask_for_more(campaign, "q01", by=cast.organiser)


@pytest.mark.django_db
def test_a_plan_that_asks_every_pair_as_often_carries_no_wish(cast: Cast) -> None:
    campaign = draft(cast, design={"plan": PlanKind.VOTES})
    start(campaign, by=cast.organiser)
    assert not change.can_ask_for_more(Campaign.objects.get(pk=campaign.pk))
    with pytest.raises(CampaignRefusedError, match="asks every pair as often"):
        change.ask_for_more(campaign, "q01", by=cast.organiser)


def test_ids_are_found_in_an_export_of_the_platform() -> None:
    listed = f'Submission id,Participant id,Status\n"s1","{DONE}","APPROVED"\n"s2","{LEFT}","RETURNED"\n'
    assert read_ids(listed) == [DONE, LEFT]
