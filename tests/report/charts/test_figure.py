from __future__ import annotations

import json

import altair as alt
import pytest

from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.charts.tokens import TOP

TOP_IN_DARK = "#58c9b9"


@pytest.fixture
def figure() -> Figure:
    chart = alt.Chart(values([{"run": "<script>&", "score": 0.5}])).mark_point(color=TOP).encode(x="score:Q", y="run:N")
    return Figure(kind="dots", title="Dots", finding='It shows "one" <dot>.', caption="Look.", chart=chart)


def test_svg_is_light_or_dark_and_brings_its_paper(figure: Figure) -> None:
    light, dark = figure.to_svg(), figure.to_svg(dark=True)
    assert TOP in light
    assert '"#fcfcfa"' in light
    assert TOP not in dark
    assert TOP_IN_DARK in dark
    assert '"#131619"' in dark


def test_inline_svg_is_see_through_and_light(figure: Figure) -> None:
    inline = figure.to_inline_svg()
    assert TOP in inline
    assert "#fcfcfa" not in inline


def test_names_are_escaped_in_svg(figure: Figure) -> None:
    assert "<script>" not in figure.to_svg()
    assert "&lt;script&gt;&amp;" in figure.to_svg()


def test_png_and_pdf_are_what_they_say(figure: Figure) -> None:
    assert figure.to_png().startswith(b"\x89PNG\r\n")
    assert figure.to_pdf().startswith(b"%PDF-")


def test_html_fetches_nothing(figure: Figure) -> None:
    assert "<script src" not in figure.to_html()


def test_chart_carries_the_theme_and_the_finding_and_leaves_the_figure_alone(figure: Figure) -> None:
    spec = figure.to_chart().to_dict()
    assert spec["description"] == 'It shows "one" <dot>.'
    assert spec["config"]["axis"]["gridColor"] == "#e1e1db"
    assert "gridColor" not in str(figure.chart.to_dict())


def test_a_figure_without_numbers_leaves_them_empty() -> None:
    assert values([{"score": float("nan")}]).to_dict() == {"values": [{"score": None}]}


def test_names_may_not_end_the_script_of_a_page(figure: Figure) -> None:
    chart = alt.Chart(values([{"run": "</script><script>alert(1)</script>"}])).mark_point().encode(y="run:N")
    hostile = Figure(kind="dots", title="</title>Dots", finding="</script>", caption="", chart=chart)
    page = hostile.to_html()
    assert "alert(1)" in page
    assert page.count("</script>") == figure.to_html().count("</script>")
    assert r"\u003c/script>\u003cscript>alert(1)" in page
    assert "<title>&lt;/title&gt;Dots</title>" in page


def test_a_page_is_as_dark_as_its_figure(figure: Figure) -> None:
    assert "body { background: #fcfcfa }" in figure.to_html()
    assert "body { background: #131619 }" in figure.to_html(dark=True)


def test_json_carries_title_and_caption(figure: Figure) -> None:
    about = json.loads(figure.to_json())["usermeta"]
    assert about == {"kind": "dots", "title": "Dots", "caption": "Look."}
