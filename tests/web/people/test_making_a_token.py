"""A person makes a token, sees its secret once, and revokes it; only its digest is kept."""

from __future__ import annotations

import hashlib
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from tests.web.cast import PASSWORD, Cast
from tests.web.reading import faults_of, text_of

from toprung.web.core.models.people import ApiToken, Scope, User
from toprung.web.services.people.leaving import delete_account, leave_team
from toprung.web.services.people.tokens import MOST_OPEN, make_token

pytestmark = pytest.mark.django_db
ASKED = {"name": "my laptop", "scopes": ["read", "submit"], "team": "", "days": "30"}
SECRET = re.compile(r"trt_[\w-]{43}")


def sign_in(user: User) -> Client:
    """As people do, who said a moment ago who they are."""
    client = Client()
    client.force_login(user)
    assert client.post(reverse("account_reauthenticate"), {"password": PASSWORD}).status_code == 302
    return client


def test_the_secret_is_shown_once_and_only_its_digest_is_kept(cast: Cast) -> None:
    client = sign_in(cast.participant)
    page = client.post(reverse("tokens"), ASKED)
    (secret,) = SECRET.findall(page.text)
    token = ApiToken.objects.get()
    assert token.digest == hashlib.sha256(secret.encode()).hexdigest()
    assert secret.startswith(token.prefix)
    assert len(token.prefix) == 8
    assert (token.user, token.team, token.scopes) == (cast.participant, None, ["read", "submit"])
    assert timedelta(days=29) < token.expires_at - timezone.now() <= timedelta(days=30)
    assert "no-store" in page.headers["Cache-Control"]
    again = client.get(reverse("tokens"))
    assert SECRET.findall(again.text) == []
    assert "my laptop" in again.text
    assert faults_of(page.text) == faults_of(again.text) == []


def test_a_token_is_bound_to_a_team_of_ones_own(cast: Cast) -> None:
    client = sign_in(cast.participant)
    assert client.post(reverse("tokens"), ASKED | {"team": cast.team.slug}).status_code == 200
    assert ApiToken.objects.get().team == cast.team
    refused = client.post(reverse("tokens"), ASKED | {"team": cast.other_team.slug})
    assert (refused.status_code, ApiToken.objects.count()) == (422, 1)


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"name": "\u200b"}, {"scopes": []}, {"scopes": ["all"]}, {"days": "0"}, {"days": "366"}]
)
def test_what_cannot_be_asked_makes_no_token(cast: Cast, wrong: dict[str, object]) -> None:
    response = sign_in(cast.participant).post(reverse("tokens"), ASKED | wrong)
    assert (response.status_code, ApiToken.objects.count()) == (422, 0)


def test_whoever_finds_a_browser_open_makes_none(cast: Cast) -> None:
    """Signed in, but not a moment ago."""
    client = Client()
    client.force_login(cast.participant)
    response = client.post(reverse("tokens"), ASKED)
    assert response.status_code == 302
    where = response.headers["Location"]
    assert where.startswith(reverse("account_reauthenticate"))
    assert not ApiToken.objects.exists()
    client.post(where, {"password": "a guess"})
    assert not ApiToken.objects.exists()
    page = client.post(where, {"password": PASSWORD})  # who is it after all goes on where they were
    assert len(SECRET.findall(page.text)) == 1
    assert ApiToken.objects.get().name == "my laptop"


def test_a_person_has_so_many_at_once(cast: Cast) -> None:
    for number in range(MOST_OPEN):
        make_token(cast.participant, name=f"token {number}", scopes=[Scope.READ])
    response = sign_in(cast.participant).post(reverse("tokens"), ASKED)
    assert (response.status_code, ApiToken.objects.count()) == (422, MOST_OPEN)
    assert "Revoke one first" in response.text


def test_a_token_is_revoked_by_its_owner_alone(cast: Cast) -> None:
    token, _ = make_token(cast.participant, name="my laptop", scopes=[Scope.READ])
    url = reverse("revoke_token", args=[token.pk])
    assert sign_in(cast.mate).post(url).status_code == 404
    client = sign_in(cast.participant)
    assert client.post(url).status_code == 302
    token.refresh_from_db()
    assert token.revoked_at is not None
    assert f"revoked {token.revoked_at:%Y-%m-%d}" in text_of(client.get(reverse("tokens")).text)


def test_a_token_of_a_team_that_was_left_is_not_said_to_work(cast: Cast) -> None:
    make_token(cast.mate, name="my laptop", scopes=[Scope.READ], team=cast.team)
    client = sign_in(cast.mate)
    assert "You have 1 token that works" in text_of(client.get(reverse("tokens")).text)
    leave_team(cast.team.membership_set.get(user=cast.mate))
    page = text_of(client.get(reverse("tokens")).text)
    assert "You have no token that works" in page
    assert "you left the team" in page


def test_tokens_go_with_the_account(cast: Cast) -> None:
    make_token(cast.mate, name="my laptop", scopes=[Scope.READ])
    delete_account(cast.mate)
    assert not ApiToken.objects.exists()


def test_others_tokens_are_not_in_the_list(cast: Cast) -> None:
    make_token(cast.mate, name="laptop of the mate", scopes=[Scope.READ])
    assert "laptop of the mate" not in sign_in(cast.participant).get(reverse("tokens")).text
