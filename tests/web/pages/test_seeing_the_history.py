"""Which submissions proved an improvement, who held the top rung, and where the old addresses lead."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone
from tests.web.reading import faults_of, row_of, text_of
from tests.web.viewing import Viewed, browse

from toprung.web.core.models.results import Audience, StoredResult
from toprung.web.services.results.compute import compute_results

pytestmark = pytest.mark.figures
PAGE = "/b/web-docs/history/"


def part(page: str, heading: str) -> str:
    return page.partition(f"<h2>{heading}</h2>")[2].partition("</section>")[0]


def test_the_sentence_sets_proved_improvements_against_leaders(viewed: Viewed) -> None:
    """Of three claims those of R1 and R2, list-13b, passed; by score alone B1, R1, R2 and R3 led."""
    page = browse(None).get(PAGE).text
    assert "Two submissions proved an improvement when they came; the last is list-13b, on 2026-03-01." in text_of(page)
    assert "By score alone the board would have named four leaders." in text_of(page)
    assert faults_of(page) == []


def test_who_held_it_and_why(viewed: Viewed) -> None:
    """R1 has 1/3 and B1 1/5 on every query; R2 has 1/2 and R1 1/3 on half of them."""
    held = part(browse(None).get(PAGE).text, "Who held the top rung")
    assert row_of(held, "R2").startswith("list-13b Norrland IR 2026-03-01 to today")
    assert row_of(held, "R2").endswith("over kestrel-xl : proved to be better, doing no harm 0.417")
    assert row_of(held, "R1").startswith("kestrel-xl Kestrel Lab 2026-02-10 to 2026-03-01 19 over ")
    assert "it was the best baseline" in row_of(held, "B1"), "until R1 came"


def test_a_baseline_that_another_passed_the_same_day_was_not_the_best_for_long(viewed: Viewed) -> None:
    """Else two baselines of one day would both be said to have been the best."""
    stored = StoredResult.objects.get(board=viewed.board, kind="timeline", audience=Audience.PUBLIC)
    (baseline,) = (each for each in stored.content["holders"] if each["run"] == "B1")
    baseline["until"] = baseline["since"]
    stored.save()
    held = part(browse(None).get(PAGE).text, "Who held the top rung")
    assert "0 it was the best baseline, for less than a day 0.2" in row_of(held, "B1")


def test_on_a_phone_each_claim_is_a_line_with_the_holder_of_its_day(viewed: Viewed) -> None:
    """On one axis: what R3 is held against, R2 at 0.417, stands where R2 itself stands."""
    page = browse(None).get(PAGE).text
    lines = page.partition('<ol class="claimlines onphone"')[2].partition("</ol>")[0].split("</li>")[1:-1]
    assert [text_of(line).split(" ")[-1] for line in lines] == ["0.429", "0.417", "0.333"]
    assert "○ not passed, against list-13b" in text_of(lines[0])
    assert "● passed, over kestrel-xl" in text_of(lines[1])
    upright = re.search(r'upright" x1="([0-9.]+)%"', lines[0])
    mark = re.search(r'<circle class="top" cx="([0-9.]+)%"', lines[1])
    assert upright is not None
    assert mark is not None
    assert upright[1] == mark[1]


def test_the_marks_of_the_staircase_are_links_with_names_and_titles(viewed: Viewed) -> None:
    """R1 to R4 are submissions; B1 is a baseline, a line. R2 is list-13b, R3 is anonymous."""
    figure = browse(None).get(PAGE).text.partition('id="chart-timeline"')[2].partition("</figure>")[0]
    links = re.findall(r'<a href="/b/web-docs/runs/(R\d)/"( data-row="claim-\d")? aria-label="([^"]*)">', figure)
    assert {(run, row) for run, row, _ in links} == {
        ("R1", ' data-row="claim-1"'),
        ("R2", ' data-row="claim-2"'),
        ("R3", ' data-row="claim-3"'),
        ("R4", ""),
    }
    said = {run: label for run, _, label in links}
    assert said["R2"].startswith("list-13b, 2026-03-01, RR@100 0.417, claim passed")
    assert said["R3"].startswith("R3, 2026-03-20, RR@100 0.429, claim not passed")
    assert "generative" in said["R1"], "by its own tag"
    assert f"<title>{said['R2']}</title>" in figure, "for who has no script"
    assert ">list-13b</text>" in figure
    assert '<p class="legend">' in figure


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_the_staircase_is_taken_along_as_a_picture(viewed: Viewed, ending: str) -> None:
    answer = browse(None).get(f"/b/web-docs/history.{ending}")
    assert answer.status_code == 200
    starts = {"svg": b"<svg ", "png": b"\x89PNG", "pdf": b"%PDF"}
    assert answer.content.startswith(starts[ending])
    if ending == "svg":
        assert b"0.4167" not in answer.content, "no finer than the page"
        assert b"0.417" in answer.content


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("timeline/", "history/"),
        ("timeline/?labels=1", "history/?labels=1"),
        ("claims/", "history/#claims"),
        ("claims/?page=2", "history/?page=2#claims"),
        ("significance/?labels=1", "stability/?labels=1#order"),
        ("timeline.json", "history.json"),
        ("claims.json?labels=1", "history.json?labels=1"),
    ],
)
def test_old_addresses_lead_on_for_good_with_what_was_asked(viewed: Viewed, old: str, new: str) -> None:
    answer = browse(None).get(f"/b/web-docs/{old}")
    assert (answer.status_code, answer.headers["Location"]) == (301, f"/b/web-docs/{new}")


def test_the_tabs_name_the_new_pages(viewed: Viewed) -> None:
    tabs = browse(None).get(PAGE).text.partition('aria-label="Board"')[2].partition("</nav>")[0]
    assert [name for name in ("Timeline", "Claims", "Significance") if name in tabs] == []
    assert "Leaderboard History Stability Compare " in text_of(tabs)
    assert f'href="{PAGE}" aria-current="page"' in tabs


def test_no_result_for_everyone_writes_more_digits_than_are_released(viewed: Viewed) -> None:
    """B1, R1, R2, R3 and R4 have 0.200, 0.333, 0.417, 0.429 and 0.188: no zero is added to look more exact."""
    for each in StoredResult.objects.filter(board=viewed.board, audience=Audience.PUBLIC):
        assert re.search(r"0\.(200|333|417|429|188)0", str(each.content)) is None, (each.kind, each.key)


def test_claims_of_withdrawn_runs_stay_on_record(viewed: Viewed) -> None:
    """R1 took the rung from B1, and R3 claimed it in vain: both are on record still."""
    viewed.board.submissions.filter(run_id__in=["R1", "R3"]).update(withdrawn_at=timezone.now())
    viewed.board.results_due += 1
    viewed.board.save()
    compute_results(viewed.board.pk)
    page = browse(None).get(PAGE).text
    assert "2 claims of runs that were withdrawn since are counted neither there nor" in text_of(page)
    claims = page.partition('id="claims"')[2]
    assert "withdrawn since" in row_of(claims, "R1")
    assert "withdrawn since" in row_of(claims, "R3")


def test_a_run_that_shows_nothing_makes_no_claim(viewed: Viewed) -> None:
    page = text_of(browse(None).get("/b/ladder/history/").text)
    assert "list-13b" in page
    assert "R3" not in page


def test_before_the_first_run_there_is_nothing_to_see(viewed: Viewed) -> None:
    assert "There is nothing to show yet." in browse(None).get("/b/elsewhere/history/").text
