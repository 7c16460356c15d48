"""Does whoever cannot go on, or does not want to, learn why, keep their pay, and get the code of their platform?"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from tests.web.cast import Cast
from tests.web.judging.walking import Walker
from tests.web.judging.world import PLATFORM_IDS, STUDY, JudgingWorld, make_campaign

from toprung.labels.effort.store import JUDGMENTS
from toprung.labels.tasks.assignments import AssignmentStage
from toprung.labels.tasks.dealing import NOTED, RELEASE_AFTER
from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.models.campaigns import CampaignDesign
from toprung.web.core.models.judging import (
    AssessorSeat,
    CampaignAccess,
    CampaignState,
    Ending,
    JudgingRecord,
    JudgingVisit,
)
from toprung.web.services.judging import refusals
from toprung.web.services.judging.campaigns.pay import match_platform

CODES = {ending: f"C-{ending}" for ending in Ending}
PERSON = PLATFORM_IDS[0]
WORDS = {"PROLIFIC_PID": PERSON, "STUDY_ID": STUDY, "SESSION_ID": "session-0000001"}


@pytest.fixture
def world(cast: Cast) -> JudgingWorld:
    made = make_campaign(
        cast, n_queries=30, access=CampaignAccess.PROLIFIC, study_id=STUDY, codes=CODES, reward=Decimal("2.00")
    )
    CampaignDesign.objects.create(campaign=made.campaign)
    return made


def change(world: JudgingWorld, **fields: object) -> None:
    for name, value in fields.items():
        setattr(world.campaign, name, value)
    world.campaign.save()


def stages(world: JudgingWorld) -> list[AssignmentStage]:
    return [each.stage for each in Sitting(world.store).assignments]


def test_who_does_not_agree_to_a_new_text_in_the_middle_is_paid_by_the_share(world: JudgingWorld) -> None:
    walker = Walker(world.campaign)
    walker.begin(**WORDS)
    task = walker.task()
    for slot in task["open"][:5]:
        walker.send(assignment=task["assignment"], slot=slot)
    change(world, consent_version=2)
    assert "was changed since you agreed" in walker.get("consent/").text
    page = walker.post("consent/", {"decline": "1"}).text
    assert ("You left before the end" in page, f">{CODES[Ending.LEFT_EARLY]}<" in page) == (True, True)
    assert "nothing is kept" not in page
    assert stages(world) == [AssignmentStage.EXITED]
    assert match_platform(world.campaign, PERSON).bonus == [f"{PERSON},0.77"]
    late = walker.send(assignment=task["assignment"], slot=task["open"][6])
    assert (late.status_code, late.json()["error"]) == (409, refusals.LEFT)
    assert not [each for each in world.store.read_judgments().current if each.is_vote], "nothing of it is used"


def test_no_answer_is_kept_under_a_text_that_its_assessor_did_not_agree_to(world: JudgingWorld) -> None:
    walker = Walker(world.campaign)
    walker.begin(**WORDS)
    task = walker.task()
    change(world, consent_version=2)
    refused = walker.send(assignment=task["assignment"], slot=0)
    assert (refused.status_code, refused.json()["error"]) == (409, refusals.NOT_UNDER_THIS_CONSENT)
    assert walker.task() == {"error": "over"}, "the script goes back to the text"
    assert not JudgingRecord.objects.filter(kind=JUDGMENTS).exists()
    walker.post("consent/", {"agree": "1"})
    assert walker.send(assignment=task["assignment"], slot=0).status_code == 200


def test_who_has_agreed_may_read_the_text_again_and_ends_nothing_by_it(world: JudgingWorld) -> None:
    walker = Walker(world.campaign)
    walker.begin(**WORDS)
    page = walker.get("consent/").text
    assert ("You agreed to this on" in page, "I do not agree" in page) == (True, False)


def test_who_refuses_a_new_text_after_earlier_work_is_not_told_that_nothing_is_kept(world: JudgingWorld) -> None:
    walker = Walker(world.campaign)
    walker.begin(**WORDS)
    walker.judge_all(world)
    walker.post("hand-in/")
    change(world, consent_version=2)
    walker.get(**WORDS | {"SESSION_ID": "session-0000002"})
    page = walker.post("consent/", {"decline": "1"}).text
    assert ("nothing more is asked of you" in page, "nothing is kept" in page) == (True, False)
    assert f">{CODES[Ending.NO_CONSENT]}<" in page
    assert "of 13 pairs" not in page


@pytest.mark.parametrize(
    ("state", "why"), [(CampaignState.CLOSED, refusals.CLOSED), (CampaignState.PAUSED, refusals.PAUSED)]
)
def test_who_comes_when_nothing_is_given_out_reads_nothing_and_gets_the_code_for_that(
    world: JudgingWorld, state: CampaignState, why: str
) -> None:
    change(world, state=state)
    walker = Walker(world.campaign)
    page = walker.get(**WORDS)
    assert (page.status_code, why in page.text, "Before you start" in page.text) == (409, True, False)
    assert "/exit/" in page.text
    assert "No pair was given to you" in walker.get("exit/").text
    assert f">{CODES[Ending.NOTHING_LEFT]}<" in walker.post("exit/").text
    change(world, access=CampaignAccess.OPEN)
    openly = Walker(world.campaign).get()
    assert (openly.status_code, why in openly.text, "/exit/" in openly.text) == (409, True, False)
    assert AssessorSeat.objects.count() == 1


def test_where_test_pairs_ran_out_the_platform_gets_its_code(cast: Cast) -> None:
    world = make_campaign(cast, n_golds=2, access=CampaignAccess.PROLIFIC, study_id=STUDY, codes=CODES)
    walker = Walker(world.campaign)
    page = walker.begin(**WORDS)
    assert (refusals.NO_GOLDS in page.text, "/exit/" in page.text) == (True, True)
    assert f">{CODES[Ending.NOTHING_LEFT]}<" in walker.post("exit/").text


def test_a_second_session_of_who_handed_the_task_in_by_the_first_gets_a_task_of_its_own(world: JudgingWorld) -> None:
    first, second = Walker(world.campaign), Walker(world.campaign)
    first.begin(**WORDS)
    second.begin(**WORDS | {"SESSION_ID": "session-0000002"})
    shared = first.task()["assignment"]
    assert second.task()["assignment"] == shared, "while it is open it is one task"
    first.judge_all(world)
    first.post("hand-in/")
    assert "13 pairs, paid $2.00" in second.get().text
    second.post("ready/")
    assert second.task()["assignment"] != shared


def test_work_that_was_all_answered_and_left_is_thanked_for_when_they_come_back(world: JudgingWorld) -> None:
    world.store.note({NOTED: {**world.store.manifest[NOTED], RELEASE_AFTER: 2}})
    walker = Walker(world.campaign)
    walker.begin(**WORDS)
    walker.judge_all(world)
    long_ago(world)
    Walker(world.campaign).begin(**WORDS | {"PROLIFIC_PID": PLATFORM_IDS[1], "SESSION_ID": "session-0000003"})
    page = walker.get(**WORDS).text
    assert ("That was the last pair" in page, f">{CODES[Ending.COMPLETE]}<" in page) == (True, True)


def test_a_pause_says_how_long_it_may_last_and_what_becomes_of_one_that_lasts_longer(world: JudgingWorld) -> None:
    world.store.note({NOTED: {**world.store.manifest[NOTED], RELEASE_AFTER: 2}})
    walker = Walker(world.campaign)
    walker.choose("left", walker.begin(**WORDS))
    assert "within 1\N{NO-BREAK SPACE}hour, 59\N{NO-BREAK SPACE}minutes" in walker.get("exit/").text
    long_ago(world)
    Walker(world.campaign).begin(**WORDS | {"PROLIFIC_PID": PLATFORM_IDS[1], "SESSION_ID": "session-0000003"})
    page = walker.get(**WORDS).text
    assert "open for too long and went to someone else, so it pays nothing" in page
    assert f">{CODES[Ending.LEFT_EARLY]}<" in walker.post("exit/").text
    assert JudgingVisit.objects.filter(ended=Ending.LEFT_EARLY).count() == 1


def long_ago(world: JudgingWorld) -> None:
    """All that was begun so far was begun three hours ago."""
    at = (datetime.now(UTC) - timedelta(hours=3)).isoformat()
    world.store.rewrite("assignments", lambda record: record | {"at": at})
