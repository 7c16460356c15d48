"""Inviting into a team: owners make links that are shown once or mailed, and can be withdrawn."""

from __future__ import annotations

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from tests.web.cast import Cast
from tests.web.people.test_signing_up import link_in

from toprung.web.core.models.people import Invitation

INVITE = "/teams/kestrel-lab/invite/"


def test_the_link_is_shown_once_and_not_stored(client: Client, cast: Cast) -> None:
    client.force_login(cast.participant)
    link = client.post(INVITE).context["link"]
    assert link.startswith("http://testserver/join/")
    secret = link.split("/")[4]
    assert secret not in str(Invitation.objects.values().get())
    assert secret not in client.get("/teams/kestrel-lab/").text
    assert secret not in client.get(INVITE).text


def test_looking_at_the_page_makes_no_invitation(client: Client, cast: Cast) -> None:
    client.force_login(cast.participant)
    assert "Make an invitation" in client.get(INVITE).text
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("person", ["mate", "stranger", "organiser", "assessor"])
def test_only_owners_invite(client: Client, cast: Cast, person: str) -> None:
    client.force_login(getattr(cast, person))
    assert client.post(INVITE).status_code == 404
    assert not Invitation.objects.exists()


def test_with_mail_the_link_can_be_mailed(
    client: Client, cast: Cast, mail_server: None, mailoutbox: list[EmailMessage]
) -> None:
    client.force_login(cast.participant)
    response = client.post(INVITE, {"email": "ada@example.org"})
    assert response.url == "/teams/kestrel-lab/"
    [mail] = mailoutbox
    assert mail.to == ["ada@example.org"]
    assert mail.subject == "Toprung: Participant invites you to the team Kestrel Lab"
    assert "Join Kestrel Lab" in Client().get(link_in(mail)).text


def test_a_name_stands_in_mail_as_it_was_written(
    client: Client, cast: Cast, mail_server: None, mailoutbox: list[EmailMessage]
) -> None:
    cast.participant.name = "D'Arcy & Sons"
    cast.participant.save()
    client.force_login(cast.participant)
    client.post(INVITE, {"email": "ada@example.org"})
    assert "D'Arcy & Sons invites you" in mailoutbox[0].subject
    assert "D'Arcy & Sons invites you" in str(mailoutbox[0].body)


def test_without_mail_no_address_is_taken(client: Client, cast: Cast, mailoutbox: list[EmailMessage]) -> None:
    client.force_login(cast.participant)
    assert client.post(INVITE, {"email": "ada@example.org"}).context["link"]
    assert Invitation.objects.get().email == ""
    assert not mailoutbox


def test_a_withdrawn_invitation_does_not_work(client: Client, cast: Cast) -> None:
    invitation, secret = Invitation.invite(cast.team, by=cast.participant)
    client.force_login(cast.participant)
    assert "whoever has the link" in client.get("/teams/kestrel-lab/").text
    client.post(f"/teams/kestrel-lab/uninvite/{invitation.pk}/")
    client.force_login(cast.stranger)
    assert client.post(f"/join/{secret}/").status_code == 404
    assert not cast.team.members.contains(cast.stranger)


def test_only_the_own_team_s_invitations_are_withdrawn(client: Client, cast: Cast) -> None:
    invitation, _ = Invitation.invite(cast.team, by=cast.participant)
    client.force_login(cast.stranger)
    client.post(f"/teams/norrland-ir/uninvite/{invitation.pk}/")
    assert client.post(f"/teams/kestrel-lab/uninvite/{invitation.pk}/").status_code == 404
    assert Invitation.objects.filter(pk=invitation.pk).exists()


@pytest.mark.parametrize("person", ["mate", "stranger"])
def test_only_owners_see_open_invitations(client: Client, cast: Cast, person: str) -> None:
    Invitation.invite(cast.team, by=cast.participant, email="ada@example.org")
    client.force_login(getattr(cast, person))
    assert "ada@example.org" not in client.get("/teams/kestrel-lab/").text
