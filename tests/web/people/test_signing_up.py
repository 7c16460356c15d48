"""Making an account: with mail the address is confirmed first, and nobody learns which addresses are known."""

from __future__ import annotations

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from tests.web.cast import PASSWORD, Cast

from toprung.web.core.models.people import User

NEW = {"name": "Ada Lovelace", "email": "ada@example.org", "password1": "difference engine"}


def link_in(mail: EmailMessage) -> str:
    """The path of the one link in the mail that stands on a line of its own."""
    [line] = [line for line in str(mail.body).splitlines() if line.startswith("http")]
    return line.removeprefix("http://localhost:8000")


def test_without_mail_the_person_is_in_at_once(client: Client, db: None) -> None:
    response = client.post("/accounts/signup/", NEW, follow=True)
    user = User.objects.get(email="ada@example.org")
    assert response.context["user"] == user
    assert user.name == "Ada Lovelace"
    assert not user.may_create_boards


def test_with_mail_the_address_is_confirmed_first(
    client: Client, db: None, mail_server: None, mailoutbox: list[EmailMessage]
) -> None:
    response = client.post("/accounts/signup/?next=/account/", NEW, follow=True)
    assert "Look into your mail" in response.text
    assert client.get("/account/").status_code == 302
    [mail] = mailoutbox
    assert mail.to == ["ada@example.org"]
    link = link_in(mail)
    assert "Confirm your address" in client.get(link).text
    assert client.post(link).url == "/account/"
    assert client.get("/account/").status_code == 200


def test_opening_the_link_alone_confirms_nothing(
    client: Client, db: None, mail_server: None, mailoutbox: list[EmailMessage]
) -> None:
    client.post("/accounts/signup/", NEW)
    client.get(link_in(mailoutbox[0]))
    response = client.post("/accounts/login/", {"login": NEW["email"], "password": NEW["password1"]})
    assert response.url == "/accounts/confirm-email/"


def test_a_known_address_gets_the_same_answer_and_another_mail(
    cast: Cast, mail_server: None, mailoutbox: list[EmailMessage]
) -> None:
    unknown, known = Client(), Client()
    pages = [
        browser.post("/accounts/signup/", NEW | {"email": email}, follow=True)
        for browser, email in ((unknown, "new@example.org"), (known, cast.stranger.email))
    ]
    assert [page.redirect_chain for page in pages] == [[("/accounts/confirm-email/", 302)]] * 2
    texts = [
        page.text.replace(email, "ADDRESS")
        for page, email in zip(pages, ("new@example.org", cast.stranger.email), strict=True)
    ]
    assert texts[0] == texts[1]
    assert [mail.subject for mail in mailoutbox] == [
        "Toprung: confirm your address",
        "Toprung: you have an account already",
    ]
    cast.stranger.refresh_from_db()
    assert cast.stranger.check_password(PASSWORD)


def test_the_mail_holds_nothing_that_the_sender_wrote(
    client: Client, db: None, mail_server: None, mailoutbox: list[EmailMessage]
) -> None:
    client.post("/accounts/signup/", NEW | {"name": "Win money at evil.example"})
    assert "evil.example" not in mailoutbox[0].subject + str(mailoutbox[0].body)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "\u202e\u200b "}, "Found no letter; expected a name."),
        ({"name": "former  MEMBER"}, "which records use for something else"),
        ({"email": "ada"}, "Enter a valid email address."),
        ({"password1": "short"}, "This password is too short."),
        ({"password1": "password1"}, "This password is too common."),
        ({"email": "stranger@example.org"}, "Found an address that has an account"),
    ],
)
def test_what_is_wrong_is_said_beside_the_field(client: Client, cast: Cast, change: dict[str, str], said: str) -> None:
    response = client.post("/accounts/signup/", NEW | change)
    assert said in response.text
    assert not User.objects.filter(email="ada@example.org").exists()


def test_script_in_a_name_is_escaped(client: Client, db: None) -> None:
    client.post("/accounts/signup/", NEW | {"name": "<script>alert(1)</script>"})
    page = client.get("/account/").text
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_a_mail_server_that_is_down_is_said(
    client: Client, db: None, mail_server: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise ConnectionRefusedError

    monkeypatch.setattr(EmailMessage, "send", refuse)
    response = client.post("/accounts/signup/", NEW)
    assert response.status_code == 503
    assert "No mail could be sent" in response.text
