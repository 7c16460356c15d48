"""A forgotten password: mailed a link where there is mail, sent to the operator where there is none."""

from __future__ import annotations

import re

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from tests.web.cast import PASSWORD, Cast
from tests.web.people.test_signing_up import link_in

from toprung.web.core.models.people import Scope
from toprung.web.services.people.tokens import make_token, open_tokens

NEW_PASSWORD = "another long phrase"


def test_without_mail_the_operator_is_named(client: Client, cast: Cast, mailoutbox: list[EmailMessage]) -> None:
    assert "whoever runs this server: they can give you a login link" in client.get("/accounts/password/reset/").text
    pages = [
        client.post("/accounts/password/reset/", {"email": email}) for email in ("mate@example.org", "x@example.org")
    ]
    assert [page.status_code for page in pages] == [200, 200]
    assert pages[0].text == pages[1].text
    assert not mailoutbox


def test_with_mail_a_link_sets_a_new_password(cast: Cast, mail_server: None, mailoutbox: list[EmailMessage]) -> None:
    Client().post("/accounts/password/reset/", {"email": cast.mate.email})
    browser = Client()
    form = browser.get(link_in(mailoutbox[0]), follow=True)
    browser.post(form.request["PATH_INFO"], {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})
    cast.mate.refresh_from_db()
    assert cast.mate.check_password(NEW_PASSWORD)
    assert "This link does not work any more" in Client().get(link_in(mailoutbox[0]), follow=True).text


def test_known_and_unknown_addresses_get_the_same_answer(
    cast: Cast, mail_server: None, mailoutbox: list[EmailMessage]
) -> None:
    pages = [
        Client().post("/accounts/password/reset/", {"email": email}, follow=True)
        for email in ("mate@example.org", "who@example.org")
    ]
    assert pages[0].text == pages[1].text
    assert [mail.subject for mail in mailoutbox] == [
        "Toprung: set a new password",
        "Toprung: there is no account with this address",
    ]


def test_links_in_mail_lead_to_the_public_address_whatever_host_was_asked(
    cast: Cast, mail_server: None, mailoutbox: list[EmailMessage]
) -> None:
    Client(headers={"host": "127.0.0.1:6666"}).post("/accounts/password/reset/", {"email": cast.mate.email})
    assert "http://localhost:8000/accounts/password/reset/key/" in str(mailoutbox[0].body)
    assert "6666" not in str(mailoutbox[0].body)


@pytest.mark.parametrize("email", ["mate@example.org", "who@example.org"])
def test_nobody_is_flooded_with_mail(
    client: Client, cast: Cast, mail_server: None, mailoutbox: list[EmailMessage], email: str
) -> None:
    statuses = [client.post("/accounts/password/reset/", {"email": email}).status_code for _ in range(4)]
    assert statuses == [302, 302, 302, 429]
    assert len(mailoutbox) == 3


def test_changing_the_password_asks_for_the_old_one(client: Client, cast: Cast) -> None:
    client.force_login(cast.mate)
    change = {"oldpassword": "wrong", "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    assert "expected the one you sign in with" in client.post("/accounts/password/change/", change).text
    client.post("/accounts/password/change/", change | {"oldpassword": PASSWORD})
    cast.mate.refresh_from_db()
    assert cast.mate.check_password(NEW_PASSWORD)


@pytest.mark.parametrize("asked", [{"revoke_tokens": "on"}, {}])
def test_a_new_password_revokes_tokens_if_its_owner_says_so(client: Client, cast: Cast, asked: dict[str, str]) -> None:
    make_token(cast.mate, name="laptop", scopes=[Scope.READ])
    make_token(cast.participant, name="of another", scopes=[Scope.READ])
    client.force_login(cast.mate)
    form = client.get("/accounts/password/change/").text
    assert "Revoke 1 token too" in form
    assert re.search(r'name="revoke_tokens"\s+id="id_revoke_tokens"\s+checked', form)
    typed = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    client.post("/accounts/password/change/", typed | asked)
    assert (open_tokens(cast.mate).count(), open_tokens(cast.participant).count()) == (0 if asked else 1, 1)


def test_so_does_one_that_is_set_by_mail(cast: Cast, mail_server: None, mailoutbox: list[EmailMessage]) -> None:
    make_token(cast.mate, name="laptop", scopes=[Scope.READ])
    Client().post("/accounts/password/reset/", {"email": cast.mate.email})
    browser = Client()
    form = browser.get(link_in(mailoutbox[0]), follow=True)
    assert "Revoke 1 token too" in form.text
    typed = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD, "revoke_tokens": "on"}
    browser.post(form.request["PATH_INFO"], typed)
    assert not open_tokens(cast.mate).exists()


def test_who_has_no_token_is_not_asked_about_them(client: Client, cast: Cast) -> None:
    client.force_login(cast.mate)
    assert "revoke_tokens" not in client.get("/accounts/password/change/").text


def test_changing_the_password_ends_other_sessions(cast: Cast) -> None:
    here, elsewhere = Client(), Client()
    for browser in (here, elsewhere):
        browser.force_login(cast.mate)
    here.post(
        "/accounts/password/change/",
        {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD},
    )
    assert here.get("/account/").status_code == 200
    assert elsewhere.get("/account/").status_code == 302


def test_without_mail_the_address_cannot_be_changed(client: Client, cast: Cast) -> None:
    client.force_login(cast.mate)
    page = client.post("/accounts/email/", {"email": "other@example.org", "action_add": "1"})
    assert "sends no mail" in page.text
    assert not cast.mate.emailaddress_set.filter(email="other@example.org").exists()
