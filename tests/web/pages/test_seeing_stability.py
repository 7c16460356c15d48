"""How stable the order is, and which runs differ beyond chance: as tasks stored it, with tables beside the figures."""

from __future__ import annotations

import re

import pytest
from tests.web.reading import faults_of, row_of, text_of
from tests.web.viewing import Viewed, browse

from toprung.web.core.models.results import StoredResult

PAGE = "/b/web-docs/stability/"


def test_who_would_come_first_and_which_places_are_possible(viewed: Viewed) -> None:
    """B1 and R4 never come near the others: 0.2 and 0.1875 against at least 1/3 on every draw."""
    page = browse(None).get(PAGE).text
    words = text_of(page)
    assert re.search(r"On other queries like these, R3 would come first \d\d times in 100, list-13b \d\d\.", words)
    assert "Two runs may be best: R3 and list-13b; the labels cannot tell them apart." in words
    assert "Share of 10,000 bootstrap samples of 40 queries." in words
    assert "not a confidence interval" in words
    assert "kestrel-xl 0 0 0 0 100.0% 100 0 0 0 0 3.0" in words, "each share twice: the second is that of a phone"
    assert re.search(
        r'<td class="c6">\s*<span class="wideonly">100\.0%</span>\s*<span class="onphone">100</span>', page
    )
    assert faults_of(page) == []


def test_the_places_that_a_run_may_have_are_a_bar_and_words(viewed: Viewed) -> None:
    places = browse(None).get(PAGE).text.partition('id="places"')[2].partition("</section>")[0]
    assert row_of(places, "R3") == "R3 1–2"
    assert row_of(places, "R1") == "kestrel-xl 3"
    assert places.count('<tr class="g">') == 2, "those that may be best"


def test_the_figures_of_all_runs_are_a_table_too(viewed: Viewed) -> None:
    page = text_of(browse(None).get(PAGE).text)
    assert "place run RR@100 expected rank 1" in page
    assert "3 R1 0.333 3.00 0% 0% 100.0%" in page


@pytest.mark.figures
def test_all_places_are_drawn_by_name_for_each_screen(viewed: Viewed) -> None:
    """A run that was withdrawn since has no row; what an earlier version stored is drawn once it is computed again."""
    drawn = browse(None).get(PAGE).text.partition('id="chart-all"')[2].partition("</figure>")[0]
    assert drawn.count('<a href="/b/web-docs/runs/R2/" aria-label="list-13b">') == 2
    assert "run R3" not in drawn
    assert not re.search(r"<text[^>]*>R\d", drawn.replace(">R3<", "")), "R3 is anonymous, the others have names"
    for stored in StoredResult.objects.filter(board=viewed.board, kind="stability"):
        del stored.content["figures"][0]["drawn"]
        stored.save()
    assert 'id="chart-all"' not in browse(None).get(PAGE).text
    assert browse(None).get("/b/web-docs/stability/all.svg").status_code == 404


@pytest.mark.parametrize("kind", ["places", "shares", "pairs", "all"])
def test_each_chart_is_a_picture_with_names(viewed: Viewed, kind: str) -> None:
    answer = browse(None).get(f"/b/web-docs/stability/{kind}.svg")
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert "list-13b</text>" in answer.text
    assert "kestrel-xl-v2" not in answer.text, "R3 is anonymous"
    assert browse(None).get(f"/b/elsewhere/stability/{kind}.svg").status_code == 404


def test_stability_as_csv(viewed: Viewed) -> None:
    lines = browse(None).get("/b/web-docs/stability.csv").text.splitlines()
    assert lines[0].startswith("place,run,RR@100,expected,rank 1")
    assert len(lines) == 6


def test_how_sure_the_order_is(viewed: Viewed) -> None:
    """R2 and R3 differ on one query; B1 and R4 differ by 0.05 on 30 queries and by 0.2 on 10, which is no chance."""
    order = browse(None).get(PAGE).text.partition('id="order"')[2].partition("</section>")[0]
    assert re.search(
        r"Of 10 pairs of runs, \d differ beyond chance \(\d0%\); \d cannot be told apart\.", text_of(order)
    )
    assert 'aria-label="R3 and list-13b cannot be told apart"' in order
    assert 'aria-label="R3 does better than kestrel-xl"' in order
    assert 'aria-label="kestrel-xl does worse than R3"' in order
    assert "/b/web-docs/compare/?b=R1&amp;a=R3" in order
    assert "CSV and JSON have every pair" not in order


def test_of_two_runs_there_is_no_grid(viewed: Viewed) -> None:
    StoredResult.objects.filter(board=viewed.board, kind="significance").delete()
    assert "All pairs are tested once there are three runs" in text_of(browse(None).get(PAGE).text)
    assert browse(None).get("/b/web-docs/significance.csv").status_code == 404


def test_before_the_first_runs_there_is_nothing_to_see(viewed: Viewed) -> None:
    assert "There is nothing to show yet." in browse(None).get("/b/elsewhere/stability/").text
