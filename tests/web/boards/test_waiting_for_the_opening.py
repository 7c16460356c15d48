"""A board that opens on a later day says so wherever one would take part, and takes nothing before."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from tests.web.cast import Cast, make_board
from tests.web.reading import folded
from tests.web.runs import send

from toprung.web.core.models.boards import Board


@pytest.fixture
def opens(cast: Cast) -> datetime:
    moment = timezone.now() + timedelta(days=2)
    Board.objects.filter(pk=cast.board.pk).update(opens_at=moment, closes_at=moment + timedelta(days=300))
    cast.board.refresh_from_db()
    return moment


def test_its_pages_say_when(client: Client, cast: Cast, opens: datetime) -> None:
    shown = folded(client.get("/b/web-docs/").content.decode())
    assert f"opens {opens:%Y-%m-%d}" in shown
    assert f"closes {cast.board.closes_at:%Y-%m-%d}" in shown, "it was said to be closed before it opened"
    assert f"Runs are taken from {opens:%Y-%m-%d %H:%M} UTC on." in shown
    data = folded(client.get("/b/web-docs/data/").content.decode())
    assert f"Runs and dry runs are taken from {opens:%Y-%m-%d %H:%M} UTC on." in data


def test_a_file_that_comes_before_is_refused_with_the_day(client: Client, cast: Cast, opens: datetime) -> None:
    client.force_login(cast.participant)
    refused = send(client, cast)
    assert refused.status_code == 422
    said = f"Found a board that opens on {opens:%Y-%m-%d %H:%M} UTC; it takes no submissions before."
    assert said in refused.content.decode()


def test_a_board_that_closed_without_a_run_expects_none(client: Client, cast: Cast) -> None:
    make_board("empty", cast.organiser, closes_at=timezone.now() - timedelta(hours=1))
    shown = folded(client.get("/b/empty/").content.decode())
    assert "None came before the board closed." in shown
    assert "the first holder" not in shown
