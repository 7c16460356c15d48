"""Searching and paging the leaderboard: by addresses that anyone may share, with script or without."""

from __future__ import annotations

import re

import pytest
from tests.web.leaderboard.test_seeing_the_leaderboard import add_standings
from tests.web.reading import faults_of, text_of
from tests.web.viewing import TAG, Viewed, browse

pytestmark = pytest.mark.postgres

PAGE = "/b/web-docs/"


def labels_on(page: str) -> list[str]:
    """The runs in the table, from the top down."""
    return re.findall(r'class="name"><a href="[^"]*/runs/(\w+)/', page)


def ask(**filters: str) -> str:
    return browse(None).get(PAGE, filters).text


def test_without_filters_all_stand_in_order_of_score(viewed: Viewed) -> None:
    assert labels_on(ask()) == ["R3", "R2", "R1", "R4", "B1"]


def test_a_part_of_the_rows_is_shaded_as_the_whole(viewed: Viewed) -> None:
    """R1 is not the best of what is found; who may be best is asked of all runs."""
    found, team = ask(q="kestrel"), ask(q="norrland")
    assert 'class="may-be-best' not in found
    assert re.findall(r'class="(may-be-best[^"]*)"', team) == ["may-be-best"]


def test_a_search_finds_runs_and_teams(viewed: Viewed) -> None:
    assert labels_on(ask(q="kestrel")) == ["R1", "R4"]
    assert labels_on(ask(q="list-13")) == ["R2"]
    assert labels_on(ask(q="b1")) == ["B1"]


def test_a_search_that_finds_nothing_says_so(viewed: Viewed) -> None:
    page = ask(q='"><script>')
    assert labels_on(page) == []
    assert "No run matches." in page
    assert faults_of(page) == []


def test_a_tag_is_matched_as_a_whole_whatever_it_holds(viewed: Viewed) -> None:
    assert labels_on(ask(tag="generative")) == ["R1"]
    assert labels_on(ask(tag=TAG)) == ["R4"]
    assert len(labels_on(ask(tag="gener"))) == 5  # not a tag of this board: not asked


def test_filters_that_make_no_sense_count_as_not_asked(viewed: Viewed) -> None:
    for filters in ({"page": "-1"}, {"page": "x"}, {"against": "R9"}, {"page": "9" * 30}):
        assert len(labels_on(ask(**filters))) == 5


def test_fifty_runs_stand_on_a_page(viewed: Viewed) -> None:
    add_standings(viewed, range(10, 66))
    first, second, beyond = ask(), ask(page="2"), ask(page="99")
    assert (len(labels_on(first)), len(labels_on(second))) == (51, 11)
    assert set(labels_on(first)) & set(labels_on(second)) == {"B1"}  # the baseline stands below every page
    assert labels_on(beyond) == labels_on(second)
    assert "Runs 51 to 60 of 60" in text_of(second)
    assert "Show 10 more runs" in text_of(first)
    assert 'href="?page=2"' in first


def test_pages_keep_the_filters(viewed: Viewed) -> None:
    add_standings(viewed, range(10, 66))
    assert 'href="?against=B1&amp;page=2"' in ask(against="B1")


def test_runs_that_show_nothing_come_last(viewed: Viewed) -> None:
    page = browse(None).get("/b/ladder/").text
    assert labels_on(page) == ["R2", "R1", "B1", "R3", "R4"]
    assert labels_on(browse(None).get("/b/ladder/", {"q": "R4"}).text) == ["R4"]


def test_script_gets_only_what_changes(viewed: Viewed) -> None:
    part = browse(None).get(PAGE, {"q": "kestrel"}, headers={"HX-Request": "true", "HX-Target": "standings"})
    assert labels_on(part.text) == ["R1", "R4"]
    assert 'id="asked" class="asked" aria-live="polite"' in part.text
    assert part.headers["HX-Push-Url"] == f"{PAGE}?q=kestrel"
    assert "<html" not in part.text
    assert "HX-Request" in part.headers["Vary"]


def test_going_back_gets_the_whole_page(viewed: Viewed) -> None:
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<html" in browse(None).get(PAGE, headers=headers).text


def test_the_colours_are_explained_where_a_bar_is_drawn(viewed: Viewed) -> None:
    """R3, with the highest score, is what others are shown against, and has no bar itself."""
    assert "both, R3 higher" in text_of(ask())
    for view in ({"q": "nobody"}, {"q": "R3"}, {"cols": "rank,score"}):
        assert "Share of queries where" not in text_of(ask(**view)), view


def test_the_bar_on_the_page_of_a_run_calls_the_other_by_its_name_too(viewed: Viewed) -> None:
    page = text_of(browse(None).get("/b/web-docs/runs/R2/").text)
    assert "both, R3 higher" in page
    assert "the other run" not in page
