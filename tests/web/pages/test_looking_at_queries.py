"""Public queries one by one: who wins where, what each put first, and labels that look wrong; never a hidden one."""

from __future__ import annotations

import html
import json
import re
import zlib
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.test import Client
from tests.web.cast import Cast, even_ranks, run_text
from tests.web.reading import text_of
from tests.web.runs import accepted

from toprung.data.run_card import RunCard
from toprung.web.core.access.texts import browsed_sets
from toprung.web.core.access.viewer import get_viewer
from toprung.web.core.models.boards import Board
from toprung.web.core.models.public_columns import PublicColumn
from toprung.web.core.models.reported_labels import ReportedLabel
from toprung.web.core.models.runs import Submission
from toprung.web.services.claims.settle import settle_board
from toprung.web.services.data.give import FileSaid, give_file
from toprung.web.services.query import report
from toprung.web.services.query.find import deciding_queries
from toprung.web.services.query.lines import PublicPair
from toprung.web.services.query.reading import PublicAnswers
from toprung.web.services.query.report import ReportRefusedError, report_label
from toprung.web.services.results.compute import refresh_results
from toprung.web.services.runs.score import score_submission
from toprung.web.services.runs.submit import submit

PAGE, REPORT, ANSWER = "/b/web-docs/queries/", "/b/web-docs/queries/report/", "/b/web-docs/organise/reports/"
B, A = {"d01": 1, "d02": 0, "d03": 3}, {"d01": 2, "d02": 1, "d03": 3}
QUERIES = "d01\twhat is <script>alert(1)</script>\nd02\thow deep is it\nd03\tis it wet\np01\ta hidden question\n"
QUESTIONS = {"d01": "what is <", "d02": "how deep is it", "d03": "is it wet"}
PASSAGES = "rel-d01\tThe answer to the first.\nother-d02-1\tNot an answer, \u202e turned.\n"
WHY = "The document says the opposite."


def run(cast: Cast, name: str, dev: dict[str, int], official: int) -> Submission:
    content = run_text(even_ranks(official) | dev, name=name, team=name)
    made = submit(accepted(cast, content), RunCard(name=name, description="x"), by=cast.participant)
    score_submission(made.pk)
    settle_board(cast.board.pk)
    return made


def give(cast: Cast, tmp_path: Path, kind: str, text: str, *, is_hidden: bool = False) -> None:
    path = tmp_path / kind
    path.write_text(text)
    give_file(cast.board, FileSaid(kind=kind, name=f"{kind}.tsv", is_hidden=is_hidden), path, by=cast.organiser)


def make_pair(cast: Cast, tmp_path: Path) -> tuple[Submission, Submission]:
    a, b = run(cast, "older", A, 2), run(cast, "newer", B, 1)
    give(cast, tmp_path, "queries", QUERIES)
    give(cast, tmp_path, "passages", PASSAGES)
    refresh_results(cast.board.pk)
    return b, a


def test_a_run_has_its_dev_queries_beside_those_of_the_highest_score(
    client: Client, cast: Cast, tmp_path: Path
) -> None:
    """The weightiest first, with their texts, and a way to all of them; the highest score has nothing to be held to."""
    newer, older = make_pair(cast, tmp_path)
    page = client.get(f"/b/web-docs/runs/{older.run_id}/").content.decode()
    (section,) = re.findall(r'<section class="section" id="on-queries">.*?</section>', page, re.DOTALL)
    shown = text_of(section)
    assert shown.startswith("On the dev queries Those that move the difference to newer, the highest score, most.")
    assert [each in shown for each in ("only older", "newer higher", "same rank")] == [True, True, False]
    assert shown.index(QUESTIONS["d02"]) < shown.index(QUESTIONS["d01"])
    assert "The answer to the first." in shown
    assert "hidden question" not in shown
    (address,) = re.findall(r'href="([^"]*queries/[^"]*)"', section)
    assert html.unescape(address) == f"{PAGE}?b={older.run_id}&a={newer.run_id}&set=dev"
    assert client.get(html.unescape(address)).status_code == 200
    assert "on-queries" not in client.get(f"/b/web-docs/runs/{newer.run_id}/").content.decode()


def test_a_run_that_may_not_be_compared_has_no_queries_on_its_page(client: Client, cast: Cast, tmp_path: Path) -> None:
    """Under Ladder, a run that is not released: what it put first would tell of it."""
    Board.objects.filter(pk=cast.board.pk).update(release="ladder:0.05")
    first = run(cast, "older", A, 2)
    below = run(cast, "below", B, 4)
    refresh_results(cast.board.pk)
    first.refresh_from_db()
    below.refresh_from_db()
    assert not get_viewer(cast.stranger, "web-docs").shows(below)
    assert get_viewer(cast.stranger, "web-docs").shows(first)
    assert "on-queries" not in client.get(f"/b/web-docs/runs/{below.run_id}/").content.decode()
    client.force_login(cast.organiser)
    assert "on-queries" in client.get(f"/b/web-docs/runs/{below.run_id}/").content.decode()


@pytest.mark.parametrize(
    ("shown", "ids"),
    [
        ({}, ["d02", "d01", "d03"]),
        ({"show": "only_top"}, ["d02"]),
        ({"q": "wet"}, ["d03"]),
        ({"by": "kind", "kind": "what"}, ["d01"]),
        ({"by": "length", "kind": "up to 4 words", "order": "b"}, ["d01", "d03", "d02"]),
    ],
)
def test_the_file_has_the_queries_in_view(
    client: Client, cast: Cast, tmp_path: Path, shown: dict[str, str], ids: list[str]
) -> None:
    """By the link of the page: outcome, search, kind and order are those of the page."""
    b, a = make_pair(cast, tmp_path)
    page = client.get(PAGE, {"b": b.run_id, "a": a.run_id} | shown).content.decode()
    (address,) = re.findall(r'href="([^"]*queries\.csv[^"]*)"', page)
    rows = client.get(html.unescape(address)).content.decode().splitlines()[1:]
    assert [row.split(",")[0] for row in rows] == ids
    on_page = re.findall(r"Answer and what each put first<span class=\"vh\"> for (\w+)", page)
    assert on_page == ids


def test_each_public_query_with_its_outcome(client: Client, cast: Cast, tmp_path: Path) -> None:
    pair = make_pair(cast, tmp_path)
    columns = PublicColumn.objects.filter(label_set__use="dev")
    assert sorted(columns.values_list("submission__name", "n_there")) == [("newer", 3), ("older", 3)]
    page = client.get(f"{PAGE}?b={pair[0].run_id}&a={pair[1].run_id}").content.decode()
    assert "what is &lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert" not in page
    shown = text_of(page)
    assert "newer wins 1 of 3 dev queries, older 1;" in shown
    assert [each in shown for each in ("newer higher", "only older", "same rank")] == [True] * 3
    assert [each in shown for each in ("All 3", "only B 0", "B higher 1", "same 1", "neither 0", "only A 1")] == [
        True
    ] * 6
    assert "The answer to the first." in shown
    assert "[U+202E]" in shown  # what newer put first on d02, where it found no answer
    assert "3 looks at once" in shown  # what, how, yes/no
    assert "hidden question" not in shown
    only_a = text_of(client.get(f"{PAGE}?b={pair[0].run_id}&a={pair[1].run_id}&show=only_top").content.decode())
    assert "1–1 of 1" in only_a
    assert "No query of this kind" in text_of(client.get(f"{PAGE}?q=nothing-like-it").content.decode())
    csv = client.get(f"/b/web-docs/queries.csv?b={pair[0].run_id}&a={pair[1].run_id}").content.decode()
    assert "d02,how deep is it,not found,1,only older,0.0,1.0,other-d02-1,rel-d02" in csv
    assert len(csv.splitlines()) == 4
    assert client.get(f"{PAGE}?b=R99&a=R1").status_code == 404
    assert client.get(f"{PAGE}?set=private").status_code == 404
    assert "official queries" in shown  # whose labels are public here
    assert client.get(f"{PAGE}?set=official").status_code == 200
    look_at_deciding_queries(cast, pair, tmp_path)


def look_at_deciding_queries(cast: Cast, pair: tuple[Submission, Submission], tmp_path: Path) -> None:
    viewer = get_viewer(cast.stranger, "web-docs")
    found = deciding_queries(viewer, *pair, n=1)
    assert found is not None
    (line,) = found.lines  # RR 0 against 1 weighs more than 1 against 1/2
    assert (line.query_id, line.b, line.a, line.outcome) == ("d02", "not found", "1", "only_top")
    assert line.first_a is not None
    assert line.first_a.is_answer
    give(cast, tmp_path, "passages", PASSAGES, is_hidden=True)  # in the place of those that were offered
    again = deciding_queries(viewer, *pair, n=1)
    assert again is not None
    assert again.lines[0].first_b is not None
    assert again.lines[0].first_b.text == ""


def test_where_no_dev_query_differs_other_public_ones_decide(client: Client, cast: Cast, tmp_path: Path) -> None:
    a, b = run(cast, "older", {}, 2), run(cast, "newer", {}, 1)
    refresh_results(cast.board.pk)
    found = deciding_queries(get_viewer(cast.stranger, "web-docs"), b, a)
    assert found is not None
    assert (found.labels.use, len(found.lines), found.n_queries) == ("official", 10, 40)
    page = client.get(f"/b/web-docs/compare/?b={b.run_id}&a={a.run_id}").content.decode()
    assert "The ten deciding queries" in page
    assert client.get(f"{PAGE}?b={b.run_id}&a={a.run_id}&set=official").status_code == 200
    assert f"?b={b.run_id}&amp;a={a.run_id}&amp;set=official" in page
    assert deciding_queries(get_viewer(cast.stranger, "web-docs"), a, a) is None


def test_queries_are_browsed_in_any_order_and_taken_along_in_it(client: Client, cast: Cast, tmp_path: Path) -> None:
    """RR of B and A: d01 1 and 1/2, d02 0 and 1, d03 1/3 each."""
    b, a = make_pair(cast, tmp_path)
    asked = f"?b={b.run_id}&a={a.run_id}&by=length"
    orders = {"b": "d01 d03 d02", "hard": "d03 d02 d01", "easy": "d01 d02 d03", "no-such": "d02 d01 d03"}
    for order, ids in orders.items():
        expected = ids.split()
        told = client.get(f"{PAGE[:-1]}.csv{asked}&order={order}").content.decode().splitlines()
        assert [line.partition(",")[0] for line in told[1:]] == expected, order
        page = text_of(client.get(f"{PAGE}{asked}&order={order}").content.decode())
        places = [page.index(each) for each in (QUESTIONS[query] for query in expected)]
        assert places == sorted(places), order
    page = client.get(f"{PAGE}{asked}&order=hard").content.decode()
    assert '<option value="hard" selected>Hardest for both first</option>' in page
    assert '<input type="hidden" name="by" value="length">' in page  # what was chosen stays chosen
    assert "order=hard" in page.partition('aria-label="Outcome"')[2].partition("</nav>")[0]
    assert_a_kind_is_browsed_alone(client, f"?b={b.run_id}&a={a.run_id}")


def assert_a_kind_is_browsed_alone(client: Client, asked: str) -> None:
    page = client.get(f"{PAGE}{asked}").content.decode()
    links = [html.unescape(each) for each in re.findall(r'<a href="([^"]*kind=[^"]*)#browse"', page)]
    only = {each.rpartition("kind=")[2]: text_of(client.get(each).content.decode()) for each in links}
    assert "1–1 of 1" in only["how"]
    assert "how deep is it" in only["how"]
    assert "is it wet" not in only["how"].partition("Browse")[2]
    assert "Only “how”. All kinds" in only["how"]
    assert "No query of this kind." in text_of(client.get(f"{PAGE}{asked}&kind=none").content.decode())


def test_graded_labels_show_the_first_three_of_each_with_their_grades(cast: Cast) -> None:
    labels = next(each for each in browsed_sets(cast.board) if each.use == "dev")
    cast.board.official_measure = "nDCG@10"
    of_b = PublicAnswers(ranks=[], scores=[0.9, 0, 0], tops=[["rel-d01", "other-1", "other-2"], [], []])
    of_a = PublicAnswers(ranks=[], scores=[0.5, 0, 0], tops=[["other-1"], [], []])
    pair = PublicPair(board=cast.board, labels=labels, b="newer", a="older", of_b=of_b, of_a=of_a)
    (line,) = pair.with_passages([pair.line("d01")])
    assert line.words == "newer by 0.400"
    assert [each.grade for each in line.tops_b] == ["grade 1", "not judged", "not judged"]
    page = render_to_string(
        "boards/query_list.html", {"lines": [line], "b": "newer", "a": "older", "board": cast.board}
    )
    assert "First three of each, with grades" in page
    shown = [" ".join(text_of(each).split()) for each in re.findall(r"<p [^>]*>.*?</p>", page, re.DOTALL)]
    best, *put_first = shown
    assert best == "rel-d01 (grade 1)"
    assert put_first == [best, "other-1 (not judged)", "other-2 (not judged)", "other-1 (not judged)"]


def test_what_an_earlier_version_stored_of_a_run_has_one_document() -> None:
    packed = zlib.compress(json.dumps([[1, 0], [1.0, 0.0], ["rel-d01", None]]).encode())
    found = PublicAnswers.unpack(packed)
    assert found.tops == [["rel-d01"], []]
    assert found.n_there == 1


def test_before_there_are_two_runs_it_says_so_in_plain_words(client: Client, cast: Cast) -> None:
    page = text_of(client.get(PAGE).content.decode())
    assert "There is nothing to compare yet. A run appears here when its file has these queries too" in page
    cast.board.label_sets.filter(use="official").update(is_hidden=False)
    page = text_of(client.get(PAGE, {"set": "official"}).content.decode())
    assert "Queries are looked at between two runs that show their scores. The rules of this board" in page
    assert "beside those of the board" not in page
    assert "Found fewer" not in page


def test_a_board_with_hidden_queries_alone_has_no_such_page(client: Client, cast: Cast) -> None:
    cast.board.label_sets.exclude(use="private").update(is_hidden=True)
    assert client.get(PAGE).status_code == 404
    assert "queries/" not in client.get("/b/web-docs/about/").content.decode()


def test_a_label_that_looks_wrong_is_reported_and_answered(
    client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get(f"{REPORT}?query=d01").status_code == 302
    client.force_login(cast.participant)
    for hidden in ("p01", "zz", ""):
        assert client.post(f"{REPORT}?query={hidden}", {"why": WHY}).status_code == 404
    assert client.post(f"{REPORT}?query=d01", {"why": "no"}).status_code == 422
    assert client.post(f"{REPORT}?query=d01", {"why": WHY}).status_code == 302
    again = client.post(f"{REPORT}?query=d01", {"why": WHY})
    assert "Found a report of yours on this query" in text_of(again.content.decode())
    monkeypatch.setattr(report, "MOST_WAITING", 1)
    with pytest.raises(ReportRefusedError, match="wait for an answer"):
        report_label(cast.board, "d02", WHY, by=cast.participant)
    with pytest.raises(ReportRefusedError, match="not public"):
        report_label(cast.board, "p01", WHY, by=cast.stranger)
    found = ReportedLabel.objects.get()
    assert client.get(ANSWER).status_code == 404
    assert client.post(f"{ANSWER}{found.pk}/", {"answer": "It is right, see its end."}).status_code == 404
    client.force_login(cast.organiser)
    assert WHY in text_of(client.get(ANSWER).content.decode())
    client.post(f"{ANSWER}{found.pk}/", {"answer": "It is right, see its end."})
    client.force_login(cast.participant)
    assert "It is right, see its end." in text_of(client.get(PAGE).content.decode())
    client.force_login(cast.stranger)
    assert "It is right" not in client.get(PAGE).content.decode()


@pytest.mark.postgres
def test_reports_that_wait_stand_before_those_that_were_answered(client: Client, cast: Cast) -> None:
    """Databases order what has no time each in their own way."""
    reported = [report_label(cast.board, each, WHY, by=cast.participant) for each in ("d01", "d02", "d03")]
    for each in (reported[0], reported[2]):
        report.answer_report(each, "It is right, see its end.", by=cast.organiser)
    client.force_login(cast.organiser)
    shown = re.findall(r'<span class="mono">(d\d+)</span>', client.get(ANSWER).content.decode())
    assert shown == ["d02", "d03", "d01"], "then the latest answers"
