"""The account page: what a person is, in which teams and on which boards; only they see it."""

from __future__ import annotations

from django.test import Client
from tests.web.cast import Cast, make_user


def test_it_says_teams_and_roles(client: Client, cast: Cast) -> None:
    client.force_login(cast.organiser)
    page = client.get("/account/").text
    assert "You are in <b>no team yet</b> and have a role on <b>1 board</b>." in page
    client.force_login(cast.mate)
    page = client.get("/account/").text
    assert "You are in <b>1 team</b>." in page
    assert "mate@example.org" in page
    assert "Norrland" not in page


def test_the_name_is_changed(client: Client, cast: Cast) -> None:
    client.force_login(cast.mate)
    client.post("/account/", {"name": "  Ada \u202e Lovelace"})
    cast.mate.refresh_from_db()
    assert cast.mate.name == "Ada Lovelace"


def test_a_name_that_records_use_is_refused(client: Client, cast: Cast) -> None:
    client.force_login(cast.mate)
    assert "which records use for something else" in client.post("/account/", {"name": "Wоrker"}).text
    cast.mate.refresh_from_db()
    assert cast.mate.name == "Mate"


def test_it_takes_an_account(client: Client, db: None) -> None:
    assert client.get("/account/").url == "/accounts/login/?next=/account/"


def test_pages_carry_no_inline_script_or_style(client: Client, cast: Cast) -> None:
    client.force_login(make_user("owner"))
    for path in ("/account/", "/account/delete/", "/teams/new/", "/accounts/2fa/", "/accounts/password/change/"):
        page = client.get(path)
        assert page.status_code == 200
        assert "style=" not in page.text
        assert "<script>" not in page.text
        assert "onclick" not in page.text
