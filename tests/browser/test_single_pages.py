"""What people save of one result, in a real browser: the page of two runs, and the pages of figures."""

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
FITS = "box => box.scrollWidth <= box.clientWidth"


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
    assert seen.run(lambda page: page.wait_for_selector("figure svg") is not None)
    assert seen.run(lambda page: page.evaluate("window.ran")) is None
    assert (seen.errors, seen.outside) == ([], [])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_phone_gets_a_drawing_of_its_own_that_fits(
    found: tr.QueryDifferences, server: PageServer, open_page: OpenPage, scheme: Scheme
) -> None:
    seen = open_page(server.add(found.to_html()), width=PHONE, scheme=scheme)
    assert seen.find_faults() == []
    assert seen.run(lambda page: page.locator(".plot:visible").count()) == 1
    assert seen.run(lambda page: page.eval_on_selector(".plot.narrow-only", FITS))
