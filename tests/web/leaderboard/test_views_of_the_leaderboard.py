"""Every view of the leaderboard has an address: its order, its columns and its filters, and the files are that view.

The board of ``viewing``: R3 103/240, R2 5/12, R1 1/3, B1 0.2, R4 0.1875 with 30 of 40 answered at rank 4.
"""

from __future__ import annotations

import csv
import io
import json
import re
from html import unescape

import pytest
from django.db.models import F
from tests.web.reading import faults_of, folded, row_of, text_of
from tests.web.viewing import SECRET_NAME, Viewed, browse

from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import User
from toprung.web.core.models.results import Audience, Standing, StoredResult
from toprung.web.services.results.compute import compute_results

pytestmark = pytest.mark.postgres

PAGE = "/b/web-docs/"
SAID = {"R1": {"latency": 30.0, "cost": 2.0}, "R2": {"latency": 4.5}, "R3": {"latency": 2900.0}}


@pytest.fixture
def reported(viewed: Viewed) -> Viewed:
    """Three teams say how long a query takes, one what it costs; R1 links what is behind it."""
    links = {"paper": "https://example.org/p", "code": "javascript:alert(1)", "model": "https://example.org/m"}
    for label, said in SAID.items():
        run = viewed.board.submissions.get(run_id=label)
        run.said = said | (links if label in ("R1", "R3") else {})
        run.save()
    Board.objects.filter(pk=viewed.board.pk).update(results_due=F("results_due") + 1)
    compute_results(viewed.board.pk)
    return viewed


def get(user: User | None = None, **asked: str) -> str:
    return browse(user).get(PAGE, asked).text


def rows_on(page: str) -> list[str]:
    return re.findall(r'<tr role="row" id="(\w+)"', page)


def heads_on(page: str) -> list[str]:
    """The names above the columns, without their help."""
    (head,) = re.findall(r"<thead.*?</thead>", page, re.DOTALL)
    help_of_it = r'<button\b.*?</button>|<span class="(tip|vh)".*?</span>'
    cells = re.findall(r"<th\b.*?</th>", re.sub(help_of_it, "", head, flags=re.DOTALL), re.DOTALL)
    return [text_of(re.sub(r"<svg.*?</svg>", "", cell, flags=re.DOTALL)) for cell in cells]


def test_a_column_is_sorted_by_a_link_and_says_so(reported: Viewed) -> None:
    page = get()
    assert '<th role="columnheader" scope="col" class="score num" aria-sort="descending">' in folded(page)
    assert 'href="?sort=-answered"' in page
    page = get(sort="ms")
    assert rows_on(page) == ["R2", "R1", "R3", "B1", "R4"]  # 4.5, 30, 2,900; who says nothing comes last
    assert "Sorted by latency; shaded: may be best by RR@100." in page
    assert re.findall(r'id="(\w+)" class="may-be-best', page) == ["R2", "R3"]  # as by score, wherever they stand
    assert "May be best now" not in page
    assert 'class="ms num" aria-sort="ascending"' in folded(page)
    assert 'href="?sort=-ms"' in page
    assert rows_on(get(sort="-ms")) == ["R3", "R1", "R2", "B1", "R4"]
    assert faults_of(page) == []


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("run", ["R4", "B1", "R1", "R2", "R3"]),  # <script>, bm25, kestrel-xl, list-13b, and R3 by its label
        ("score", ["R4", "B1", "R1", "R2", "R3"]),
        ("rank", ["R3", "R2", "R1", "B1", "R4"]),
        ("-answered", ["R3", "R2", "R1", "B1", "R4"]),  # 100% four times, then 75%
        ("length", ["R3", "R2", "R1", "R4", "B1"]),  # 2.5 twice, 3, 4, 5
        ("-against", ["R2", "R1", "B1", "R4", "R3"]),  # none is better than R3 on any query: by score; R3 is itself
        ("date", ["B1", "R1", "R2", "R3", "R4"]),
        ("cost", ["R1", "R3", "R2", "B1", "R4"]),
        ("arrival", ["R2", "R1", "R3", "R4", "B1"]),  # last proved, proved, not passed, none, baseline
    ],
)
def test_every_column_orders_the_rows_and_the_files(reported: Viewed, sort: str, order: list[str]) -> None:
    assert rows_on(get(sort=sort)) == order
    exported = browse(None).get(f"{PAGE}export.csv", {"sort": sort}).text
    assert [row["run"] for row in csv.DictReader(io.StringIO(exported))] == order
    assert [
        run["run"] for run in json.loads(browse(None).get(f"{PAGE}export.json", {"sort": sort}).text)["runs"]
    ] == order


def test_columns_are_chosen_and_the_files_have_them(reported: Viewed) -> None:
    asked = {"cols": "rank,score,ms", "q": "kestrel"}
    page = get(**asked)
    assert heads_on(page) == ["Rank", "Run", "RR@100", "", "ms per query"]
    (exported,) = csv.DictReader(io.StringIO(browse(None).get(f"{PAGE}export.csv", asked | {"q": "kestrel-xl"}).text))
    assert (exported["latency"], exported["rank_low"], exported["score"]) == ("30.0", "3", "0.333")
    assert not {"answered", "share_better", "date", "status", "cost"} & set(exported)
    latex = browse(None).get(f"{PAGE}export.tex", asked).text
    assert "ms per query" in latex
    assert "answered" not in latex.lower().split(r"\begin{tabular}")[1]


def test_a_form_without_script_leads_to_the_short_address(reported: Viewed) -> None:
    """It sends all of its fields, empty or not, and each column by itself."""
    sent = f"{PAGE}?q=&tag=&per=&against=&cols=run&cols=rank&cols=score&cols=ms"
    assert browse(None).get(sent).headers["Location"] == f"{PAGE}?cols=rank,run,score,ms"
    usual = ("rank", "score", "answered", "length", "against", "ms", "date", "arrival")
    everything = "&".join(f"cols={key}" for key in ("run", *usual))
    assert browse(None).get(f"{PAGE}?q=&{everything}").headers["Location"] == PAGE
    assert browse(None).get(f"{PAGE}?q=&cols=run").headers["Location"] == f"{PAGE}?cols=run"


def test_what_a_board_does_not_have_is_told_and_left_out(reported: Viewed) -> None:
    page = get(sort="<b>", cols="rank,beauty", tag="no such", against="R99", per="all")
    assert rows_on(page) == ["R3", "R2", "R1", "R4", "B1"]
    said = text_of(page)
    assert (
        "This board does not have an order by “<b>”, a column “beauty”, a tag “no such”, figures against “R99”" in said
    )
    assert faults_of(page) == []
    for asked in ({"sort": "beauty"}, {"cols": "beauty"}, {"against": "R99"}):
        refused = browse(None).get(f"{PAGE}export.csv", asked)
        assert refused.status_code == 400
        assert refused.text.startswith("Found ")
        assert "expected what this board has" in refused.text


def test_cost_and_latency_are_offered_only_where_a_team_reports_them(viewed: Viewed) -> None:
    page = get()
    assert 'value="cost"' not in page
    assert 'value="ms"' not in page


def test_names_come_first_with_links_that_are_addresses(reported: Viewed) -> None:
    page = get()
    (row,) = re.findall(r'<tr role="row" id="R1".*?</tr>', page, re.DOTALL)
    assert '<span class="name"><a href="/b/web-docs/runs/R1/">kestrel-xl</a>' in row
    assert '<a class="lk" href="https://example.org/p" rel="nofollow noopener noreferrer">paper</a>' in row
    assert ">model</a>" in row
    assert "javascript:" not in page
    assert ">paper</a>" not in re.findall(r'<tr role="row" id="R3".*?</tr>', page, re.DOTALL)[0]  # would tell whose


def test_an_order_tells_nothing_of_a_hidden_name(reported: Viewed) -> None:
    """R3 is list-13b-long in truth, after list-13b; everyone finds it where its label puts it."""
    assert rows_on(get(sort="run"))[-1] == "R3"
    assert rows_on(get(reported.cast.organiser, sort="run")) == ["R4", "B1", "R1", "R2", "R3"]
    reported.board.submissions.filter(run_id="R3").update(name="aaa")
    assert rows_on(get(sort="run"))[-1] == "R3"
    assert rows_on(get(reported.cast.organiser, sort="run"))[1] == "R3"
    assert SECRET_NAME not in get(sort="run")


def test_an_order_tells_nothing_finer_than_the_figures_shown(reported: Viewed) -> None:
    """Every figure that rows of everyone are ordered by is one that everyone is shown."""
    for row in Standing.objects.filter(board=reported.board, audience=Audience.PUBLIC):
        shown = json.dumps(row.content)
        for key, figure in row.sorts.items():
            if key not in ("rank", "arrival") and not key.startswith("against"):
                assert json.dumps(figure) in shown
    public = Standing.objects.get(board=reported.board, audience=Audience.PUBLIC, submission__run_id="R2")
    assert public.sorts["score"] == 0.417


def test_runs_that_may_be_best_are_shaded_wherever_they_stand(viewed: Viewed) -> None:
    """R1 stands between two that may be best: no group is drawn, each of them has its shade."""
    Standing.objects.filter(board=viewed.board, submission__run_id="R2").update(top_group=False)
    for row in Standing.objects.filter(board=viewed.board):
        is_best = row.submission.run_id in ("R3", "R1")
        row.top_group = row.content["top_group"] = is_best
        row.save()
    for found in StoredResult.objects.filter(board=viewed.board, kind="board"):
        found.content |= {"top_group": ["R3", "R1"], "are_neighbours": False}
        found.save()
    page = get()
    assert re.findall(r'id="(\w+)" class="may-be-best', page) == ["R3", "R1"]
    assert rows_on(page) == ["R3", "R2", "R1", "R4", "B1"]
    assert "grouprow" not in page
    assert "Two runs may be best: R3 and kestrel-xl ;" in text_of(page)
    assert "it is no longer among those that may be best" in text_of(page)


def test_own_runs_can_be_picked(viewed: Viewed) -> None:
    assert rows_on(get(viewed.cast.participant, per="mine")) == ["R1", "R4"]
    assert rows_on(get(per="mine")) == []
    assert 'value="mine"' in get(viewed.cast.participant)
    assert 'value="mine"' not in get()


def test_the_share_menu_takes_this_view_along(reported: Viewed) -> None:
    page = unescape(get(sort="ms", tag="generative"))
    assert f'href="{PAGE}export.csv?tag=generative&sort=ms"' in page
    assert f'<iframe src="http://testserver{PAGE}embed/?rows=10"' in page


def test_the_embedded_view_has_as_many_rows_as_asked(viewed: Viewed) -> None:
    for asked, rows in (("2", 2), ("0", 1), ("x", 5), ("99", 5)):
        assert len(rows_on(browse(None).get(f"{PAGE}embed/", {"rows": asked}).text)) == rows


def test_what_the_board_can_still_see_is_told(viewed: Viewed) -> None:
    """Three claims came, R1's, R2's and R3's: the next is the fourth."""
    assert "It is claim 4, held to" in text_of(get())
    assert row_of(get(), "R3")  # the row is there once
