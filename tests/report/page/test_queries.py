"""The page of two runs query by query: every text is a text, and folds."""

from __future__ import annotations

from tests.report.reading_pages import Page

from toprung.analyses.queries.find import QueryDifferences, queries
from toprung.report.html import to_page
from toprung.report.page.queries import write_queries

HOSTILE = '<script>alert("x")</script> & \u202egnp.exe \x1b[31m `toprung rm` </details>'
LABELS = {"q1": {"d1": 1}, "q2": {"d2": 2, "d3": 1, "d4": 1, "d5": 1}}
OLD = {"q1": {"x": 2.0, "d1": 1.0}, "q2": {"d2": 1.0}}
NEW = {"q1": {"d1": 1.0}, "q2": {"d2": 1.0}}


def found(text: str = "Frogs jump.", question: str = "what jumps?") -> QueryDifferences:
    return queries(
        LABELS,
        {"old": OLD, "new": NEW},
        "RR@10",
        queries={"q1": question},
        docs={"d1": text, "x": text, "d2": text},
        slices={text: {"q1": text}},
    )


def test_each_shown_query_folds_with_its_texts() -> None:
    page = Page(write_queries(found()))
    assert len(page.texts["summary"]) == 2
    assert page.texts["summary"][0] == "what jumps? q1: +0.5000, 100.0% of all differences"
    assert page.texts["summary"][1].startswith("query q2 q2: +0.0000")
    assert page.texts["h4"][:3] == ["Labelled answer", "First in old", "First in new"]
    assert page.texts["h4"][3] == "Labelled answers"
    text = write_queries(found())
    assert "RR@10 0.5000; a relevant one at rank 2" in text
    assert "and 1 more with a label" in text
    assert "<b>x</b> (no label)" in text


def test_a_long_question_is_whole_inside() -> None:
    question = "what jumps " * 40
    text = write_queries(found(question=question))
    assert f'<p class="asked" dir="auto">{question}</p>' in text


def test_texts_of_others_are_never_markup() -> None:
    page = to_page(found(HOSTILE, HOSTILE))
    assert "<script>" not in page
    assert "\u202e" not in page
    assert "\x1b" not in page
    assert page.count("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;") >= 4  # question, answer, both firsts
    assert page.count("<details") == page.count("</details>")


def test_without_texts_there_is_the_table_alone() -> None:
    plain = queries(LABELS, {"old": OLD, "new": NEW}, "RR@10")
    assert "<details" not in write_queries(plain)
    assert Page(write_queries(plain)).texts["th"][:2] == ["query", "old"]
