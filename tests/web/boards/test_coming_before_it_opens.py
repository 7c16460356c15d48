"""Who comes before a board opens reads on every page when that is, and is asked for no file that would be refused."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from tests.web.cast import Cast
from tests.web.reading import text_of
from tests.web.runs import send

from toprung.web.core.models.boards import Board

PAGES = ("", "history/", "stability/", "compare/", "data/", "about/")


@pytest.fixture
def ahead(cast: Cast) -> Board:
    """It opens in five days, and closes in ninety."""
    now = timezone.now()
    cast.board.opens_at, cast.board.closes_at = now + timedelta(days=5), now + timedelta(days=90)
    cast.board.save()
    return cast.board


@pytest.mark.parametrize("page", PAGES)
def test_every_page_says_when_it_opens(client: Client, ahead: Board, page: str) -> None:
    said = text_of(client.get(f"/b/web-docs/{page}").content.decode())
    assert f"Opens {ahead.opens_at:%Y-%m-%d %H:%M} UTC. It takes no runs and no dry runs before;" in said
    assert "Closed" not in said


def test_it_closes_later_and_is_not_said_to_have_closed(client: Client, ahead: Board) -> None:
    said = text_of(client.get("/b/web-docs/").content.decode())
    assert f"opens {ahead.opens_at:%Y-%m-%d} closes {ahead.closes_at:%Y-%m-%d}" in said
    assert "closed" not in said


def test_no_file_is_asked_for(client: Client, cast: Cast, ahead: Board) -> None:
    client.force_login(cast.participant)
    page = client.get("/b/web-docs/submit/").content.decode()
    assert f"Opens {ahead.opens_at:%Y-%m-%d}" in page
    assert 'type="file"' not in page
    Board.objects.update(opens_at=timezone.now())
    assert 'type="file"' in client.get("/b/web-docs/submit/").content.decode()


def test_a_file_that_comes_all_the_same_is_refused_with_the_day(client: Client, cast: Cast, ahead: Board) -> None:
    client.force_login(cast.participant)
    refused = send(client, cast)
    assert refused.status_code == 422
    said = f"Found a board that opens on {ahead.opens_at:%Y-%m-%d %H:%M} UTC; it takes no submissions before."
    assert said in refused.content.decode()
