"""What if it happens while people are in the middle? Money ends, all are blocked, work is excluded, labels replaced."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from tests.web.cast import OFFICIAL, Cast
from tests.web.judging.campaigns import WRONG, draft, judge_all
from tests.web.judging.walking import Walker
from tests.web.judging.world import make_campaign
from tests.web.versions import do_tasks
from tests.web.versions import publish_labels as publish_file

from toprung.data.judgments import Choice
from toprung.labels.plans.plan import AdaptivePlan, Plan, VotesPlan
from toprung.labels.plans.price import PLATFORMS, Price
from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.models.campaigns import CampaignDesign
from toprung.web.core.models.judging import AssessorSeat, Campaign, Ending, JudgingRecord
from toprung.web.core.store.columns import labels_of, official_labels
from toprung.web.services.judging import refusals
from toprung.web.services.judging.answers import Sent, hand_in, keep_answer, leave
from toprung.web.services.judging.campaigns.plan import CampaignRefusedError
from toprung.web.services.judging.campaigns.publish import publish_labels, refuse_label
from toprung.web.services.judging.campaigns.review import new_labels_of
from toprung.web.services.judging.campaigns.standing import CampaignStanding
from toprung.web.services.judging.campaigns.start import start
from toprung.web.services.judging.offers import look_at_work, start_work, take_work
from toprung.web.services.judging.receipts import receipt_for
from toprung.web.services.judging.seats import Place, consent, take_place

OWN = Price(platform=PLATFORMS["own"])


def sit_down(campaign: Campaign) -> Place:
    place = take_place(campaign, AnonymousUser())
    consent(place)
    return place


def finish(place: Place) -> None:
    work, _ = look_at_work(place)
    assert work is not None
    for slot in work.open_slots:
        said = {"assignment_id": work.assignment.assignment_id, "slot": slot, "answer_id": uuid4().hex}
        keep_answer(place, Sent(choice=Choice.LEFT, **said))
    hand_in(place)


@pytest.mark.django_db(transaction=True)
def test_the_money_ends_with_thirty_people_in_the_middle(cast: Cast) -> None:
    """31 tasks at $2.60 are $80.60: thirty begin, one comes in the middle, and no other; all of them are paid."""
    world = make_campaign(
        cast, n_queries=120, n_golds=12, reward=Decimal("2.00"), fee=Decimal("0.3"), budget=Decimal("80.99")
    )
    people = [sit_down(world.campaign) for _ in range(30)]
    for place in people:
        assert take_work(place) is not None
        start_work(place)
    last, none = sit_down(world.campaign), sit_down(world.campaign)
    assert take_work(last) is not None
    assert (take_work(none), none.visit.ended) == (None, Ending.NOTHING_LEFT)
    start_work(last)
    for place in (*people, last):
        finish(place)
        assert receipt_for(place).pay == Decimal("2.00")
    again = sit_down(world.campaign)
    assert take_work(again) is None, "work that missed a gold is not asked again without money"
    assert Sitting(world.store).desk.n_paid == 31


@pytest.mark.django_db(transaction=True)
def test_the_budget_holds_where_the_fee_is_no_whole_cent(cast: Cast) -> None:
    """$1.00 and 33.3% are $1.333: of $13.30 ten tasks would be $13.33, nine are $12.00."""
    world = make_campaign(
        cast, n_queries=120, n_golds=12, reward=Decimal("1.00"), fee=Decimal("0.333"), budget=Decimal("13.30")
    )
    CampaignDesign.objects.create(campaign=world.campaign)
    n_begun = work_to_the_end(world.campaign)
    standing = CampaignStanding.read(world.campaign)
    assert (n_begun, standing.spent, standing.money_left) == (9, Decimal("12.00"), Decimal("1.30"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "plan", [VotesPlan(votes=1), AdaptivePlan(budget=Decimal("8.00"), price=OWN)], ids=["votes", "adaptive"]
)
def test_what_people_who_leave_early_do_not_get_pays_for_others(cast: Cast, plan: Plan) -> None:
    """$8.00 are four tasks at $2.00. Three leave after one pair of 13, with $0.16 each: $7.52 are three more."""
    world = make_campaign(cast, n_queries=120, n_golds=12, reward=Decimal("2.00"), budget=Decimal("8.00"), plan=plan)
    CampaignDesign.objects.create(campaign=world.campaign, platform="own")
    for _ in range(3):
        begin_and_leave(sit_down(world.campaign))
    assert CampaignStanding.read(world.campaign).votes_left == 30, "as the organiser's page says"
    n_begun = work_to_the_end(world.campaign)
    standing = CampaignStanding.read(world.campaign)
    assert (n_begun, standing.spent, standing.money_left) == (3, Decimal("6.48"), Decimal("1.52"))


def test_more_work_is_promised_as_long_as_the_money_pays_for_it(cast: Cast) -> None:
    """Two tasks at $2.00 of $5.00."""
    world = make_campaign(cast, n_queries=60, n_golds=12, reward=Decimal("2.00"), budget=Decimal("5.00"))
    walker = Walker(world.campaign)
    walker.begin()
    walker.judge_all(world)
    assert "Judge more ($2.00)" in " ".join(walker.post("hand-in/").text.split())
    walker.post("more/")
    walker.post("ready/")
    walker.judge_all(world)
    assert "Judge more" not in walker.post("hand-in/").text


def begin_and_leave(place: Place) -> None:
    """After one pair."""
    work = take_work(place)
    assert work is not None
    start_work(place)
    said = {"assignment_id": work.assignment.assignment_id, "slot": 0, "answer_id": uuid4().hex}
    keep_answer(place, Sent(choice=Choice.LEFT, **said))
    leave(place)


def work_to_the_end(campaign: Campaign) -> int:
    """New people come and do one task each, until none is given out; how many that were."""
    n_begun = 0
    while take_work(place := sit_down(campaign)) is not None:
        start_work(place)
        finish(place)
        n_begun += 1
    return n_begun


def test_where_all_are_blocked_each_is_told_and_who_comes_new_gets_work(cast: Cast) -> None:
    world = make_campaign(cast, reward=Decimal("2.00"))
    walkers = [Walker(world.campaign) for _ in range(2)]
    for walker in walkers:
        walker.learn()
    begun = Walker(world.campaign)
    begun.begin()
    AssessorSeat.objects.update(blocked_at="2026-11-16T12:00Z", block_reason="only left")
    n_before = JudgingRecord.objects.filter(kind__in=("tasks", "assignments")).count()
    for walker in walkers:
        page = walker.get("ready/")
        assert (page.status_code, refusals.BLOCKED in page.text) == (409, True)
    assert JudgingRecord.objects.filter(kind__in=("tasks", "assignments")).count() == n_before
    begun.judge_all(world)
    thanks = begun.post("hand-in/").text
    assert "pays $2.00" in thanks, "who is in the middle finishes, and is paid"
    assert "Judge more" not in thanks
    assert refusals.BLOCKED in begun.post("more/").text
    assert "1 of 13" in Walker(world.campaign).begin().text


def test_who_has_seen_every_gold_goes_on_and_sees_them_again(cast: Cast) -> None:
    world = make_campaign(cast, n_queries=30, n_items=2, n_golds=3)
    walker = Walker(world.campaign)
    walker.begin()
    for n_done in (1, 2, 3):
        walker.judge_all(world)
        walker.post("hand-in/")
        assert (walker.visit().ended, Sitting(world.store).desk.n_paid) == (Ending.COMPLETE, n_done)
        walker.post("more/")
        walker.post("ready/")
    assert walker.visit().ended == Ending.NOTHING_LEFT, "of thirty pairs none is left"
    golds = [slot["query_id"] for task in world.store.read("tasks") for slot in task["slots"] if slot.get("good")]
    assert sorted(golds) == sorted(3 * ["g0001", "g0002", "g0003"])


def test_a_choice_after_exclusion_is_refused_and_nothing_is_stored(cast: Cast) -> None:
    world = make_campaign(cast)
    walker = Walker(world.campaign)
    walker.begin()
    task = walker.task()
    walker.judge_all(world, fails_golds=True)
    walker.post("hand-in/")
    assert walker.visit().ended == Ending.FAILED_CHECKS
    n_before = JudgingRecord.objects.count()
    late = walker.send(assignment=task["assignment"], slot=0)
    assert (late.status_code, late.json()["error"]) == (409, refusals.HANDED_IN)
    assert JudgingRecord.objects.count() == n_before


def test_guidelines_and_consent_are_no_html(cast: Cast) -> None:
    bad = "**Read** this. <script>alert(1)</script> <img src=x onerror=alert(2)> [here](javascript:alert(3))"
    world = make_campaign(cast, guidelines=bad, consent=bad)
    walker = Walker(world.campaign)
    pages = [walker.get("consent/").text, walker.post("consent/", {"agree": "1"}).text]
    for page in pages:
        assert "<strong>Read</strong>" in page
        for word in ("<script>alert", "<img", 'href="javascript:'):
            assert word not in page, word


@pytest.mark.django_db
def test_labels_that_were_replaced_meanwhile_are_what_the_next_version_follows(cast: Cast, tmp_path: Path) -> None:
    """Votes say that ten labels are wrong, one of which keeps its label. A file is published that changes twenty."""
    campaign = draft(cast)
    start(campaign, by=cast.organiser)
    judge_all(campaign)
    refuse_label(campaign, WRONG[-1], reason="The old one answers it as well.", by=cast.organiser)
    reviewed = new_labels_of(campaign)
    assert reviewed.changed == WRONG[:-1]
    publish_file(cast, tmp_path)
    do_tasks(cast)
    campaign = Campaign.objects.get(pk=campaign.pk)
    with pytest.raises(CampaignRefusedError, match="after this was reviewed; expected to look at them first"):
        publish_labels(campaign, changes="Ten again.", by=cast.organiser, digest=reviewed.qrels.digest)
    assert official_labels(cast.board).version == 2, "nothing half done"
    found = new_labels_of(campaign)
    assert found.changed == OFFICIAL[10:20], "nine are as the votes say, one keeps what it has, ten others are wrong"
    publish_labels(campaign, changes="Ten again.", by=cast.organiser, digest=found.qrels.digest)
    do_tasks(cast)
    labels = official_labels(cast.board)
    assert labels.version == 3
    stored = labels_of(labels).to_dict()
    assert [stored[each] for each in ("q01", "q10", "q11")] == [{"other-q01-1": 1}, {"other-q10-1": 1}, {"rel-q11": 1}]
