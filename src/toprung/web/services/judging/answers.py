"""How is an answer kept? Once, by the id that the browser gave it: the same again is the same, another is refused."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings

from toprung.data.judgments import Choice, Judgment
from toprung.labels.tasks.assignments import Assignment, AssignmentStage
from toprung.labels.tasks.quality import to_void
from toprung.web.core.models.judging import Campaign, CampaignState, Ending
from toprung.web.services.judging import refusals
from toprung.web.services.judging.decided import look_what_is_decided
from toprung.web.services.judging.desk import CampaignDesk, at_desk
from toprung.web.services.judging.evenly import evenly
from toprung.web.services.judging.money import PAID, note_pay
from toprung.web.services.judging.offers import Work, ending_of, find_assignment, get_assignment
from toprung.web.services.judging.refusals import AnswerRefusedError
from toprung.web.services.judging.seats import Place, end_visit
from toprung.web.services.judging.showing import LONGEST_MS, read_taken

HIGHLIGHTS = "highlights"
"""Kind of records: answers that were given with the words of the question marked."""
WHY_NOT_OPEN = {
    AssignmentStage.OFFERED: refusals.NOT_BEGUN,
    AssignmentStage.CONSENTED: refusals.NOT_BEGUN,
    AssignmentStage.TIMED_OUT: refusals.TIMED_OUT,
    AssignmentStage.EXITED: refusals.LEFT,
    AssignmentStage.RETURNED: refusals.LEFT,
}


@dataclass(frozen=True, kw_only=True)
class Sent:
    """An answer as it comes from a browser, checked for its form."""

    assignment_id: str
    slot: int
    choice: Choice
    answer_id: str
    ms: int | None = None
    """From showing to choosing: as the script measured it, or by the server's clock."""
    is_highlighted: bool = False


def read_sent(given: dict[str, str], campaign: Campaign) -> Sent:
    """From the fields of a form; what is no answer is refused."""
    choice = given.get("choice", "")
    if choice not in list(Choice):
        raise AnswerRefusedError(refusals.NO_SUCH_CHOICE)
    if choice == Choice.TIE and not campaign.allows_ties:
        raise AnswerRefusedError(refusals.NO_TIES)
    slot = given.get("slot", "")
    if not (slot.isascii() and slot.isdecimal() and len(slot) <= 6):
        raise AnswerRefusedError(refusals.NO_SUCH_PAIR)
    assignment_id, number = given.get("assignment", ""), int(slot)
    return Sent(
        assignment_id=assignment_id,
        slot=number,
        choice=Choice(choice),
        answer_id=read_answer_id(given.get("answer_id", "")),
        ms=_read_ms(given["ms"]) if "ms" in given else read_taken(given.get("shown", ""), assignment_id, number),
        is_highlighted=campaign.allows_highlighting and given.get("highlighted") == "1",
    )


def read_answer_id(given: str) -> str:
    try:
        return UUID(given).hex
    except ValueError:
        raise AnswerRefusedError(refusals.BAD_ID) from None


def _read_ms(given: str) -> int | None:
    """None where nobody could have measured it."""
    ms = int(given) if given.isascii() and given.isdecimal() and len(given) <= 9 else -1
    return ms if 0 <= ms <= LONGEST_MS else None


def keep_answer(place: Place, sent: Sent) -> Judgment:
    """Keep it once; what cannot be kept is an AnswerRefusedError, and nothing was stored."""
    with at_desk(place.campaign) as desk:
        assignment = get_assignment(desk, place, sent.assignment_id)
        known = desk.desk.judgments.get(sent.answer_id)
        if known is not None:
            return _same_again(known, assignment, sent)
        _check_open(desk, place, assignment)
        if not 0 <= sent.slot < len(desk.tasks[assignment.task_id].slots):
            raise AnswerRefusedError(refusals.NO_SUCH_PAIR)
        if sent.slot not in desk.open_slots(assignment):
            raise AnswerRefusedError(refusals.ANSWERED_ELSEWHERE)
        kept = desk.answer(assignment, sent.slot, sent.choice, ms=sent.ms, answer_id=sent.answer_id)
        if sent.is_highlighted:
            desk.store.append(HIGHLIGHTS, [{"judgment_id": kept.judgment_id}])
        return kept


def _same_again(known: Judgment, assignment: Assignment, sent: Sent) -> Judgment:
    before = (known.task_id, known.assessor, known.slot, known.choice)
    if before != (assignment.task_id, assignment.assessor, sent.slot, sent.choice):
        raise AnswerRefusedError(refusals.OTHER_CHOICE)
    return known


def _check_open(desk: CampaignDesk, place: Place, assignment: Assignment) -> None:
    stage = desk.desk.current(assignment).stage
    if stage is AssignmentStage.EXITED and place.campaign.state == CampaignState.CLOSED:
        raise AnswerRefusedError(refusals.CLOSED_MEANWHILE)
    if stage is not AssignmentStage.ACTIVE:
        raise AnswerRefusedError(WHY_NOT_OPEN.get(stage, refusals.HANDED_IN))
    if place.campaign.state == CampaignState.PAUSED:
        raise AnswerRefusedError(refusals.PAUSED_MEANWHILE)
    if place.campaign.state == CampaignState.CLOSED:
        raise AnswerRefusedError(refusals.CLOSED_MEANWHILE)
    if place.seat.consented_version != place.campaign.consent_version:
        raise AnswerRefusedError(refusals.NOT_UNDER_THIS_CONSENT)


def why_not_open(work: Work) -> str:
    """In a sentence, of work that takes no answers."""
    return WHY_NOT_OPEN.get(work.assignment.stage, refusals.HANDED_IN)


def undo_answer(place: Place, assignment_id: str, answer_id: str) -> int:
    """Take the last answer back; the slot that is open again. The same again changes nothing."""
    with at_desk(place.campaign) as desk:
        assignment = get_assignment(desk, place, assignment_id)
        known = desk.desk.judgments.get(answer_id)
        if known is None or known.assessor != assignment.assessor or known.slot is None:
            raise AnswerRefusedError(refusals.CANNOT_UNDO)
        if to_void(known).judgment_id in desk.desk.judgments:
            return known.slot
        _check_open(desk, place, assignment)
        chosen = [each for each in desk.answers(assignment) if each.choice is not Choice.SKIP]
        if not chosen or chosen[-1].judgment_id != answer_id:
            raise AnswerRefusedError(refusals.CANNOT_UNDO)
        desk.undo(assignment)
        return known.slot


def hand_in(place: Place) -> None:
    """The end of a task: golds are looked at, and the visit is over. Handed in twice is handed in once."""
    with evenly(settings.HAND_IN_SECONDS):
        with at_desk(place.campaign) as desk:
            _submit(desk, place)
        look_what_is_decided(place.campaign)


def _submit(desk: CampaignDesk, place: Place) -> None:
    assignment = get_assignment(desk, place, place.visit.assignment_id)
    if assignment.stage is AssignmentStage.ACTIVE:
        if left := desk.open_slots(assignment):
            raise AnswerRefusedError(say_left(len(left)))
        desk.submit(assignment)
    stage = desk.desk.current(assignment).stage
    if stage in WHY_NOT_OPEN:
        raise AnswerRefusedError(WHY_NOT_OPEN[stage])
    end_visit(place.visit, ending_of(stage))


def say_left(n: int) -> str:
    pairs = "1 pair is" if n == 1 else f"{n} pairs are"
    return f"{pairs} still without an answer. Answer or skip what is left, then hand in."


def leave(place: Place) -> None:
    """Exit early: what was answered is paid by its share, and the pairs go to someone else."""
    with at_desk(place.campaign) as desk:
        held = find_assignment(desk, place)
        if held is not None and held.is_open:
            leave_assignment(place.campaign, desk, held)
        if held is None:
            end_visit(place.visit, Ending.NOTHING_LEFT)
        else:
            end_visit(place.visit, ending_of(held.stage) if held.stage in PAID else Ending.LEFT_EARLY)
    look_what_is_decided(place.campaign)


def decline(place: Place) -> None:
    """Someone does not agree, or not any more: then a task that they began ends as if they had left it."""
    with at_desk(place.campaign) as desk:
        held = find_assignment(desk, place)
        has_begun = held is not None and held.is_open and held.stage is not AssignmentStage.OFFERED
        if held is not None and held.is_open:
            leave_assignment(place.campaign, desk, held)
        end_visit(place.visit, Ending.LEFT_EARLY if has_begun else Ending.NO_CONSENT)
    look_what_is_decided(place.campaign)


def leave_assignment(campaign: Campaign, desk: CampaignDesk, assignment: Assignment) -> None:
    """Close open work: what was begun is paid by its share, what was only offered is given back."""
    if assignment.stage is AssignmentStage.OFFERED:
        desk.move(assignment, AssignmentStage.RETURNED)
        return
    n_answered = sum(each.choice is not Choice.SKIP for each in desk.answers(assignment))
    note_pay(campaign, desk, assignment, n_answered=n_answered)
    desk.move(assignment, AssignmentStage.EXITED)
