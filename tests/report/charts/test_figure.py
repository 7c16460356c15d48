from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.report.charts.drawn import figure_with

from toprung.errors import InputError
from toprung.report.charts.figure import WRITERS, Figure
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.legend import Entry
from toprung.report.charts.tokens import TOP

TOP_IN_DARK = "#58c9b9"
HOSTILE = "</script><script>alert(1)</script>&"


@pytest.fixture
def figure() -> Figure:
    drawing = Drawing(width=100, height=50)
    drawing.point(20, 30, fill=TOP, facts={"run": HOSTILE, "score": "0.5000"})
    drawing.text(HOSTILE, 30, 30)
    drawing.explain([Entry("a run", fill=TOP)])
    return figure_with(drawing)


def test_svg_is_light_and_dark_on_a_dark_screen_or_always_dark_and_brings_its_paper(figure: Figure) -> None:
    light, dark = figure.to_svg(), figure.to_svg(dark=True)
    assert f'fill="{TOP}"' in light
    assert 'fill="#fcfcfa"' in light
    assert f'.marks [fill="{TOP}"]{{fill:{TOP_IN_DARK}}}' in light.partition("prefers-color-scheme:dark")[2]
    assert TOP not in dark
    assert f'fill="{TOP_IN_DARK}"' in dark
    assert 'fill="#131619"' in dark


def test_inline_svg_is_see_through_and_light_and_leaves_its_legend_to_the_page(figure: Figure) -> None:
    inline = figure.to_inline_svg(has_legend=False)
    assert TOP in inline
    assert "#fcfcfa" not in inline
    assert "a run" not in inline
    assert "a run" in figure.to_inline_svg()
    assert figure.legends.startswith('<p class="legend"><span><svg class="marks"')
    assert figure.legends.endswith("</svg>a run</span></p>")


def test_names_are_escaped_wherever_they_stand(figure: Figure) -> None:
    for written in (figure.to_svg(), figure.to_html(), figure.to_inline_svg(), figure._repr_html_()):
        assert "<script" not in written
        assert "&lt;script&gt;alert(1)&lt;/script&gt;&amp;" in written
    (title,) = ElementTree.fromstring(figure.to_svg()).iterfind(".//*/{http://www.w3.org/2000/svg}title")
    assert title.text == f"{HOSTILE}, score 0.5000"


def test_a_hostile_title_ends_no_page(figure: Figure) -> None:
    hostile = Figure(kind="dots", title="</title>Dots", finding="</b>", caption="", drawing=figure.drawing)
    assert "<title>&lt;/title&gt;Dots</title>" in hostile.to_html()


def test_png_and_pdf_are_what_they_say(figure: Figure) -> None:
    assert figure.to_png().startswith(b"\x89PNG\r\n")
    assert figure.to_pdf().startswith(b"%PDF-")


def test_a_page_has_no_script_and_is_as_dark_as_its_figure(figure: Figure) -> None:
    assert "script" not in figure.to_html().replace("&lt;/script&gt;", "").replace("&lt;script&gt;", "")
    assert "background:#131619" in figure.to_html(dark=True)
    assert "background:#fcfcfa" not in figure.to_html(dark=True)


def test_the_data_are_what_the_marks_tell(figure: Figure) -> None:
    assert json.loads(figure.to_json()) == {
        "kind": "dots",
        "title": "Dots",
        "finding": "So it is.",
        "caption": "Look.",
        "rows": [{"run": HOSTILE, "score": "0.5000"}],
    }
    assert figure.to_csv() == f"run,score\n{HOSTILE},0.5000\n"


@pytest.mark.parametrize("ending", WRITERS)
def test_it_is_saved_by_the_ending_of_its_name(figure: Figure, tmp_path: Path, ending: str) -> None:
    figure.save(tmp_path / f"figure{ending}")
    assert (tmp_path / f"figure{ending}").stat().st_size > 0


def test_an_unknown_ending_names_the_known_ones(figure: Figure, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"found the ending '.gif'; expected .svg, .png, .pdf, .html, .csv or .json"):
        figure.save(tmp_path / "figure.gif")


def test_a_notebook_shows_it(figure: Figure) -> None:
    assert figure._repr_svg_().startswith("<svg xmlns=")
    assert "<b>Dots.</b> Look." in figure._repr_html_()
