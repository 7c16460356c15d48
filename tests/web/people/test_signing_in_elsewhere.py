"""Signing in with an account elsewhere: tried with allauth's own stand-in for ORCID and GitHub."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from tests.web.cast import PASSWORD, Cast

from toprung.errors import InputError
from toprung.web.core.config.environment import Environment
from toprung.web.core.models.people import User

SECRET = "not-to-be-told"


def come_from_elsewhere(client: Client, process: str = "login", **answers: object) -> Any:
    """What the other service says of the person."""
    sent_to = client.post(f"/accounts/dummy/login/?process={process}").url
    return client.post(sent_to, {"id": 7} | answers, follow=True)


def test_the_sign_in_page_offers_it(client: Client, db: None) -> None:
    page = client.get("/accounts/login/?next=/teams/new/").text
    assert '<form method="post" action="/accounts/dummy/login/?process=login&amp;next=%2Fteams%2Fnew%2F">' in page


def test_a_new_person_gets_an_account(client: Client, db: None) -> None:
    come_from_elsewhere(client, email="ada@example.org", first_name="Ada", last_name="Lovelace")
    user = User.objects.get()
    assert (user.name, user.email) == ("Ada Lovelace", "ada@example.org")
    assert not user.has_usable_password()
    assert client.get("/account/").status_code == 200


def test_the_same_person_comes_back(db: None) -> None:
    for _ in range(2):
        come_from_elsewhere(Client(), email="ada@example.org", first_name="Ada")
    assert User.objects.count() == 1


def test_what_is_missing_is_asked_for(client: Client, db: None) -> None:
    page = come_from_elsewhere(client, first_name="\u202e")
    assert "We need a name and an address" in page.text
    client.post("/accounts/3rdparty/signup/", {"name": "Ada", "email": "ada@example.org"})
    assert User.objects.get().name == "Ada"


def test_the_address_of_another_account_does_not_open_it(client: Client, cast: Cast) -> None:
    come_from_elsewhere(client, email=cast.mate.email, email_verified="on", first_name="Eve")
    assert client.get("/account/").status_code == 302
    page = client.post("/accounts/3rdparty/signup/", {"name": "Eve", "email": cast.mate.email})
    assert "connect Dummy on your account page" in page.text
    assert not cast.mate.socialaccount_set.exists()


def test_with_mail_the_address_of_another_account_gets_the_answer_of_a_new_one(
    cast: Cast, mail_server: None, mailoutbox: list[EmailMessage]
) -> None:
    pages = [
        come_from_elsewhere(Client(), id=number, email=email, first_name="Eve")
        for number, email in enumerate((cast.mate.email, "new@example.org"))
    ]
    assert [page.redirect_chain for page in pages] == [[("/accounts/confirm-email/", 302)]] * 2
    assert not cast.mate.socialaccount_set.exists()


def test_an_account_is_connected_and_disconnected(client: Client, cast: Cast) -> None:
    client.force_login(cast.mate)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    come_from_elsewhere(client, process="connect")
    account = cast.mate.socialaccount_set.get()
    assert "Disconnect" in client.get("/accounts/3rdparty/").text
    come_from_elsewhere(other := Client())
    assert other.get("/account/").context["user"] == cast.mate
    client.post("/accounts/3rdparty/", {"account": account.pk})
    assert not cast.mate.socialaccount_set.exists()


def test_who_stops_on_the_way_is_told_so(client: Client, db: None) -> None:
    sent_to = client.post("/accounts/dummy/login/").url
    assert "Not signed in" in client.post(sent_to, {"action": "cancel"}, follow=True).text


def test_next_leads_nowhere_else(client: Client, db: None) -> None:
    sent_to = client.post("/accounts/dummy/login/?next=https://evil.example/").url
    response = client.post(sent_to, {"id": 7, "email": "ada@example.org", "first_name": "Ada"})
    assert response.url == "/"


@pytest.mark.parametrize("name", ["ORCID", "GITHUB"])
def test_services_are_set_by_both_variables(name: str) -> None:
    read = Environment.read(set_up(name, "ID", "SECRET"))
    [provider] = read.login_providers
    assert (provider.id, provider.client_id, provider.secret) == (name.lower(), SECRET, SECRET)
    assert SECRET not in repr(provider) + repr(read)


@pytest.mark.parametrize(("there", "missing"), [("ID", "SECRET"), ("SECRET", "ID")])
def test_one_variable_without_the_other_is_said_and_its_value_is_not(there: str, missing: str) -> None:
    with pytest.raises(InputError) as refused:
        Environment.read(set_up("ORCID", there))
    assert str(refused.value) == (
        f"TOPRUNG_ORCID_{missing}: found nothing, though TOPRUNG_ORCID_{there} is set; expected both or neither."
    )


def set_up(name: str, *parts: str) -> dict[str, str]:
    return {"TOPRUNG_SECRET_KEY": "k" * 40} | {f"TOPRUNG_{name}_{part}": SECRET for part in parts}
