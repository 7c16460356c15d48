"""What does an organiser choose for a campaign? Checked together, kept as a draft, on record."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.text import slugify

from toprung.errors import InputError
from toprung.labels.best.replacement import find_rule
from toprung.labels.best.upkeep import CHALLENGES
from toprung.labels.plans.plan import PLAN, AdaptivePlan, Plan, VotesPlan
from toprung.labels.plans.price import PLATFORMS, Price
from toprung.labels.tasks.blocking import BlockRule
from toprung.labels.tasks.dealing import NOTED, RELEASE_AFTER
from toprung.labels.tasks.quality import MISSES
from toprung.labels.tasks.sitting import BLOCK
from toprung.web.core.models.boards import Board
from toprung.web.core.models.campaigns import CampaignDesign, PlanKind, WhichQueries
from toprung.web.core.models.judging import Campaign, CampaignAccess, CampaignState
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.people import User
from toprung.web.core.queue import enqueue_once, estimate_campaign
from toprung.web.core.store.audit import record
from toprung.web.core.store.judging_records import CampaignRecords, start_records
from toprung.web.core.store.locks import lock_board
from toprung.words.wording import say_count

RELEASE_HOURS = 2
"""Work that is not handed in by then goes to someone else."""


class CampaignRefusedError(InputError):
    """Nothing was changed, and why; ``key`` names the choice at fault, where it is one."""

    def __init__(self, says: str, *, key: str = "") -> None:
        super().__init__(says)
        self.key = key


@dataclass(frozen=True, kw_only=True)
class CampaignChoices:
    """As they come from a form or a program: fields of `Campaign` and of `CampaignDesign`, by name."""

    label_set: LabelSet
    campaign: dict[str, Any]
    design: dict[str, Any]


def create_campaign(board: Board, choices: CampaignChoices, *, by: User) -> Campaign:
    """A draft; what it will buy is computed in the background."""
    with lock_board(board.pk) as held:
        if choices.label_set.board_id != held.pk or choices.label_set.use == LabelUse.DEV:
            raise CampaignRefusedError("Found other labels; expected a set of this board.", key="label_set")
        campaign = Campaign(board=held, label_set=choices.label_set, created_by=by, slug="", **choices.campaign)
        campaign.slug = _free_slug(held, campaign.title)
        design = CampaignDesign(campaign=campaign, **choices.design)
        check(campaign, design)
        check_who_reads(campaign)
        campaign.save()
        design.campaign = campaign
        design.save()
        start_records(campaign, manifest_of(campaign, design))
        record(held, by, f"Drafted the campaign {campaign.slug}", title=campaign.title, **_told(campaign, design))
    enqueue_once(estimate_campaign, campaign.pk)
    return campaign


def change_draft(campaign: Campaign, choices: CampaignChoices, *, by: User) -> Campaign:
    """Other choices for what has not begun."""
    with lock_board(campaign.board_id) as board:
        held = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        if held.state != CampaignState.DRAFT:
            raise CampaignRefusedError(
                "Found a campaign that has begun; expected a draft. Its texts, money and target can still be changed."
            )
        design = held.design
        for instance, fields in ((held, choices.campaign), (design, choices.design)):
            for name, value in fields.items():
                setattr(instance, name, value)
        held.label_set = choices.label_set
        design.due += 1
        check(held, design)
        check_who_reads(held)
        held.save()
        design.save()
        CampaignRecords(held).note(manifest_of(held, design))
        record(board, by, f"Changed the draft of {held.slug}", **_told(held, design))
    enqueue_once(estimate_campaign, held.pk)
    return held


def check(campaign: Campaign, design: CampaignDesign) -> None:
    """Refuse what does not fit, with the choice at fault."""
    for instance, left_out in ((campaign, {"slug", "board", "created_by"}), (design, {"campaign"})):
        try:
            instance.clean_fields(exclude=left_out)
        except ValidationError as error:
            key, says = next(iter(error.message_dict.items()))
            raise CampaignRefusedError(f"{says[0]}", key=key) from None
    if design.queries == WhichQueries.SAMPLE and not design.n_sample:
        raise CampaignRefusedError("Found no number of queries; expected how many to draw.", key="n_sample")
    if design.golds_per_task and design.misses > design.golds_per_task:
        found = f"Found {design.misses} misses of {say_count(design.golds_per_task, 'test pair')}"
        raise CampaignRefusedError(f"{found}; expected no more than a task has.", key="misses")
    if design.platform not in PLATFORMS:
        raise CampaignRefusedError(
            f"Found '{design.platform}'; expected one of {', '.join(PLATFORMS)}.", key="platform"
        )
    try:
        find_rule(design.challenge_rule)
        plan_of(campaign, design)
    except InputError as error:
        raise CampaignRefusedError(str(error), key="budget" if "budget" in str(error) else "") from None


def check_who_reads(campaign: Campaign) -> None:
    """Refuse a campaign in which everyone who comes by its link would be turned away."""
    if campaign.access != CampaignAccess.INVITED and campaign.is_kept_from_strangers:
        raise CampaignRefusedError(
            "Found hidden labels, and people without an account who judge; expected your word that they are shown "
            "texts of hidden queries. Mark it here, or invite assessors.",
            key="shows_hidden_to_strangers",
        )


def price_of(campaign: Campaign, design: CampaignDesign) -> Price:
    """What a task costs, and what an hour earns at the minutes that people are told."""
    platform = PLATFORMS[design.platform]
    slots = design.pairs_per_task + design.golds_per_task
    return Price(
        reward=campaign.reward,
        platform=platform,
        own_fee=None if campaign.fee == platform.fee else campaign.fee,
        pairs_per_task=design.pairs_per_task,
        golds_per_task=design.golds_per_task,
        seconds_per_pair=60 * campaign.minutes / slots,
    )


def plan_of(campaign: Campaign, design: CampaignDesign) -> Plan:
    if design.plan == PlanKind.VOTES:
        return VotesPlan(votes=design.votes)
    return adaptive_plan(campaign, design)


def adaptive_plan(campaign: Campaign, design: CampaignDesign) -> AdaptivePlan:
    """What the campaign asks, or would if it stopped when sure."""
    price = price_of(campaign, design)
    budget = campaign.budget if price.per_task else None
    return AdaptivePlan(
        target=design.target, most_votes=design.most_votes, budget=budget, price=price, asked_for=design.asked_for
    )


def manifest_of(campaign: Campaign, design: CampaignDesign) -> dict[str, Any]:
    """What the records of a judging effort hold of it; organisers block people, and no test does it for them."""
    return {
        "seed": design.seed,
        "depth": design.depth,
        PLAN: plan_of(campaign, design).to_record(),
        NOTED: {
            "seed": design.seed,
            "per_task": design.pairs_per_task,
            "golds_per_task": design.golds_per_task,
            RELEASE_AFTER: RELEASE_HOURS,
        },
        MISSES: design.misses,
        BLOCK: str(BlockRule.BY_HAND),
        CHALLENGES: {"rule": design.challenge_rule, "most_per_team": design.most_per_team},
    }


def _told(campaign: Campaign, design: CampaignDesign) -> dict[str, Any]:
    """For the audit log."""
    return {
        "labels": campaign.label_set.digest,
        "plan": plan_of(campaign, design).say(),
        "reward": str(campaign.reward),
        "budget": None if campaign.budget is None else str(campaign.budget),
        "access": str(campaign.access),
    }


def _free_slug(board: Board, title: str) -> str:
    base = slugify(title)[:50] or "campaign"
    taken = set(board.campaigns.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(slug for n in range(1, len(taken) + 2) if (slug := base if n == 1 else f"{base}-{n}") not in taken)


def fee_of(platform: str) -> Decimal:
    """As a share of the reward."""
    return PLATFORMS[platform].fee
