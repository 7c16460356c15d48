"""A campaign in one call: a board of the cast, queries and passages with texts, pools, golds and a plan."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.contrib.auth.models import AnonymousUser
from django.core import serializers
from tests.web.cast import Cast, make_cast
from tests.web.judging.campaigns import work
from tests.web.stages import set_up

from toprung.data.formats.tables.text_blocks import TEXTS_IN_BLOCK, block_of
from toprung.labels.plans.plan import PLAN, Plan, VotesPlan
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import POOLS
from toprung.labels.tasks.dealing import NOTED
from toprung.labels.tasks.desk_records import GOLDS
from toprung.labels.tasks.golds import Gold
from toprung.web.core.models.boards import Board
from toprung.web.core.models.data import DataFile, FileKind, TextBlock
from toprung.web.core.models.judging import AssessorSeat, Campaign, CampaignAccess, CampaignState
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.store.judging_records import CampaignRecords, start_records
from toprung.web.services.judging.prolific import read_arrival
from toprung.web.services.judging.seats import take_place

STUDY = "study-0123456789"
PLATFORM_IDS = ("5f3c2a1b9d8e7f6a5b4c3d2e", "60a1b2c3d4e5f6a7b8c9d0e1")


@dataclass(frozen=True, kw_only=True)
class JudgingWorld:
    """A campaign, and who is there."""

    cast: Cast
    campaign: Campaign
    store: CampaignRecords
    queries: dict[str, str]
    passages: dict[str, str]


def query_ids(n: int, first: str = "q") -> list[str]:
    return [f"{first}{number:04}" for number in range(1, n + 1)]


def make_texts(queries: list[str], n_items: int) -> tuple[dict[str, str], dict[str, str]]:
    """Of each query its text, and of its passages; a gold's bad answer is of another query."""
    asked = {query_id: f"How is question {query_id} answered?" for query_id in queries}
    told = {
        f"{query_id}-{item}": f"Passage {item} of {query_id} says what is known. " * (item + 1)
        for query_id in queries
        for item in range(n_items)
    }
    return asked, told


def keep_texts(board: Board, kind: FileKind, texts: dict[str, str]) -> DataFile:
    """As `services.data.give` would, without a file."""
    n_blocks = max(1, -(-len(texts) // TEXTS_IN_BLOCK))
    file = DataFile.objects.create(
        board=board, kind=kind, name=f"{kind}.tsv", digest="made", n_texts=len(texts), n_blocks=n_blocks
    )
    shelves: list[dict[str, str]] = [{} for _ in range(n_blocks)]
    for an_id, text in texts.items():
        shelves[block_of(an_id, n_blocks)][an_id] = text
    packed = [zlib.compress(json.dumps([shelf, {}]).encode()) for shelf in shelves]
    TextBlock.objects.bulk_create(TextBlock(file=file, number=n, packed=each) for n, each in enumerate(packed))
    return file


def make_campaign(
    cast: Cast | None = None,
    *,
    n_queries: int = 12,
    n_items: int = 3,
    n_golds: int = 6,
    per_task: int = 10,
    golds_per_task: int = 3,
    plan: Plan | None = None,
    manifest: dict[str, Any] | None = None,
    texts: dict[str, str] | None = None,
    with_texts: bool = True,
    **fields: Any,
) -> JudgingWorld:
    """A campaign that runs, open to whoever has the link; golds are of queries of their own.

    A second campaign of a board has the texts of the first, ``with_texts=False``.
    """
    cast = cast or make_cast()
    to_judge, for_golds = query_ids(n_queries), query_ids(n_golds, "g")
    queries, passages = make_texts([*to_judge, *for_golds], n_items)
    passages |= texts or {}
    campaign = Campaign.objects.create(
        **{
            "board": cast.board,
            "label_set": cast.board.label_sets.get(use=LabelUse.OFFICIAL),
            "slug": "best-answers",
            "title": "Best answers",
            "state": CampaignState.RUNNING,
            "access": CampaignAccess.OPEN,
            "created_by": cast.organiser,
            **fields,
        }
    )
    if with_texts:
        keep_texts(cast.board, FileKind.QUERIES, queries)
        keep_texts(cast.board, FileKind.PASSAGES, passages)
    how = {"seed": 1, "per_task": per_task, "golds_per_task": golds_per_task}
    plan = plan or VotesPlan(votes=1)
    store = start_records(campaign, {NOTED: how, PLAN: plan.to_record(), **(manifest or {})})
    pools = [Pool(query_id=each, items=tuple(f"{each}-{item}" for item in range(n_items))) for each in to_judge]
    golds = [
        Gold(each, f"{each}-0", f"{other}-1")
        for each, other in zip(for_golds, [*for_golds[1:], *for_golds[:1]], strict=True)
    ]
    store.append(POOLS, [pool.to_record() for pool in pools])
    store.append(GOLDS, [gold.to_record() for gold in golds])
    return JudgingWorld(cast=cast, campaign=campaign, store=store, queries=queries, passages=passages)


def a_running_campaign() -> list[list[str]]:
    """Called in a process of its own on an empty folder: two people of a platform did a task; what was answered."""
    world = make_campaign(set_up(), access=CampaignAccess.PROLIFIC, study_id=STUDY)
    for person in PLATFORM_IDS:
        words = {"PROLIFIC_PID": person, "STUDY_ID": STUDY, "SESSION_ID": person[::-1]}
        arrival = read_arrival(world.campaign, words)
        place = take_place(world.campaign, AnonymousUser(), arrival=arrival)
        assert work(world.campaign, place.seat.assessor) is not None
    return answers_of(world.campaign)


def judge_once_more() -> list[list[list[str]]]:
    """What was answered in the campaign of this folder before and after someone did one task more."""
    campaign = Campaign.objects.get()
    before = answers_of(campaign)
    assert work(campaign, "three") is not None
    return [before, answers_of(campaign)]


def names_in_tables() -> list[str]:
    """Of what these people and their sessions are called at the platform and here: all that stands in some table."""
    rows = "".join(serializers.serialize("json", model._default_manager.all()) for model in apps.get_models())
    here = AssessorSeat.objects.values_list("assessor", flat=True)
    called = [*PLATFORM_IDS, *(each[::-1] for each in PLATFORM_IDS), *here]
    return sorted(each for each in called if each in rows)


def answers_of(campaign: Campaign) -> list[list[str]]:
    rows = CampaignRecords(campaign).read_judgments().rows
    return sorted([each.judgment_id, each.assessor, each.query_id, each.left, str(each.choice)] for each in rows)
