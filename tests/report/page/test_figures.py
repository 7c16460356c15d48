from __future__ import annotations

import json
import re

import altair as alt
from tests.report.reading_pages import Page, unpack

from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.page.figures import MOST_ROWS_TO_EXPLORE, as_image, write_figure


def bars(n_rows: int, *, title: str = "Bars") -> Figure:
    chart = alt.Chart(values({"x": number, "y": 1} for number in range(n_rows))).mark_bar().encode(x="x:Q", y="y:Q")
    return Figure(kind="bars", title=title, finding="All <are> 1.", caption="One a row.", chart=chart)


def test_a_figure_is_one_image_that_says_what_it_shows() -> None:
    page = Page(write_figure(bars(2), "f").markup)
    assert page.open == []
    assert page.texts["title"] == ["All <are> 1."]
    assert ("role", "img") in page.attributes
    assert page.texts["figcaption"] == ["Bars. One a row."]


def test_a_title_that_asks_gets_no_full_stop() -> None:
    assert '<b id="f-title">Why?</b> One' in write_figure(bars(2, title="Why?"), "f").markup


def test_ids_inside_an_image_are_its_own() -> None:
    clipped = '<clipPath id="clip7"/><g clip-path="url(#clip7)"/></svg>'
    svg = f'<svg class="marks" role="graphics-document" aria-label="x">{clipped}'
    assert as_image(svg, "f", "So.") == (
        '<svg class="marks" role="img" aria-labelledby="f-finding"><title id="f-finding">So.</title>'
        '<clipPath id="f-clip1"/><g clip-path="url(#f-clip1)"/></svg>'
    )


def test_a_small_figure_can_be_explored() -> None:
    written = write_figure(bars(3), "f", is_interactive=True)
    assert written.can_be_explored
    assert 'data-spec="f-spec"' in written.markup
    (packed,) = re.findall(r'id="f-spec">([^<]+)<', written.markup)
    spec = json.loads(unpack(packed))
    assert "vega/v" in spec["$schema"]  # compiled, so that the browser has nothing to remark on
    assert any(len(data.get("values", ())) == 3 for data in spec["data"])


def test_a_figure_with_too_many_marks_stays_an_image() -> None:
    written = write_figure(bars(MOST_ROWS_TO_EXPLORE + 1), "f", is_interactive=True)
    assert not written.can_be_explored
    assert "spec" not in written.markup
    assert "<svg" in written.markup
    assert write_figure(bars(MOST_ROWS_TO_EXPLORE), "f", is_interactive=True).can_be_explored


def test_rows_of_all_layers_count() -> None:
    half = bars(MOST_ROWS_TO_EXPLORE // 2 + 1).chart
    layered = Figure(kind="k", title="t", finding="f", caption="c", chart=alt.layer(half, half.mark_point()))
    other = bars(MOST_ROWS_TO_EXPLORE // 2, title="other").chart
    assert write_figure(layered, "f", is_interactive=True).can_be_explored  # the same rows twice are held once
    both = Figure(kind="k", title="t", finding="f", caption="c", chart=alt.hconcat(half, other))
    assert not write_figure(both, "f", is_interactive=True).can_be_explored
