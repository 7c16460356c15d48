"""Who may submit to this board? Anyone, teams that its organisers approved, or people whom they invited.

Where the organisers decide, a person takes part with one team: the one they were approved with, or the one of their
first run. So nobody has more teams, and by them more fresh ladders, than the organisers approved people.
"""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.conf import settings

from toprung.errors import InputError
from toprung.web.core.access.texts import CONFLICT, has_inside_knowledge
from toprung.web.core.models.boards import TAKES_PART, Admission, Board, BoardRole, Role
from toprung.web.core.models.people import Team, User
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board


class NotAskedError(InputError):
    """The person cannot ask to take part here, and why."""


def why_not_admitted(board: Board, user: User, team: Team) -> str:
    """Empty for who may submit for this team."""
    held = _role_of(board, user)
    role = held and held.role
    if role == Role.ORGANISER:
        return ""
    if role != Role.PARTICIPANT and has_inside_knowledge(board, user):
        return (
            "Found a person who opened hidden texts of this board or voted on it; expected another one, or a "
            "participant whom its organisers admitted for a reason that is on record."
        )
    if board.who_may_submit == Admission.ANYONE:
        is_trusted = role == Role.PARTICIPANT or _is_address_trusted(user)
        return "" if is_trusted else "Found an address that is not verified; expected a verified one."
    if held is None or role != Role.PARTICIPANT:
        return _why_not_approved(board, held)
    if held.team is None or held.team == team:
        return ""
    return f"Found {team}, while you take part here with {held.team}; expected a run of that team, for nobody has two."


def ask_to_take_part(board: Board, user: User, team: Team) -> None:
    """The organisers see the team and who is in it among the people of the board, and approve them, or do not."""
    if board.who_may_submit != Admission.APPROVED:
        raise NotAskedError("Found a board that approves nobody; expected one where you can ask to take part.")
    with lock_board(board.pk) as locked:
        held = _role_of(locked, user)
        if held is None:
            BoardRole.objects.create(board=locked, user=user, role=Role.APPLICANT, team=team)
        elif _may_change_team(held, team):
            BoardRole.objects.filter(pk=held.pk).update(role=Role.APPLICANT, team=team)
        else:
            return
        record(locked, user, f"{user.reference} asks to take part with team {team.pk}", user=user.pk, team=team.pk)


def can_ask(board: Board, user: User, team: Team) -> bool:
    """Whether asking would change anything."""
    held = _role_of(board, user)
    return board.who_may_submit == Admission.APPROVED and (held is None or _may_change_team(held, team))


def bind_to_team(board: Board, user: User, team: Team) -> None:
    """From their first run on, whom the organisers invited takes part with its team; call it with the board held."""
    if board.who_may_submit == Admission.ANYONE:
        return
    if board.roles.filter(user=user, role=Role.PARTICIPANT, team=None).update(team=team):
        record(board, user, f"{user.reference} takes part with team {team.pk}", user=user.pk, team=team.pk)


def note_conflicts(board: Board, team: Team) -> None:
    """Put members with inside knowledge on record, once each, when their team submits; call it with the board held.

    The sender has none, or the organisers admitted them: but members talk to each other.
    """
    for user in team.members.all():
        said = f"{user.reference} is in team {team.pk}, which takes part{CONFLICT}"
        if has_inside_knowledge(board, user) and not board.audit.filter(what=said).exists():
            record(board, user, said, user=user.pk, team=team.pk)


def _role_of(board: Board, user: User) -> BoardRole | None:
    return board.roles.select_related("team").filter(user=user).first()


def _why_not_approved(board: Board, held: BoardRole | None) -> str:
    if board.who_may_submit == Admission.INVITED:
        return "Found a person who was not invited; expected one whom the organisers of this board made a participant."
    if held is not None and held.role == Role.APPLICANT:
        return "Found a person who asked to take part and waits; expected one whom the organisers approved."
    return "Found a person whom the organisers of this board have not approved; ask them to take part first."


def _may_change_team(held: BoardRole, team: Team) -> bool:
    """Who waits may ask with another team, and who left theirs may ask anew; a role that looks on or judges stays."""
    if held.team == team or held.role not in TAKES_PART:
        return False
    return held.role == Role.APPLICANT or (
        held.team is not None and not held.team.membership_set.filter(user=held.user_id).exists()
    )


def _is_address_trusted(user: User) -> bool:
    """Where there is mail, an address that was given at sign-up must have been verified."""
    given = EmailAddress.objects.filter(user=user)
    if settings.ENVIRONMENT.mail is None or given.filter(verified=True).exists():
        return True
    return not given.exists() and not user.waits_for_owner
