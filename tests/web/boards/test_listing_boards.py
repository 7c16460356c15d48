"""The front page: what this is, what each board says, and what to do where there is none."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from tests.web.cast import make_user
from tests.web.reading import faults_of, text_of
from tests.web.viewing import SCRIPT, SECRET_NAME, Viewed, browse

from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience, StoredResult
from toprung.web.core.models.runs import Submission

pytestmark = pytest.mark.postgres
SAID = "Two runs may be best: R3 and list-13b; the labels cannot tell them apart."
"""R3 is anonymous."""


def test_each_board_says_who_may_be_best_by_name(viewed: Viewed) -> None:
    for path in ("/", "/boards/"):
        page = text_of(browse(None).get(path).text)
        assert "Search leaderboards that say what is known, and what is not." in page
        assert f"Web Docs {SAID}" in page
        assert "40 queries · RR@100 · 4 runs, 2 teams, 1 baseline" in page
        assert "Elsewhere No run yet. Rank documents." in page


def test_its_commands_name_a_board_by_its_whole_address(viewed: Viewed) -> None:
    """Who comes for the first time has told no server to their command line."""
    page = text_of(browse(None).get("/").text)
    assert "toprung login http://localhost:8000" in page
    for command in ("toprung data ADDRESS", "toprung submit ADDRESS run.gz --dry-run", "toprung submit ADDRESS run.gz"):
        written = command.replace("ADDRESS", r"http://localhost:8000/b/[\w-]+/")
        assert re.search(written, page), command


def test_an_anonymous_run_has_no_name_in_the_list(viewed: Viewed) -> None:
    for person in (None, viewed.cast.stranger, viewed.cast.organiser):
        assert SECRET_NAME not in browse(person).get("/").text
    Submission.objects.filter(run_id="R3").update(anonymous_until=None)
    assert f"Two runs may be best: {SECRET_NAME} and list-13b;" in text_of(browse(None).get("/").text)


def test_a_board_of_baselines_says_the_same_in_the_list_on_its_page_and_its_badge(viewed: Viewed) -> None:
    kept = StoredResult.objects.get(board__slug="web-docs", kind="board", audience=Audience.PUBLIC)
    baseline = Submission.objects.get(board__slug="web-docs", is_baseline=True)
    kept.content |= {"has_runs": False, "n_runs": 1, "top_group": [baseline.run_id], "references": [baseline.run_id]}
    kept.content |= {"highest_score": 0.418, "decimals": 3}
    kept.save()
    for path in ("/", "/b/web-docs/", "/b/web-docs/feed.atom"):
        page = text_of(browse(None).get(path).text).replace(" ,", ",")
        assert f"No run yet. {baseline.name}, the baseline, scores 0.418." in page, path
    assert "no run yet" in browse(None).get("/b/web-docs/badge.svg").text


def test_dates_say_whether_it_is_open(viewed: Viewed) -> None:
    now = timezone.now()
    Board.objects.filter(slug="elsewhere").update(closes_at=now - timedelta(days=1))
    Board.objects.filter(slug="ladder").update(opens_at=now + timedelta(days=2))
    page = text_of(browse(None).get("/").text)
    assert f"Elsewhere Closed {now - timedelta(days=1):%Y-%m-%d}. No run yet." in page
    assert f"Opens {now + timedelta(days=2):%Y-%m-%d}." in page


def test_boards_are_found_by_task_measure_and_named_team(viewed: Viewed) -> None:
    Board.objects.filter(slug="elsewhere").update(task="Find the harbour manual.", official_measure="nDCG@10")
    team = Submission.objects.get(board__slug="web-docs", run_id="R2").team
    assert team is not None
    for search, found in (("harbour", "Elsewhere"), ("NDCG@10", "Elsewhere"), (team.name.upper(), "Web Docs")):
        page = text_of(browse(None).get("/boards/", {"q": search}).text)
        assert f"{found} " in page
        assert ("Elsewhere " in page) == (found == "Elsewhere")
    Submission.objects.filter(team=team).update(anonymous_until=timezone.now().date() + timedelta(days=9))
    assert "No board with" in browse(None).get("/boards/", {"q": team.name}).text
    assert SCRIPT not in browse(None).get("/boards/", {"q": SCRIPT}).text


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
    with django_assert_max_num_queries(6):
        browse(None).get("/")


@pytest.mark.django_db
def test_an_empty_server_says_what_to_do_next() -> None:
    assert "the link that <code>toprung serve</code> printed" in Client().get("/").text
    guest, organiser = browse(make_user("guest")), browse(make_user("host", may_create_boards=True))
    assert "can give you leave" in guest.get("/").text
    assert "Create the first board" in organiser.get("/").text
    assert faults_of(organiser.get("/").text) == []


def test_the_page_of_a_board_tells_its_sentence_to_who_shows_a_link(viewed: Viewed) -> None:
    page = browse(None).get("/b/web-docs/").text
    assert f'<meta property="og:description" content="{SAID}">' in page
    assert '<meta property="og:image" content="http://localhost:8000/b/web-docs/card.png">' in page
    assert '<link rel="alternate" type="application/atom+xml" title="Web Docs" href="/b/web-docs/feed.atom">' in page
    Board.objects.filter(slug="web-docs").update(is_public=False)
    assert "og:" not in browse(viewed.cast.organiser).get("/b/web-docs/").text
