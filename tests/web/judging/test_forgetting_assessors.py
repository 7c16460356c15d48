"""Is who asks for it forgotten, wherever they stand? Answers that are in no labels are deleted; everyone is paid."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from decimal import Decimal

import pytest
from django.apps import apps
from django.core import serializers
from django.db import models
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from tests.web.cast import Cast, make_upload
from tests.web.judging.walking import Walker
from tests.web.judging.world import PLATFORM_IDS, STUDY, JudgingWorld, make_campaign

from toprung.labels.tasks.assignments import AssignmentStage
from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.models.campaigns import CampaignDesign, CampaignReport, LabelOrigin
from toprung.web.core.models.data import TextAccess
from toprung.web.core.models.judging import (
    AssessorSeat,
    CampaignAccess,
    CampaignState,
    Ending,
    ForgottenAssessor,
    JudgingNote,
    JudgingVisit,
)
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.people import Membership, User
from toprung.web.ops.housekeeping.tidying import tidy
from toprung.web.services.judging.access import boards_to_judge
from toprung.web.services.judging.campaigns.excluding import block, seat_of
from toprung.web.services.judging.campaigns.live import QUALITY, watch
from toprung.web.services.judging.campaigns.pay import list_pay, match_platform
from toprung.web.services.judging.campaigns.plan import CampaignRefusedError
from toprung.web.services.judging.money import pay_due
from toprung.web.services.judging.privacy import forget_old_assessors
from toprung.web.services.people.leaving import delete_account

REASON = "Nothing was read, as the times tell."


@pytest.fixture
def world(cast: Cast) -> JudgingWorld:
    """One task for each of two people, of the same ten pairs."""
    made = make_campaign(cast, n_queries=10, n_items=2, reward=Decimal("2.00"))
    CampaignDesign.objects.create(campaign=made.campaign)
    return made


@pytest.fixture
def prolific(world: JudgingWorld) -> JudgingWorld:
    change(world, access=CampaignAccess.PROLIFIC, study_id=STUDY, codes={Ending.COMPLETE: "C0MPLETE"})
    return world


def change(world: JudgingWorld, **fields: object) -> None:
    for name, value in fields.items():
        setattr(world.campaign, name, value)
    world.campaign.save()


def words_of(person: str) -> dict[str, str]:
    """With which the platform sends somebody."""
    return {"PROLIFIC_PID": person, "STUDY_ID": STUDY, "SESSION_ID": person[::-1]}


def work(world: JudgingWorld, walker: Walker, **words: str) -> str:
    """A whole task; the name of its assessor."""
    walker.begin(**words)
    walker.judge_all(world)
    walker.post("hand-in/")
    return walker.visit().seat.assessor


def votes(world: JudgingWorld) -> dict[str, str]:
    return {each.query_id: each.assessor for each in world.store.read_judgments().current if each.is_vote}


def everything() -> str:
    """All that stands in any table."""
    return "".join(serializers.serialize("json", table._default_manager.all()) for table in all_tables())


def all_tables() -> Iterator[type[models.Model]]:
    yield from apps.get_models()


def publish(world: JudgingWorld) -> LabelSet:
    """Labels of all that is handed in, as far as it matters here."""
    labels = world.campaign.label_set
    made = {"campaign": world.campaign, "manifest": {}, "sureness": {}, "counted_until": timezone.now()}
    LabelOrigin.objects.update_or_create(label_set=labels, defaults=made)
    return labels


@contextmanager
def days_later(world: JudgingWorld, days: int) -> Iterator[None]:
    """All that was done so far was done so many days ago."""
    past = timezone.now() - timedelta(days=days)
    JudgingVisit.objects.filter(seat__campaign=world.campaign).update(started_at=past)
    JudgingVisit.objects.filter(seat__campaign=world.campaign).exclude(ended_at=None).update(ended_at=past)
    ForgottenAssessor.objects.filter(campaign=world.campaign).update(on=past.date())
    yield


def test_before_publication_answers_are_deleted_asked_again_and_paid(world: JudgingWorld) -> None:
    walker, other = Walker(world.campaign), Walker(world.campaign)
    assessor = work(world, walker)
    walker.post("tell/", {"text": "It was fun."})
    assert len(votes(world)) == 10
    other.begin()
    assert "nothing left" in other.get().text
    assert "Your answers are deleted" in walker.post("delete/").text
    assert votes(world) == {}
    assert assessor not in everything()
    assert JudgingNote.objects.count() == 0
    desk = Sitting(world.store)
    assert [pay_due(world.campaign, desk, each) for each in desk.assignments] == [Decimal("2.00")]
    assert [(row.n_people, row.amount) for row in list_pay(world.campaign)] == [(1, Decimal("2.00"))]
    third = Walker(world.campaign)
    name = work(world, third)
    assert set(votes(world).values()) == {name}, "someone else was asked the ten pairs"


def test_after_publication_votes_stay_and_lead_to_nobody(world: JudgingWorld) -> None:
    walker = Walker(world.campaign)
    assessor = work(world, walker)
    publish(world)
    watch(world.campaign.pk)
    assert assessor in everything()
    assert world.campaign.reports.get(kind=QUALITY).content["rows"][0]["assessor"] == assessor
    before = votes(world)
    assert "connection is destroyed" in walker.post("delete/").text
    after = votes(world)
    assert after.keys() == before.keys()
    assert len(set(after.values())) == 1, "still one person's votes, whoever that was"
    assert assessor not in everything()
    assert not CampaignReport.objects.filter(kind=QUALITY).exists()
    assert AssessorSeat.objects.count() == 0
    assert "Before you start" in walker.get("thanks/").text
    watch(world.campaign.pk)
    assert assessor not in everything()
    client = Client()
    client.force_login(world.cast.organiser)
    page = client.get(reverse("campaign_assessors", args=[world.cast.board.slug, world.campaign.slug])).text
    assert "Was forgotten" in page
    assert "What to do" not in page


def test_answers_that_are_in_no_labels_are_deleted_also_after_some_were_published(world: JudgingWorld) -> None:
    first, second = Walker(world.campaign), Walker(world.campaign)
    labels = publish(world)
    work(world, first)
    assert "Labels were published" not in first.get("delete/").text, "with none of these votes"
    first.post("delete/")
    assert votes(world) == {}
    work(world, second)
    publish(world)
    assert "Labels were published with votes of yours" in second.get("delete/").text
    LabelSet.objects.filter(pk=labels.pk).update(given_up_at=timezone.now())
    assert "Labels were published" not in second.get("delete/").text, "nobody holds them any more"
    second.post("delete/")
    assert votes(world) == {}


def test_of_work_before_and_after_publication_the_first_stays(cast: Cast) -> None:
    world = make_campaign(cast, n_queries=20, n_items=2)
    walker = Walker(world.campaign)
    work(world, walker)
    in_labels = set(votes(world))
    publish(world)
    walker.post("more/")
    walker.get("ready/")
    walker.post("ready/")
    walker.judge_all(world)
    walker.post("hand-in/")
    assert len(votes(world)) == 20
    walker.post("delete/")
    assert set(votes(world)) == in_labels
    stages = [each.stage for each in Sitting(world.store).assignments]
    assert stages == [AssignmentStage.ACCEPTED, AssignmentStage.EXCLUDED]


def test_work_in_hand_is_left_and_paid_by_its_share(prolific: JudgingWorld) -> None:
    walker, person = Walker(prolific.campaign), PLATFORM_IDS[0]
    walker.begin(**words_of(person))
    for _ in range(5):
        walker.choose("left")
    publish(prolific)
    walker.post("delete/")
    lists = match_platform(prolific.campaign, person)
    assert (lists.approve, lists.returned, lists.bonus) == ([], [person], [f"{person},0.77"])
    assert not prolific.store.read("judgments")


@pytest.mark.parametrize("is_published", [True, False])
def test_who_is_forgotten_is_paid_by_the_lists_until_nobody_can_be_found(
    prolific: JudgingWorld, is_published: bool
) -> None:
    walker, person = Walker(prolific.campaign), PLATFORM_IDS[0]
    assessor = work(prolific, walker, **words_of(person))
    if is_published:
        publish(prolific)
    before = match_platform(prolific.campaign, person)
    page = walker.post("delete/").text
    assert "C0MPLETE" in page, "the code is told once more"
    assert match_platform(prolific.campaign, person) == before
    assert before.approve == [person]
    kept = ForgottenAssessor.objects.get()
    assert kept.amount == Decimal("2.00")
    assert assessor not in everything()
    assert len(re.findall(kept.digest, everything())) == 1, "no record has the name that is paid"
    change(prolific, state=CampaignState.CLOSED, closed_at=timezone.now() - timedelta(days=181))
    tidy()
    assert match_platform(prolific.campaign, person).unknown == 1


def test_sums_of_who_is_forgotten_are_not_told_one_by_one(cast: Cast, world: JudgingWorld) -> None:
    walkers = [Walker(world.campaign) for _ in range(2)]
    for walker in walkers:
        work(world, walker)
        walker.post("delete/")
    client = Client()
    client.force_login(cast.organiser)
    page = client.get(reverse("campaign_pay", args=[cast.board.slug, world.campaign.slug])).text
    assert "$4.00 is due</b> to 2 people" in " ".join(page.split())
    assert "2 forgotten, or from a folder" in page


def test_who_was_blocked_and_forgotten_is_given_nothing_more(cast: Cast, prolific: JudgingWorld) -> None:
    walker, person = Walker(prolific.campaign), PLATFORM_IDS[0]
    block(prolific.campaign, work(prolific, walker, **words_of(person)), reason=REASON, by=cast.organiser)
    publish(prolific)
    walker.post("delete/")
    again = Walker(prolific.campaign)
    page = again.get(**words_of(person))
    assert (page.status_code, "none are asked of you again" in page.text) == (403, True)
    assert "Before you start" in Walker(prolific.campaign).get(**words_of(PLATFORM_IDS[1])).text
    assert AssessorSeat.objects.count() == 1


def test_a_number_names_nobody_else(cast: Cast, world: JudgingWorld) -> None:
    """An act from a page that was open, or an old line of the audit log, is about who had the number, or nobody."""
    walkers = [Walker(world.campaign) for _ in range(3)]
    for walker in walkers:
        walker.get()
        walker.learn()
    assert [seat.code for seat in AssessorSeat.objects.order_by("pk")] == ["a-01", "a-02", "a-03"]
    third = AssessorSeat.objects.latest("pk").assessor
    walkers[1].post("delete/")
    assert seat_of(world.campaign, "a-03").assessor == third
    with pytest.raises(CampaignRefusedError, match="no assessor 'a-02'"):
        seat_of(world.campaign, "a-02")
    walkers[2].post("delete/")
    Walker(world.campaign).learn()
    assert [seat.code for seat in AssessorSeat.objects.order_by("pk")] == ["a-01", "a-04"]


def test_in_time_everyone_is_forgotten(world: JudgingWorld) -> None:
    assessor = work(world, Walker(world.campaign))
    watch(world.campaign.pk)
    change(world, state=CampaignState.CLOSED, closed_at=timezone.now() - timedelta(days=180), retention_days=181)
    forget_old_assessors()
    assert assessor in everything()
    change(world, retention_days=179)
    tidy()
    assert assessor not in everything(), "with all that is tidied up every hour"
    assert len(votes(world)) == 10
    kept = everything()
    forget_old_assessors()
    assert everything() == kept, "and once is enough"


def test_a_standing_campaign_forgets_who_was_not_here_for_so_long(prolific: JudgingWorld) -> None:
    """It has no end."""
    change(prolific, is_standing=True, retention_days=30)
    old, gone, new = (Walker(prolific.campaign) for _ in range(3))
    assessor = work(prolific, old, **words_of(PLATFORM_IDS[0]))
    assert "30 days after you were last here" in " ".join(old.get("thanks/").text.split())
    gone.get(**words_of("7" * 24))
    gone.learn()
    gone.post("delete/")
    with days_later(prolific, 31):
        new.get(**words_of(PLATFORM_IDS[1]))
        forget_old_assessors()
    assert assessor not in everything()
    assert len(votes(prolific)) == 10
    assert AssessorSeat.objects.count() == 1, "who came today stays"
    assert not ForgottenAssessor.objects.exists()


def test_nobody_is_forgotten_in_the_middle_of_a_task(world: JudgingWorld) -> None:
    change(world, is_standing=True, retention_days=0)
    walker = Walker(world.campaign)
    walker.begin()
    forget_old_assessors()
    walker.judge_all(world)
    assert "Thank you" in walker.post("hand-in/").text
    assert len(votes(world)) == 10


def test_a_task_that_was_left_open_keeps_nobody_from_being_forgotten(world: JudgingWorld) -> None:
    change(world, is_standing=True, retention_days=0)
    walker = Walker(world.campaign)
    walker.begin()
    assessor = walker.visit().seat.assessor

    def long_ago(record: dict[str, str]) -> dict[str, str]:
        return record | {"at": (timezone.now() - timedelta(hours=3)).isoformat()}

    world.store.rewrite("assignments", long_ago)
    forget_old_assessors()
    assert assessor not in everything()
    assert [each.stage for each in Sitting(world.store).assignments] == [AssignmentStage.EXITED]


def invite(cast: Cast, world: JudgingWorld) -> Walker:
    change(world, access=CampaignAccess.INVITED)
    walker = Walker(world.campaign)
    walker.client.force_login(cast.assessor)
    return walker


def test_with_an_account_its_judgments_go(cast: Cast, world: JudgingWorld) -> None:
    walker = invite(cast, world)
    work(world, walker)
    assert f"/judge/{world.campaign.key}/delete/" in walker.client.get("/account/").text
    delete_account(cast.assessor)
    assert votes(world) == {}
    assert not AssessorSeat.objects.exists()


def is_taken_off(world: JudgingWorld, user: User) -> None:
    world.cast.board.roles.filter(user=user).delete()


def sends_a_run(world: JudgingWorld, user: User) -> None:
    make_upload(world.cast.board, world.cast.team, user, b"q01 Q0 d1 1 1.0 x\n")
    Membership.objects.create(team=world.cast.team, user=user)


@pytest.mark.parametrize("happens", [is_taken_off, sends_a_run])
def test_who_may_judge_no_more_leaves_is_paid_writes_and_has_their_data_deleted(
    cast: Cast, world: JudgingWorld, happens: Callable[[JudgingWorld, User], None]
) -> None:
    walker = invite(cast, world)
    walker.begin()
    task = walker.task()
    walker.send(assignment=task["assignment"], slot=0)
    happens(world, cast.assessor)
    refused = walker.get("pairs/")
    assert (refused.status_code, "/exit/" in refused.text, "/delete/" in refused.text) == (403, True, True)
    assert walker.send(assignment=task["assignment"], slot=1).status_code == 403
    assert "End here" in walker.get("exit/").text
    assert "This pays $0.16" in walker.post("exit/").text, "one of thirteen at $2.00"
    assert "The organisers will read it" in walker.post("tell/", {"text": "Why am I no assessor now?"}).text
    assert f"/judge/{world.campaign.key}/delete/" in walker.client.get("/account/").text
    assert "Your answers are deleted" in walker.post("delete/").text
    assert not AssessorSeat.objects.exists()
    stranger = Walker(world.campaign)
    stranger.client.force_login(cast.stranger)
    barred = stranger.get("delete/")
    assert (barred.status_code, world.campaign.title in barred.text) == (403, False)


def test_with_an_account_which_texts_were_opened_when_does_not_tell_whose_votes_are_whose(
    cast: Cast, world: JudgingWorld
) -> None:
    world.cast.board.label_sets.update(is_hidden=True)
    walker = invite(cast, world)
    work(world, walker)
    publish(world)
    assert boards_to_judge(cast.assessor) == [cast.board]
    opened = TextAccess.objects.get()
    assert (opened.user, "q0001" in opened.what or "q0002" in opened.what) == (cast.assessor, True)
    walker.post("delete/")
    opened.refresh_from_db()
    assert (opened.user, opened.assessor) == (cast.assessor, "")
    assert re.fullmatch(r"Read texts of \d+ queries", opened.what)
    assert (opened.at.hour, opened.at.minute, opened.at.second, opened.at.microsecond) == (0, 0, 0, 0)
    assert boards_to_judge(cast.assessor) == [], "where nothing is given to them"


def test_a_desk_that_was_open_knows_what_was_deleted(world: JudgingWorld) -> None:
    first, second = Walker(world.campaign), Walker(world.campaign)
    work(world, first)
    first.post("delete/")
    assert "1 of 13" in second.begin().text, "the desk of this process reads again, and has work"
