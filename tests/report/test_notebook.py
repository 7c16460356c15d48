from __future__ import annotations

import re

from tests.report.reading_pages import Page

import toprung as tr
from toprung.report.charts.tokens import PAPER
from toprung.report.notebook import STYLE, to_notebook
from toprung.result import Result


def test_a_notebook_shows_the_sentence_every_table_and_the_notes(two_tables: Result) -> None:
    page = Page(two_tables._repr_html_())
    assert page.open == []
    assert page.texts["p"] == ["So it is."]
    assert page.texts["caption"] == ["On <b>"]
    assert page.texts["th"] == ["run", "a", "team", "n", "T"]
    assert page.texts["td"] == ["2"]
    assert page.texts["li"] == ["Mind that."]
    assert "svg" not in page.tags


def test_a_result_with_a_figure_shows_the_first(sure_late_never: tr.FirstRanks) -> None:
    found = tr.stability(sure_late_never.reciprocal(), trials=20)
    page = Page(to_notebook(found))
    assert page.tags.count("svg") == 1
    assert ("role", "img") in page.attributes
    assert page.texts["title"][0] == found.sentence


def test_two_figures_in_one_notebook_share_no_id(sure_late_never: tr.FirstRanks) -> None:
    scores = sure_late_never.reciprocal()
    shown = [
        Page(to_notebook(tr.stability(scores.select(runs), trials=20))) for runs in (["sure", "late"], scores.runs)
    ]
    assert not set(shown[0].all_of("id")) & set(shown[1].all_of("id"))


def test_the_style_reaches_nothing_but_the_result() -> None:
    selectors = re.findall(r"^(.+?) \{", STYLE.strip(), flags=re.MULTILINE)
    assert selectors
    assert all(selector.startswith(".toprung") for selector in selectors)


def test_no_colour_is_fixed_but_the_paper_of_the_figure() -> None:
    # A notebook may be dark: text keeps its colour, and the figure, drawn for light paper, brings its paper along.
    assert re.findall(r"#[0-9a-f]{3,8}\b", STYLE) == [PAPER]


def test_a_long_table_is_cut_and_that_is_said() -> None:
    names = tuple(f"q{number}" for number in range(300))
    qrels = {name: {"d": 1} for name in names}
    run = {name: {"d": 1.0} for name in names}
    page = Page(to_notebook(tr.evaluate(qrels, {"a": run}, "RR").by_query()))
    assert page.tags.count("tr") == 1 + 200
    assert "The first 200 of 300 rows." in page.texts["p"]
