"""How do judgments come from a folder into a campaign? Each record once; what is there already stays as it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toprung.labels.effort.effort import Effort
from toprung.labels.effort.store import JUDGMENTS, RecordStore
from toprung.labels.pools.store import POOLS, read_pools
from toprung.labels.tasks.desk_records import ASSIGNMENTS
from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.models.judging import Campaign
from toprung.web.core.models.people import User
from toprung.web.core.queue import enqueue_once, watch_campaign
from toprung.web.core.store.audit import record
from toprung.web.core.store.columns import labels_of
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.core.store.locks import lock_board
from toprung.web.services.judging.campaigns.export import KINDS
from toprung.web.services.judging.campaigns.plan import CampaignRefusedError
from toprung.web.services.judging.seats import was_forgotten
from toprung.words.wording import say_count

NAMED_BY = {JUDGMENTS: "judgment_id", "tasks": "task_id"}


def take_folder(campaign: Campaign, effort: Effort, *, by: User) -> int:
    """Add what the folder of an effort has and the campaign has not; returns how many judgments. Twice changes nothing.

    All or nothing: a record that does not fit is refused with where it stands. What somebody had deleted since the
    folder was exported stays deleted.
    """
    check_queries(campaign, effort)
    with lock_board(campaign.board_id) as board:
        store = CampaignRecords(campaign)
        with store.alone():
            deleted = _find_deleted(campaign, effort)
            added = {kind: _add(store, effort, kind, deleted) for kind in KINDS}
            Sitting(store)  # reads all of it, and refuses what does not fit
        what = f"Imported {say_count(added[JUDGMENTS], 'judgment')} from a folder into {campaign.slug}"
        record(board, by, what, digest=store.read_judgments().digest)
    enqueue_once(watch_campaign, campaign.pk)
    return added[JUDGMENTS]


def check_queries(campaign: Campaign, store: RecordStore) -> None:
    """Refuse pools of queries that the labels do not know."""
    known = set(labels_of(campaign.label_set).query_ids)
    strange = next((pool.query_id for pool in read_pools(store) if pool.query_id not in known), None)
    if strange is not None:
        raise CampaignRefusedError(
            f"{store.name_of(POOLS)}: found a pool of query '{strange}'; expected queries of the labels that "
            f"{campaign.slug} looks into."
        )


@dataclass(frozen=True, kw_only=True)
class _Deleted:
    """Assessors who were forgotten, and their answers."""

    assessors: frozenset[str]
    answers: frozenset[str]

    def has(self, record: Mapping[str, Any]) -> bool:
        return record.get("assessor") in self.assessors or record.get("judgment_id") in self.answers


def _find_deleted(campaign: Campaign, effort: Effort) -> _Deleted:
    """Of the folder what is of people who were forgotten here."""
    judgments = effort.read(JUDGMENTS)
    named = {str(each.get("assessor", "")) for each in (*judgments, *effort.read(ASSIGNMENTS))}
    assessors = frozenset(name for name in named if was_forgotten(campaign, name))
    answers = (str(each.get("judgment_id")) for each in judgments if each.get("assessor") in assessors)
    return _Deleted(assessors=assessors, answers=frozenset(answers))


def _add(store: CampaignRecords, effort: Effort, kind: str, deleted: _Deleted) -> int:
    known = {_name_of(kind, each) for each in store.read(kind)}
    new = [each for each in effort.read(kind) if _name_of(kind, each) not in known and not deleted.has(each)]
    if kind in NAMED_BY:
        new = _each_once(kind, new)
    if new:
        store.append(kind, new)
    return len(new)


def _each_once(kind: str, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A file may have one twice: then the first counts, as where the folder is read."""
    first: dict[str, dict[str, Any]] = {}
    for each in records:
        first.setdefault(_name_of(kind, each), each)
    return list(first.values())


def _name_of(kind: str, content: Mapping[str, Any]) -> str:
    own = NAMED_BY.get(kind)
    return json.dumps(content, sort_keys=True) if own is None else str(content.get(own))
