"""The leaderboard: what is ranked, the sentence, the rows in order of score, each audience with its own digits."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from tests.web.reading import row_of, text_of
from tests.web.viewing import SCRIPT, Viewed, browse

from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience, Standing
from toprung.web.core.models.runs import Submission

pytestmark = pytest.mark.postgres

PAGE = "/b/web-docs/"
MOST_QUERIES = 14
"""With the session, the person, the role, and whether labels are kept current and results are due among them."""


def test_it_opens_with_what_is_ranked_and_the_sentence(viewed: Viewed) -> None:
    """R3 is anonymous, so its label stands for its name."""
    page = text_of(browse(None).get(PAGE).text)
    for said in (
        "40 queries",
        "official measure RR@100",
        "4 runs, 2 teams, 1 anonymous",
        "Two runs may be best: R3 and list-13b ; the labels cannot tell them apart.",
        "● list-13b was the last to prove an improvement when it came, on 2026-03-01. One later claim has not passed.",
        "May be best now. The 2 runs whose rank interval contains 1.",
        "The rest, by score. 2 runs, 1 baseline",
    ):
        assert said in page
    order = (
        "40 queries",
        "Two runs may be best:",
        "last to prove",
        "All runs",
        "On arrival",
        "May be best now",
        "The rest",
    )
    assert [page.index(said) for said in order] == sorted(page.index(said) for said in order)


def test_everyone_sees_rounded_figures(viewed: Viewed) -> None:
    """By hand: 5/12 = 0.41667, 103/240 = 0.42917, 30 of 40 answered; R4 is behind R3 on all 40."""
    page = browse(viewed.cast.participant).get(PAGE).text
    assert "list-13b Norrland IR 2026-03-01 0.417" in row_of(page, "R2")
    assert "100.0% 2.5 0% 2% 2026-03-01 last proved gain 2026-03-01" in row_of(page, "R2")
    assert "0.429 100.0% 2.5 highest score 2026-03-20 claim not passed" in row_of(page, "R3")
    assert "0.188 below scale 75.0% 4.0 0% 100%" in row_of(page, "R4")
    assert row_of(page, "R1").endswith("2026-02-10 proved when it came")
    assert row_of(page, "B1").endswith("2026-02-02 baseline")
    assert "yours" in row_of(page, "R1")
    assert "yours" not in row_of(page, "R2")
    assert not re.search(r"0\.4167|0\.4291|0\.4292|0\.1875", page)


def test_organisers_see_exact_figures(viewed: Viewed) -> None:
    page = browse(viewed.cast.organiser).get(PAGE).text
    assert "0.4167" in row_of(page, "R2")
    assert "0.4292" in row_of(page, "R3")
    assert "0.1875" in row_of(page, "R4")
    assert "You are an organiser of this board" in page


def test_rows_stand_in_order_of_score_and_those_that_may_be_best_are_marked(viewed: Viewed) -> None:
    """The last proved gain stands where its score puts it, below one whose claim did not pass; baselines last."""
    rows = re.findall(r'<tr role="row" id="(\w+)"(?: class="([^"]*)")?>', browse(None).get(PAGE).text)
    assert rows == [("R3", "may-be-best"), ("R2", "may-be-best"), ("R1", ""), ("R4", ""), ("B1", "")]


def test_outcomes_are_told_in_words_and_lead_to_the_comparison(viewed: Viewed) -> None:
    """R3, the highest score, is higher on one query of 40 and the same on 39."""
    page = browse(None).get(PAGE).text
    said = (
        "Against R3: only this run found it 0.0%, both found it and this run higher 0.0%, same rank 97.5%, "
        "neither found it 0.0%, both found it and R3 higher 2.5%, only R3 found it 0.0%"
    )
    assert f'aria-label="{said}"' in page
    assert 'href="/b/web-docs/compare/?b=R2&amp;a=R3"' in page


def test_outcomes_against_the_last_proved_gain(viewed: Viewed) -> None:
    page = browse(None).get(PAGE, {"against": "R2"}).text
    assert (
        "Against list-13b: only this run found it 0.0%, both found it and this run higher 2.5%, same rank 97.5%" in page
    )
    assert "the run compared with" in row_of(page, "R2")
    offered = re.findall(r'<option value="(\w*)"[^>]*>(Against [^<]*)<', page)
    assert offered == [
        ("", "Against R3"),
        ("R2", "Against list-13b, last proved gain"),
        ("B1", "Against bm25, baseline"),
    ]


def test_outcomes_against_a_baseline(viewed: Viewed) -> None:
    page = browse(None).get(PAGE, {"against": "B1"}).text
    assert "against bm25" in page
    assert "only bm25 found it" in text_of(page)
    assert "Against bm25: only this run found it 0.0%, both found it and this run higher 75.0%" in page
    assert "the run compared with" in row_of(page, "B1")


def test_a_run_that_does_not_move_its_teams_score_shows_nothing(viewed: Viewed) -> None:
    page = browse(viewed.cast.participant).get("/b/ladder/").text
    assert row_of(page, "R4").startswith(f"– {SCRIPT}")
    assert row_of(page, "R4").endswith("no score shown, by the release policy")
    assert not re.search(r"\d\.\d|%", row_of(page, "R4") + row_of(page, "R3"))
    assert "0.35" in row_of(page, "R1")
    assert "0.40" in row_of(page, "R2")
    organisers = browse(viewed.cast.organiser).get("/b/ladder/").text
    assert "0.1875" in row_of(organisers, "R4")


def test_a_withdrawn_run_is_not_listed(viewed: Viewed) -> None:
    run = Submission.objects.get(board=viewed.board, run_id="R4")
    run.withdrawn_at = run.submitted_at
    run.save()
    assert "/runs/R4/" not in browse(None).get(PAGE).text
    assert "/runs/R4/" not in browse(viewed.cast.organiser).get(PAGE).text


def test_a_board_without_runs_says_so(viewed: Viewed) -> None:
    """And what to do next."""
    page = browse(viewed.cast.participant).get("/b/elsewhere/").text
    assert "No run yet." in page
    assert "Submit the first run" in page
    assert "Add a baseline" in browse(viewed.cast.other_organiser).get("/b/elsewhere/").text


def test_newer_results_are_announced(viewed: Viewed) -> None:
    Board.objects.filter(pk=viewed.board.pk).update(results_due=viewed.board.results_due + 1)
    assert "Newer results are being computed" in browse(None).get(PAGE).text


def test_a_private_board_is_not_there_for_others(viewed: Viewed) -> None:
    Board.objects.filter(pk=viewed.board.pk).update(is_public=False)
    assert browse(None).get(PAGE).status_code == 404
    assert browse(viewed.cast.other_organiser).get(PAGE).status_code == 404
    assert browse(viewed.cast.assessor).get(PAGE).status_code == 200


def add_standings(viewed: Viewed, numbers: range) -> None:
    """Runs below R4 that look like it, without having been computed."""
    model = Standing.objects.get(board=viewed.board, audience=Audience.PUBLIC, submission__run_id="R4")
    run, upload = model.submission, model.submission.upload
    for number in numbers:
        for row in (upload, run, model):
            row.pk, row._state.adding = None, True
        upload.save()
        run.number, run.run_id, run.name, run.upload = number, f"R{number}", f"run {number}", upload
        run.save()
        model.place, model.submission = number, run
        model.content = model.content | {"run": run.run_id}
        model.save()


@pytest.mark.parametrize("who", ["anonymous", "participant"])
def test_a_page_asks_the_database_as_often_for_many_runs_as_for_few(viewed: Viewed, who: str) -> None:
    found = []
    for numbers in (range(10, 15), range(15, 205)):
        add_standings(viewed, numbers)
        browser = browse(viewed.people()[who])  # a server that keeps no page yet
        with CaptureQueriesContext(connection) as asked:
            page = browser.get(PAGE)
        found.append((len(asked), page.text.count('class="name"')))
    (asked_for_few, few), (asked_for_many, many) = found
    assert (few, many) == (10, 51)  # the baseline stands below fifty runs
    assert asked_for_many <= asked_for_few <= MOST_QUERIES


def test_a_script_in_a_name_is_text(viewed: Viewed) -> None:
    page = browse(None).get(PAGE).text
    assert SCRIPT not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<img" not in page
