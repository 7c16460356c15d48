"""Who may judge in a campaign? Nobody who takes part in the board; of hidden texts only who was invited."""

from __future__ import annotations

from django.db.models import Q

from toprung.web.core.access.boards import boards_for_viewer, role_on
from toprung.web.core.access.rights import Person, memberships_of
from toprung.web.core.models.boards import TAKES_PART, Board, Role
from toprung.web.core.models.judging import GIVES_OUT_WORK, Campaign, CampaignAccess, CampaignState
from toprung.web.core.models.people import Team, User
from toprung.web.services.judging import refusals
from toprung.web.services.judging.refusals import JudgingRefusedError, MayNotJudgeError, NoSuchStudyError
from toprung.web.services.judging.seats import name_of, was_forgotten

MAY_BE_INVITED = (Role.ASSESSOR, Role.ORGANISER)


def find_campaign(key: str) -> Campaign:
    """The campaign of a link; one that has not started is not there."""
    try:  # its board, of many columns, is read by who needs it: an answer does not
        return Campaign.objects.select_related("label_set").exclude(state=CampaignState.DRAFT).get(key=key)
    except Campaign.DoesNotExist:
        raise NoSuchStudyError(refusals.NO_SUCH_STUDY) from None


def check_may_judge(campaign: Campaign, user: Person) -> None:
    """Refuse whoever may not judge here, with the reason."""
    if takes_part(campaign, user):
        raise MayNotJudgeError(refusals.IS_PARTICIPANT)
    if campaign.access == CampaignAccess.INVITED:
        if not boards_for_viewer(user).filter(pk=campaign.board_id).exists():
            raise NoSuchStudyError(refusals.NO_SUCH_STUDY)
        if role_on(campaign.board, user) not in MAY_BE_INVITED:
            raise MayNotJudgeError(refusals.NOT_INVITED)
    elif campaign.is_kept_from_strangers:
        raise MayNotJudgeError(refusals.HIDDEN_TEXTS)


def takes_part(campaign: Campaign, user: Person) -> bool:
    """Whether someone is a participant of the board, or in a team that sent it files."""
    if not user.is_authenticated:
        return False
    if role_on(campaign.board, user) in TAKES_PART:
        return True
    sent = Q(uploads__board=campaign.board) | Q(submissions__board=campaign.board)
    return Team.objects.filter(sent, membership__in=memberships_of(user)).exists()


def why_refused(campaign: Campaign, user: User) -> str:
    """Why someone with an account is given nothing in a campaign that gives out work; nothing where they may judge."""
    try:
        check_may_judge(campaign, user)
    except JudgingRefusedError as error:
        return str(error)
    if was_forgotten(campaign, name_of(campaign, user)):
        return refusals.FORGOTTEN
    is_blocked = campaign.seats.filter(user=user).exclude(blocked_at=None).exists()
    return refusals.BLOCKED if is_blocked else ""


def boards_to_judge(user: User) -> list[Board]:
    """Where an assessor is awaited: boards whose campaigns give out work to who was invited, by title."""
    invited = user.board_roles.filter(role=Role.ASSESSOR).values("board")
    open_now = Campaign.objects.filter(state__in=GIVES_OUT_WORK, access=CampaignAccess.INVITED, board__in=invited)
    awaited = {each.board for each in open_now.select_related("board", "label_set") if not why_refused(each, user)}
    return sorted(awaited, key=lambda board: (board.title, board.pk))
