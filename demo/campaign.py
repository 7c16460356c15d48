"""A campaign on the board of everyday questions: half of it judged by people who are simulated, two of them careless.

Whoever has its link can go on with it. The labels that it finds wrong wait for an organiser, and so do answers that the
latest runs put first and nobody has judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np
from demo.boards import everyday
from demo.made.questions import read_questions

if TYPE_CHECKING:
    from toprung.labels.tasks.task import Slot
    from toprung.web.core.models.boards import Board
    from toprung.web.core.models.judging import Campaign
    from toprung.web.core.models.people import User

SEED = 21
N_QUESTIONS = 48
LATEST = 2
"""Runs that came after the pools were made: what they put first challenges the labels."""
N_CAREFUL, N_CARELESS = 6, 2
TASKS_EACH = 10
HOURS = 3
"""That they took, up to now."""
SLIPS, GUESSES = 0.03, 0.5
"""How often a vote is wrong: of who is careful, and of who is not and only looks out for test pairs."""


def make_campaign(board: Board, organiser: User) -> Campaign:
    """The campaign, unless it is there."""
    from toprung.web.services.judging.campaigns.golds import judge_golds
    from toprung.web.services.judging.campaigns.live import watch
    from toprung.web.services.judging.campaigns.review import compute_review
    from toprung.web.services.judging.campaigns.start import start
    from toprung.web.services.judging.campaigns.upkeep import challenge_labels

    found = board.campaigns.first()
    if found is not None:
        return found
    campaign = _draft(board, organiser)
    judge_golds(campaign, list(campaign.proposed_golds.values_list("pk", flat=True)), [], by=organiser)
    campaign = start(campaign, by=organiser)
    _judge(campaign)
    _spread(campaign)
    challenge_labels(board.pk)
    for compute in (watch, compute_review):
        compute(campaign.pk)
    return campaign


def _draft(board: Board, organiser: User) -> Campaign:
    from toprung.web.core.models.campaigns import WhichQueries
    from toprung.web.core.models.judging import CampaignAccess
    from toprung.web.core.models.labels import LabelUse
    from toprung.web.services.judging.campaigns.estimate import estimate
    from toprung.web.services.judging.campaigns.plan import CampaignChoices, create_campaign

    pooled = board.submissions.order_by("number").values_list("run_id", flat=True)
    choices = CampaignChoices(
        label_set=board.label_sets.get(use=LabelUse.OFFICIAL, is_current=True),
        campaign={
            "title": "Which answer helps more?",
            "access": CampaignAccess.OPEN,
            "is_standing": True,
            "reward": Decimal("2.00"),
            "budget": Decimal("300.00"),
        },
        design={
            "queries": WhichQueries.SAMPLE,
            "n_sample": N_QUESTIONS,
            "runs": list(pooled)[:-LATEST],
            "seed": SEED,
            "platform": "own",
        },
    )
    campaign = create_campaign(board, choices, by=organiser)
    estimate(campaign.pk)
    return campaign


def _judge(campaign: Campaign) -> None:
    """Everyone in turn, one task at a time."""
    worth = _worth()
    rng = np.random.default_rng(SEED)
    people = [(f"careful-{number}", SLIPS) for number in range(N_CAREFUL)]
    people += [(f"careless-{number}", GUESSES) for number in range(N_CARELESS)]
    for _ in range(TASKS_EACH):
        for assessor, error in people:
            _do_task(campaign, assessor, error, worth, rng)


def _spread(campaign: Campaign) -> None:
    """What people answered within a second was answered over hours: the page says how many come in a minute."""
    from django.utils import timezone

    from toprung.web.core.models.judging import JudgingRecord

    start = timezone.now() - timedelta(hours=HOURS)
    rows = list(JudgingRecord.objects.filter(campaign=campaign, kind="judgments").order_by("number"))
    for number, row in enumerate(rows, start=1):
        row.at = start + timedelta(hours=HOURS) * number / len(rows)
    JudgingRecord.objects.bulk_update(rows, ["at"], batch_size=400)
    campaign.started_at = start
    campaign.save(update_fields=["started_at"])


def _do_task(
    campaign: Campaign, assessor: str, error: float, worth: Mapping[tuple[str, str], int], rng: np.random.Generator
) -> None:
    from toprung.data.judgments import Choice
    from toprung.labels.tasks.assignments import AssignmentStage
    from toprung.web.services.judging.desk import at_desk
    from toprung.web.services.judging.seats import take_seat

    take_seat(campaign, assessor)
    with at_desk(campaign) as desk:
        offered = desk.offer(assessor)
        if offered is None:
            return
        assignment = desk.move(offered, AssignmentStage.CONSENTED, AssignmentStage.ACTIVE)
        for number, slot in enumerate(desk.tasks[assignment.task_id].slots):
            is_left = _is_left_better(slot, worth) != (not slot.is_gold and rng.random() < error)
            ms = int(rng.lognormal(9.3 if error < GUESSES else 7.6, 0.4))
            desk.answer(assignment, number, Choice.LEFT if is_left else Choice.RIGHT, ms=ms)
        desk.submit(assignment)


def _is_left_better(slot: Slot, worth: Mapping[tuple[str, str], int]) -> bool:
    if slot.good:
        return slot.good == slot.left
    left, right = ((worth.get((slot.query_id, doc), -9), doc) for doc in (slot.left, slot.right))
    return left > right  # of two that answer nothing everybody prefers the same one


def _worth() -> dict[tuple[str, str], int]:
    """Of each answer to a question, the best 0, the next −1; of what answers another question nothing is known."""
    questions = read_questions()
    docs = everyday.number_answers(questions)
    return {
        (query_id, docs[text]): -place
        for query_id, question in everyday.with_ids(questions)
        for place, text in enumerate(question.answers)
    }
