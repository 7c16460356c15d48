from __future__ import annotations

import re

import pytest
from tests.report.reading_pages import Page

import toprung as tr
from toprung.report.html import to_page
from toprung.result import Result


@pytest.fixture
def text(evaluation: tr.Evaluation) -> str:
    return to_page(evaluation)


def test_a_name_is_text_wherever_it_stands(evaluation: tr.Evaluation, text: str, awkward: str) -> None:
    page = Page(text)
    assert page.texts["h1"] == [evaluation.sentence]
    assert awkward in page.texts["th"]
    assert awkward in page.texts["title"][0]
    assert any(note.startswith(f"{awkward}: ") for note in page.texts["li"])


def test_the_page_is_well_formed_and_has_all_figures_and_notes(evaluation: tr.Evaluation, text: str) -> None:
    page = Page(text)
    assert page.open == []
    assert text.startswith("<!doctype html>\n")
    assert page.texts["th"][:4] == ["run", "RR", "ESL", "NumRet"]
    assert page.texts["td"][:3] == ["0.6667", "2.0000", "4"]
    assert page.texts["li"][-len(evaluation.notes) :] == list(evaluation.notes)
    assert ("lang", "en") in page.attributes
    assert ("charset", "utf-8") in page.attributes


def test_the_page_says_where_it_came_from(text: str) -> None:
    assert tr.__version__ in text[text.index("<footer") :]


def test_the_page_has_every_table_under_its_heading(two_tables: Result) -> None:
    page = Page(to_page(two_tables))
    assert page.tags.count("table") == 2
    assert page.texts["caption"] == ["On <b>"]
    assert page.texts["th"] == ["run", "a", "team", "n", "T"]
    assert page.all_of("aria-label") == ["Figures", "On <b>"]


def test_parts_of_the_provenance_are_said_in_words(two_tables: Result) -> None:
    page = Page(to_page(two_tables))
    assert page.texts["dt"] == ["private sets", "seed"]
    assert page.texts["dd"] == ["name x, n queries 3; name <y>, n queries 4; n queries 5", "0"]


def test_the_page_runs_no_script(text: str) -> None:
    page = Page(text)
    assert "script" not in page.tags
    assert "script-src 'none'" in text
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert not [value for _, value in page.attributes if value and value.lower().startswith("javascript:")]


def test_the_page_asks_for_nothing_from_elsewhere(text: str) -> None:
    page = Page(text)
    assert not {"link", "img", "iframe", "object", "embed", "base"} & set(page.tags)
    assert not {"src", "srcset", "style"} & {name for name, _ in page.attributes}
    assert set(page.all_of("href")) == {"#main"}
    assert not re.search(r"url\(|@import|https?:|//", page.texts["style"][0])


def test_the_scores_of_single_queries_make_a_page_too(evaluation: tr.Evaluation, awkward: str) -> None:
    page = Page(to_page(evaluation.by_query()))
    assert page.texts["th"][:5] == ["run", "measure", "query_id", "value", awkward]
    assert page.texts["td"][:3] == ["RR", "q1", "1.0000"]


def test_a_result_with_a_figure_shows_it(sure_late_never: tr.FirstRanks) -> None:
    found = tr.stability(sure_late_never.reciprocal(), trials=20)
    page = Page(to_page(found))
    assert page.tags.count("figure") >= 1
    assert found.sentence in page.texts["title"]  # of the image, beside that of the page
