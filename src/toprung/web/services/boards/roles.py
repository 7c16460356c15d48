"""Who is what on a board? Roles given, changed and taken; a board is never left without an organiser."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from toprung.errors import InputError
from toprung.web.core.access.reasons import check_reason
from toprung.web.core.access.texts import CONFLICT, has_inside_knowledge
from toprung.web.core.models.boards import TAKES_PART, Board, BoardRole, Role
from toprung.web.core.models.people import Invitation, Team, User
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board
from toprung.web.services.people.notices import tell_owner
from toprung.web.services.people.trusting import make_sure_for


class RoleRefusedError(InputError):
    """Nothing was changed, and why."""


class ConflictError(RoleRefusedError):
    """The person knows hidden texts or voted, and is to take part; a reason is needed, which is recorded."""


def roles_of(board: Board) -> QuerySet[BoardRole]:
    """Organisers first, then by name."""
    return board.roles.select_related("user", "team").order_by("role", "user__name", "user__email")


def give_role(board: Board, email: str, role: Role, *, by: User, reason: str = "") -> BoardRole:
    """A role to the person with this address; who has no account gets one, to be entered by a login link or by mail."""
    with lock_board(board.pk) as held:
        user = _find_or_add(email, held)
        if not user.is_active:
            raise RoleRefusedError("Found an account that was closed; expected another address.")
        if held.roles.filter(user=user).exists():
            raise RoleRefusedError(f"Found {user}, who has a role already; change it below.")
        conflict = _find_conflict(held, user, role, reason)
        make_sure_for(held, user, role)
        given = BoardRole.objects.create(board=held, user=user, role=role)
        said = f"Gave {user.reference} the role of {role.label}"
        record(held, by, said + (CONFLICT if conflict else ""), user=user.pk, role=role.value, **conflict)
        tell_owner(user, held, f"gave you the role of {role.label}", by=by)
    return given


def change_role(role: BoardRole, to: Role, *, by: User, reason: str = "") -> BoardRole:
    """``reason`` is needed where somebody who knows hidden texts or voted is to take part."""
    with lock_board(role.board_id) as board:
        held = _hold(board, role)
        if held.role == to:
            return held
        if to is not Role.ORGANISER:
            _keep_an_organiser(board, held)
        conflict = _find_conflict(board, held.user, to, reason)
        make_sure_for(board, held.user, to)
        before, held.role = held.get_role_display(), to
        if to not in TAKES_PART:
            held.team = None
        held.save(update_fields=["role", "team"])
        record(
            board,
            by,
            f"Made {held.user.reference} {to.label}, who was {before}" + (CONFLICT if conflict else ""),
            user=held.user_id,
            role=to.value,
            **conflict,
        )
        tell_owner(held.user, board, f"changed your role from {before} to {to.label}", by=by)
    return held


def remove_role(role: BoardRole, *, by: User) -> None:
    """What the person did stays on record."""
    with lock_board(role.board_id) as board:
        held = _hold(board, role)
        _keep_an_organiser(board, held)
        record(
            board,
            by,
            f"Took the role of {held.get_role_display()} from {held.user.reference}",
            user=held.user_id,
            role=held.role,
        )
        tell_owner(held.user, board, f"took the role of {held.get_role_display()} from you", by=by)
        held.delete()


def teams_without_members(board: Board) -> QuerySet[Team]:
    """Those that came with imported runs: nobody can submit for them until someone is invited."""
    return Team.objects.filter(submissions__board=board, membership=None, closed_at=None).distinct().order_by("name")


def invite_to_team(board: Board, team: Team, *, by: User) -> str:
    """The secret of a link for the first person of a team that was imported; they own it."""
    with lock_board(board.pk) as held:
        if not teams_without_members(held).filter(pk=team.pk).exists():
            raise RoleRefusedError(f"Found {team}, which has members; expected a team of imported runs without any.")
        organised = Board.objects.filter(roles__user=by, roles__role=Role.ORGANISER)
        if team.submissions.exclude(board__in=organised).exists():
            raise RoleRefusedError(
                f"Found runs of {team} on a board that you do not organise; expected none: who is in the team sees and "
                "changes all its runs. Ask to organise that board too."
            )
        _, secret = Invitation.invite(team, by=by)
        record(held, by, f"Made an invitation to team {team.pk}", team=team.pk)
    return secret


def _find_conflict(board: Board, user: User, role: Role, reason: str) -> dict[str, str]:
    """The reason to record, where somebody takes part who knows more than others; a ConflictError without one."""
    if role not in TAKES_PART or not has_inside_knowledge(board, user):
        return {}
    if not reason.strip():
        raise ConflictError(
            f"Found {user}, who opened hidden texts of this board or voted on it; expected somebody else, or a reason "
            "why they take part all the same: the audit log then records the conflict of interest."
        )
    try:
        return {"reason": check_reason(reason)}
    except InputError as error:
        raise ConflictError(str(error)) from None


def _find_or_add(email: str, board: Board) -> User:
    address = User.objects.normalize_email(email).lower()
    found = User.objects.filter(email=address).first()
    if found is not None:
        return found
    try:
        with transaction.atomic():
            return User.objects.create_user(address, None, made_on=board)
    except IntegrityError:  # signed up a moment ago
        return User.objects.get(email=address)


def _hold(board: Board, role: BoardRole) -> BoardRole:
    held = board.roles.select_related("user").filter(pk=role.pk).first()
    if held is None:
        raise RoleRefusedError("Found a role that was taken meanwhile; nothing is left to change.")
    return held


def _keep_an_organiser(board: Board, role: BoardRole) -> None:
    others = board.roles.filter(role=Role.ORGANISER, user__is_active=True).exclude(pk=role.pk)
    if role.role == Role.ORGANISER and not others.exists():
        raise RoleRefusedError("Found the last organiser; expected another one first: a board needs someone to run it.")
