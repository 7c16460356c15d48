"""Which test pairs does a campaign use? Those that an organiser has looked at and kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toprung.labels.tasks.golds import Gold
from toprung.web.core.models.campaigns import GoldVerdict, ProposedGold
from toprung.web.core.models.judging import Campaign, CampaignState
from toprung.web.core.models.people import User
from toprung.web.core.store import texts
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board
from toprung.web.services.data.opening import note_organiser
from toprung.web.services.judging.campaigns.plan import CampaignRefusedError


@dataclass(frozen=True, kw_only=True)
class ShownGold:
    """A proposed test pair with its texts."""

    gold: ProposedGold
    query: str
    good: str
    bad: str


def show_golds(campaign: Campaign, *, by: User) -> list[ShownGold]:
    """All that are proposed; that hidden texts were read for it is on record."""
    golds = list(campaign.proposed_golds.all())
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


def judge_golds(campaign: Campaign, kept: Sequence[int], refused: Sequence[int], *, by: User) -> None:
    """Keep these and refuse those; once a campaign runs its golds stay."""
    with lock_board(campaign.board_id) as board:
        held = Campaign.objects.get(pk=campaign.pk)
        if held.state != CampaignState.DRAFT:
            raise CampaignRefusedError("Found a campaign that has begun; expected a draft: its test pairs are in use.")
        held.proposed_golds.filter(pk__in=kept).update(verdict=GoldVerdict.KEPT)
        held.proposed_golds.filter(pk__in=refused).update(verdict=GoldVerdict.REFUSED)
        n = count_golds(held)
        record(board, by, f"Looked at test pairs of {held.slug}", **n)


def count_golds(campaign: Campaign) -> dict[str, int]:
    """How many are kept, refused and not looked at."""
    verdicts = list(campaign.proposed_golds.values_list("verdict", flat=True))
    kept, refused = verdicts.count(GoldVerdict.KEPT), verdicts.count(GoldVerdict.REFUSED)
    return {"kept": kept, "refused": refused, "open": len(verdicts) - kept - refused}


def kept_golds(campaign: Campaign) -> list[Gold]:
    rows = campaign.proposed_golds.filter(verdict=GoldVerdict.KEPT)
    return [Gold(row.query_id, row.good, row.bad) for row in rows]
