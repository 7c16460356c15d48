"""Names come from others: in no format does one run, reach into its neighbours, or hide."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt
from tests.every_result import make_results
from tests.hostile_names import CASTS

from toprung.report.charts.catalogue import figures_of
from toprung.report.render import OutputFormat, render
from toprung.result import Result, Table
from toprung.words.visible import HIDDEN, LEFT_TO_RIGHT, in_one_line


@cache
def results_of(cast: str) -> dict[str, Result]:
    return make_results(CASTS[cast])


@pytest.fixture(params=CASTS)
def results(request: pytest.FixtureRequest) -> dict[str, Result]:
    return results_of(request.param)


@pytest.fixture
def results_to_draw() -> dict[str, Result]:
    """One of each class, with the worst of all casts, for drawing takes its time."""
    by_class = {type(result): (kind, result) for kind, result in results_of("worst").items()}
    return dict(by_class.values())


def written(results: dict[str, Result], output_format: OutputFormat) -> Iterator[tuple[str, Result, str]]:
    for kind, result in results.items():
        yield kind, result, render(result, output_format)


def hidden_in(text: str) -> list[str]:
    return HIDDEN.findall(text)


def test_text_shows_every_character_and_keeps_rows_on_their_lines(results: dict[str, Result]) -> None:
    for kind, result, text in written(results, OutputFormat.TABLE):
        assert hidden_in(text.replace(LEFT_TO_RIGHT, "")) == [], kind
        for _, table in result.tables:
            assert len(table.to_text().splitlines()) == 1 + len(table.rows), kind


@pytest.mark.parametrize("name", ["עברית", "مرحبا 12"])
def test_letters_from_right_to_left_do_not_turn_the_cells_beside_them(name: str) -> None:
    # Without marks a line would begin at the right, and figures behind the name would stand before it.
    table = Table(header=("run", "RR", "n"), rows=((name, "0.5", "7"),), numeric=frozenset({1, 2}))
    assert table.to_text().splitlines()[1] == f"{LEFT_TO_RIGHT}{name}{LEFT_TO_RIGHT}  0.5  7"


def test_csv_has_no_cell_that_a_spreadsheet_would_run(results: dict[str, Result]) -> None:
    for kind, result, text in written(results, OutputFormat.CSV):
        rows = list(csv.reader(io.StringIO(text, newline="")))
        assert len({len(row) for row in rows}) == 1, kind
        assert hidden_in(text) == [], kind
        values = [list(result.tidy_rows()[0]), *map(list, result.tidy_rows()[1])]
        for row, as_given in zip(rows, values, strict=True):
            for cell, value in zip(row, as_given, strict=True):
                if isinstance(value, str):  # also where cells are parted at semicolons, tabs or line ends
                    parts = re.split(r"[;\t\r\n]", cell)
                    assert not [part for part in parts if re.match(r"\s*[=+\-@]", part)], (kind, cell)


def test_csv_keeps_what_is_harmless() -> None:
    (result,) = (each for kind, each in results_of("tags").items() if kind == "evaluation")
    names = {row[0] for row in csv.reader(io.StringIO(render(result, OutputFormat.CSV)))}
    assert names == {"run", *CASTS["tags"].runs}


def test_json_loses_nothing_and_hides_nothing(results: dict[str, Result]) -> None:
    for kind, result, text in written(results, OutputFormat.JSON):
        assert json.loads(text) == json.loads(json.dumps(result.to_dict())), kind
        assert hidden_in(text) == [], kind


class Tags(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str | None]] = set()
        self.cells: list[str] = []
        self.text = ""
        self.is_in_cell = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= set(attrs)
        if tag in ("td", "th"):
            self.cells.append("")
            self.is_in_cell = True

    def handle_endtag(self, tag: str) -> None:
        self.is_in_cell = self.is_in_cell and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.is_in_cell:
            self.cells[-1] += data


def test_markdown_shows_names_as_they_are(results: dict[str, Result]) -> None:
    reader = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")
    for kind, result, text in written(results, OutputFormat.MARKDOWN):
        assert hidden_in(text) == [], kind
        page = Tags(reader.render(text))
        assert page.tags <= {"p", "table", "thead", "tbody", "tr", "th", "td", "ul", "li", *tags_of_ours(result)}, kind
        assert [cell.strip() for cell in page.cells] == [*cells_of(result)], kind


def tags_of_ours(result: Result) -> set[str]:
    """Of what stands out in a table, and of what is there to paste."""
    marks = {"strong", "sup"} if any(table.marks for _, table in result.tables) else set()
    return marks | ({"pre", "code"} if result.passages else set())


def cells_of(result: Result) -> Iterator[str]:
    for _, table in result.tables:
        yield from (cell.strip() for cell in table.header)
        for number, row in enumerate(table.rows):
            yield from (f"{cell.strip()}{table.mark(number, i).raised}" for i, cell in enumerate(row))


RUNS_CODE = ("script", "img", "image", "iframe", "object", "embed", "base", "foreignobject", "form")


def test_a_page_holds_names_as_text_alone(results_to_draw: dict[str, Result]) -> None:
    for kind, result, text in written(results_to_draw, OutputFormat.HTML):
        assert hidden_in(text) == [], kind
        page = Tags(text)
        assert not page.tags & set(RUNS_CODE), kind
        assert not [name for name, _ in page.attributes if name.startswith("on")], kind
        assert not [value for _, value in page.attributes if value and re.match(r"\s*javascript:", value)], kind
        assert in_one_line(result.sentence).split()[0] in page.text, kind


def test_a_notebook_is_shown_names_as_text_alone(results_to_draw: dict[str, Result]) -> None:
    for kind in ("evaluation", "holdout against a run", "pools"):
        result = results_to_draw[kind]
        text = result._repr_html_()
        assert hidden_in(text) == [], kind
        page = Tags(text)
        assert not page.tags & set(RUNS_CODE), kind
        assert not [name for name, _ in page.attributes if name.startswith("on")], kind


def test_figures_hold_names_as_text_alone(results_to_draw: dict[str, Result]) -> None:
    drawn = 0
    for kind, result in results_to_draw.items():
        for figure in figures_of(result):
            svg = figure.to_svg()
            assert hidden_in(svg) == [], (kind, figure.kind)
            elements = list(ElementTree.fromstring(svg).iter())
            tags = {element.tag.rpartition("}")[2].lower() for element in elements}
            assert not tags & set(RUNS_CODE), (kind, figure.kind)
            assert not [name for each in elements for name in each.attrib if name.startswith("on")], (kind, figure.kind)
            drawn += 1
    assert drawn > 0
