"""Charts of the pages, wide and on a phone, in the faces that browsers fall back on: no text lies on another."""

from __future__ import annotations

import pytest
from tests.browser.chromium import Chromium
from tests.browser.looking import FACES, LAPTOP, PHONE, Visit, visit
from tests.web.journeys.conftest import Enter
from tests.web.journeys.sitting import JudgingSite

pytestmark = pytest.mark.django_db  # for the world that the served folder is filled with

CHARTS = {
    "boards": ("/", ""),
    "leaderboard": ("/b/rounded/", ""),
    "graded leaderboard": ("/b/graded/", ""),
    "embedded": ("/b/rounded/embed/", ""),
    "history": ("/b/rounded/history/", ""),
    "history of few": ("/b/graded/history/", ""),
    "stability": ("/b/rounded/stability/", ""),
    "comparison": ("/b/rounded/compare/?b=R8&a=R4", ""),
    "graded comparison": ("/b/graded/compare/", ""),
    "queries": ("/b/rounded/queries/", ""),
    "label versions": ("/b/graded/labels/", ""),
    "run": ("/b/rounded/runs/R1/", ""),
    "run under two label versions": ("/b/graded/runs/R2/", ""),
    "validity": ("/b/rounded/organise/validity/", "organiser"),
}
"""Pages with drawings, and who looks at them."""
OF_CAMPAIGNS = ("campaign", "query", "assessors", "draft", "review")
OPEN_ALL = "document.querySelectorAll('details:not(.menu)').forEach(each => each.open = true)"
SOME_TEXT = "document.querySelectorAll('svg text').length"


@pytest.mark.parametrize("name", CHARTS)
def test_texts_of_its_charts_stand_apart(enter: Enter, name: str) -> None:
    path, role = CHARTS[name]
    seen = enter(path, role)
    seen.run(lambda page: page.evaluate(OPEN_ALL))
    assert name in ("boards", "queries", "run") or seen.run(lambda page: page.evaluate(SOME_TEXT))
    assert find_faults(seen) == []


def test_texts_of_the_charts_of_a_campaign_stand_apart(chromium: Chromium, judging: JudgingSite) -> None:
    with visit(chromium, judging.at("campaigns"), cookies={"sessionid": judging.session}) as seen:
        for name in OF_CAMPAIGNS:
            seen.run(lambda page, name=name: page.goto(judging.at(name), wait_until="load"))
            seen.run(lambda page: page.evaluate(OPEN_ALL))
            assert find_faults(seen) == [], name


def find_faults(seen: Visit) -> list[str]:
    found = []
    for face in FACES:
        seen.add_style(f"svg text {{ font-family: '{face}' !important }}")
        for width in (LAPTOP, PHONE):
            seen.run(lambda page, width=width: page.set_viewport_size({"width": width, "height": 844}))
            faults = [*seen.find_overlap(), *(f"too wide: {each}" for each in seen.find_overflow())]
            found += [f"{width} {face}: {each}" for each in faults]
    return found
