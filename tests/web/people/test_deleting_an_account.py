"""Deleting an account: the person is forgotten, what they did stays on record, and nothing is left without a keeper."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.socialaccount.models import SocialAccount
from django.test import Client
from tests.web.cast import PASSWORD, Cast, even_ranks, make_upload, make_user, run_text
from tests.web.reading import text_of

from toprung.data.run_card import RunCard
from toprung.web.core.models.boards import BoardRole, Role
from toprung.web.core.models.people import Invitation, LoginLink, User
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.audit import find_break, show_people
from toprung.web.services.people.login_links import make_login_link
from toprung.web.services.runs.check import check_upload
from toprung.web.services.runs.submit import submit

DELETE = "/account/delete/"


def delete(client: Client, user: User, password: str = PASSWORD) -> Any:
    client.force_login(user)
    return client.post(DELETE, {"password": password})


def submit_run(cast: Cast, user: User) -> Submission:
    upload = make_upload(cast.board, cast.team, user, run_text(even_ranks(2)))
    check_upload(upload.pk)
    return submit(upload, RunCard(name="first"), by=user)


def test_the_person_is_forgotten_and_the_run_stays(client: Client, cast: Cast) -> None:
    run = submit_run(cast, cast.mate)
    delete(client, cast.mate)
    run.refresh_from_db()
    assert str(run.user) == "Former member"
    assert run.team == cast.team
    assert not User.objects.filter(email__contains="mate").exists()
    assert not User.objects.filter(name="Mate").exists()
    assert client.get("/account/").status_code == 302


def test_the_audit_log_names_a_former_member_and_its_chain_holds(client: Client, cast: Cast) -> None:
    submit_run(cast, cast.mate)
    [entry] = cast.board.audit.all()
    assert [who for who, _ in show_people([entry])] == ["Mate"]
    delete(client, cast.mate)
    [entry] = cast.board.audit.all()
    assert [who for who, _ in show_people([entry])] == ["Former member"]
    assert "Mate" not in str(cast.board.audit.values())
    assert find_break(cast.board) is None


def test_everything_that_lets_in_or_tells_who_it_was_goes(client: Client, cast: Cast) -> None:
    EmailAddress.objects.create(user=cast.mate, email=cast.mate.email, primary=True)
    SocialAccount.objects.create(user=cast.mate, provider="dummy", uid="7")
    TOTP.activate(cast.mate, generate_totp_secret())
    link = make_login_link(cast.mate)
    other_browser = Client()
    other_browser.force_login(cast.mate)
    delete(client, cast.mate)
    assert not EmailAddress.objects.exists()
    assert not SocialAccount.objects.exists()
    assert not cast.mate.authenticator_set.exists()
    assert not LoginLink.objects.exists()
    assert not cast.team.members.contains(cast.mate)
    assert other_browser.get("/account/").status_code == 302
    assert Client().post(link).status_code == 404
    page = Client().post("/accounts/login/", {"login": "mate@example.org", "password": PASSWORD})
    assert "Found no account with this address and password" in page.text


def test_the_address_is_free_again(client: Client, cast: Cast) -> None:
    delete(client, cast.mate)
    Client().post("/accounts/signup/", {"name": "New", "email": "mate@example.org", "password1": "difference engine"})
    assert User.objects.get(email="mate@example.org").name == "New"


def test_it_asks_for_the_password(client: Client, cast: Cast) -> None:
    page = delete(client, cast.mate, "wrong")
    assert "Found another password" in page.text
    assert client.get(DELETE).status_code == 200
    assert User.objects.filter(email=cast.mate.email).exists()


def test_guessing_the_password_is_stopped(client: Client, cast: Cast) -> None:
    for _ in range(5):
        delete(client, cast.mate, "wrong")
    assert delete(client, cast.mate).status_code == 429
    assert User.objects.filter(email=cast.mate.email).exists()


def test_who_has_no_password_must_have_signed_in_lately(client: Client, cast: Cast) -> None:
    cast.mate.set_unusable_password()
    cast.mate.save()
    client.force_login(cast.mate)
    assert "sign in anew" in client.post(DELETE).text
    assert User.objects.filter(email=cast.mate.email).exists()
    client.post(make_login_link(cast.mate))
    client.post(DELETE)
    assert not User.objects.filter(email=cast.mate.email).exists()


def test_the_last_organiser_hands_the_board_over_first(client: Client, cast: Cast) -> None:
    page = delete(client, cast.organiser)
    assert "You are the only organiser of" in page.text
    assert User.objects.filter(email=cast.organiser.email).exists()
    BoardRole.objects.create(board=cast.board, user=cast.stranger, role=Role.ORGANISER)
    delete(client, cast.organiser)
    assert not User.objects.filter(email=cast.organiser.email).exists()
    assert [role.user for role in cast.board.roles.filter(role=Role.ORGANISER)] == [cast.stranger]
    assert cast.board.audit.get().what == "Left as organiser and deleted the account"


def test_an_organiser_who_left_does_not_count(client: Client, cast: Cast) -> None:
    gone = make_user("gone", is_active=False)
    BoardRole.objects.create(board=cast.board, user=gone, role=Role.ORGANISER)
    page = delete(client, cast.organiser)
    assert "You are the only organiser of" in page.text


def test_the_last_owner_of_a_team_with_others_hands_it_over_first(client: Client, cast: Cast) -> None:
    page = delete(client, cast.participant)
    assert "You are the only owner of" in page.text
    assert User.objects.filter(email=cast.participant.email).exists()


def test_a_team_of_one_is_closed(client: Client, cast: Cast) -> None:
    client.force_login(cast.stranger)
    assert "Nobody else is in Norrland IR, so the team is closed." in text_of(client.get(DELETE).text)
    delete(client, cast.stranger)
    cast.other_team.refresh_from_db()
    assert cast.other_team.closed_at is not None


def test_invitations_of_the_person_no_longer_work(client: Client, cast: Cast) -> None:
    cast.team.membership_set.filter(user=cast.mate).update(is_owner=True)
    _, secret = Invitation.invite(cast.team, by=cast.mate)
    delete(client, cast.mate)
    assert Client().get(f"/join/{secret}/").status_code == 404


@pytest.mark.parametrize("method", ["get", "post"])
def test_it_takes_an_account(client: Client, db: None, method: str) -> None:
    assert getattr(client, method)(DELETE).url == f"/accounts/login/?next={DELETE}"
