"""Who signs up first with an address does not become organiser by it."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.test import Client
from tests.web.cast import PASSWORD, Cast

from toprung.web.core.models.boards import BoardRole, Role
from toprung.web.ops.organisers import find_organiser
from toprung.web.services.boards.roles import change_role, give_role


def can_sign_in(email: str) -> bool:
    client = Client()
    client.post("/accounts/login/", {"login": email, "password": PASSWORD})
    return "_auth_user_id" in client.session


def test_a_password_set_before_the_right_was_given_lets_nobody_in(cast: Cast) -> None:
    assert can_sign_in(cast.stranger.email)
    find_organiser(cast.stranger.email)
    assert not can_sign_in(cast.stranger.email)


def test_nor_does_it_where_a_board_gives_the_role(cast: Cast) -> None:
    give_role(cast.board, cast.stranger.email, Role.ORGANISER, by=cast.organiser)
    assert not can_sign_in(cast.stranger.email)


def test_nor_where_a_role_is_raised(cast: Cast) -> None:
    change_role(BoardRole.objects.get(user=cast.assessor), Role.ORGANISER, by=cast.organiser)
    assert not can_sign_in(cast.assessor.email)


def test_a_verified_address_keeps_its_password(cast: Cast) -> None:
    EmailAddress.objects.create(user=cast.stranger, email=cast.stranger.email, verified=True, primary=True)
    give_role(cast.board, cast.stranger.email, Role.ORGANISER, by=cast.organiser)
    assert can_sign_in(cast.stranger.email)


def test_who_organises_already_keeps_theirs(cast: Cast) -> None:
    find_organiser(cast.organiser.email)
    assert can_sign_in(cast.organiser.email)
