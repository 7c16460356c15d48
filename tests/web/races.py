"""What several do at the same moment, on a real database: each function is called in a process of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections
from tests.web.cast import make_team, make_user
from tests.web.runs import GOOD, accepted
from tests.web.stages import set_up

from toprung.data.run_card import RunCard
from toprung.web.core.models.boards import Board, Role
from toprung.web.core.models.people import ApiToken, Invitation, Membership, Scope, Team, User
from toprung.web.core.models.runs import Submission, Upload
from toprung.web.services.boards.roles import give_role
from toprung.web.services.people.leaving import leave_team
from toprung.web.services.people.login_links import give_login_link, make_login_link, use_login_link
from toprung.web.services.people.teams import TeamRefusedError, join_team
from toprung.web.services.people.tokens import TokenRefusedError, make_token
from toprung.web.services.people.trusting import note_owner
from toprung.web.services.runs.forget import forget
from toprung.web.services.runs.receive import FileRefusedError, digest_of, keep_file
from toprung.web.services.runs.submit import SubmissionRefusedError, submit

MANY = 8


def one_login_link() -> int:
    """How many of those who open the same link at once come in."""
    cast = set_up()
    token = make_login_link(cast.participant).removeprefix("/link/").strip("/")
    came = at_once([lambda: use_login_link(token)] * MANY)
    return sum(user is not None for user in came)


def many_links_of_an_organiser() -> int:
    """How many of several links into one account, all opened at once, let in."""
    cast = set_up()
    user = give_role(cast.board, "new@example.org", Role.VIEWER, by=cast.organiser).user
    links = [give_login_link(user, by=cast.organiser, board=cast.board) for _ in range(MANY)]
    tokens = [link.removeprefix("/link/").strip("/") for link in links]
    came = at_once([lambda token=token: use_login_link(token) for token in tokens])
    return sum(link is not None for link in came)


def tokens_while_the_owner_comes() -> int:
    """How many tokens work that others made at the moment the owner came, over several accounts."""
    cast = set_up()
    for number in range(MANY):
        user = give_role(cast.board, f"new{number}@example.org", Role.VIEWER, by=cast.organiser).user
        thief, owner = User.objects.get(pk=user.pk), User.objects.get(pk=user.pk)
        at_once([lambda user=thief: _try_to_make_a_token(user)] * 3 + [lambda user=owner: note_owner(user)])
    return ApiToken.objects.filter(revoked_at=None).count()


def one_invitation() -> int:
    """How many of those who follow the same invitation at once are in the team."""
    cast = set_up()
    _, secret = Invitation.invite(cast.team, by=cast.participant)
    people = [make_user(f"guest{number}") for number in range(MANY)]
    came = at_once([lambda user=user: join_team(secret, user=user) for user in people])
    return sum(place is not None for place in came)


def joining_a_team_that_closes() -> int:
    """How many members closed teams have, where one joins at the moment the last leaves."""
    cast = set_up()
    for number in range(MANY):
        owner, guest = make_user(f"owner{number}"), make_user(f"guest{number}")
        team = make_team(f"Brief {number}", owner)
        _, secret = Invitation.invite(team, by=cast.organiser)
        place = Membership.objects.get(team=team, user=owner)
        at_once([lambda place=place: _try_to_leave(place), lambda s=secret, g=guest: join_team(s, user=g)])
    return Membership.objects.filter(team__in=Team.objects.exclude(closed_at=None)).count()


def submitting_what_is_forgotten() -> dict[str, int]:
    """Runs without their files, where each file was forgotten the moment it was submitted."""
    cast = set_up()
    Board.objects.filter(pk=cast.board.pk).update(quota=100)
    for number in range(MANY):
        upload = accepted(cast)
        words = RunCard(name=f"run {number}")
        at_once([lambda u=upload, w=words: _try_to_submit(u, w), lambda u=upload: forget(u)])
    files = [upload.parquet for upload in Upload.objects.exclude(submission=None)]
    return {
        "runs": Submission.objects.count(),
        "kept": Upload.objects.count(),
        "without files": sum(not file.name or not file.storage.exists(file.name) for file in files),
    }


def sending_while_submitting() -> list[str]:
    """What goes wrong where a team sends files and submits others at the same time."""
    cast = set_up()
    Board.objects.filter(pk=cast.board.pk).update(quota=100)
    faults: list[str] = []

    def note(act: Callable[[], Any]) -> None:
        try:
            act()
        except (FileRefusedError, SubmissionRefusedError):
            pass
        except Exception as error:
            faults.append(f"{type(error).__name__}: {error}")

    def send() -> None:
        file = SimpleUploadedFile("run.txt", GOOD)
        keep_file(
            file, file_name="run.txt", digest=digest_of(file), board=cast.board, team=cast.team, by=cast.participant
        )

    for number in range(MANY):
        upload, words = accepted(cast), RunCard(name=f"run {number}")
        submits = [lambda u=upload, w=words: note(lambda: submit(u, w, by=u.user))]
        at_once([*submits, *[lambda: note(send)] * 2])
        Upload.objects.filter(submission=None).delete()  # or they would wait for their check
    assert Submission.objects.count() == MANY or faults
    return faults


def _try_to_make_a_token(user: User) -> None:
    with suppress(TokenRefusedError):  # the owner was faster
        make_token(user, name="back door", scopes=[Scope.READ])


def _try_to_leave(place: Membership) -> None:
    with suppress(TeamRefusedError):  # the guest was faster, and would be left without an owner
        leave_team(place)


def _try_to_submit(upload: Upload, words: RunCard) -> Submission | None:
    try:
        return submit(upload, words, by=upload.user)
    except SubmissionRefusedError:
        return None


def at_once(acts: Sequence[Callable[[], Any]]) -> list[Any]:
    """What each gives back, begun by as many threads at the same moment; what one raises is raised here."""
    together, answers, errors = threading.Barrier(len(acts)), [None] * len(acts), []

    def act(number: int) -> None:
        try:
            together.wait(300)
            answers[number] = acts[number]()
        except Exception as error:
            errors.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=act, args=[number]) for number in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    if errors:
        raise errors[0]
    return answers
