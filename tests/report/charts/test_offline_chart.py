"""Charts that people save and show: no name in them runs, and they fetch nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import altair as alt
import pytest
from tests.every_result import make_results
from tests.hostile_names import CASTS

import toprung as tr
from toprung.report.charts.catalogue import figures_of
from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.charts.offline_chart import JOINER

if TYPE_CHECKING:
    from toprung.report.charts.figure import Chart

HOSTILE = "</script><SCRIPT>alert(1)</SCRIPT><!--"
LABELS = {HOSTILE: {"d1": 1}, "q2": {"d2": 1}}
RUNS = {HOSTILE: {HOSTILE: {"d3": 2.0, "d1": 1.0}}, "b": {"q2": {"d2": 1.0}}}
BY_RUN = alt.Chart(values([{"run": HOSTILE}])).mark_point().encode(y=alt.Y("run:N", sort=[HOSTILE], title=HOSTILE))
JOINED = {
    "one": BY_RUN,
    "layers": BY_RUN + BY_RUN.mark_text(text=HOSTILE),
    "row": BY_RUN | BY_RUN,
    "column": (BY_RUN & BY_RUN).properties(title=HOSTILE),
}


def figure_of(chart: Chart) -> Figure:
    return Figure(kind="dots", title=HOSTILE, finding=HOSTILE, caption=HOSTILE, chart=chart)


def count_scripts(page: str) -> int:
    return page.lower().count("</script")


@pytest.fixture(scope="module")
def ordinary_page() -> str:
    return figure_of(alt.Chart(values([{"run": "a"}])).mark_point()).to_chart().to_html()


@pytest.mark.parametrize("chart", JOINED.values(), ids=JOINED)
def test_no_name_ends_the_script_of_a_saved_page(chart: Chart, tmp_path: Path, ordinary_page: str) -> None:
    drawn = figure_of(chart).to_chart()
    drawn.save(tmp_path / "chart.html")
    page = (tmp_path / "chart.html").read_text()
    assert "alert(1)" in page
    assert count_scripts(page) == count_scripts(ordinary_page)
    assert "<script src" not in page
    assert "<link" not in page


@pytest.mark.parametrize("chart", JOINED.values(), ids=JOINED)
def test_a_notebook_gets_a_picture_and_nothing_to_run(chart: Chart) -> None:
    bundle = figure_of(chart).to_chart()._repr_mimebundle_()
    assert sorted(bundle) == ["application/vnd.vegalite.v6+json", "image/svg+xml", "text/plain"]
    assert "alert(1)" in bundle["image/svg+xml"]
    assert "<script" not in bundle["image/svg+xml"].lower()
    assert "</script" not in json.dumps(bundle).lower()


def test_what_people_plot_is_harmless() -> None:
    found = tr.queries(LABELS, RUNS, "RR")
    for chart in (tr.plot(LABELS, RUNS, "RR"), found.plot(), tr.plot(found)):
        spec = chart.to_json().lower()
        assert "alert(1)" in spec
        assert "</script" not in spec


def test_every_figure_of_hostile_names_can_stand_in_a_script() -> None:
    by_class = {type(result): result for result in make_results(CASTS["worst"]).values()}
    for figure in (figure for result in by_class.values() for figure in figures_of(result)):
        spec = json.dumps(figure.to_chart().to_dict(validate=False)).lower()
        assert "</" not in spec, figure.kind
        assert "<script" not in spec, figure.kind


def test_what_is_joined_from_charts_is_harmless_too() -> None:
    chart = figure_of(BY_RUN).to_chart()
    chart.config = alt.Undefined
    joined = (chart | chart).to_json().lower()
    assert "alert(1)" in joined
    assert "</script" not in joined


def test_other_texts_stay_as_they_are_and_names_look_as_before() -> None:
    plain = alt.Chart(values([{"run": "a<b & <i>"}])).transform_filter("datum.run < 'x'").mark_point()
    spec = figure_of(plain).to_chart().to_dict()
    del spec["description"], spec["config"]
    assert spec == {key: each for key, each in plain.to_dict().items() if key != "config"}
    encoding = figure_of(BY_RUN).to_chart().to_dict()["encoding"]
    assert JOINER in encoding["y"]["title"]
    assert json.loads(json.dumps(encoding, ensure_ascii=False).replace(JOINER, "")) == BY_RUN.to_dict()["encoding"]


def test_a_changed_chart_is_still_one_that_fetches_nothing() -> None:
    chart = figure_of(BY_RUN).to_chart().properties(title=HOSTILE.replace("/", ""))
    assert "<script src" not in chart.to_html()
    assert "image/svg+xml" in chart._repr_mimebundle_()
    with alt.renderers.enable("mimetype"):
        assert "image/svg+xml" not in chart._repr_mimebundle_()
