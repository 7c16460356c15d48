"""A published leaderboard stands on the timeline page as dates and scores alone: no run, no claim, no rung."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from tests.web.cast import Cast
from tests.web.reading import text_of
from tests.web.runs import settled

from toprung.errors import InputError
from toprung.web.core.apart.limits import ChildLimits
from toprung.web.core.apart.process import ChildCrashedError, OverLimitError
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.results import StoredResult
from toprung.web.core.models.runs import Submission
from toprung.web.services.boards.history import KIND, import_history, read_history
from toprung.web.services.results import content
from toprung.web.services.results.compute import compute_results

pytestmark = pytest.mark.postgres

PAGE = "/b/web-docs/organise/import/"
HEADER = "id,date,description,team,paper,code,type,embargo,MRR@100 (Dev),MRR@100 (Eval)\n"
ROWS = """20200811a,2020/08/11,Anonymous,Halden,,,full ranking,2020/11/11,0.290,0.280
20200910a,2020/09/10,BM25 + doc2query,Norrland,https://example.org,,full ranking,,0.300,0.310
20201001a,2020/10/01,Dense retriever,Halden,,,full ranking,,0.350,0.305
20201102a,2020/11/02,Fusion of both,Kestrel,,,reranking,,0.390,0.384
,2020/11/03,No score yet,Kestrel,,,reranking,,0.390,
"""


def post(client: Client, content: str, *, name: str = "board.csv", score_column: str = "") -> Any:
    fields = {"file": SimpleUploadedFile(name, content.encode()), "score_column": score_column}
    return client.post(PAGE, fields)


@pytest.fixture
def organiser(client: Client, cast: Cast) -> Client:
    client.force_login(cast.organiser)
    return client


def test_only_organisers_of_the_board_import(client: Client, cast: Cast) -> None:
    for person in (cast.participant, cast.assessor, cast.other_organiser):
        client.force_login(person)
        assert client.get(PAGE).status_code == 404
        assert post(client, HEADER + ROWS).status_code == 404
        assert client.post(f"{PAGE}forget/").status_code == 404
    assert not StoredResult.objects.exists()


def test_entries_are_drawn_on_the_timeline_and_claim_nothing(organiser: Client, cast: Cast) -> None:
    assert post(organiser, HEADER + ROWS).status_code == 302
    organiser.logout()
    page = organiser.get("/b/web-docs/history/").content.decode()
    assert "Before this board" in page
    assert "Fusion of both has had the highest MRR@100 (Eval), 0.384, since 2020-11-02" in page
    assert "These 4 entries came with dates and published scores, without run files" in text_of(page)
    assert "Left out: 1 entry without a score." in page
    assert "--" not in page.partition("Before this board")[2].partition("</section>")[0].replace("<!--", "")
    assert not Submission.objects.exists()
    assert not Claim.objects.exists()
    cast.board.refresh_from_db()
    assert (cast.board.holder, cast.board.claims_tested) == (None, 0)
    entry = cast.board.audit.get()
    assert (entry.what, entry.details["file"]) == ("Imported 4 entries of a published leaderboard", "board.csv")


def test_a_second_import_takes_the_place_of_the_first(organiser: Client, cast: Cast) -> None:
    post(organiser, HEADER + ROWS)
    post(organiser, HEADER + ROWS.splitlines()[0])
    assert {each.content["n_entries"] for each in cast.board.results.filter(kind=KIND)} == {1}
    assert cast.board.audit.count() == 2


def test_entries_can_be_taken_off_the_page_and_that_is_on_record(organiser: Client, cast: Cast) -> None:
    post(organiser, HEADER + ROWS)
    organiser.post(f"{PAGE}forget/")
    assert not cast.board.results.filter(kind=KIND).exists()
    assert cast.board.audit.latest("number").what == "Removed the entries of a published leaderboard"
    organiser.post(f"{PAGE}forget/")
    assert cast.board.audit.count() == 2, "nothing to remove, nothing on record"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("id,when\na,2020\n", "board.csv, line 1: found"),
        ("id,date,score\na,yesterday,0.3\n", "board.csv, line 2: found date"),
        ("id,date,score\na,2020-01-01,high\n", "board.csv, line"),
        ("id,date,score\na,2020-01-01\n", "board.csv, line 2: found 2 columns"),
        ("id,date,dev,test1,test\na,2020-01-01,1,2,3\n", "Name the score"),
        ("id,date,score\n" + "a,2020-01-01,0.5\n" * 2001, "found 2,001 entries; expected 2,000 at most"),
    ],
)
def test_a_file_that_cannot_be_read_stores_nothing(organiser: Client, cast: Cast, content: str, says: str) -> None:
    response = post(organiser, content)
    if response.status_code == 302:
        pytest.fail("it was imported")
    assert response.status_code == 422
    page = response.content.decode()
    assert says in page
    assert "/tmp" not in page
    assert not StoredResult.objects.exists()
    assert not cast.board.audit.exists()


def test_the_column_of_the_score_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "board.csv"
    path.write_text(HEADER + ROWS)
    found = read_history(path, file_name="board.csv", score_column="MRR@100 (Dev)")
    assert found.leaders[-1].score == 0.390
    with pytest.raises(InputError, match="line 1: found no column 'nDCG'"):
        read_history(path, file_name="board.csv", score_column="nDCG")


@pytest.mark.figures
def test_hostile_entries_come_out_as_text(organiser: Client) -> None:
    row = '"<script>alert(\'id\')</script>",2020-01-01,"<img src=x onerror=alert(1)>","</svg><b>team</b>",0.4\n'
    assert post(organiser, "id,date,description,team,score\n" + row, name="<b>.csv").status_code == 302
    for page in ("/b/web-docs/history/", PAGE, "/b/web-docs/organise/audit/"):
        shown = organiser.get(page).content.decode()
        for wrong in ("<script>alert", "<img", "</svg><b>", "<b>.csv"):
            assert wrong not in shown, (page, wrong)


def test_new_results_do_not_sweep_the_history_away(cast: Cast, tmp_path: Path) -> None:
    path = tmp_path / "board.csv"
    path.write_text(HEADER + ROWS)
    import_history(cast.board, read_history(path, file_name="board.csv"), by=cast.organiser)
    settled(cast, "first", 2)
    compute_results(cast.board.pk)
    assert cast.board.results.filter(kind=KIND).count() == 2


@pytest.mark.parametrize(
    ("fault", "n_tries"),
    [(OverLimitError("more than 4,096 MB of memory"), 1), (ChildCrashedError("it was ended by SIGKILL"), 2)],
    ids=["more than the child may take", "a child that is killed each time"],
)
def test_figures_that_no_child_can_draw_are_left_out(
    organiser: Client, monkeypatch: pytest.MonkeyPatch, fault: Exception, n_tries: int
) -> None:
    tries: list[ChildLimits] = []

    def need_more(*_: Any, limits: ChildLimits) -> None:
        tries.append(limits)
        raise fault

    monkeypatch.setattr(content, "run_apart", need_more)
    assert post(organiser, HEADER + ROWS).status_code == 302
    assert {len(each.content["figures"]) for each in StoredResult.objects.all()} == {0}
    assert len(tries) == n_tries
    _, found, shown = organiser.get("/b/web-docs/history/").content.decode().partition("Before this board")
    assert found
    assert "<figure" not in shown
