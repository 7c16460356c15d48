"""The list of boards: what each is about, who holds its rung, and whether it takes runs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from tests.web.reading import faults_of, text_of
from tests.web.viewing import SCRIPT, Viewed, browse

from toprung.web.core.models.boards import Board

pytestmark = pytest.mark.postgres


def test_each_board_says_who_may_be_best(viewed: Viewed) -> None:
    for path in ("/", "/boards/"):
        page = text_of(browse(None).get(path).text)
        assert "3 boards, 3 open for submissions." in page
        assert (
            "Web Docs Rank documents. Two runs may be best: R3 and R2; the labels cannot tell them apart. "
            "5 runs · RR@100 · open"
        ) in page
        assert "Elsewhere Rank documents. No run has been scored yet. 0 runs" in page


def test_dates_say_whether_it_is_open(viewed: Viewed) -> None:
    now = timezone.now()
    Board.objects.filter(slug="elsewhere").update(closes_at=now - timedelta(days=1))
    Board.objects.filter(slug="ladder").update(opens_at=now + timedelta(days=2))
    page = text_of(browse(None).get("/").text)
    assert "3 boards, 1 open for submissions." in page
    assert "0 runs · RR@100 · closed" in page
    assert f"opens {now + timedelta(days=2):%Y-%m-%d %H:%M} UTC" in page


def test_a_private_board_is_listed_for_its_own_people_only(viewed: Viewed) -> None:
    Board.objects.filter(slug="web-docs").update(is_public=False)
    assert "Web Docs" not in browse(None).get("/").text
    assert "Web Docs" not in browse(viewed.cast.stranger).get("/").text
    assert "Web Docs" in browse(viewed.cast.assessor).get("/").text
    assert "not public" in browse(viewed.cast.organiser).get("/").text


def test_a_script_in_a_title_is_text(viewed: Viewed) -> None:
    Board.objects.filter(slug="web-docs").update(title=SCRIPT, task=SCRIPT)
    for path in ("/", "/b/web-docs/", "/b/web-docs/about/", "/b/web-docs/embed/", "/b/web-docs/compare/"):
        page = browse(None).get(path).text
        assert SCRIPT not in page
        assert faults_of(page) == []


def test_the_list_asks_as_often_for_many_boards_as_for_few(viewed: Viewed, django_assert_max_num_queries) -> None:  # type: ignore[no-untyped-def]
    for number in range(20):
        Board.objects.create(slug=f"b{number}", title=f"B{number}", task="t", created_by=viewed.cast.organiser)
    with django_assert_max_num_queries(2):
        browse(None).get("/")
