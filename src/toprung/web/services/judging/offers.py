"""What is someone given to judge? A task of the desk, with its texts; none where money or pairs have run out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import lru_cache, partial

from toprung.data.judgments import Choice
from toprung.errors import InputError
from toprung.labels.tasks.assignments import Assignment, AssignmentStage
from toprung.labels.tasks.dealing import NOTED, RELEASE_AFTER
from toprung.labels.tasks.quality import prorate
from toprung.labels.tasks.task import Slot, Task
from toprung.web.core.models.judging import AssessorSeat, Campaign, CampaignState, Ending
from toprung.web.core.store.texts import ToldText
from toprung.web.services.data.opening import note_assessor
from toprung.web.services.judging import refusals
from toprung.web.services.judging.desk import CampaignDesk, at_desk
from toprung.web.services.judging.money import PAID, pays_for_more, reward_for, tasks_saved
from toprung.web.services.judging.refusals import AnswerRefusedError, JudgingRefusedError
from toprung.web.services.judging.seats import Place, end_visit
from toprung.web.services.judging.texts import CampaignTexts

TO_ACTIVE = {
    AssignmentStage.OFFERED: (AssignmentStage.CONSENTED, AssignmentStage.ACTIVE),
    AssignmentStage.CONSENTED: (AssignmentStage.ACTIVE,),
}
GONE = "(This text is not available any more. Please skip the pair.)"


@dataclass(frozen=True, kw_only=True)
class Work:
    """A task in someone's hands, as it stands."""

    assignment: Assignment
    n_slots: int
    open_slots: tuple[int, ...]
    """What is still to be answered, in the order it is asked."""
    done: tuple[tuple[int, str], ...]
    """Slots that were chosen in with the ids of the answers, in that order: the last can be taken back."""
    skipped: tuple[int, ...]
    """Slots that were passed over, once for each time."""
    reward: Decimal
    released_at: datetime | None = None
    """From then on it may go to someone else; None where it stays theirs."""

    @property
    def n_answered(self) -> int:
        return len(self.done)

    @property
    def last_answer(self) -> str:
        return self.done[-1][1] if self.done else ""

    @property
    def pay_now(self) -> Decimal:
        """What is paid to who leaves now."""
        return prorate(self.reward, self.n_answered, self.n_slots)

    @property
    def is_active(self) -> bool:
        return self.assignment.stage is AssignmentStage.ACTIVE

    @property
    def is_closed(self) -> bool:
        return not self.assignment.is_open

    @property
    def is_handed_in(self) -> bool:
        return self.assignment.stage in PAID


@dataclass(frozen=True, kw_only=True)
class ShownPair:
    """Two passages as they are shown; nothing tells where they are from."""

    question: str
    left: str
    right: str
    question_lang: str
    left_lang: str
    right_lang: str
    """As its file says, else that of the campaign."""


def take_work(place: Place) -> Work | None:
    """The task that the visit is at, or a new one; None where there is nothing to give, which ends the visit."""
    with at_desk(place.campaign) as desk:
        held = find_assignment(desk, place)
        if held is not None and held.stage in PAID:
            if not _was_handed_in_elsewhere(place):
                end_visit(place.visit, ending_of(held.stage))
                return None
            held = None
        if held is None or held.stage in TO_ACTIVE:
            _refuse_who_gets_none(place)
        if held is None:
            held = _offer(desk, place)
        return None if held is None else work_of(desk, place.campaign, held)


def _was_handed_in_elsewhere(place: Place) -> bool:
    """Whether another visit of theirs ended with the task of this one, which then gets a task of its own.

    Else nobody pressed the last button: all was answered, and the desk handed it in.
    """
    visits = place.seat.visits.filter(assignment_id=place.visit.assignment_id).exclude(pk=place.visit.pk)
    return visits.exclude(ended="").exists()


def ending_of(stage: AssignmentStage) -> Ending:
    """How a visit ended whose work was handed in."""
    return Ending.COMPLETE if stage is AssignmentStage.ACCEPTED else Ending.FAILED_CHECKS


def _refuse_who_gets_none(place: Place) -> None:
    """What was begun is finished; nothing else is begun."""
    if not place.campaign.gives_out_work or place.seat.blocked_at is not None:
        raise JudgingRefusedError(why_no_work(place.campaign, place.seat))


def find_assignment(desk: CampaignDesk, place: Place) -> Assignment | None:
    """What the visit was given."""
    of_seat = desk.desk.assignments_of(place.seat.assessor)
    return next((each for each in of_seat if each.assignment_id == place.visit.assignment_id), None)


def get_assignment(desk: CampaignDesk, place: Place, assignment_id: str) -> Assignment:
    """The task that an answer is for; one that is someone else's is refused."""
    of_seat = desk.desk.assignments_of(place.seat.assessor)
    found = next((each for each in of_seat if each.assignment_id == assignment_id), None)
    if found is None:
        raise AnswerRefusedError(refusals.NOT_YOURS)
    return found


def _offer(desk: CampaignDesk, place: Place) -> Assignment | None:
    _hand_in_what_is_done(desk)
    has_open = any(each.is_open for each in desk.desk.assignments_of(place.seat.assessor))
    offered = None
    if has_open or pays_for_more(place.campaign, desk):
        offered = _deal(desk, place)
    if offered is None:
        end_visit(place.visit, Ending.NOTHING_LEFT)
        return None
    place.visit.assignment_id = offered.assignment_id
    place.visit.save(update_fields=["assignment_id"])
    return offered


def _deal(desk: CampaignDesk, place: Place) -> Assignment | None:
    n_saved = tasks_saved(place.campaign, desk.store)
    assessor, showable = place.seat.assessor, CampaignTexts.of(place.campaign).showable
    showable.expect(partial(desk.look_ahead, assessor, n_saved=n_saved))
    try:
        return desk.offer(assessor, can_show=showable.can_show, n_saved=n_saved)
    except InputError:  # too few golds for a task: the organisers are told by the state of their campaign
        raise JudgingRefusedError(refusals.NO_GOLDS) from None


def why_no_work(campaign: Campaign, seat: AssessorSeat | None = None) -> str:
    if seat is not None and seat.blocked_at is not None:
        return refusals.BLOCKED
    return refusals.PAUSED if campaign.state == CampaignState.PAUSED else refusals.CLOSED


def _hand_in_what_is_done(desk: CampaignDesk) -> None:
    """Work that is all answered and was left without a last click is handed in, not released."""
    most = _longest_open(desk)
    if most is None:
        return
    before = datetime.now(UTC) - most
    for each in desk.desk.open_assignments():
        if each.since < before and each.stage is AssignmentStage.ACTIVE and not desk.open_slots(each):
            desk.submit(each)


def _longest_open(desk: CampaignDesk) -> timedelta | None:
    """For how long work is kept for who has begun it."""
    hours = desk.store.manifest.get(NOTED, {}).get(RELEASE_AFTER)
    return None if hours is None else timedelta(hours=hours)


def work_of(desk: CampaignDesk, campaign: Campaign, assignment: Assignment) -> Work:
    task, most = desk.tasks[assignment.task_id], _longest_open(desk)
    answers = [each for each in desk.answers(assignment) if each.slot is not None]
    return Work(
        assignment=assignment,
        n_slots=len(task.slots),
        open_slots=tuple(desk.open_slots(assignment)),
        done=tuple((each.slot or 0, each.judgment_id) for each in answers if each.choice is not Choice.SKIP),
        skipped=tuple(each.slot or 0 for each in answers if each.choice is Choice.SKIP and each.supersedes is None),
        reward=reward_for(campaign, task, desk.store),
        released_at=None if most is None else assignment.since + most,
    )


def start_work(place: Place) -> None:
    """Someone begins: from now on it counts, and that hidden texts are opened is on record."""
    with at_desk(place.campaign) as desk:
        held = find_assignment(desk, place)
        if held is None or held.stage not in TO_ACTIVE:
            return
        _refuse_who_gets_none(place)
        desk.move(held, *TO_ACTIVE[held.stage])
        _note_opening(place, desk.tasks[held.task_id])


def _note_opening(place: Place, task: Task) -> None:
    note_assessor(
        place.campaign.board,
        [slot.query_id for slot in task.slots],
        campaign=place.campaign.title,
        by=place.seat.user,
        assessor=place.seat.assessor,
    )


def look_at_work(place: Place) -> tuple[Work | None, list[ShownPair]]:
    """The task of the visit as it stands, with its pairs in its order; none are shown of work that is not begun."""
    with at_desk(place.campaign) as desk:
        held = find_assignment(desk, place)
        if held is None:
            return None, []
        work, slots = work_of(desk, place.campaign, held), desk.tasks[held.task_id].slots
    return work, list(_pairs_of(CampaignTexts.of(place.campaign), slots, place.campaign.lang)) if work.is_active else []


@lru_cache(maxsize=256)
def _pairs_of(texts: CampaignTexts, slots: tuple[Slot, ...], lang: str) -> tuple[ShownPair, ...]:
    """Asked for with every pair of a task; the same for as long as someone works on it."""
    asked = texts.queries(slot.query_id for slot in slots)
    told = texts.passages(doc_id for slot in slots for doc_id in (slot.left, slot.right))
    gone = ToldText(GONE, lang)
    return tuple(
        _to_pair(asked.get(slot.query_id, gone), told.get(slot.left, gone), told.get(slot.right, gone), lang)
        for slot in slots
    )


def _to_pair(question: ToldText, left: ToldText, right: ToldText, lang: str) -> ShownPair:
    return ShownPair(
        question=question.text,
        left=left.text,
        right=right.text,
        question_lang=question.lang or lang,
        left_lang=left.lang or lang,
        right_lang=right.lang or lang,
    )
