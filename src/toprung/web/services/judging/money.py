"""What does work pay, and is there money for more? What someone has begun is paid for already, in the reckoning."""

from __future__ import annotations

from decimal import Decimal

from toprung.labels.plans.price import cost_of_task
from toprung.labels.tasks.assignments import Assignment, AssignmentStage
from toprung.labels.tasks.dealing import NOTED
from toprung.labels.tasks.quality import pay_for, prorate
from toprung.labels.tasks.task import GOLDS_PER_TASK, PER_TASK, Task
from toprung.web.core.models.judging import Campaign, CampaignState
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.judging.desk import CampaignDesk

PAID = (AssignmentStage.SUBMITTED, AssignmentStage.ACCEPTED, AssignmentStage.EXCLUDED)
"""Handed in: paid whether it is used or not."""
PAYMENTS = "payments"
"""Kind of records: what is due to who left early."""
SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£"}


def cost_per_task(campaign: Campaign) -> Decimal:
    """Reward and fee."""
    return cost_of_task(campaign.reward, campaign.fee)


def most_tasks(campaign: Campaign, *, n_saved: int = 0) -> int | None:
    """How many tasks may be given out in all: what the money pays for, in a pilot those of it; None without a limit.

    Who left early counts for one, and is paid less: ``n_saved`` are what that pays for, see `tasks_saved`.
    """
    limits = []
    if campaign.budget is not None and (cost := cost_per_task(campaign)):
        limits.append(int(campaign.budget // cost) + n_saved)
    if campaign.state == CampaignState.PILOT and campaign.pilot_tasks:
        limits.append(campaign.pilot_tasks)
    return min(limits, default=None)


def tasks_saved(campaign: Campaign, store: CampaignRecords) -> int:
    """How many whole tasks what was not paid to people who left early pays for."""
    cost = cost_per_task(campaign)
    left = [Decimal(each["amount"]) for each in store.read(PAYMENTS)] if cost else []
    saved = len(left) * cost - sum(left, Decimal(0)) * (1 + campaign.fee)
    return int(saved // cost) if cost else 0


def pays_for_more(campaign: Campaign, desk: CampaignDesk) -> bool:
    """Whether another task may be given out, for the money or in the pilot."""
    limit = most_tasks(campaign, n_saved=tasks_saved(campaign, desk.store))
    return limit is None or desk.desk.n_paid < limit


def reward_for(campaign: Campaign, task: Task, store: CampaignRecords) -> Decimal:
    """For all of a task: one that is shorter than others pays its share."""
    noted = store.manifest.get(NOTED, {})
    full = noted.get("per_task", PER_TASK) + noted.get("golds_per_task", GOLDS_PER_TASK)
    return prorate(campaign.reward, min(len(task.slots), full), full)


def note_pay(campaign: Campaign, desk: CampaignDesk, assignment: Assignment, *, n_answered: int) -> Decimal:
    """Write down what is due to who leaves early: their answers are taken back, and may be deleted."""
    task = desk.tasks[assignment.task_id]
    reward = reward_for(campaign, task, desk.store)
    amount = pay_for(AssignmentStage.EXITED, reward=reward, n_answered=n_answered, n_slots=len(task.slots))
    record = {"assignment_id": assignment.assignment_id, "n_answered": n_answered, "amount": str(amount)}
    desk.store.append(PAYMENTS, [record])
    return amount


def pay_due(campaign: Campaign, desk: CampaignDesk, assignment: Assignment) -> Decimal:
    """What an assignment is paid as it stands: all if it was handed in, used or not; else what was noted."""
    noted = {each["assignment_id"]: each["amount"] for each in desk.store.read(PAYMENTS)}
    if assignment.stage is AssignmentStage.EXITED:
        return Decimal(noted.get(assignment.assignment_id, "0.00"))
    task = desk.tasks[assignment.task_id]
    reward, n_slots = reward_for(campaign, task, desk.store), len(task.slots)
    return pay_for(assignment.stage, reward=reward, n_answered=0, n_slots=n_slots)


def show_pay(campaign: Campaign, amount: Decimal) -> str:
    """As people are told.

    >>> show_pay(Campaign(currency="EUR"), Decimal("0.77"))
    '€0.77'
    """
    symbol = SYMBOLS.get(campaign.currency)
    return f"{symbol}{amount}" if symbol else f"{amount} {campaign.currency}"
