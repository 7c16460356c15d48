"""Who comes first: the organiser is made at the first start, and let in by a link that is said once."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client
from tests.web.cast import make_user

from toprung.errors import InputError
from toprung.web.core.models.people import User
from toprung.web.ops.organisers import find_organiser, link_for, welcome

pytestmark = pytest.mark.django_db


def said_at_start(organiser: str = "first@example.org") -> list[str]:
    said: list[str] = []
    welcome(settings.ENVIRONMENT, organiser, said.append)
    return said


def test_the_first_start_makes_the_organiser_and_says_a_link() -> None:
    first, _ = said_at_start()
    address = f"First organiser first@example.org: {settings.ENVIRONMENT.public_url}"
    assert first.startswith(f"{address}/link/")
    assert Client().post(first.removeprefix(address)).status_code == 302
    assert User.objects.get().may_create_boards


def test_a_second_start_says_nothing() -> None:
    said_at_start()
    assert said_at_start("second@example.org") == []
    assert User.objects.count() == 1


def test_an_organiser_who_was_made_before_the_first_start_gets_the_link() -> None:
    find_organiser("made@example.org")
    assert said_at_start()[0].startswith("First organiser made@example.org: ")
    assert said_at_start() == []


def test_who_signed_up_before_can_become_the_first_organiser() -> None:
    person = make_user("first")
    assert len(said_at_start(person.email.upper())) == 2
    person.refresh_from_db()
    assert person.may_create_boards


def test_an_account_that_was_closed_is_not_opened_again() -> None:
    make_user("gone", is_active=False)
    with pytest.raises(InputError, match=r"Found the account of 'gone@example\.org' closed; expected another"):
        link_for(settings.ENVIRONMENT, "gone@example.org")
    with pytest.raises(InputError, match="closed"):
        find_organiser("gone@example.org")


def test_a_link_gives_no_right_to_make_boards() -> None:
    person = make_user("someone")
    assert link_for(settings.ENVIRONMENT, person.email).startswith(f"{settings.ENVIRONMENT.public_url}/link/")
    person.refresh_from_db()
    assert not person.may_create_boards
