"""Does a desk do the same on the server's database as in a folder? The desk's own tests, on a campaign's records."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import IntegrityError
from tests.labels.tasks import test_sitting
from tests.web.cast import Cast
from tests.web.judging.world import make_campaign

from toprung.errors import FormatError
from toprung.labels.effort.store import JUDGMENTS, RecordStore
from toprung.web.core.models.judging import Campaign, JudgingRecord
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.store.judging_records import CampaignRecords, start_records

pytestmark = pytest.mark.postgres
DESK_TESTS = {name: each for name, each in vars(test_sitting).items() if name == "store" or name.startswith("test_")}
globals().update(DESK_TESTS)


@pytest.fixture
def open_store(cast: Cast) -> Callable[[], RecordStore]:
    """An empty campaign, each time as another process would open it."""
    campaign = Campaign.objects.create(
        board=cast.board,
        label_set=cast.board.label_sets.get(use=LabelUse.OFFICIAL),
        slug="empty",
        title="Empty",
        created_by=cast.organiser,
    )
    start_records(campaign)
    return lambda: CampaignRecords(campaign)


def test_what_an_exception_left_is_taken_back(cast: Cast) -> None:
    world = make_campaign(cast)

    def write_and_fail() -> None:
        with world.store.alone():
            world.store.append("golds", [{"query_id": "q", "good": "a", "bad": "b"}])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_and_fail()
    assert world.campaign.records.filter(kind="golds").count() == 6
    assert world.store.read("golds", after=6) == []


def test_an_answer_is_kept_once_whoever_writes_it(cast: Cast) -> None:
    world = make_campaign(cast)
    record = {"judgment_id": "one", "query_id": "q0001", "left": "q0001-0", "right": "q0001-1", "choice": "left"}
    world.store.append(JUDGMENTS, [record])
    with pytest.raises(IntegrityError):
        world.store.append(JUDGMENTS, [record])
    assert JudgingRecord.objects.filter(answer_id="one").count() == 1
    assert [each.judgment_id for each in world.store.read_judgments().rows] == ["one"]


def test_records_taken_out_leave_no_gap(cast: Cast) -> None:
    store = make_campaign(cast, n_golds=4).store
    before = store.generation
    store.rewrite("golds", lambda gold: None if gold["query_id"] == "g0002" else gold)
    assert [gold["query_id"] for gold in store.read("golds")] == ["g0001", "g0003", "g0004"]
    assert list(JudgingRecord.objects.filter(kind="golds").values_list("number", flat=True)) == [1, 2, 3]
    assert store.generation == before + 1


def test_a_manifest_that_no_command_could_read_is_refused(cast: Cast) -> None:
    store = make_campaign(cast).store
    with pytest.raises(FormatError, match="seed"):
        store.note({"seed": "one"})
    assert "seed" not in store.manifest
