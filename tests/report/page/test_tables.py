from __future__ import annotations

import pytest
from tests.report.reading_pages import Page

from toprung.report.page.tables import MOST_ROWS, SHOWN_ROWS, SPARED, write_table
from toprung.result import Table


def numbered(n_rows: int) -> Table:
    return Table(header=("n",), rows=tuple((str(number),) for number in range(n_rows)), numeric=frozenset({0}))


def test_a_table_marks_its_numbers_and_says_whose_row_it_is() -> None:
    table = Table(header=("place", "run"), rows=(("1", "a & b"),), numeric=frozenset({0}))
    assert (
        '<table data-run-columns="1">'
        '<thead><tr><th scope="col" class="num">place</th><th scope="col">run</th></tr></thead>'
        '<tbody><tr><td class="num">1</td><th scope="row">a &amp; b</th></tr></tbody></table>'
    ) in write_table(table)


@pytest.mark.parametrize(
    ("header", "numeric", "named"),
    [
        (("date", "run", "p"), {2}, ["x1"]),
        (("A", "B", "p"), {2}, ["x1"]),  # the challenger, not the holder that all rows share
        (("question", "B", "A"), {1, 2}, ["x0"]),
        (("value", "which", "p"), {0, 2}, []),
    ],
)
def test_a_row_is_named_by_its_run_or_its_first_text(
    header: tuple[str, ...], numeric: set[int], named: list[str]
) -> None:
    page = Page(write_table(Table(header=header, rows=(("x0", "x1", "x2"),), numeric=frozenset(numeric))))
    assert page.texts["th"][3:] == named


def test_a_table_scrolls_by_itself_and_can_be_reached() -> None:
    text = write_table(numbered(1), "On <x>")
    assert '<div class="scroll-x" tabindex="0" role="group" aria-label="On &lt;x&gt;">' in text
    assert Page(text).texts["caption"] == ["On <x>"]


def test_a_few_rows_more_are_not_worth_a_fold() -> None:
    page = Page(write_table(numbered(SHOWN_ROWS + SPARED)))
    assert page.tags.count("tbody") == 1
    assert "details" not in page.tags


def test_a_long_table_is_folded_with_all_its_rows() -> None:
    page = Page(write_table(numbered(SHOWN_ROWS + SPARED + 1)))
    assert page.texts["td"] == [str(number) for number in range(SHOWN_ROWS + SPARED + 1)]
    assert page.texts["tbody"] == ["".join(map(str, range(SHOWN_ROWS))), "202122"]
    assert page.texts["summary"] == ["Show 3 more rows"]


def test_of_thousands_of_rows_the_first_are_there_and_the_rest_is_said_to_be_in_the_csv() -> None:
    page = Page(write_table(numbered(5793)))
    assert len(page.texts["td"]) == MOST_ROWS
    assert page.texts["p"] == ["The first 200 of 5,793 rows; the CSV has all."]


def test_columns_of_figures_that_are_called_like_runs_name_none() -> None:
    pairs = Table(header=("A", "B", "p"), rows=(("a", "b", "0.1"),), numeric=frozenset({2}))
    assert 'data-run-columns="0 1"' in write_table(pairs)
    means = Table(header=("question", "B", "A"), rows=(("RR", "0.3", "0.2"),), numeric=frozenset({1, 2}))
    assert "data-run-columns" not in write_table(means)
