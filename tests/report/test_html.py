from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

import toprung as tr
from toprung.report.html import to_page
from toprung.result import Result


class Page(HTMLParser):
    """The tags, attributes and texts of a page, as a browser would see them."""

    VOID = frozenset({"meta", "link", "img", "br", "input"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts[self.open[-1]][-1] += data


@pytest.fixture
def text(evaluation: tr.Evaluation) -> str:
    return to_page(evaluation)


def test_a_name_is_text_wherever_it_stands(evaluation: tr.Evaluation, text: str, awkward: str) -> None:
    page = Page(text)
    assert page.texts["h1"] == [evaluation.sentence]
    assert page.texts["td"][0] == awkward
    assert awkward in page.texts["title"][0]
    assert any(note.startswith(f"{awkward}: ") for note in page.texts["li"])


def test_the_page_is_well_formed_and_has_all_figures_and_notes(evaluation: tr.Evaluation, text: str) -> None:
    page = Page(text)
    assert page.open == []
    assert text.startswith("<!doctype html>\n")
    assert page.texts["th"] == ["run", "RR", "ESL", "NumRet"]
    assert page.texts["td"][1:4] == ["0.6667", "2.0000", "4"]
    assert page.texts["li"] == list(evaluation.notes)
    assert ("lang", "en") in page.attributes
    assert ("charset", "utf-8") in page.attributes


def test_the_page_says_where_it_came_from(text: str) -> None:
    assert tr.__version__ in text[text.index("<footer>") :]


def test_the_page_has_every_table_under_its_heading(two_tables: Result) -> None:
    page = Page(to_page(two_tables))
    assert page.tags.count("table") == 2
    assert page.texts["caption"] == ["On <b>"]
    assert page.texts["th"] == ["run", "team", "n"]
    assert [value for name, value in page.attributes if name == "aria-label"] == ["Figures", "On <b>"]


def test_parts_of_the_provenance_are_said_in_words(two_tables: Result) -> None:
    page = Page(to_page(two_tables))
    assert page.texts["dt"] == ["private sets", "seed"]
    assert page.texts["dd"] == ["name x, n queries 3; name <y>, n queries 4; n queries 5", "0"]


def test_the_page_runs_no_script(text: str) -> None:
    page = Page(text)
    assert "script" not in page.tags
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert not [value for _, value in page.attributes if value and value.lower().startswith("javascript:")]


def test_the_page_asks_for_nothing_from_elsewhere(text: str) -> None:
    page = Page(text)
    assert not {"link", "img", "iframe", "object", "embed", "base"} & set(page.tags)
    assert not {"src", "href", "srcset", "style"} & {name for name, _ in page.attributes}
    style = page.texts["style"][0]
    assert not re.search(r"url\(|@import|https?:|//", style)


def test_the_scores_of_single_queries_make_a_page_too(evaluation: tr.Evaluation, awkward: str) -> None:
    page = Page(to_page(evaluation.by_query()))
    assert page.texts["th"] == ["run", "measure", "query_id", "value"]
    assert page.texts["td"][:4] == [awkward, "RR", "q1", "1.0000"]
