"""What can be changed while people judge? Pause and resume, money, target, votes on a query, texts; and the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone

from toprung.labels.plans.price import show_money
from toprung.labels.tasks.assignments import AssignmentStage
from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.models.boards import Board
from toprung.web.core.models.campaigns import PlanKind
from toprung.web.core.models.judging import GIVES_OUT_WORK, Campaign, CampaignState
from toprung.web.core.models.people import User
from toprung.web.core.queue import enqueue_once, watch_campaign
from toprung.web.core.store.audit import record
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.core.store.locks import lock_board
from toprung.web.services.judging.answers import leave_assignment
from toprung.web.services.judging.campaigns.plan import RELEASE_HOURS, CampaignRefusedError, check, manifest_of
from toprung.web.services.judging.campaigns.standing import CampaignStanding
from toprung.web.services.judging.examples import CONSENT, GUIDELINES, Example, own_examples, own_text
from toprung.words.wording import say_count

HAS_BEGUN = (*GIVES_OUT_WORK, CampaignState.PAUSED)
MORE_VOTES = 5
AFTER_THE_END = "What is all answered is handed in then; who is in the middle is paid by the share."


@contextmanager
def _held(campaign: Campaign, *states: str) -> Iterator[tuple[Board, Campaign]]:
    with lock_board(campaign.board_id) as board:
        held = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        if held.state not in states:
            expected = " or ".join(CampaignState(state).label for state in states)
            raise CampaignRefusedError(f"Found a campaign that is {held.get_state_display()}; expected {expected}.")
        yield board, held
    enqueue_once(watch_campaign, campaign.pk)


def pause(campaign: Campaign, *, by: User) -> Campaign:
    """No work is given out, and no answer is kept: who is in the middle waits, or exits and is paid by the share."""
    with _held(campaign, *GIVES_OUT_WORK) as (board, held):
        held.state = CampaignState.PAUSED
        held.save(update_fields=["state"])
        record(board, by, f"Paused {held.slug}")
    return held


def resume(campaign: Campaign, *, by: User) -> Campaign:
    """A pilot goes on as one. Work that grew too old in the pause is ended, and paid: its people could not go on."""
    with _held(campaign, CampaignState.PAUSED) as (board, held):
        _end_work(held, before=timezone.now() - timedelta(hours=RELEASE_HOURS))
        held.state = CampaignState.PILOT if held.pilot_tasks else CampaignState.RUNNING
        held.save(update_fields=["state"])
        record(board, by, f"Resumed {held.slug}")
    return held


def close(campaign: Campaign, *, by: User) -> Campaign:
    """Nothing is given out again, and work in hand ends: nobody has to come back for what they are due."""
    with _held(campaign, *HAS_BEGUN) as (board, held):
        _end_work(held, before=timezone.now())
        held.state, held.closed_at = CampaignState.CLOSED, timezone.now()
        held.save(update_fields=["state", "closed_at"])
        record(board, by, f"Closed {held.slug}")
    return held


def _end_work(campaign: Campaign, *, before: datetime) -> None:
    """What was begun before then and is all answered is handed in; who is in the middle is paid by the share."""
    store = CampaignRecords(campaign)
    with store.alone():
        desk = Sitting(store)
        for each in desk.desk.open_assignments():
            if each.since >= before:
                continue
            if each.stage is AssignmentStage.ACTIVE and not desk.open_slots(each):
                desk.submit(each)
            else:
                leave_assignment(campaign, desk, each)


def top_up(campaign: Campaign, amount: Decimal, *, by: User) -> Campaign:
    """More money: votes go on where they help most."""
    if not (amount.is_finite() and amount > 0):
        raise CampaignRefusedError(f"Found {amount}; expected an amount above zero.", key="amount")
    with _held(campaign, *HAS_BEGUN) as (board, held):
        if held.budget is None:
            raise CampaignRefusedError("Found a campaign without a budget; expected one to add to.", key="amount")
        before, held.budget = held.budget, held.budget + amount
        _renew(held, ["budget"])
        record(board, by, f"Topped up {held.slug} by {show_money(amount)}", before=str(before), after=str(held.budget))
    return held


def change_target(campaign: Campaign, target: float, *, by: User) -> Campaign:
    """How sure a best answer must be; queries that are surer already ask no more."""
    with _held(campaign, *HAS_BEGUN) as (board, held):
        before, held.design.target = held.design.target, target
        check(held, held.design)
        held.design.save(update_fields=["target"])
        _renew(held, [])
        record(board, by, f"Changed the target of {held.slug} from {before:g} to {target:g}")
    return held


def can_ask_for_more(campaign: Campaign) -> bool:
    """Where each pair is asked as often there is no query to prefer; a campaign that is closed asks nothing."""
    return campaign.design.plan == PlanKind.ADAPTIVE and campaign.state in HAS_BEGUN


def ask_for_more(campaign: Campaign, query_id: str, *, by: User) -> None:
    """`MORE_VOTES` more than the query has now; asking again before they came asks for the same."""
    if campaign.design.plan != PlanKind.ADAPTIVE:
        raise CampaignRefusedError("Found a plan that asks every pair as often; expected one that stops when sure.")
    with _held(campaign, *HAS_BEGUN) as (board, held):
        standing = CampaignStanding.read(held)
        if query_id not in {pool.query_id for pool in standing.several}:
            raise CampaignRefusedError("Found no such query with answers to compare; expected one of this campaign.")
        if standing.votes_left == 0:
            raise CampaignRefusedError("Found no money left for a task; expected some: top up the campaign first.")
        wanted = standing.count_votes(query_id) + MORE_VOTES
        held.design.asked_for = {**held.design.asked_for, query_id: wanted}
        _renew(held, [])
        held.design.save(update_fields=["asked_for"])
        record(board, by, f"Asked for {say_count(MORE_VOTES, 'more vote')} on a query in {held.slug}")


def _renew(held: Campaign, fields: list[str]) -> None:
    """The desk goes by the manifest."""
    check(held, held.design)
    if fields:
        held.save(update_fields=fields)
    CampaignRecords(held).note(manifest_of(held, held.design))


def change_texts(
    campaign: Campaign, *, by: User, guidelines: str, consent: str, examples: Sequence[Example] | None = None
) -> Campaign:
    """In safe Markdown; who consented to another text is asked again, and who read other guidelines reads these.

    The examples belong to the guidelines; None leaves them as they are.
    """
    with lock_board(campaign.board_id) as board:
        held = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        changed: dict[str, Any] = {}
        if own_text(consent, CONSENT) != own_text(held.consent, CONSENT):
            held.consent, held.consent_version = own_text(consent, CONSENT), held.consent_version + 1
            changed["consent"] = held.consent_version
        if _change_guidelines(held, guidelines, examples):
            held.guidelines_version += 1
            changed["guidelines"] = held.guidelines_version
        if changed:
            check(held, held.design)
            held.save()
            record(board, by, f"Changed the texts of {held.slug}", **changed)
    return held


def _change_guidelines(held: Campaign, guidelines: str, examples: Sequence[Example] | None) -> bool:
    """Whether they, or the examples, are others than before."""
    before = own_text(held.guidelines, GUIDELINES), held.examples
    held.guidelines = own_text(guidelines, GUIDELINES)
    if examples is not None:
        held.examples = own_examples(examples)
    return before != (held.guidelines, held.examples)
