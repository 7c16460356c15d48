"""Is every answer kept once? By its id: sent again, late, otherwise, from two tabs; a refusal says what to do."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.test import Client
from tests.web.cast import Cast
from tests.web.judging.walking import JSON, Walker
from tests.web.judging.world import JudgingWorld, make_campaign

from toprung.labels.effort.store import JUDGMENTS
from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.models.judging import CampaignState, JudgingRecord
from toprung.web.services.judging import refusals

pytestmark = pytest.mark.postgres


@pytest.fixture
def world(cast: Cast) -> JudgingWorld:
    return make_campaign(cast)


@pytest.fixture
def walker(world: JudgingWorld) -> Walker:
    walker = Walker(world.campaign)
    walker.begin()
    return walker


def n_kept() -> int:
    return JudgingRecord.objects.filter(kind=JUDGMENTS).count()


def test_the_same_again_is_the_same_and_another_choice_is_refused(walker: Walker) -> None:
    said = {"assignment": walker.task()["assignment"], "slot": 3, "choice": "left", "answer_id": uuid4().hex}
    first, again = walker.send(**said), walker.send(**said)
    assert (first.status_code, first.content) == (200, again.content)
    other = walker.send(**said | {"choice": "right"})
    assert (other.status_code, other.json()["error"]) == (409, refusals.OTHER_CHOICE)
    assert n_kept() == 1
    walker_after = walker.send(**said | {"slot": 4})
    assert walker_after.status_code == 409, "nor is it the answer to another pair"


def test_two_tabs_share_the_task_and_the_slower_is_told(walker: Walker) -> None:
    task = walker.task()
    page = walker.get("pairs/")
    assert walker.send(assignment=task["assignment"], slot=0).status_code == 200
    slower = walker.send(assignment=task["assignment"], slot=0, choice="right")
    assert (slower.status_code, slower.json()["error"]) == (409, refusals.ANSWERED_ELSEWHERE)
    without_script = walker.choose("right", page)
    assert without_script.status_code == 409
    assert refusals.ANSWERED_ELSEWHERE in without_script.text
    assert "2 of 13" in without_script.text, "and goes on with the next"
    assert n_kept() == 1


def test_an_undo_that_comes_twice_takes_one_answer_back(walker: Walker) -> None:
    task, ids = walker.task(), [uuid4().hex, uuid4().hex]
    for slot, answer_id in enumerate(ids):
        walker.send(assignment=task["assignment"], slot=slot, answer_id=answer_id)
    undo = {"assignment": task["assignment"], "answer_id": ids[1]}
    replies = [walker.client.post(walker.home + "undo/", undo, headers=JSON) for _ in range(2)]
    assert [reply.json()["undone"] for reply in replies] == [1, 1]
    assert [each["slot"] for each in walker.task()["done"]] == [0]
    late = walker.send(assignment=task["assignment"], slot=1, answer_id=ids[1])
    assert late.status_code == 200, "the first sending of it, late: nothing comes of it"
    assert walker.task()["open"][0] == 1
    earlier = walker.client.post(walker.home + "undo/", undo | {"answer_id": uuid4().hex}, headers=JSON)
    assert earlier.json()["error"] == refusals.CANNOT_UNDO


def test_answers_that_are_none_are_refused(walker: Walker, world: JudgingWorld) -> None:
    task = walker.task()
    right = {"assignment": task["assignment"], "slot": 0}
    cases = [
        ({"slot": 99}, refusals.NO_SUCH_PAIR),
        ({"slot": "-1"}, refusals.NO_SUCH_PAIR),
        ({"slot": "1" * 500}, refusals.NO_SUCH_PAIR),
        ({"choice": "both"}, refusals.NO_SUCH_CHOICE),
        ({"choice": "tie"}, refusals.NO_TIES),
        ({"answer_id": "x"}, refusals.BAD_ID),
        ({"assignment": "0" * 32}, refusals.NOT_YOURS),
    ]
    for change, why in cases:
        reply = walker.send(**right | change)
        assert (reply.status_code, reply.json()["error"]) == (409, why), change
    other = Walker(world.campaign)
    other.begin()
    forged = other.send(**right)
    assert forged.json()["error"] == refusals.NOT_YOURS, "a slot of another's task"
    assert n_kept() == 0


def test_a_clock_that_was_set_makes_no_time(walker: Walker, world: JudgingWorld) -> None:
    task = walker.task()
    for slot, ms in enumerate(["86400000", "-5", "NaN", "1500"]):
        assert walker.send(assignment=task["assignment"], slot=slot, ms=ms).status_code == 200
    assert [each.ms for each in world.store.read_judgments().rows] == [None, None, None, 1500]


def test_work_that_is_over_takes_no_more(walker: Walker, world: JudgingWorld) -> None:
    task = walker.task()
    answer = {"assignment": task["assignment"], "slot": 0}
    ended = ((CampaignState.PAUSED, refusals.PAUSED_MEANWHILE), (CampaignState.CLOSED, refusals.CLOSED_MEANWHILE))
    for state, why in ended:
        world.campaign.state = state
        world.campaign.save()
        assert walker.send(**answer).json()["error"] == why
    assert "Pause or end?" in walker.get("exit/").text, "one can still leave, and be paid"
    world.campaign.state = CampaignState.RUNNING
    world.campaign.save()
    walker.judge_all(world)
    walker.post("hand-in/")
    assert walker.send(**answer | {"answer_id": uuid4().hex}).json()["error"] == refusals.HANDED_IN
    last = world.store.read_judgments().rows[-1].judgment_id
    undo = {"assignment": task["assignment"], "answer_id": last}
    assert walker.client.post(walker.home + "undo/", undo, headers=JSON).status_code == 409, "undo ends with hand-in"
    assert n_kept() == 13


def test_after_time_out_a_new_task(walker: Walker, world: JudgingWorld) -> None:
    task = walker.task()
    Sitting(world.store).release_stale(datetime.now(UTC) + timedelta(hours=1))
    assert walker.send(assignment=task["assignment"], slot=0).json()["error"] == refusals.TIMED_OUT
    assert n_kept() == 0
    assert "went to someone else" in walker.get().text


def test_handing_in_before_the_end_says_what_is_left(walker: Walker) -> None:
    page = walker.post("hand-in/")
    assert page.status_code == 409
    assert "13 pairs are still without an answer" in page.text


def test_a_lost_cookie_begins_anew(walker: Walker, world: JudgingWorld) -> None:
    walker.client = Client()
    assert "Before you start" in walker.get("pairs/").text
    forged = Client()
    forged.cookies["toprung_judge"] = "a.b:forged"
    walker.client = forged
    assert "Before you start" in walker.get().text
