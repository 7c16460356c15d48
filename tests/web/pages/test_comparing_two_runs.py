"""Comparing any two runs: with the holder at once, other pairs when somebody asks, once and not too often."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from django_ox.models import OxTask
from django_ox.testing import run_tasks
from pytest_django import Settings
from tests.web.reading import folded, text_of
from tests.web.viewing import SECRET_NAME, Viewed, browse

from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.disclosure.release import read_release
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.stats.intervals.bootstrap import Effect
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import User
from toprung.web.core.models.results import Audience, StoredResult
from toprung.web.services.results.compare.pair import ComparedPair, OtherDifference, compare_two, to_bars
from toprung.web.services.results.compare.show import show_comparison
from toprung.web.services.results.compare.store import compute_comparison
from toprung.web.services.shown.charts import show_chart
from toprung.web.services.shown.compare.difference_bars import draw_differences

pytestmark = pytest.mark.figures
PAGE = "/b/web-docs/compare/"
PAIR = {"b": "R4", "a": "R1"}
"""Neither holds the rung, nor was one a claim against the other: not compared in advance."""


def look(user: User | None, **pair: str) -> str:
    return browse(user).get(PAGE, pair).text


def test_a_claim_is_compared_at_once(viewed: Viewed) -> None:
    """R3 finds one answer of 40 a rank sooner: one query can be exchanged in two ways, p = 1; 103/240 less 100/240."""
    page = text_of(look(None, b="R3", a="R2"))
    for said in (
        "On this board R3 and list-13b cannot be told apart, all 5 runs compared at once.",
        "This pair alone: R3 and list-13b cannot be told apart by RR@100 (RR@100 +0.012, p = 1.000).",
        "The claim of R3 over list-13b did not pass its level (p = 1.000, level 0.0",
        "this pair cannot be told apart. The claim on record",
        "R3 does better: 2.5%",
        "list-13b does better: 0.0%",
        "2.5% 1 both, R3 higher",
        "97.5% 39 both, same rank",
        "B is R3, A is list-13b.",
        "RR@100 official, decides 0.429 0.417 +0.012",
        "40 all queries All exchanges, exact Wilcoxon signed-rank test, for reference Sign test, for reference 1.000",
        "Answered share found in the first 100 100.0% 100.0% +0.0 points 0.0 to 0.0",
        "0 found by one only Binomial, exact 1.000 0.025, 0.05",
        "RR where both find it 0.429 0.417 +0.013",
        "Search length where both find it 2.48 2.50",
        "toprung compare QRELS A.run B.run",
    ):
        assert said in page


def test_harm_is_shown_with_its_margin(viewed: Viewed) -> None:
    """R3 less R2 on 40 queries and two imaginary ones, +1 and −1: L_a −.0574, L_r −.0488; the margin is at most .1."""
    page = text_of(look(viewed.cast.organiser, b="R3", a="R2"))
    said = "loses at most 5.7 points of queries answered (margin 10.0) and 4.9 points of RR where both answer"
    assert f"{SECRET_NAME} {said} (margin 10.0), each with 95% confidence: harm beyond the margins is excluded." in page
    assert "5.7 points (margin 10.0)" in page


def test_a_pair_that_was_no_claim_is_told_what_it_would_be(viewed: Viewed) -> None:
    """R2 was not a claim over B1: it is better on all 40 queries."""
    browse(None).post(PAGE, {"b": "R2", "a": "B1"})
    run_tasks()
    page = text_of(look(None, b="R2", a="B1"))
    assert "On this board list-13b is better than bm25, all 5 runs compared at once." in page
    assert "As the first claim of a board (rule no_harm: better beyond chance, doing no harm), list-13b would" in page


def test_no_board_shows_the_verdict_of_the_paper(viewed: Viewed) -> None:
    for user in (None, viewed.cast.organiser):
        assert "Lin et al." not in text_of(look(user, b="R3", a="R2"))


def test_organisers_see_exact_counts(viewed: Viewed) -> None:
    page = text_of(look(viewed.cast.organiser, b="R3", a="R2"))
    assert f"2.5% 1 both, {SECRET_NAME} higher" in page
    assert "97.5% 39 both, same rank" in page
    assert "0.4292 0.4167 +0.0125" in page


def test_left_of_the_line_favours_b(viewed: Viewed) -> None:
    """R4 answers fewer and finds it later than R3: all dots stand at the right."""
    dots = re.findall(r'<circle class="ink" cx="([\d.]+)%"', look(None, b="R4", a="R3"))
    assert len(dots) == 4
    assert all(float(dot) > 50 for dot in dots)
    better, answered, sooner, search = re.findall(r'<circle class="ink" cx="([\d.]+)%"', look(None, b="R2", a="R1"))
    assert float(answered) == 50  # both answer all
    assert all(float(dot) < 50 for dot in (better, sooner, search))


def test_without_a_choice_it_is_the_first_run_below_against_the_holder(viewed: Viewed) -> None:
    page = look(None)
    assert '<option value="R3" selected>R3, Anonymous until' in page
    assert '<option value="R2" selected>list-13b, Norrland IR</option>' in page


def test_another_pair_is_made_when_somebody_asks(viewed: Viewed) -> None:
    browser = browse(None)
    fourth = viewed.board.submissions.get(run_id="R4").name
    page = browser.get(PAGE, PAIR).text
    assert f"{fourth} and kestrel-xl have not been compared yet." in text_of(page)
    assert "hx-trigger" not in page
    answer = browser.post(PAGE, PAIR)
    assert answer.headers["Location"] == f"{PAGE}?b=R4&a=R1"
    waiting = browser.get(PAGE, PAIR).text
    assert f"{fourth} and kestrel-xl are being compared." in text_of(waiting)
    assert 'hx-get="/b/web-docs/compare/?b=R4&amp;a=R1" hx-trigger="every 2s"' in folded(waiting)
    run_tasks()
    found = browser.get(PAGE, PAIR).text
    assert "kestrel-xl does better: 100.0%" in text_of(found)
    assert "hx-trigger" not in found


def test_however_many_ask_it_is_made_once(viewed: Viewed) -> None:
    for user in (None, viewed.cast.participant, viewed.cast.organiser):
        browse(user).post(PAGE, PAIR)
    assert OxTask.objects.count() == 1
    run_tasks()
    browse(None).post(PAGE, PAIR)
    assert not OxTask.objects.filter(status="READY").exists()
    assert StoredResult.objects.filter(board=viewed.board, key__startswith="R4 R1 ").count() == 2


def test_who_asks_too_often_is_told_to_wait(viewed: Viewed, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"compare": "2/h/user", "compare_anonymously": "1/h/ip"}
    pairs = [{"b": "R4", "a": "R1"}, {"b": "R4", "a": "B1"}, {"b": "R3", "a": "R1"}, {"b": "R3", "a": "B1"}]
    assert [browse(None).post(PAGE, pair).status_code for pair in pairs[:2]] == [302, 429]
    member = browse(viewed.cast.participant)
    assert [member.post(PAGE, pair).status_code for pair in pairs[1:]] == [302, 302, 429]
    assert member.post(PAGE, {"b": "R3", "a": "R2"}).status_code == 302  # it is there: nothing is asked for


@pytest.mark.parametrize(
    ("pair", "said"),
    [
        ({"b": "R99", "a": "R2"}, "Found no run 'R99' on this board; expected one of those in the list."),
        ({"b": "R2", "a": "R2"}, "Found R2 twice; expected two different runs."),
        ({"b": "<script>", "a": "R2"}, "Found no run '<script>' on this board"),
    ],
)
def test_a_pair_that_is_not_there_is_said_to_be_so(viewed: Viewed, pair: dict[str, str], said: str) -> None:
    for answer in (browse(None).get(PAGE, pair), browse(None).post(PAGE, pair)):
        assert answer.status_code == 404
        assert said in text_of(answer.text)


def test_a_withdrawn_run_cannot_be_compared(viewed: Viewed) -> None:
    run = viewed.board.submissions.get(run_id="R4")
    run.withdrawn_at = run.submitted_at
    run.save()
    answer = browse(None).get(PAGE, {"b": "R4", "a": "R2"})
    assert answer.status_code == 404
    assert browse(None).get("/b/web-docs/compare.json", {"b": "R4", "a": "R2"}).status_code == 404


def test_a_run_that_shows_nothing_is_not_compared_for_everyone(viewed: Viewed) -> None:
    page = "/b/ladder/compare/"
    for method in (browse(viewed.cast.participant).get, browse(viewed.cast.participant).post):
        assert "R4: not shown under this board’s release policy." in text_of(method(page, {"b": "R4", "a": "R2"}).text)
    assert not OxTask.objects.exists()
    assert browse(None).get("/b/ladder/compare.json", {"b": "R3", "a": "R2"}).status_code == 404
    compute_comparison(viewed.ladder.pk, challenger="R3", holder="R2")
    assert "cannot be told apart" in browse(viewed.cast.organiser).get(page, {"b": "R3", "a": "R2"}).text
    assert browse(None).get("/b/ladder/compare.json", {"b": "R3", "a": "R2"}).status_code == 404
    assert 'value="R4"' not in browse(None).get(page).text


def test_a_board_with_one_run_says_so_and_what_to_do(viewed: Viewed) -> None:
    answer = browse(None).get("/b/elsewhere/compare/")
    assert answer.status_code == 200
    assert "There is nothing to compare yet. Two runs that show their scores can be compared." in text_of(answer.text)
    assert 'href="/b/elsewhere/submit/">Submit a run</a>' in answer.text
    assert (
        'href="/b/elsewhere/organise/">What to do next</a>'
        in browse(viewed.cast.other_organiser).get("/b/elsewhere/compare/").text
    )


def test_it_can_be_taken_along(viewed: Viewed) -> None:
    found = json.loads(browse(None).get("/b/web-docs/compare.json", {"b": "R3", "a": "R2"}).text)
    assert (found["b"], found["a"], found["relation"], found["verdict"]) == ("R3", "R2", 0, "tied")
    assert found["on_board"] == "On this board R3 and R2 cannot be told apart, all 5 runs compared at once."
    assert found["outcomes"]["counts"] == {
        "only_this": 0,
        "better": 1,
        "same": 39,
        "neither": 0,
        "worse": 0,
        "only_top": 0,
    }
    assert "svg" not in found["figures"][0]
    latex = browse(None).get("/b/web-docs/compare.tex", {"b": "R3", "a": "R2"}).text
    assert r"Search length & 2.48 & 2.50 &" in latex
    assert SECRET_NAME not in latex


def test_where_other_tests_see_it_otherwise_the_page_says_so(viewed: Viewed) -> None:
    """As it is stored; which pairs these are, the library decides."""
    stored = StoredResult.objects.get(board=viewed.board, kind="compare", audience="public", key__startswith="R3 R2 ")
    assert stored.content["elsewhere"] == ""
    stored.content["elsewhere"] = "By the sign test R2 is better (p = 0.013): such a test counts queries."
    stored.save()
    assert "By the sign test list-13b is better (p = 0.013)" in text_of(look(None, b="R3", a="R2"))


def test_a_graded_board_shows_the_difference_and_no_outcomes() -> None:
    """B is better by .1 to .8 on 8 queries: 2 of 2^8 exchanges are as far, p .0078."""
    values = np.column_stack([np.zeros(8), np.arange(1, 9) / 10])
    scores = ScoreTable(query_ids=tuple("abcdefgh"), runs=("R1", "R2"), values=values, measure="nDCG@10")
    board = Board(rule="measure", official_measure="nDCG@10")
    shown = show_comparison(
        ComparedPair(found=compare_two(board, scores)), Audience.ORGANISERS, Disclosure(way=read_release("full"))
    )
    assert (shown["verdict"], shown["grade"]) == ("B", "better")
    assert shown["sentence"] == "R2 is better than R1 (nDCG@10 +0.4500, p = 0.0078)."
    assert (shown["outcomes"], shown["figures"], shown["harm"]) == (None, [], "")
    (row,) = shown["evidence"]
    assert (row["question"], row["difference"], row["tests"][0]) == (
        "nDCG@10",
        "+0.4500",
        ["All exchanges, exact", "0.0078"],
    )
    assert shown["claim"]["p"] == 2**-7
    assert not shown["claim"]["would_pass"]  # the first level of steady:10 is .0022
    assert (shown["has_ranks"], shown["bars"]) == (False, [])


def test_a_graded_board_shows_each_query_and_only_of_public_labels() -> None:
    """B is above A by .3 and .1, below by .2: the bars stand in that order; of hidden labels there is none."""
    values = np.array([[0.5, 0.6], [0.5, 0.3], [0.2, 0.5]])
    scores = ScoreTable(query_ids=("q1", "q2", "q3"), runs=("R1", "R2"), values=values, measure="nDCG@10")
    board = Board(rule="measure", official_measure="nDCG@10")
    effect = Effect(estimate=0.01223, low=-0.02, high=0.045, confidence=0.95, n=3)
    other = OtherDifference(measure="AP", b=0.31234, a=0.30011, effect=effect)
    found = ComparedPair(found=compare_two(board, scores), bars=to_bars(scores, "R1", "R2"), others=[other])
    assert [(each.query, each.b, each.a) for each in found.bars] == [
        ("q3", 0.5, 0.2),
        ("q1", 0.6, 0.5),
        ("q2", 0.3, 0.5),
    ]
    told = {"way": read_release("rounded:3"), "shown_scores": {"R1": 0.4, "R2": 0.467}}
    of_public = show_comparison(found, Audience.PUBLIC, Disclosure(**told))
    assert [each["query"] for each in of_public["bars"]] == ["q3", "q1", "q2"]
    reference = of_public["evidence"][1]
    assert (reference["question"], reference["b"], reference["a"], reference["difference"]) == (
        "AP",
        "0.312",
        "0.300",
        "+0.012",
    )
    assert not reference["decides"]
    of_hidden = show_comparison(found, Audience.PUBLIC, Disclosure(**told, n_hidden=3))
    assert of_hidden["bars"] == []
    nothing, why = of_hidden["left_out"].split(". ", maxsplit=1)
    assert nothing == "The labels are hidden, so nothing is shown query by query"
    assert "left out: here the p of tests on fewer that differ. The p that decides is told as a bound" in why
    drawn = show_chart(draw_differences(of_public, ("new", "old"), page="/b/x/compare/?b=R2&a=R1"), {}).svg
    to_row = r'<a href="/b/x/compare/\?b=R2&amp;a=R1#query-(\d)" data-row="query-\1" aria-label="([^"]*)">'
    labels = re.findall(to_row, drawn)
    assert [number for number, _ in labels] == ["1", "2", "3"]
    assert labels[0][1] == "query q3, B 0.500, A 0.200, difference +0.300"
    picture = draw_differences(of_public, ("new", "old")).to_svg()
    assert "<a " not in picture, "a file leads nowhere"
    narrow = draw_differences(of_public, ("new", "old"), is_narrow=True).drawing
    assert narrow.box.right - narrow.box.left <= 380, "for a phone, drawn anew"


def test_many_queries_share_bars() -> None:
    values = np.column_stack([np.zeros(601), np.linspace(0, 1, 601)])
    scores = ScoreTable(query_ids=tuple(map(str, range(601))), runs=("R1", "R2"), values=values, measure="nDCG@10")
    bars = to_bars(scores, "R1", "R2")
    assert (len(bars), sum(each.n for each in bars), bars[0].query) == (201, 601, "")
    assert bars[0].b == pytest.approx((600 + 599 + 598) / 3 / 600)


def test_few_hidden_queries_are_left_out_with_the_reason() -> None:
    """Of 40 queries a step would be 25%: a bar of that would say another thing than the counts beside it."""
    values = np.array([[1, 2]] * 20 + [[2, 1]] * 20, dtype=np.int32)
    ranks = FirstRanks(query_ids=tuple(map(str, range(40))), runs=("R1", "R2"), cutoff=100, values=values)
    board = Board(rule="no_harm", official_measure="RR@100")
    told = {"way": read_release("rounded:3"), "shown_scores": {"R1": 0.75, "R2": 0.75}}
    found = ComparedPair(found=compare_two(board, ranks))
    hidden = show_comparison(found, Audience.PUBLIC, Disclosure(**told, n_hidden=40))
    assert hidden["outcomes"] is None
    assert [row["question"] for row in hidden["evidence"]] == [ranks.measure]
    assert "how the queries came out" in hidden["left_out"]
    assert hidden["figures"] == [] or all(each["kind"] != "rank-differences" for each in hidden["figures"])
    public = show_comparison(found, Audience.PUBLIC, Disclosure(**told))
    assert public["outcomes"]["counts"]["better"] == 20


@pytest.mark.parametrize(("kind", "ending"), [("miss-cost", "svg"), ("miss-cost", "png"), ("rank-differences", "pdf")])
def test_charts_are_taken_along_as_pictures(viewed: Viewed, kind: str, ending: str) -> None:
    answer = browse(None).get(f"/b/web-docs/compare/{kind}.{ending}", {"b": "R4", "a": "R3"})
    assert answer.status_code == 200
    assert answer.content.startswith({"svg": b"<svg ", "png": b"\x89PNG", "pdf": b"%PDF"}[ending])
    if ending == "svg":
        assert b"B: " in answer.content
        assert SECRET_NAME.encode() not in answer.content
    assert browse(None).get(f"/b/web-docs/compare/{kind}.{ending}", {"b": "R99", "a": "R3"}).status_code == 404
    assert browse(None).get("/b/web-docs/compare/query-differences.svg", {"b": "R4", "a": "R3"}).status_code == 404


def test_counts_of_hidden_queries_are_the_sums_of_those_beside_the_bar() -> None:
    """Of 240 B alone finds 58, A alone 57, both 125: to the nearest ten 120 and 130 by themselves, beside the bar less.

    In steps of 5% the bar says 25%, 25%, 50% and nothing else: 60, 60 and 120 queries.
    """
    values = np.array([[0, 1]] * 58 + [[1, 0]] * 57 + [[1, 1]] * 125, dtype=np.int32)
    ranks = FirstRanks(query_ids=tuple(map(str, range(240))), runs=("R1", "R2"), cutoff=10, values=values)
    board = Board(rule="no_harm", official_measure="RR@10")
    told = {"way": read_release("full"), "shown_scores": {"R1": 0.75, "R2": 0.75}, "cutoff": 10}
    found = ComparedPair(found=compare_two(board, ranks))
    hidden = show_comparison(found, Audience.PUBLIC, Disclosure(**told, n_hidden=240))
    beside_the_bar = {name: count for name, count in hidden["outcomes"]["counts"].items() if count}
    assert beside_the_bar == {"only_this": 60, "same": 120, "only_top": 60}
    said = {row["question"]: row["n"] for row in hidden["evidence"]}
    assert said == {"RR@10": "240", "Answered": "about 120", "RR": "about 120", "Search length": "about 120"}
    exact = show_comparison(found, Audience.PUBLIC, Disclosure(**told))
    assert [row["n"] for row in exact["evidence"]] == ["240", "115", "125", "125"]


def told_of(n_only_b: int, n_higher: int, n_hidden: int = 200) -> dict[str, Any]:
    """Of 200 queries B alone answers so many, and ranks so many of 100 others higher; what is told of the pair."""
    same, neither = [[2, 2]] * (100 - n_higher), [[0, 0]] * (100 - n_only_b)
    values = np.array([*same, *[[2, 1]] * n_higher, *[[0, 2]] * n_only_b, *neither], dtype=np.int32)
    ranks = FirstRanks(query_ids=tuple(map(str, range(200))), runs=("R1", "R2"), cutoff=100, values=values)
    way = read_release("full").on_hidden(n_hidden) if n_hidden else read_release("full")
    disclosure = Disclosure(way=way, n_hidden=n_hidden, shown_scores={"R1": 0.25, "R2": 0.25})
    found = ComparedPair(found=compare_two(Board(rule="no_harm", official_measure="RR@100"), ranks))
    return show_comparison(found, Audience.PUBLIC, disclosure)


def test_no_p_and_no_band_counts_few_hidden_queries() -> None:
    """Ten for B alone have a p of 2^-9, nine one of 2^-8, beside a count that says "about 10" of both."""
    ten, nine = told_of(10, 0), told_of(9, 0)
    tests = {row["question"]: row["tests"] for row in ten["evidence"]}
    assert tests["Answered"] == [["Binomial, exact", "–"]]
    assert tests["RR@100"] == [
        ["All exchanges, exact", "0.010"],
        ["Wilcoxon signed-rank test", "–"],
        ["Sign test", "–"],
    ]
    assert ten == nine
    assert ten["left_out"].endswith(
        "what a miss would have to cost and the p of tests on fewer that differ. "
        "The p that decides is told as a bound that it does not exceed."
    )
    assert "better than" in ten["sentence"]


def test_a_p_over_many_hidden_queries_and_over_public_ones_is_told() -> None:
    tests = {row["question"]: row["tests"] for row in told_of(50, 50)["evidence"]}
    assert tests["Answered"] == [["Binomial, exact", "< 0.0001"]]
    tests = {row["question"]: row["tests"] for row in told_of(9, 0, n_hidden=0)["evidence"]}
    assert tests["Answered"] == [["Binomial, exact", "0.0039"]]
    assert tests["RR@100"][0] == ["All exchanges, exact", "0.0039"]
