"""What every answer says to the browser, behind TLS and without it; and what is refused before a page is asked."""

from __future__ import annotations

import runpy
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings
from tests.web.cast import PASSWORD, Cast

from toprung.web.core.config.redaction import hide_secrets
from toprung.web.ops import settings as made_settings

# One page, one that is not there, one for members, one that only takes posts, one of allauth.
PATHS = ("/", "/b/web-docs/", "/nowhere/", "/account/", "/b/web-docs/uploads/", "/accounts/login/", "/healthz")


@pytest.fixture
def behind_tls(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The settings as they are made where people come by https."""
    for name, value in settings_for(monkeypatch, TOPRUNG_URL="https://board.example.org").items():
        if name.startswith(("SECURE_", "SESSION_COOKIE", "CSRF_", "ALLOWED_HOSTS")):
            setattr(settings, name, value)
    return settings


def settings_for(monkeypatch: pytest.MonkeyPatch, **environment: str) -> dict[str, Any]:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    made = runpy.run_path(made_settings.__file__)
    return {name: value for name, value in made.items() if name.isupper()}


def https(client: Client, path: str) -> Any:
    return client.get(path, headers={"host": "board.example.org", "x-forwarded-proto": "https"})


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_the_policies(path: str, cast: Cast, client: Client) -> None:
    headers = client.get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["X-Frame-Options"] == "DENY"
    assert "Strict-Transport-Security" not in headers
    policy = read_policy(headers["Content-Security-Policy"])
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["form-action"] == policy["connect-src"] == "'self'"
    assert "unsafe" not in headers["Content-Security-Policy"]


def read_policy(header: str) -> dict[str, str]:
    parts = (part.strip().partition(" ") for part in header.split(";"))
    return {name: value for name, _, value in parts}


@pytest.mark.parametrize("path", PATHS)
def test_behind_tls_browsers_are_told_to_come_by_it_for_a_year(
    path: str, cast: Cast, behind_tls: Settings, client: Client
) -> None:
    assert https(client, path).headers["Strict-Transport-Security"] == "max-age=31536000"


def test_behind_tls_who_comes_without_is_sent_to_it(db: None, behind_tls: Settings, client: Client) -> None:
    answer = client.get("/boards/", headers={"host": "board.example.org"})
    assert (answer.status_code, answer.headers["Location"]) == (301, "https://board.example.org/boards/")


def test_health_is_told_on_the_machine_itself_without_tls(db: None, behind_tls: Settings, client: Client) -> None:
    answer = client.get("/healthz", headers={"host": "127.0.0.1"})
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.parametrize("is_tls", [False, True])
def test_cookies_are_out_of_reach_of_scripts_and_of_other_sites(
    is_tls: bool, cast: Cast, client: Client, request: pytest.FixtureRequest
) -> None:
    if is_tls:
        request.getfixturevalue("behind_tls")
    secure = {"secure": True, "headers": {"host": "board.example.org", "x-forwarded-proto": "https"}} if is_tls else {}
    client.post("/accounts/login/", {"login": cast.participant.email, "password": PASSWORD}, **secure)
    client.get("/accounts/password/change/", **secure)
    for name in ("sessionid", "csrftoken"):
        cookie = client.cookies[name]
        assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
        assert bool(cookie["secure"]) == is_tls


def test_another_host_is_refused(db: None, client: Client, caplog: pytest.LogCaptureFixture) -> None:
    assert client.get("/", headers={"host": "evil.example.org"}).status_code == 400


def test_a_form_from_another_site_is_refused(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.participant)
    assert client.post("/teams/new/", {"name": "Kestrel Lab 2"}).status_code == 403


def test_a_form_that_is_too_large_is_refused(cast: Cast, client: Client) -> None:
    client.force_login(cast.participant)
    body = "name=" + "a" * (3 << 20)
    answer = client.post("/teams/new/", body, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 400
    assert not cast.participant.teams.filter(name__startswith="aaa").exists()


def test_a_form_with_too_many_fields_is_refused(cast: Cast, client: Client) -> None:
    client.force_login(cast.participant)
    assert client.post("/teams/new/", {f"field{number}": "x" for number in range(300)}).status_code == 400


def test_where_people_may_sign_in_elsewhere_forms_may_lead_there(monkeypatch: pytest.MonkeyPatch) -> None:
    made = settings_for(monkeypatch, TOPRUNG_ORCID_ID="an-id", TOPRUNG_ORCID_SECRET="a-secret")
    assert made["SECURE_CSP"]["form-action"] == ["'self'", "https://orcid.org"]


def test_nothing_is_shown_of_a_failure(cast: Cast, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise RuntimeError("label of q01 is rel-q01")

    monkeypatch.setattr("toprung.web.site.board.home.list_board_cards", fail)
    client.raise_request_exception = False
    answer = client.get("/boards/")
    assert answer.status_code == 500
    assert b"rel-q01" not in answer.content
    assert b"Traceback" not in answer.content


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Forbidden (CSRF token missing): /link/abc-1:x_y/", "Forbidden (CSRF token missing): /link/…/"),
        ("Internal Server Error: /join/s3cret/", "Internal Server Error: /join/…/"),
        ("Not Found: /accounts/password/reset/key/1a-set-pass/", "Not Found: /accounts/password/reset/key/…/"),
        ("GET '/accounts/confirm-email/MQ:1x:yz/'", "GET '/accounts/confirm-email/…/'"),
        ("Error handling request /boards/?token=abc&q=x HTTP", "Error handling request /boards/?… HTTP"),
        ("Why? Nobody knows.", "Why? Nobody knows."),
        ("x?y/z?token=abc", "x?y/z?…"),
        pytest.param("/" * 200_000, "/" * 200_000, id="a path that never ends"),
        pytest.param("a." * 100_000, "a." * 100_000, id="a word that never ends"),
    ],
)
def test_links_that_let_people_in_are_not_logged(written: str, kept: str) -> None:
    assert hide_secrets(written) == kept
