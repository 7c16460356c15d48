"""Does anything that an assessor gets tell a gold from a pair, or a run, a document, a repeat? Nothing does."""

from __future__ import annotations

import numpy as np
import pytest
from pytest_django import Settings
from scipy.stats import mannwhitneyu
from tests.web.cast import Cast
from tests.web.judging.walking import Walker
from tests.web.judging.world import make_campaign

from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.judging import evenly

ANEW_EACH_TIME = ("X-Request-Id", "Expires")


def test_pages_and_replies_of_a_task_are_equally_long(cast: Cast) -> None:
    texts = {f"q{n:04}-1": "A longer passage that goes on & on. " * (5 * n) for n in range(1, 13)}
    world = make_campaign(cast, texts=texts)
    walker = Walker(world.campaign)
    page = walker.begin()
    sizes, replies, headers = set(), set(), set()
    task = walker.task()
    for slot in range(13):
        sizes.add(len(page.content))
        headers.add(tuple(sorted(each for each in page.headers.items() if each[0] not in ANEW_EACH_TIME)))
        reply = walker.send(assignment=task["assignment"], slot=slot, choice="right")
        replies.add((reply.status_code, len(reply.content)))
        page = walker.get("pairs/") if slot < 12 else page
    assert len(sizes) == 1
    assert len(headers) == 1
    assert len(replies) == 1


def test_no_name_of_a_document_query_task_or_run_is_in_a_page(cast: Cast) -> None:
    plain = {f"{first}{n:04}-{item}": f"Text {n} {item}." for first in "qg" for n in range(1, 13) for item in range(3)}
    world = make_campaign(cast, texts=plain)
    first, second = Walker(world.campaign), Walker(world.campaign)
    first.begin()
    first.judge_all_as("left")
    first.post("hand-in/")
    second.begin()  # the same pairs once more where a gold was missed
    shown = "".join(walker.get(page).text for walker in (first, second) for page in ("pairs/", "task.json", "thanks/"))
    shown += second.choose("left").text
    tasks = list(Sitting(world.store).tasks)
    assert len(tasks) == 2
    for word in (*tasks, "q0001-", "g0001-", "gold", "repeat", "attempt", cast.board.slug, cast.board.title):
        assert word not in shown, word


def test_size_and_place_tell_no_better_than_a_coin(cast: Cast) -> None:
    """Over the offers of many assessors: the area under the curve of each feature, by which an assessor might guess."""
    world = make_campaign(cast, n_queries=400, n_items=2, n_golds=80, with_texts=False)
    desk = Sitting(CampaignRecords(world.campaign))
    is_gold, places, lefts = [], [], []
    for number in range(40):
        offered = desk.offer(f"assessor {number}")
        assert offered is not None
        for place, slot in enumerate(desk.tasks[offered.task_id].slots):
            is_gold.append(slot.is_gold)
            places.append(place)
            lefts.append(slot.left < slot.right)
    golds = np.array(is_gold)
    assert golds.sum() == 120
    for feature in (np.array(places), np.array(lefts)):
        found = mannwhitneyu(feature[golds], feature[~golds])
        auc = found.statistic / (golds.sum() * (~golds).sum())
        assert found.pvalue > 0.001, auc


@pytest.mark.parametrize("page", ["pairs/", "thanks/", "consent/"])
def test_pages_are_kept_nowhere(cast: Cast, page: str) -> None:
    walker = Walker(make_campaign(cast).campaign)
    walker.begin()
    assert "no-store" in walker.get(page).headers["Cache-Control"]


def test_handing_in_takes_as_long_whether_a_gold_was_missed_or_not(
    cast: Cast, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it took, 3 of 100 ms or 40, the rest is waited for, after the desk was left."""
    settings.HAND_IN_SECONDS = 0.1
    world = make_campaign(cast)
    slept: list[float] = []
    monkeypatch.setattr(evenly, "sleep", slept.append)
    for takes, fails in ((0.003, False), (0.04, True), (0.2, True)):
        clock = iter((1.0, 1.0 + takes))
        walker = Walker(world.campaign)
        walker.begin()
        walker.judge_all(world, fails_golds=fails)
        with monkeypatch.context() as patch:
            patch.setattr(evenly, "monotonic", lambda clock=clock: next(clock))
            walker.post("hand-in/")
    assert slept == pytest.approx([0.097, 0.06, 0.0])
