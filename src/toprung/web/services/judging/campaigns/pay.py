"""Who is paid what? All that was handed in, used or not; who left early by the answer. Nothing calls a platform.

No platform's id is stored here. The organiser gives the list of participants as the platform has it; ids are matched by
their digests, told apart into lists that it takes, and forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from toprung.labels.tasks.assignments import Assignment, AssignmentStage
from toprung.web.core.models.judging import Campaign
from toprung.web.services.judging.campaigns.standing import CampaignStanding
from toprung.web.services.judging.identity import forgotten_as
from toprung.web.services.judging.money import PAID
from toprung.web.services.judging.prolific import AN_ID, assessor_of

NOBODY = ""
"""In the place of a name: all who have no seat, for they were forgotten, or their work came from a folder."""
WORDS = re.compile(r"[\s,;\"']+")
MOST_IDS = 20_000


@dataclass(frozen=True, kw_only=True)
class PayRow:
    """What an assessor is due in all, for which work."""

    assessor: str
    """`NOBODY` for all of whom nothing is known: by their sums they could be found among those who are paid."""
    n_people: int
    n_done: int
    """Tasks that were handed in."""
    n_not_used: int
    """Of these: paid all the same."""
    n_left: int
    """Left early."""
    n_open: int
    amount: Decimal


@dataclass(frozen=True, kw_only=True)
class PlatformDue:
    """What a platform is to do for one person."""

    has_handed_in: bool
    has_open: bool
    amount: Decimal


@dataclass(frozen=True, kw_only=True)
class PlatformLists:
    """Lines that a platform takes in bulk."""

    approve: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    bonus: list[str] = field(default_factory=list)
    """``id,amount``."""
    unknown: int = 0
    """Ids of people who did not come here."""


def list_pay(campaign: Campaign) -> list[PayRow]:
    """Everyone who was given work, in the order they came; who has no seat in one row, the last."""
    standing = CampaignStanding.read(campaign)
    by_assessor = _by_assessor(standing)
    nobody = by_assessor.pop(NOBODY, [])
    rows = [_row(standing, name, work) for name, work in by_assessor.items()]
    return [*rows, _row(standing, NOBODY, nobody)] if nobody else rows


def _by_assessor(standing: CampaignStanding) -> dict[str, list[Assignment]]:
    seated = set(standing.campaign.seats.values_list("assessor", flat=True))
    found: dict[str, list[Assignment]] = {}
    for each in standing.sitting.assignments:
        found.setdefault(each.assessor if each.assessor in seated else NOBODY, []).append(each)
    return found


def _row(standing: CampaignStanding, assessor: str, rows: Sequence[Assignment]) -> PayRow:
    return PayRow(
        assessor=assessor,
        n_people=len({each.assessor for each in rows}),
        n_done=sum(each.stage in PAID for each in rows),
        n_not_used=sum(each.stage is AssignmentStage.EXCLUDED for each in rows),
        n_left=sum(each.stage is AssignmentStage.EXITED for each in rows),
        n_open=sum(each.is_open for each in rows),
        amount=sum((standing.pay(each) for each in rows), Decimal(0)),
    )


def match_platform(campaign: Campaign, listed: str) -> PlatformLists:
    """The lists for these participants: approve who handed in, return who left early, and pay their answers as a bonus.

    A platform pays one reward a submission: what someone is due beyond it is a bonus too.
    """
    here, forgotten = _due_here(campaign), _due_to_forgotten(campaign)
    found, unknown = PlatformLists(), 0
    for platform_id in dict.fromkeys(read_ids(listed)):
        assessor = assessor_of(campaign, platform_id)
        due = here.get(assessor) or forgotten.get(forgotten_as(campaign, assessor))
        if due is None:
            unknown += 1
            continue
        _sort_in(found, platform_id, due, campaign.reward)
    return PlatformLists(approve=found.approve, returned=found.returned, bonus=found.bonus, unknown=unknown)


def _due_here(campaign: Campaign) -> dict[str, PlatformDue]:
    return {
        row.assessor: PlatformDue(has_handed_in=row.n_done > 0, has_open=row.n_open > 0, amount=row.amount)
        for row in list_pay(campaign)
    }


def _due_to_forgotten(campaign: Campaign) -> dict[str, PlatformDue]:
    return {
        each.digest: PlatformDue(has_handed_in=each.has_handed_in, has_open=False, amount=each.amount)
        for each in campaign.forgotten.all()
    }


def _sort_in(found: PlatformLists, platform_id: str, due: PlatformDue, reward: Decimal) -> None:
    if due.has_handed_in:
        found.approve.append(platform_id)
    elif not due.has_open:
        found.returned.append(platform_id)
    beyond = due.amount - (reward if due.has_handed_in else 0)
    if beyond > 0:
        found.bonus.append(f"{platform_id},{beyond:.2f}")


def read_ids(listed: str) -> list[str]:
    """What looks like an id of the platform: hexadecimal of 24 letters, in whichever column it stands."""
    words = [word for word in WORDS.split(listed) if AN_ID.fullmatch(word)]
    return [word for word in words[:MOST_IDS] if re.fullmatch(r"[0-9a-f]{24}", word)] or words[:MOST_IDS]
