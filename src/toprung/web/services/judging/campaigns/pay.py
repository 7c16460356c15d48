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
from toprung.web.services.judging.prolific import AN_ID, assessor_of

PAID = (AssignmentStage.SUBMITTED, AssignmentStage.ACCEPTED, AssignmentStage.EXCLUDED)
WORDS = re.compile(r"[\s,;\"']+")
MOST_IDS = 20_000


@dataclass(frozen=True, kw_only=True)
class PayRow:
    """What an assessor is due in all, for which work."""

    assessor: str
    n_done: int
    """Tasks that were handed in."""
    n_not_used: int
    """Of these: paid all the same."""
    n_left: int
    """Left early."""
    n_open: int
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
    """Everyone who was given work, in the order they came."""
    standing = CampaignStanding.read(campaign)
    return [_row(standing, name, rows) for name, rows in _by_assessor(standing).items()]


def _by_assessor(standing: CampaignStanding) -> dict[str, list[Assignment]]:
    found: dict[str, list[Assignment]] = {}
    for each in standing.sitting.assignments:
        found.setdefault(each.assessor, []).append(each)
    return found


def _row(standing: CampaignStanding, assessor: str, rows: Sequence[Assignment]) -> PayRow:
    return PayRow(
        assessor=assessor,
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
    rows = {row.assessor: row for row in list_pay(campaign)}
    found, unknown = PlatformLists(), 0
    for platform_id in dict.fromkeys(read_ids(listed)):
        row = rows.get(assessor_of(campaign, platform_id))
        if row is None:
            unknown += 1
            continue
        _sort_in(found, platform_id, row, campaign.reward)
    return PlatformLists(approve=found.approve, returned=found.returned, bonus=found.bonus, unknown=unknown)


def _sort_in(found: PlatformLists, platform_id: str, row: PayRow, reward: Decimal) -> None:
    if row.n_done:
        found.approve.append(platform_id)
    elif not row.n_open:
        found.returned.append(platform_id)
    beyond = row.amount - (reward if row.n_done else 0)
    if beyond > 0:
        found.bonus.append(f"{platform_id},{beyond:.2f}")


def read_ids(listed: str) -> list[str]:
    """What looks like an id of the platform: hexadecimal of 24 letters, in whichever column it stands."""
    words = [word for word in WORDS.split(listed) if AN_ID.fullmatch(word)]
    return [word for word in words[:MOST_IDS] if re.fullmatch(r"[0-9a-f]{24}", word)] or words[:MOST_IDS]
