"""Joining a team: one person for each link, after signing in or up."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from tests.web.cast import PASSWORD, Cast

from toprung.web.core.models.people import Invitation


@pytest.fixture
def link(cast: Cast) -> str:
    _, secret = Invitation.invite(cast.team, by=cast.participant)
    return f"/join/{secret}/"


def test_a_button_joins(client: Client, cast: Cast, link: str) -> None:
    client.force_login(cast.assessor)
    assert "Join as Assessor" in client.get(link).text
    assert not cast.team.members.contains(cast.assessor)
    assert client.post(link).url == "/teams/kestrel-lab/"
    assert not cast.team.membership_set.get(user=cast.assessor).is_owner


def test_a_link_lets_one_person_in(cast: Cast, link: str) -> None:
    first, second = Client(), Client()
    first.force_login(cast.assessor)
    second.force_login(cast.stranger)
    first.post(link)
    assert second.post(link).status_code == 404
    assert second.get(link).status_code == 404
    assert not cast.team.members.contains(cast.stranger)


def test_a_member_does_not_use_it_up(client: Client, cast: Cast, link: str) -> None:
    client.force_login(cast.mate)
    assert client.post(link).url == "/teams/kestrel-lab/"
    assert Invitation.objects.get().is_open
    assert cast.team.membership_set.filter(user=cast.mate).count() == 1


def test_an_old_link_does_not_work(client: Client, cast: Cast, link: str) -> None:
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    client.force_login(cast.assessor)
    assert client.post(link).status_code == 404


def test_a_link_that_is_not_ours_tells_nothing(client: Client, cast: Cast) -> None:
    page = client.get("/join/guess/")
    assert page.status_code == 404
    assert "Kestrel" not in page.text


def test_who_is_not_signed_in_comes_back_after_signing_in(client: Client, cast: Cast, link: str) -> None:
    assert f"/accounts/login/?next={link}" in client.get(link).text
    assert client.post(link).status_code == 200
    signed_in = client.post("/accounts/login/", {"login": cast.assessor.email, "password": PASSWORD, "next": link})
    assert signed_in.url == link
    client.post(link)
    assert cast.team.members.contains(cast.assessor)


def test_who_has_no_account_comes_back_after_making_one(client: Client, cast: Cast, link: str) -> None:
    response = client.post(
        f"/accounts/signup/?next={link}",
        {"name": "Ada", "email": "ada@example.org", "password1": "difference engine", "next": link},
    )
    assert response.url == link
