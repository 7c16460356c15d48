"""Which test pairs does a campaign use? Those that an organiser has looked at and kept; more may join while it runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import read_pools
from toprung.labels.tasks.desk_records import GOLDS
from toprung.labels.tasks.golds import Gold, draw_golds
from toprung.web.core.models.campaigns import GoldVerdict, ProposedGold
from toprung.web.core.models.judging import Campaign, CampaignState
from toprung.web.core.models.people import User
from toprung.web.core.queue import enqueue_once, watch_campaign
from toprung.web.core.store import texts
from toprung.web.core.store.audit import record
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.core.store.locks import lock_board
from toprung.web.services.data.opening import note_organiser
from toprung.web.services.judging.campaigns.plan import CampaignRefusedError
from toprung.words.wording import say_count

PROPOSED_AT_ONCE = 12
"""Enough for four tasks of one person; each is read by an organiser before it is used."""
IS_CLOSED = "Found a campaign that is closed; expected one that gives out work: it uses no more test pairs."


@dataclass(frozen=True, kw_only=True)
class ShownGold:
    """A proposed test pair with its texts."""

    gold: ProposedGold
    query: str
    good: str
    bad: str


def show_golds(campaign: Campaign, *, by: User) -> list[ShownGold]:
    """All that can be kept or refused now; that hidden texts were read for it is on record."""
    golds = list(_to_look_at(campaign))
    note_organiser(
        campaign.board, [gold.query_id for gold in golds], reason=f"Looking at test pairs of {campaign.slug}", by=by
    )
    asked = texts.queries(campaign.board, [gold.query_id for gold in golds])
    told = texts.passages(campaign.board, [each for gold in golds for each in (gold.good, gold.bad)])
    return [
        ShownGold(
            gold=gold,
            query=asked.get(gold.query_id, gold.query_id),
            good=told.get(gold.good, ""),
            bad=told.get(gold.bad, ""),
        )
        for gold in golds
    ]


def _to_look_at(campaign: Campaign) -> QuerySet[ProposedGold]:
    """What is in use stays: once a campaign runs, those that nobody has looked at."""
    proposed = campaign.proposed_golds.all()
    return proposed if campaign.state == CampaignState.DRAFT else proposed.filter(verdict=GoldVerdict.PROPOSED)


def propose_golds(campaign: Campaign, pools: Sequence[Pool], most: int) -> int:
    """Of queries that none is proposed of yet; how many there were."""
    known = set(campaign.proposed_golds.values_list("query_id", flat=True))
    drawn = [gold for gold in draw_golds(pools, seed=campaign.design.seed) if gold.query_id not in known][:most]
    ProposedGold.objects.bulk_create(
        ProposedGold(campaign=campaign, query_id=gold.query_id, good=gold.good, bad=gold.bad) for gold in drawn
    )
    return len(drawn)


def propose_more(campaign: Campaign, *, by: User) -> int:
    """Some more to look at, before the start or while it runs."""
    with lock_board(campaign.board_id) as board:
        held = Campaign.objects.get(pk=campaign.pk)
        if held.state == CampaignState.CLOSED:
            raise CampaignRefusedError(IS_CLOSED)
        n = propose_golds(held, read_pools(CampaignRecords(held)), PROPOSED_AT_ONCE)
        if not n:
            raise CampaignRefusedError(
                "Found no query of which none was proposed; expected one: ask more people, each meets all of them anew."
            )
        record(board, by, f"Proposed {say_count(n, 'more test pair')} of {held.slug}")
    return n


def judge_golds(campaign: Campaign, kept: Sequence[int], refused: Sequence[int], *, by: User) -> None:
    """Keep these and refuse those; while a campaign runs, what is kept is in use at once."""
    with lock_board(campaign.board_id) as board:
        held = Campaign.objects.get(pk=campaign.pk)
        if held.state == CampaignState.CLOSED:
            raise CampaignRefusedError(IS_CLOSED)
        now_kept = list(_to_look_at(held).filter(pk__in=kept))
        _to_look_at(held).filter(pk__in=refused).update(verdict=GoldVerdict.REFUSED)
        held.proposed_golds.filter(pk__in=[gold.pk for gold in now_kept]).update(verdict=GoldVerdict.KEPT)
        if held.state != CampaignState.DRAFT:
            CampaignRecords(held).append(GOLDS, [_to_gold(each).to_record() for each in now_kept])
        n = count_golds(held)
        record(board, by, f"Looked at test pairs of {held.slug}", **n)
    if held.state != CampaignState.DRAFT:
        enqueue_once(watch_campaign, held.pk)


def count_golds(campaign: Campaign) -> dict[str, int]:
    """How many are kept, refused and not looked at."""
    verdicts = list(campaign.proposed_golds.values_list("verdict", flat=True))
    kept, refused = verdicts.count(GoldVerdict.KEPT), verdicts.count(GoldVerdict.REFUSED)
    return {"kept": kept, "refused": refused, "open": len(verdicts) - kept - refused}


def kept_golds(campaign: Campaign) -> list[Gold]:
    rows = campaign.proposed_golds.filter(verdict=GoldVerdict.KEPT)
    return [_to_gold(row) for row in rows]


def _to_gold(row: ProposedGold) -> Gold:
    return Gold(row.query_id, row.good, row.bad)
