"""A second step when signing in: a code of an authenticator app, or a recovery code, and each works once."""

from __future__ import annotations

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.test import Client
from tests.web.cast import PASSWORD, Cast
from tests.web.reading import folded

from toprung.web.core.models.people import User
from toprung.web.services.people.login_links import make_login_link


def code_of(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))


@pytest.fixture
def secret(cast: Cast) -> str:
    """Of the participant's app."""
    secret: str = generate_totp_secret()
    TOTP.activate(cast.participant, secret)
    return secret


def give_password(client: Client, user: User) -> str:
    response = client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    return str(response.url)


def test_turning_it_on_asks_who_it_is_then_shows_recovery_codes(client: Client, cast: Cast) -> None:
    client.force_login(cast.participant)
    asked = client.get("/accounts/2fa/totp/activate/")
    assert asked.url.startswith("/accounts/reauthenticate/")
    client.post(asked.url, {"password": PASSWORD})
    page = client.get("/accounts/2fa/totp/activate/")
    assert "data:image/svg+xml" in page.text
    done = client.post("/accounts/2fa/totp/activate/", {"code": code_of(page.context["form"].secret)}, follow=True)
    codes = done.context["unused_codes"]
    assert len(codes) == 10
    assert codes[0] in done.text
    assert ">on <" in folded(client.get("/account/").text)


def test_a_wrong_code_does_not_turn_it_on(client: Client, cast: Cast) -> None:
    client.force_login(cast.participant)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.get("/accounts/2fa/totp/activate/")
    assert "Found another code" in client.post("/accounts/2fa/totp/activate/", {"code": "0000000"}).text
    assert not Authenticator.objects.exists()


def test_the_password_alone_does_not_let_in(client: Client, cast: Cast, secret: str) -> None:
    assert give_password(client, cast.participant) == "/accounts/2fa/authenticate/"
    assert client.get("/account/").status_code == 302


def test_password_and_code_let_in(client: Client, cast: Cast, secret: str) -> None:
    give_password(client, cast.participant)
    client.post("/accounts/2fa/authenticate/", {"code": code_of(secret)})
    assert client.get("/account/").status_code == 200


def test_a_code_works_once(cast: Cast, secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: 1_800_000_000.0)
    code = code_of(secret)
    first, second = Client(), Client()
    for browser in (first, second):
        give_password(browser, cast.participant)
    assert first.post("/accounts/2fa/authenticate/", {"code": code}).status_code == 302
    assert "Found another code" in second.post("/accounts/2fa/authenticate/", {"code": code}).text


def test_a_recovery_code_lets_in_once(cast: Cast, secret: str) -> None:
    code = RecoveryCodes.activate(cast.participant).get_unused_codes()[0]
    first, second = Client(), Client()
    for browser in (first, second):
        give_password(browser, cast.participant)
        browser.post("/accounts/2fa/authenticate/", {"code": code})
    assert first.get("/account/").status_code == 200
    assert second.get("/account/").status_code == 302


def test_guessing_codes_is_stopped(client: Client, cast: Cast, secret: str) -> None:
    give_password(client, cast.participant)
    for _ in range(5):
        client.post("/accounts/2fa/authenticate/", {"code": "wrong"})
    page = client.post("/accounts/2fa/authenticate/", {"code": code_of(secret)})
    assert "Too many failed attempts" in page.text


def test_a_login_link_does_not_pass_over_the_second_step(client: Client, cast: Cast, secret: str) -> None:
    assert client.post(make_login_link(cast.participant)).url == "/accounts/2fa/authenticate/"
    assert client.get("/account/").status_code == 302


def test_turning_it_off_asks_who_it_is(client: Client, cast: Cast, secret: str) -> None:
    client.force_login(cast.participant)
    asked = client.post("/accounts/2fa/totp/deactivate/")
    assert asked.url.startswith("/accounts/reauthenticate/")
    assert Authenticator.objects.exists()
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.post("/accounts/2fa/totp/deactivate/")
    assert not Authenticator.objects.exists()
