from __future__ import annotations

import re

from tests.report.reading_pages import Page, unpack

import toprung as tr
from toprung.report.latex import to_latex
from toprung.report.page.exports import LONGEST_SHOWN, files_of, write_download, write_exports
from toprung.report.page.packed import pack
from toprung.report.render import OutputFormat, render


def packed_in(text: str, key: str) -> str:
    (packed,) = re.findall(rf'id="{key}">([^<]*)<', text)
    return str(packed)


def test_files_are_those_that_the_command_writes(evaluation: tr.Evaluation) -> None:
    assert files_of("part", evaluation, to_latex(evaluation)) == {"part-csv": render(evaluation, OutputFormat.CSV)}
    text = write_exports("part", to_latex(evaluation), {"part-csv": pack("a,b\n")})
    assert unpack(packed_in(text, "part-csv")) == "a,b\n"
    assert Page(text).texts["pre"] == [render(evaluation, OutputFormat.LATEX)]


def test_buttons_wait_for_a_script(evaluation: tr.Evaluation) -> None:
    text = write_exports("part", to_latex(evaluation), {"part-csv": pack("")})
    assert Page(text).texts["button"] == ["Copy LaTeX", "Download CSV"]
    assert '<div class="actions" hidden>' in text
    assert 'data-name="part.csv"' in text


def test_long_latex_is_carried_and_not_shown() -> None:
    names = [f"q{number}" for number in range(LONGEST_SHOWN)]
    found = tr.evaluate(
        {name: {"d": 1} for name in names}, {"a": {name: {"d": 1.0} for name in names}}, "RR"
    ).by_query()
    files = files_of("part", found, to_latex(found))
    assert files["part-latex"] == render(found, OutputFormat.LATEX)
    text = write_exports("part", to_latex(found), {name: pack(each) for name, each in files.items()})
    assert "pre" not in Page(text).tags
    assert unpack(packed_in(text, "part-latex")) == files["part-latex"]


def test_a_file_that_the_page_has_no_room_for_is_said_to_be_missing(evaluation: tr.Evaluation) -> None:
    page = Page(write_exports("part", to_latex(evaluation), {}))
    assert page.texts["button"] == ["Copy LaTeX"]
    assert page.texts["p"] == ["Too long for a page as CSV: the command line writes it."]


def test_a_single_file_is_offered_only_where_it_is_carried() -> None:
    assert write_download("a", {}, name="a.json", label="JSON") == ""
    assert 'data-name="a.json"' in write_download("a", {"a": pack("{}")}, name="a.json", label="JSON")
