"""An analysis that is registered at run time has a page and an API route; with nothing for everyone, for organisers."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.db.models import F
from tests.analyses import one_more
from tests.web.reading import text_of
from tests.web.viewing import Viewed, browse

from toprung.analyses import catalogue
from toprung.analysis import Analysis, OnBoards
from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience, StoredResult
from toprung.web.ops.publish.publish import publish_board
from toprung.web.services.results.compute import compute_results

PAGE, DATA = "/b/web-docs/analysis/widest/", "/api/v1/boards/web-docs/analyses/widest"
HIDDEN = replace(one_more.ANALYSIS, board=OnBoards())
OPEN = replace(HIDDEN, in_public="tests.analyses.one_more:in_public")


def register(analysis: Analysis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_more, "ANALYSIS", analysis)
    monkeypatch.setitem(catalogue.ANALYSES, "widest", "tests.analyses.one_more:ANALYSIS")


def compute_with(analysis: Analysis, viewed: Viewed, monkeypatch: pytest.MonkeyPatch) -> None:
    register(analysis, monkeypatch)
    Board.objects.filter(pk=viewed.board.pk).update(results_due=F("results_due") + 1)
    compute_results(viewed.board.pk)


def test_it_has_a_page_and_a_route_for_everyone(viewed: Viewed, monkeypatch: pytest.MonkeyPatch) -> None:
    compute_with(OPEN, viewed, monkeypatch)
    page = browse(None).get(PAGE)
    assert page.status_code == 200
    assert "Which run reaches most?" in text_of(page.text)
    assert "about" in text_of(page.text)
    assert "<svg" in page.text
    assert f'href="{PAGE}"' in browse(None).get("/b/web-docs/").text
    told = browse(None).get(DATA).json()
    assert "reaches most, by about" in told["sentence"]
    (picture,) = re.findall(rf'href="({PAGE}[-a-z]+\.svg)"', page.text)
    assert "<svg" in browse(None).get(picture).text


def test_without_words_for_everyone_it_is_for_organisers(viewed: Viewed, monkeypatch: pytest.MonkeyPatch) -> None:
    compute_with(HIDDEN, viewed, monkeypatch)
    organiser = browse(viewed.cast.organiser)
    assert organiser.get(PAGE).status_code == 200
    assert "reaches most" in text_of(organiser.get(PAGE).text)
    for name, person in viewed.people().items():
        assert browse(person).get(PAGE).status_code == 404, name
        assert browse(person).get(DATA).status_code == 404, name
        assert "analysis/widest" not in browse(person).get("/b/web-docs/").text, name
    stored = StoredResult.objects.filter(kind="analysis")
    assert set(stored.values_list("audience", flat=True)) == {Audience.ORGANISERS}


@pytest.mark.parametrize(("analysis", "is_there"), [(OPEN, True), (HIDDEN, False)], ids=["for everyone", "hidden"])
def test_it_is_published_only_where_it_is_for_everyone(
    viewed: Viewed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, analysis: Analysis, is_there: bool
) -> None:
    compute_with(analysis, viewed, monkeypatch)
    publish_board(viewed.board, tmp_path / "site", site="https://boards.example.org")
    texts = [path.read_text() for path in (tmp_path / "site").rglob("*") if path.suffix in (".html", ".json", ".csv")]
    assert any("reaches most" in text for text in texts) is is_there
    assert any("widest" in text for text in texts) is is_there


def test_what_was_for_everyone_is_gone_once_it_is_no_longer(viewed: Viewed, monkeypatch: pytest.MonkeyPatch) -> None:
    compute_with(OPEN, viewed, monkeypatch)
    register(HIDDEN, monkeypatch)
    assert browse(None).get(PAGE).status_code == 404
    assert browse(None).get(DATA).status_code == 404
