from __future__ import annotations

from toprung.result import Table

TABLE = Table(
    header=("run", "RR"),
    rows=(("bm25", "0.5000"), ("a long name", "10.2500")),
    numeric=frozenset({1}),
)


def test_a_text_table_has_texts_at_the_left_and_numbers_at_the_right() -> None:
    assert TABLE.to_text() == "run               RR\nbm25          0.5000\na long name  10.2500"


def test_a_text_table_has_no_blanks_at_the_end_of_a_line() -> None:
    table = Table(header=("a", "b"), rows=(("1", "long"), ("2", "")))
    assert table.to_text() == "a  b\n1  long\n2"


def test_an_empty_table_is_its_header() -> None:
    assert Table(header=("run", "RR"), rows=()).to_text() == "run  RR"


def test_an_html_table_escapes_and_marks_numbers() -> None:
    table = Table(header=("<run>", "n"), rows=(("a & b", "1"),), numeric=frozenset({1}))
    assert table.to_html() == (
        '<table><thead><tr><th>&lt;run&gt;</th><th class="number">n</th></tr></thead>'
        '<tbody><tr><td>a &amp; b</td><td class="number">1</td></tr></tbody></table>'
    )
