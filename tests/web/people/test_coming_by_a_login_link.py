"""Login links: opening one changes nothing, its button works once and not for long, and organisers may give them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from tests.web.cast import Cast

from toprung.web.core.models.boards import Role
from toprung.web.core.models.people import LoginLink, User
from toprung.web.core.store.audit import find_break
from toprung.web.services.boards.roles import give_role
from toprung.web.services.people.login_links import LinkRefusedError, give_login_link, make_login_link
from toprung.web.site.account.links import SET_ONE


def test_opening_the_link_does_not_use_it_up(client: Client, cast: Cast) -> None:
    link = make_login_link(cast.mate)
    for _ in range(3):
        assert "Sign in as Mate" in Client().get(link).text
    assert client.get("/account/").status_code == 302
    assert client.post(link).status_code == 302
    assert client.get("/account/").context["user"] == cast.mate


def test_it_works_once(cast: Cast) -> None:
    link = make_login_link(cast.mate)
    assert Client().post(link).status_code == 302
    assert Client().post(link).status_code == 404
    assert Client().get(link).status_code == 404


def test_it_does_not_work_for_long(client: Client, cast: Cast) -> None:
    assert client.post(make_login_link(cast.mate, valid_for=timedelta(seconds=-1))).status_code == 404


@pytest.mark.parametrize(("part", "other"), [("/link/", "/link/x"), (":", "x:"), (":", ":x")])
def test_a_link_that_was_changed_does_not_work(client: Client, cast: Cast, part: str, other: str) -> None:
    assert client.post(make_login_link(cast.mate).replace(part, other)).status_code == 404


def test_what_is_stored_does_not_tell_the_link(cast: Cast) -> None:
    secret = make_login_link(cast.mate).split("/")[2].partition(":")[0]
    assert len(secret) == 32
    assert secret not in str(LoginLink.objects.values().get())


def test_it_does_not_let_in_who_has_left(client: Client, cast: Cast) -> None:
    link = make_login_link(cast.mate)
    cast.mate.is_active = False
    cast.mate.save()
    assert client.post(link).status_code == 404


def test_it_signs_out_who_was_signed_in(client: Client, cast: Cast) -> None:
    client.force_login(cast.stranger)
    client.post(make_login_link(cast.mate))
    assert client.get("/account/").context["user"] == cast.mate


def test_who_has_no_password_is_led_to_set_one(client: Client, db: None) -> None:
    first = User.objects.create_user("first@example.org", None, may_create_boards=True)
    came = client.post(make_login_link(first), follow=True)
    assert (came.redirect_chain[-1][0], SET_ONE in came.text) == ("/boards/new/", True), "where there is work"
    assert SET_ONE not in client.get("/account/").text, "said once"
    assert "Set a password" in client.get("/account/").text
    client.post("/accounts/password/set/", {"password1": "a brand new phrase", "password2": "a brand new phrase"})
    first.refresh_from_db()
    assert first.check_password("a brand new phrase")


def test_who_has_neither_password_nor_work_is_led_to_set_one(client: Client, db: None) -> None:
    someone = User.objects.create_user("someone@example.org", None)
    assert client.post(make_login_link(someone)).url == "/account/"


def test_who_forgot_the_password_sets_a_new_one_without_the_old(client: Client, cast: Cast) -> None:
    client.post(make_login_link(cast.mate))
    client.post("/accounts/password/change/", {"password1": "a brand new phrase", "password2": "a brand new phrase"})
    cast.mate.refresh_from_db()
    assert cast.mate.check_password("a brand new phrase")


def test_it_lets_in_though_the_address_is_not_confirmed(client: Client, cast: Cast, mail_server: None) -> None:
    client.post(make_login_link(cast.mate))
    assert client.get("/account/").status_code == 200


def test_an_organiser_gives_a_link_on_record(client: Client, cast: Cast) -> None:
    newcomer = give_role(cast.board, "new@example.org", Role.VIEWER, by=cast.organiser).user
    link = give_login_link(newcomer, by=cast.organiser, board=cast.board)
    entry = cast.board.audit.order_by("number")[1]
    assert (entry.who, entry.what) == (cast.organiser.reference, f"Gave a login link to {newcomer.reference}")
    assert find_break(cast.board) is None
    assert client.post(link).status_code == 302


@pytest.mark.parametrize(
    ("giver", "taker", "said"),
    [
        ("participant", "assessor", "does not organise this board"),
        ("other_organiser", "assessor", "does not organise this board"),
        ("organiser", "stranger", "not on this board"),
        ("organiser", "organiser", "Found an organiser"),
        ("organiser", "assessor", "the organisers of this board did not make"),
    ],
)
def test_nobody_is_given_a_link_into_an_account_that_is_no_business_of_theirs(
    cast: Cast, giver: str, taker: str, said: str
) -> None:
    with pytest.raises(LinkRefusedError, match=said):
        give_login_link(getattr(cast, taker), by=getattr(cast, giver), board=cast.board)
    assert not LoginLink.objects.exists()
    assert not cast.board.audit.exists()
