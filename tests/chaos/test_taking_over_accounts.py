"""Organisers who try to get into accounts of others, by every way that the pages offer, against the owners who come.

Every attack goes through pages and the API, as an organiser with a browser would try it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.socialaccount.models import SocialAccount
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from tests.web.cast import PASSWORD, Cast, make_cast, make_upload, make_user
from tests.web.conftest import mail_server
from tests.web.people.test_signing_in_elsewhere import come_from_elsewhere
from tests.web.real_board import RealBoard

from toprung.web.core.models.boards import Admission, Board, BoardRole, Role
from toprung.web.core.models.people import Invitation, LoginLink, Membership, Team, User
from toprung.web.services.people.login_links import make_login_link

__all__ = ["mail_server"]
pytestmark = pytest.mark.postgres
VICTIM = "victim@example.org"
NEW_PASSWORD = "only the owner knows"
TOKEN = {"name": "back door", "scopes": ["read", "organise"], "team": "", "days": "365"}
LINK = re.compile(r"http://localhost:8000(/link/[^<\s]+)")


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


def browser_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def give_role(by: User, board: str, email: str = VICTIM, role: str = "viewer") -> User:
    assert browser_of(by).post(f"/b/{board}/organise/people/", {"email": email, "role": role}).status_code == 302
    return User.objects.get(email=email)


def ask_for_link(by: User, board: str, victim: User) -> str:
    """The link that an organiser gets; empty where there is none."""
    pk = BoardRole.objects.get(board__slug=board, user=victim).pk
    found = LINK.findall(browser_of(by).post(f"/b/{board}/organise/people/{pk}/link/", follow=True).text)
    return found[0] if found else ""


def is_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def enter(link: str) -> Client:
    client = Client()
    client.post(link)
    return client


def set_password(client: Client, password: str = PASSWORD) -> None:
    client.post("/accounts/password/set/", {"password1": password, "password2": password})


def make_token(client: Client, password: str = PASSWORD) -> str:
    client.post("/accounts/reauthenticate/", {"password": password})
    found = re.search(r"trt_[\w-]{43}", client.post("/account/tokens/", TOKEN).text)
    assert found
    return found[0]


def works(token: str) -> bool:
    return Client().get("/api/v1/me", headers={"authorization": f"Bearer {token}"}).status_code == 200


def can_sign_in(password: str, email: str = VICTIM) -> bool:
    client = Client()
    client.post("/accounts/login/", {"login": email, "password": password})
    return is_in(client)


def path_in(mail: EmailMessage, start: str) -> str:
    found = re.search(rf"http://localhost:8000({start}\S+)", str(mail.body))
    assert found
    return found[1]


def reset_by_mail(mailoutbox: list[EmailMessage], email: str = VICTIM) -> None:
    Client().post("/accounts/password/reset/", {"email": email})
    owner = Client()
    form = owner.get(path_in(mailoutbox[-1], "/accounts/password/reset/key/"), follow=True)
    done = owner.post(form.request["PATH_INFO"], {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})
    assert done.status_code == 302


@pytest.mark.parametrize("name", ["mate", "stranger"])
def test_an_account_that_somebody_signed_up_for_opens_to_no_organiser(cast: Cast, name: str) -> None:
    """The attack that worked: a role to somebody who is on no other board, then the button."""
    victim = getattr(cast, name)
    give_role(cast.organiser, "web-docs", victim.email)
    assert ask_for_link(cast.organiser, "web-docs", victim) == ""
    assert not LoginLink.objects.exists()
    assert "Login link" not in browser_of(cast.organiser).get("/b/web-docs/organise/people/").text


def test_nor_one_that_was_made_before_organisers_were_known(cast: Cast) -> None:
    """As after an upgrade: nobody entered it, and nobody knows who made it."""
    victim = User.objects.create_user(VICTIM, None)
    give_role(cast.organiser, "web-docs")
    assert ask_for_link(cast.organiser, "web-docs", victim) == ""


def test_nor_one_that_its_owner_entered(cast: Cast) -> None:
    victim = give_role(cast.organiser, "web-docs")
    owner = enter(ask_for_link(cast.organiser, "web-docs", victim))
    assert is_in(owner)
    assert ask_for_link(cast.organiser, "web-docs", victim) == ""
    pk = BoardRole.objects.get(user=victim).pk
    browser_of(cast.organiser).post(f"/b/web-docs/organise/people/{pk}/remove/")
    give_role(cast.organiser, "web-docs")
    assert ask_for_link(cast.organiser, "web-docs", victim) == "", "given a role anew"


def test_a_link_that_an_organiser_kept_dies_with_the_first_that_is_used(cast: Cast) -> None:
    victim = give_role(cast.organiser, "web-docs")
    kept, given = (ask_for_link(cast.organiser, "web-docs", victim) for _ in range(2))
    assert is_in(enter(given))
    assert not is_in(enter(kept))
    assert Client().get(kept).status_code == 404


def test_a_link_that_an_organiser_kept_dies_when_the_owner_comes_by_mail(
    cast: Cast, mail_server: None, mailoutbox: list[EmailMessage]
) -> None:
    victim = give_role(cast.organiser, "web-docs")
    kept = ask_for_link(cast.organiser, "web-docs", victim)
    reset_by_mail(mailoutbox)
    assert not is_in(enter(kept))


@pytest.mark.parametrize("way", ["mail", "operator"])
def test_whoever_entered_first_is_out_once_the_owner_comes(
    cast: Cast, way: str, request: pytest.FixtureRequest, mailoutbox: list[EmailMessage]
) -> None:
    """Session, password, token, second step and invitations that the organiser left behind are gone."""
    victim = give_role(cast.organiser, "web-docs")
    thief = enter(ask_for_link(cast.organiser, "web-docs", victim))
    set_password(thief)
    token = make_token(thief)
    thief.post("/teams/new/", {"name": "Front"})
    thief.post("/teams/front/invite/", {})
    TOTP.activate(victim, generate_totp_secret())
    assert (is_in(thief), works(token), Invitation.objects.count()) == (True, True, 1)
    if way == "mail":
        request.getfixturevalue("mail_server")
        reset_by_mail(mailoutbox)
    else:
        owner = enter(make_login_link(victim))
        assert is_in(owner), "no second step of the thief is asked for"
        set_password(owner, NEW_PASSWORD)
        assert is_in(owner)
        assert can_sign_in(NEW_PASSWORD)
    victim.refresh_from_db()
    assert victim.check_password(NEW_PASSWORD)
    assert not victim.check_password(PASSWORD)
    assert (is_in(thief), works(token)) == (False, False)
    assert not Authenticator.objects.exists()
    assert not Invitation.objects.exists()


def test_a_token_ends_with_the_first_login_without_a_link(cast: Cast) -> None:
    victim = give_role(cast.organiser, "web-docs")
    first = enter(ask_for_link(cast.organiser, "web-docs", victim))
    set_password(first)
    assert "ends when you next sign in without one" in first.get("/account/tokens/").text
    token = make_token(first)
    assert works(token)
    assert can_sign_in(PASSWORD)
    assert not works(token)


def test_a_token_of_a_password_that_an_organiser_set_ends_when_the_owner_comes(cast: Cast) -> None:
    """The password was set in a session that began with the link, so its sessions are no better."""
    victim = give_role(cast.organiser, "web-docs")
    set_password(enter(ask_for_link(cast.organiser, "web-docs", victim)))
    thief = Client()
    thief.post("/accounts/login/", {"login": VICTIM, "password": PASSWORD})
    token = make_token(thief)
    enter(make_login_link(victim))
    assert (works(token), is_in(thief), can_sign_in(PASSWORD)) == (False, False, False)


def test_an_owner_who_confirms_the_address_does_not_confirm_the_organisers_password(
    cast: Cast, mail_server: None, mailoutbox: list[EmailMessage]
) -> None:
    victim = give_role(cast.organiser, "web-docs")
    thief = enter(ask_for_link(cast.organiser, "web-docs", victim))
    set_password(thief)
    waiting = Client()
    waiting.post("/accounts/login/", {"login": VICTIM, "password": PASSWORD})
    confirms = path_in(mailoutbox[-1], "/accounts/confirm-email/")
    Client().post(confirms)
    assert victim.emailaddress_set.get().verified
    assert (is_in(thief), is_in(waiting), can_sign_in(PASSWORD)) == (False, False, False)
    waiting.post(confirms)
    assert not is_in(waiting)
    reset_by_mail(mailoutbox)
    assert can_sign_in(NEW_PASSWORD)


def test_an_owner_who_confirms_in_the_browser_of_the_link_stays_signed_in_and_sets_a_new_password(
    cast: Cast, mail_server: None, mailoutbox: list[EmailMessage]
) -> None:
    victim = give_role(cast.organiser, "web-docs")
    owner = enter(ask_for_link(cast.organiser, "web-docs", victim))
    set_password(owner)
    Client().post("/accounts/login/", {"login": VICTIM, "password": PASSWORD})
    owner.post(path_in(mailoutbox[-1], "/accounts/confirm-email/"))
    page = owner.get("/account/").text
    assert "This account is yours now." in page
    set_password(owner, NEW_PASSWORD)
    assert can_sign_in(NEW_PASSWORD)


def test_nobody_takes_the_account_away_to_another_address_or_service(
    cast: Cast, mail_server: None, mailoutbox: list[EmailMessage]
) -> None:
    victim = give_role(cast.organiser, "web-docs")
    thief = enter(ask_for_link(cast.organiser, "web-docs", victim))
    mailoutbox.clear()
    page = thief.post("/accounts/email/", {"email": "thief@example.org", "action_add": "1"})
    assert "nobody has confirmed" in page.text
    come_from_elsewhere(thief, process="connect", email="thief@example.org", email_verified="on", first_name="Eve")
    victim.refresh_from_db()
    assert (victim.email, SocialAccount.objects.count(), mailoutbox) == (VICTIM, 0, [])


def test_two_boards_whose_organisers_conspire_open_nothing(cast: Cast) -> None:
    victim = give_role(cast.organiser, "web-docs")
    kept = ask_for_link(cast.organiser, "web-docs", victim)
    give_role(cast.other_organiser, "elsewhere")
    assert ask_for_link(cast.organiser, "web-docs", victim) == ""
    assert ask_for_link(cast.other_organiser, "elsewhere", victim) == ""
    assert not is_in(enter(kept)), "the link was made before"


@pytest.mark.parametrize("role", ["viewer", "assessor", "organiser"])
def test_a_role_on_another_board_is_not_the_organisers_who_sits_in_the_account(cast: Cast, role: str) -> None:
    """An account is made for somebody who will be trusted elsewhere, entered, and kept open until then."""
    victim = give_role(cast.organiser, "web-docs")
    thief = enter(ask_for_link(cast.organiser, "web-docs", victim))
    set_password(thief)
    token = make_token(thief)
    give_role(cast.other_organiser, "elsewhere", role=role)
    assert (is_in(thief), works(token), can_sign_in(PASSWORD)) == (False, False, False)
    assert is_in(enter(make_login_link(victim)))


def test_a_role_that_is_raised_on_another_board_is_not_theirs_either(cast: Cast) -> None:
    victim = give_role(cast.organiser, "web-docs")
    thief = enter(ask_for_link(cast.organiser, "web-docs", victim))
    role = BoardRole.objects.create(board=cast.other_board, user=victim, role=Role.APPLICANT)
    url = f"/b/elsewhere/organise/people/{role.pk}/change/"
    browser_of(cast.other_organiser).post(url, {"role": "assessor"})
    assert not is_in(thief)


def test_a_team_that_another_board_approves_is_not_the_organisers_who_sits_in_an_account_of_it(cast: Cast) -> None:
    """Its members get a role by the approval; who signed up themselves stay signed in."""
    Board.objects.filter(pk=cast.other_board.pk).update(who_may_submit=Admission.APPROVED)
    victim = give_role(cast.organiser, "web-docs")
    thief = enter(ask_for_link(cast.organiser, "web-docs", victim))
    set_password(thief)
    token = make_token(thief)
    thief.post("/teams/new/", {"name": "Front"})
    Membership.objects.create(team=Team.objects.get(slug="front"), user=cast.mate)
    mate = browser_of(cast.mate)
    thief.post("/b/elsewhere/submit/ask/", {"team": "front"})
    people, organiser = "/b/elsewhere/organise/people/", browser_of(cast.other_organiser)
    asking = organiser.get(people).text.partition("<h2>Roles</h2>")[0]
    assert re.findall(r"(\w+)@example.org\s+\(not confirmed\)", asking) == ["victim"]
    organiser.post(f"{people}teams/front/approve/", {"person": [victim.pk, cast.mate.pk]})
    roles = BoardRole.objects.filter(board=cast.other_board, role=Role.PARTICIPANT)
    assert {role.user for role in roles} == {victim, cast.mate}
    assert (is_in(thief), works(token), can_sign_in(PASSWORD)) == (False, False, False)
    assert is_in(mate)
    assert is_in(enter(make_login_link(victim)))


@pytest.mark.parametrize("trusts", ["runs", "approval"])
def test_a_team_of_another_board_lets_the_account_in_only_after_its_owner_came(cast: Cast, trusts: str) -> None:
    """Who is in a team sees and changes all its runs."""
    if trusts == "runs":
        make_upload(cast.other_board, cast.team, cast.participant, b"")
    else:
        role = {"user": cast.participant, "role": Role.PARTICIPANT, "team": cast.team}
        BoardRole.objects.create(board=cast.other_board, **role)
    victim = give_role(cast.organiser, "web-docs")
    thief = enter(ask_for_link(cast.organiser, "web-docs", victim))
    _, secret = Invitation.invite(cast.team, by=cast.participant)
    assert "whose address nobody has confirmed" in thief.post(f"/join/{secret}/", follow=True).text
    assert not cast.team.members.filter(pk=victim.pk).exists()
    enter(make_login_link(victim)).post(f"/join/{secret}/")
    assert cast.team.members.filter(pk=victim.pk).exists(), "the invitation was not used up"


def test_a_team_of_the_same_board_lets_the_account_in_and_its_owner_sees_that_it_is_not_confirmed(cast: Cast) -> None:
    make_upload(cast.board, cast.team, cast.participant, b"")
    victim = give_role(cast.organiser, "web-docs")
    _, secret = Invitation.invite(cast.team, by=cast.participant)
    enter(ask_for_link(cast.organiser, "web-docs", victim)).post(f"/join/{secret}/")
    page = browser_of(cast.participant).get("/teams/kestrel-lab/").text
    assert re.findall(r"(\w+)@example.org\s+\(not confirmed\)", page) == ["victim"]


def test_what_the_owner_sets_up_after_coming_stays(cast: Cast) -> None:
    """The second link of the operator, and a new role, end nothing any more."""
    victim = give_role(cast.organiser, "web-docs")
    owner = enter(make_login_link(victim))
    set_password(owner, NEW_PASSWORD)
    token = make_token(owner, NEW_PASSWORD)
    enter(make_login_link(victim))
    give_role(cast.other_organiser, "elsewhere", role="assessor")
    assert (works(token), is_in(owner), can_sign_in(NEW_PASSWORD), works(token)) == (True, True, True, True)


def test_links_that_were_made_before_the_upgrade_do_not_work_after_it(cast: Cast) -> None:
    """Nobody knows which of them organisers made."""
    import importlib

    from django.apps import apps

    link = make_login_link(make_user("victim"))
    importlib.import_module("toprung.web.core.migrations.0003_account_owners").end_open_links(apps, None)
    assert Client().get(link).status_code == 404
    assert connection.vendor in {"sqlite", "postgresql"}


@pytest.fixture
def board(tmp_path: Path) -> Iterator[RealBoard]:
    board = RealBoard(tmp_path / "data")
    yield board
    board.stop()


def test_of_many_links_of_an_organiser_used_at_once_one_lets_in(board: RealBoard) -> None:
    assert board.call("many_links_of_an_organiser", of="tests.web.races") == 1


def test_no_token_is_made_at_the_moment_the_owner_comes(board: RealBoard) -> None:
    assert board.call("tokens_while_the_owner_comes", of="tests.web.races") == 0
