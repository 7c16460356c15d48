"""Whoever has an account is told what organisers did with it: on the account page, and by mail where mail is set."""

from __future__ import annotations

import smtplib

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django_ox.testing import run_tasks
from tests.web.cast import Cast
from tests.web.reading import folded

from toprung.web.core.models.boards import Admission, Board, BoardRole, Role
from toprung.web.core.models.people import AccountNotice, User
from toprung.web.services.boards.roles import change_role, give_role, remove_role
from toprung.web.services.boards.teams import approve_team
from toprung.web.services.people import notices
from toprung.web.services.people.leaving import delete_account
from toprung.web.services.people.login_links import give_login_link, make_login_link
from toprung.web.services.runs.admission import ask_to_take_part
from toprung.web.services.runs.mail import MailNotSentError


def told(user: User) -> list[str]:
    """The oldest first."""
    return [f"{notice.by or 'Someone'} {notice.what}" for notice in reversed(notices.find_notices(user))]


def test_every_role_is_told_with_who_and_where(client: Client, cast: Cast) -> None:
    role = give_role(cast.board, cast.stranger.email, Role.VIEWER, by=cast.organiser)
    change_role(role, Role.ASSESSOR, by=cast.organiser)
    remove_role(role, by=cast.organiser)
    assert told(cast.stranger) == [
        "Organiser gave you the role of viewer",
        "Organiser changed your role from viewer to assessor",
        "Organiser took the role of assessor from you",
    ]
    client.force_login(cast.stranger)
    page = folded(client.get("/account/").text)
    assert page.count("<td>Web Docs</td>") == 3
    assert "Organiser took the role of assessor from you" in page
    client.force_login(cast.mate)
    assert "What others did with your account" not in client.get("/account/").text


def test_an_approved_team_is_told(cast: Cast) -> None:
    Board.objects.filter(pk=cast.board.pk).update(who_may_submit=Admission.APPROVED)
    cast.board.refresh_from_db()
    ask_to_take_part(cast.board, cast.participant, cast.team)
    approve_team(cast.board, cast.team, [cast.participant.pk], by=cast.organiser)
    assert told(cast.participant) == ["Organiser approved you as participant with the team Kestrel Lab"]


def test_every_link_is_told_and_that_it_was_used(client: Client, cast: Cast) -> None:
    user = give_role(cast.board, "new@example.org", Role.VIEWER, by=cast.organiser).user
    link = give_login_link(user, by=cast.organiser, board=cast.board)
    client.post(link)
    assert told(user)[1:] == [
        "Organiser made a login link that opens your account",
        "Someone signed in by the login link that an organiser made",
    ]
    page = client.get("/account/").text
    assert "made a login link that opens your account" in page
    assert "nobody has confirmed its address" in page
    client.post(make_login_link(user))
    assert "nobody has confirmed its address" not in client.get("/account/").text


def test_what_one_does_oneself_is_not_told(cast: Cast) -> None:
    BoardRole.objects.filter(user=cast.assessor).update(role=Role.ORGANISER)
    change_role(BoardRole.objects.get(board=cast.board, user=cast.organiser), Role.VIEWER, by=cast.organiser)
    assert told(cast.organiser) == []


def test_it_goes_with_the_account(cast: Cast) -> None:
    give_role(cast.board, cast.stranger.email, Role.VIEWER, by=cast.organiser)
    delete_account(cast.stranger)
    assert not AccountNotice.objects.exists()


def test_it_is_mailed_once_where_mail_is_set(cast: Cast, mail_server: None, mailoutbox: list[EmailMessage]) -> None:
    user = give_role(cast.board, "new@example.org", Role.VIEWER, by=cast.organiser).user
    run_tasks()
    for notice in user.notices.all():
        notices.mail_notice(notice.pk)
    (mail,) = mailoutbox
    assert (mail.to, mail.subject) == (["new@example.org"], "Toprung: your account on the board Web Docs")
    assert "Organiser gave you the role of viewer, on the board Web Docs." in mail.body
    assert "http://localhost:8000/accounts/password/reset/" in mail.body
    assert "http://localhost:8000/account/" in mail.body


def test_who_is_known_is_not_asked_to_make_the_account_theirs(
    cast: Cast, mail_server: None, mailoutbox: list[EmailMessage]
) -> None:
    give_role(cast.board, cast.stranger.email, Role.VIEWER, by=cast.organiser)
    run_tasks()
    (mail,) = mailoutbox
    assert "password" not in mail.body


def test_without_mail_nothing_is_mailed(cast: Cast, mailoutbox: list[EmailMessage]) -> None:
    give_role(cast.board, cast.stranger.email, Role.VIEWER, by=cast.organiser)
    run_tasks()
    assert not mailoutbox


def test_a_mail_server_that_is_down_is_tried_again(
    cast: Cast, mail_server: None, mailoutbox: list[EmailMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object) -> None:
        raise smtplib.SMTPServerDisconnected("stranger@example.org was refused")

    give_role(cast.board, cast.stranger.email, Role.VIEWER, by=cast.organiser)
    notice = AccountNotice.objects.get()
    with monkeypatch.context() as down:
        down.setattr(notices, "send_mail", refuse)
        with pytest.raises(MailNotSentError, match=r"^SMTPServerDisconnected$"):
            notices.mail_notice(notice.pk)
    notices.mail_notice(notice.pk)
    assert len(mailoutbox) == 1


def test_an_organiser_cannot_have_floods_of_mail_sent(client: Client, cast: Cast) -> None:
    client.force_login(cast.organiser)
    url = "/b/web-docs/organise/people/"
    answers = [client.post(url, {"email": "stranger@example.org", "role": "viewer"}).status_code for _ in range(121)]
    assert (answers[0], answers[1], answers[-1]) == (302, 422, 429)
    assert AccountNotice.objects.count() == 1
