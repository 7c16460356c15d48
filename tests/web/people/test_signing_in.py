"""Signing in and out: one answer for whatever is wrong, limits on guessing, and no way off the board by `next`."""

from __future__ import annotations

import re

import pytest
from django.core.cache import caches
from django.core.cache.backends.db import DatabaseCache
from django.test import Client
from pytest_django import Settings
from tests.web.cast import PASSWORD, Cast

MISMATCH = "Found no account with this address and password"


def without_token(page: str, email: str) -> str:
    """The page without what is drawn anew each time, and without the address that was typed."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page).replace(email, "")


def test_address_and_password_let_in(client: Client, cast: Cast) -> None:
    page = client.post("/accounts/login/", {"login": "Participant@Example.org", "password": PASSWORD})
    assert page.url == "/"
    assert client.get("/account/").status_code == 200


def test_a_wrong_password_and_an_unknown_address_get_the_same_answer(client: Client, cast: Cast) -> None:
    wrong = client.post("/accounts/login/", {"login": cast.participant.email, "password": "wrong"})
    unknown = client.post("/accounts/login/", {"login": "who@example.org", "password": "wrong"})
    assert MISMATCH in wrong.text
    assert without_token(wrong.text, cast.participant.email) == without_token(unknown.text, "who@example.org")


@pytest.mark.parametrize("email", ["participant@example.org", "who@example.org"])
def test_guessing_is_stopped_whether_the_address_is_known_or_not(client: Client, cast: Cast, email: str) -> None:
    for _ in range(5):
        assert MISMATCH in client.post("/accounts/login/", {"login": email, "password": "wrong"}).text
    page = client.post("/accounts/login/", {"login": email, "password": PASSWORD})
    assert "Too many failed attempts" in page.text


def test_others_can_still_sign_in_while_one_account_is_guessed_at(cast: Cast) -> None:
    for _ in range(6):
        Client().post("/accounts/login/", {"login": cast.participant.email, "password": "wrong"})
    assert Client().post("/accounts/login/", {"login": cast.mate.email, "password": PASSWORD}).url == "/"


def fail(email: str, *, times: int, at: str = "192.0.2.1") -> None:
    for _ in range(times):
        Client(REMOTE_ADDR=at).post("/accounts/login/", {"login": email, "password": "wrong"})


def sign_in(browser: Client, email: str) -> str:
    return browser.post("/accounts/login/", {"login": email, "password": PASSWORD}).text


def test_guesses_from_elsewhere_do_not_keep_the_owner_out(client: Client, cast: Cast) -> None:
    fail(cast.participant.email, times=9)
    assert sign_in(client, cast.participant.email) == ""


def test_many_addresses_do_not_help_who_guesses(cast: Cast, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"login_failed_anywhere": "4/h/key"}
    for number in range(4):
        fail(cast.participant.email, times=1, at=f"192.0.2.{number}")
    assert "Too many failed attempts" in sign_in(Client(REMOTE_ADDR="198.51.100.7"), cast.participant.email)


def test_the_browser_of_the_owner_lets_in_whatever_others_try(client: Client, cast: Cast, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"login_failed_anywhere": "4/h/key"}
    assert sign_in(client, cast.participant.email) == ""
    client.post("/accounts/logout/")
    fail(cast.participant.email, times=9, at="127.0.0.1")
    assert "Too many failed attempts" in sign_in(Client(), cast.participant.email)
    assert sign_in(client, cast.participant.email) == ""


def test_the_browser_of_one_account_is_a_stranger_to_another(client: Client, cast: Cast) -> None:
    sign_in(client, cast.participant.email)
    client.post("/accounts/logout/")
    fail(cast.mate.email, times=5, at="127.0.0.1")
    assert "Too many failed attempts" in sign_in(client, cast.mate.email)


def test_a_known_browser_guesses_no_faster(client: Client, cast: Cast) -> None:
    sign_in(client, cast.participant.email)
    client.post("/accounts/logout/")
    for _ in range(5):
        client.post("/accounts/login/", {"login": cast.participant.email, "password": "wrong"})
    assert "Too many failed attempts" in sign_in(client, cast.participant.email)


def test_limits_are_counted_where_all_processes_see_them() -> None:
    assert isinstance(caches["default"], DatabaseCache)


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example",
        "http://localhost/elsewhere",
        "javascript:alert(1)",
        "https:evil.example",
    ],
)
def test_next_leads_nowhere_else(client: Client, cast: Cast, target: str) -> None:
    page = client.post("/accounts/login/", {"login": cast.mate.email, "password": PASSWORD, "next": target})
    assert page.url == "/"


def test_next_leads_to_a_page_of_the_board(client: Client, cast: Cast) -> None:
    page = client.post("/accounts/login/", {"login": cast.mate.email, "password": PASSWORD, "next": "/teams/new/"})
    assert page.url == "/teams/new/"


def test_signing_out_takes_a_button(client: Client, cast: Cast) -> None:
    client.force_login(cast.mate)
    assert "Sign out" in client.get("/accounts/logout/").text
    assert client.get("/account/").status_code == 200
    client.post("/accounts/logout/", {"next": "https://evil.example/"})
    assert client.get("/account/").status_code == 302


def test_a_form_without_its_token_is_refused(cast: Cast) -> None:
    browser = Client(enforce_csrf_checks=True)
    assert browser.post("/accounts/login/", {"login": cast.mate.email, "password": PASSWORD}).status_code == 403
