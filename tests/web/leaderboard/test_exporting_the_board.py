"""The board as CSV, JSON and LaTeX, a page of it as PDF: as the page for its audience, and nothing that is run."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.db import connection
from pytest_django import Settings
from tests.web.viewing import SCRIPT, Viewed, browse

from toprung.report.share.sheet import Sheet, draw_sheet
from toprung.web.core.access.viewer import get_viewer
from toprung.web.core.models.people import User
from toprung.web.services.shown.board.page import open_page
from toprung.web.services.shown.board.sheet import sheet_of
from toprung.web.services.shown.pictures import KEPT


def rows_of(user: User | None, slug: str = "web-docs") -> dict[str, dict[str, str]]:
    answer = browse(user).get(f"/b/{slug}/export.csv")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{slug}.csv"'
    return {row["run"]: row for row in csv.DictReader(io.StringIO(answer.text))}


def test_the_csv_has_every_run_as_the_page_shows_it(viewed: Viewed) -> None:
    rows = rows_of(None)
    assert list(rows) == ["R3", "R2", "R1", "R4", "B1"]
    assert (rows["R2"]["score"], rows["R3"]["score"], rows["R4"]["score"]) == ("0.417", "0.429", "0.188")
    assert (rows["R4"]["answered"], rows["R4"]["search_length"], rows["R4"]["share_only_top"]) == (
        "0.75",
        "4.0",
        "0.25",
    )
    assert (rows["R3"]["name"], rows["R3"]["team"][:15]) == ("", "Anonymous until")
    assert rows["R4"]["name"] == SCRIPT
    assert [rows[run]["status"] for run in ("R3", "R2", "R1")] == [
        "claim not passed",
        "last proved gain",
        "proved when it came",
    ]
    assert [rows[run]["proved_since"] for run in ("R3", "R2", "R1")] == ["", "2026-03-01", "2026-02-10"]
    assert [row["top_group"] for row in rows.values()] == ["True", "True", "False", "False", "False"]
    assert [row["place"] for row in rows.values()] == ["1", "2", "3", "5", "4"]


def test_organisers_export_what_they_see(viewed: Viewed) -> None:
    assert float(rows_of(viewed.cast.organiser)["R4"]["score"]) == 0.1875


def test_a_run_that_shows_nothing_has_a_name_and_nothing_else(viewed: Viewed) -> None:
    hidden = rows_of(None, "ladder")["R4"]
    assert {name for name, value in hidden.items() if value} == {"run", "name", "team", "date", "status"}
    assert hidden["status"] == "no score shown, by the release policy"


def test_a_formula_in_a_name_is_not_run(viewed: Viewed) -> None:
    viewed.board.submissions.filter(run_id="R1").update(name='=cmd|"/c calc"!A1')
    assert rows_of(None)["R1"]["name"] == """'=cmd|"/c calc"!A1"""


def test_the_json_says_where_it_comes_from(viewed: Viewed) -> None:
    found = json.loads(browse(None).get("/b/web-docs/export.json").text)
    assert found["sentence"] == "Two runs may be best: R3 and list-13b; the labels cannot tell them apart."
    assert found["because"].startswith("list-13b was the last to prove an improvement when it came, on 2026-03-01.")
    assert (found["top_group"], found["holder"]) == (["R3", "R2"], "R2")
    assert "groups" not in found
    assert [run["run"] for run in found["runs"]] == ["R3", "R2", "R1", "R4", "B1"]
    assert found["provenance"]["labels"].startswith("labels v1, ")
    assert found["provenance"]["audience"] == "everyone"
    assert "matrix_digest" not in found["provenance"]


def test_the_latex_is_a_table_with_everything_escaped(viewed: Viewed) -> None:
    viewed.board.submissions.filter(run_id="R1").update(name="50%_\\input{x}")
    text = browse(None).get("/b/web-docs/export.tex").text
    assert r"\begin{tabular}{rlllrrrrrrll}" in text
    assert r"50\%\_\textbackslash{}input\{x\}" in text
    assert r"& 0.417 &" in text


def test_the_pdf_is_a_sheet_of_the_page_in_view(viewed: Viewed) -> None:
    answer = browse(None).get("/b/web-docs/export.pdf?sort=-date&cols=score")
    assert answer.headers["Content-Type"] == "application/pdf"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="web-docs.pdf"'
    assert answer.content.startswith(b"%PDF-")
    assert browse(None).get("/b/web-docs/export.pdf?sort=nothing").status_code == 400


def test_so_many_sheets_are_painted_for_one_address_and_those_that_are_there_are_sent(
    viewed: Viewed, settings: Settings
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"paint_anonymously": "2/m/ip", "paint": "1/m/user"}
    caches[KEPT].clear()
    reader, sheet = browse(None), "/b/web-docs/export.pdf"
    assert [reader.get(f"{sheet}?q=made-up-{n}").status_code for n in range(3)] == [200, 200, 429]
    assert reader.head(f"{sheet}?q=another").headers["Retry-After"] == "60"
    assert reader.get("/b/web-docs/history.png").status_code == 429
    for there in (f"{sheet}?q=made-up-0", "/b/web-docs/export.csv?q=another", "/b/web-docs/history.svg"):
        assert reader.get(there).status_code == 200
    member = browse(viewed.cast.participant)
    assert [member.get(f"{sheet}?q=of-mine-{n}").status_code for n in range(2)] == [200, 429]


def test_painted_sheets_push_out_nothing_that_limits_count_by(viewed: Viewed, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {}
    for n in range(2):
        assert browse(None).get(f"/b/web-docs/export.pdf?q=flood-{n}").status_code == 200
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key FROM toprung_cache")
        assert cursor.fetchall() == []


def test_the_sheet_has_what_the_table_has_for_who_looks(viewed: Viewed) -> None:
    def see(user: User | AnonymousUser, slug: str, **asked: str) -> Sheet:
        viewer = get_viewer(user, slug)
        found = viewer.result("board")
        assert found is not None
        return sheet_of(open_page(viewer, found, asked))

    sheet = see(AnonymousUser(), "web-docs")
    runs = [row[sheet.table.header.index("run")] for row in sheet.table.rows]
    assert runs == ["R3", "list-13b", "kestrel-xl", SCRIPT, "bm25"]
    assert sheet.shaded == {0, 1}
    assert sheet.sentence == "Two runs may be best: R3 and list-13b; the labels cannot tell them apart."
    assert sheet.notes[-1].endswith("/b/web-docs/")
    scores = sheet.table.header.index("RR@100")
    assert [row[scores] for row in sheet.table.rows][3] == "0.188"
    assert see(viewed.cast.organiser, "web-docs").table.rows[3][scores] == "0.1875"
    assert "script" in draw_sheet(sheet)
    assert "<script" not in draw_sheet(sheet)
    assert any("R4: no score shown" in note for note in see(AnonymousUser(), "ladder").notes)
    narrow = see(AnonymousUser(), "web-docs", cols="score", q="list")
    assert narrow.table.header == ("run", "team", "RR@100", "95%")
    assert [row[0] for row in narrow.table.rows] == ["list-13b"]
    assert narrow.notes[-1].endswith("/b/web-docs/?q=list&cols=score")


@pytest.mark.parametrize("ending", ["xml", "exe", "html"])
def test_there_are_no_other_formats(viewed: Viewed, ending: str) -> None:
    assert browse(None).get(f"/b/web-docs/export.{ending}").status_code == 404


def test_a_board_without_results_has_nothing_to_export(viewed: Viewed) -> None:
    assert browse(None).get("/b/elsewhere/export.csv").status_code == 404
