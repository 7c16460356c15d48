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
MOST_QUERIES = 12
"""With the session, the person and the role among them."""


def test_it_opens_with_what_is_ranked_and_the_sentence(viewed: Viewed) -> None:
    page = text_of(browse(None).get(PAGE).text)
    for said in (
        "Queries 40",
        "Official measure RR@100 , mean",
        "Better beyond chance, doing no harm , 5% overall",
        "3 from 2 teams, 1 anonymous, 1 baseline",
        "Two runs may be best: R3 and R2; the labels cannot tell them apart.",
        "R2 was the last to prove an improvement when it came, on 2026-03-01. One later claim has not passed.",
    ):
        assert said in page
    order = [page.index(said) for said in ("Queries", "may be best:", "last to prove", "Runs per team", "Run and team")]
    assert order == sorted(order)


def test_everyone_sees_rounded_figures(viewed: Viewed) -> None:
    """By hand: 5/12 = 0.41667, 103/240 = 0.42917, 30 of 40 answered; R4 is behind R3 on all 40."""
    page = browse(viewed.cast.participant).get(PAGE).text
    assert "R2 list-13b Norrland IR 2026-03-01 2026-03-01 0.417" in row_of(page, "R2")
    assert "100.0% 2.5 0% 2% Last proved gain 2026-03-01" in row_of(page, "R2")
    assert "0.429 100.0% 2.5 the reference run Claim not passed" in row_of(page, "R3")
    assert "0.188 75.0% 4.0 0% 100%" in row_of(page, "R4")
    assert "Proved when it came 2026-02-10" in row_of(page, "R1")
    assert row_of(page, "B1").endswith("Baseline")
    assert not re.search(r"0\.4167|0\.4291|0\.4292|0\.1875", page)


def test_organisers_see_exact_figures(viewed: Viewed) -> None:
    page = browse(viewed.cast.organiser).get(PAGE).text
    assert "0.4167" in row_of(page, "R2")
    assert "0.4292" in row_of(page, "R3")
    assert "0.1875" in row_of(page, "R4")
    assert "You are an organiser of this board" in page


def test_rows_stand_in_order_of_score_and_those_that_may_be_best_are_marked(viewed: Viewed) -> None:
    """The last proved gain stands where its score puts it, below a run whose claim did not pass."""
    rows = re.findall(r'<tr role="row"(?: class="([^"]*)")?><td.*?/runs/(\w+)/', browse(None).get(PAGE).text)
    assert rows == [("may-be-best", "R3"), ("may-be-best holder", "R2"), ("", "R1"), ("", "B1"), ("", "R4")]


def test_there_is_one_order(viewed: Viewed) -> None:
    """An address of before, with an order in it, shows the same."""
    page = browse(None).get(PAGE, {"order": "standing"}).text
    assert re.findall(r"/runs/(\w+)/", page) == ["R3", "R2", "R1", "B1", "R4"]
    assert 'name="order"' not in page
    assert "grouprow" not in page


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
    assert "Against R2: only this run found it 0.0%, both found it and this run higher 2.5%, same rank 97.5%" in page
    assert "the reference run" in row_of(page, "R2")
    assert [each.strip() for each in re.findall(r"(?:Highest score|Last proved gain|Baseline), \w\d", page)] == [
        "Highest score, R3",
        "Last proved gain, R2",
        "Baseline, B1",
    ]


def test_outcomes_against_a_baseline(viewed: Viewed) -> None:
    page = browse(None).get(PAGE, {"against": "B1"}).text
    assert "Query by query against B1" in page
    assert "only B1 found it" in text_of(page)
    assert "Against B1: only this run found it 0.0%, both found it and this run higher 75.0%" in page
    assert "the reference run" in row_of(page, "B1")


def test_a_run_that_does_not_move_its_teams_score_shows_nothing(viewed: Viewed) -> None:
    page = browse(viewed.cast.participant).get("/b/ladder/").text
    assert row_of(page, "R4").startswith("– R4")
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
    assert "No run has been scored yet." in browse(None).get("/b/elsewhere/").text


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
    browser = browse(viewed.people()[who])
    found = []
    for numbers in (range(10, 15), range(15, 205)):
        add_standings(viewed, numbers)
        with CaptureQueriesContext(connection) as asked:
            page = browser.get(PAGE)
        found.append((len(asked), page.text.count('class="name"')))
    (asked_for_few, few), (asked_for_many, many) = found
    assert (few, many) == (10, 50)
    assert asked_for_many <= asked_for_few <= MOST_QUERIES


def test_a_script_in_a_name_is_text(viewed: Viewed) -> None:
    page = browse(None).get(PAGE).text
    assert SCRIPT not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<img" not in page
