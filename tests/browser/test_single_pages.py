"""What people save of one result, in a real browser: the page of two runs, and charts that Altair writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.browser.chromium import Scheme
from tests.browser.conftest import OpenPage
from tests.browser.looking import PHONE, SCHEMES
from tests.browser.serving import PageServer

import toprung as tr

HOSTILE = "</script><script>window.ran = true</script><img src=x onerror='window.ran = true'>"
LABELS = {HOSTILE: {"d1": 1}, **{f"q{number}": {"d2": 1} for number in range(20)}}
RUNS = {HOSTILE: {query: {"d3": 2.0, "d1": 1.0} for query in LABELS}, "b": {query: {"d2": 1.0} for query in LABELS}}
EDGES = """box => [box.scrollWidth > box.clientWidth, getComputedStyle(box).overflowX,
    getComputedStyle(box).backgroundImage.split("linear-gradient").length - 1]"""


@pytest.fixture(scope="module")
def found() -> tr.QueryDifferences:
    return tr.queries(LABELS, RUNS, "RR")


@pytest.mark.parametrize("of", ["scores", "result"])
def test_a_saved_chart_runs_no_name_and_asks_for_nothing(
    of: str, found: tr.QueryDifferences, open_page: OpenPage, tmp_path: Path
) -> None:
    chart = tr.plot(LABELS, RUNS, "RR") if of == "scores" else found.plot()
    chart.save(tmp_path / "chart.html")
    seen = open_page((tmp_path / "chart.html").as_uri())
    assert seen.run(lambda page: page.wait_for_selector("#vis canvas, #vis svg") is not None)
    assert seen.run(lambda page: page.evaluate("window.ran")) is None
    assert (seen.errors, seen.outside) == ([], [])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_wide_figure_is_scrolled_on_a_phone_and_a_shade_says_so(
    found: tr.QueryDifferences, server: PageServer, open_page: OpenPage, scheme: Scheme
) -> None:
    seen = open_page(server.add(found.to_html()), width=PHONE, scheme=scheme)
    assert seen.find_faults() == []
    assert seen.run(lambda page: page.eval_on_selector(".plot", EDGES)) == [True, "auto", 4]
