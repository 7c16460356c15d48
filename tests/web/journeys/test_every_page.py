"""Every kind of page in a real browser: nothing is too wide, nothing fails, everybody can use it, light and dark."""

from __future__ import annotations

import pytest
from tests.browser.looking import LAPTOP, PHONE, Visit
from tests.web.journeys.conftest import Enter
from tests.web.journeys.site import Site

pytestmark = pytest.mark.django_db  # for the world that the served folder is filled with

BOARD = "/b/rounded"
PAGES = {
    "front page": ("/", ""),
    "boards": ("/boards/", ""),
    "my runs": ("/me/", "participant"),
    "interface": ("/api/", ""),
    "methods": ("/methods/", ""),
    "leaderboard": (f"{BOARD}/", "participant"),
    "leaderboard narrowed": (f"{BOARD}/?per=best&q=e", ""),
    "leaderboard without a match": (f"{BOARD}/?q=nobody", ""),
    "embedded": (f"{BOARD}/embed/", ""),
    "history": (f"{BOARD}/history/", ""),
    "stability": (f"{BOARD}/stability/", ""),
    "comparison": (f"{BOARD}/compare/?b=R8&a=R4", ""),
    "comparison to be made": (f"{BOARD}/compare/?b=R3&a=R2", ""),
    "queries": (f"{BOARD}/queries/", ""),
    "data": (f"{BOARD}/data/", "participant"),
    "about": (f"{BOARD}/about/", ""),
    "own run": (f"{BOARD}/runs/R1/", "participant"),
    "anonymous run": (f"{BOARD}/runs/R4/", ""),
    "withdrawn run": (f"{BOARD}/runs/R7/", "stranger"),
    "progress": (f"{BOARD}/runs/R9/status/", "participant"),
    "failed run": (f"{BOARD}/runs/R10/status/", "stranger"),
    "edit": (f"{BOARD}/runs/R1/edit/", "participant"),
    "withdraw": (f"{BOARD}/runs/R1/withdraw/", "participant"),
    "submit": (f"{BOARD}/submit/", "participant"),
    "submit an accepted file": (f"{BOARD}/submit/?upload={{accepted}}", "participant"),
    "submit a refused file": (f"{BOARD}/submit/?upload={{refused}}", "participant"),
    "submit without a team": (f"{BOARD}/submit/", "viewer"),
    "check of a file": (f"{BOARD}/uploads/{{refused}}/", "participant"),
    "quiet board": ("/b/quiet/", ""),
    "to do": (f"{BOARD}/organise/", "organiser"),
    "data to give": (f"{BOARD}/organise/data/", "organiser"),
    "announcements": (f"{BOARD}/organise/announcements/", "organiser"),
    "closing": (f"{BOARD}/organise/end/", "organiser"),
    "validity": (f"{BOARD}/organise/validity/", "organiser"),
    "audit log": (f"{BOARD}/organise/audit/", "organiser"),
    "labels": (f"{BOARD}/organise/labels/", "organiser"),
    "opening labels": (f"{BOARD}/organise/labels/{{private}}/", "organiser"),
    "policy": (f"{BOARD}/organise/policy/", "organiser"),
    "people": (f"{BOARD}/organise/people/", "organiser"),
    "baselines": (f"{BOARD}/organise/baselines/", "organiser"),
    "import": (f"{BOARD}/organise/import/", "organiser"),
    "voiding a claim": (f"{BOARD}/claims/1/void/", "organiser"),
    "new board": ("/boards/new/", "organiser"),
    "sign in": ("/accounts/login/", ""),
    "sign up": ("/accounts/signup/", ""),
    "forgotten password": ("/accounts/password/reset/", ""),
    "account": ("/account/", "participant"),
    "new password": ("/accounts/password/change/", "participant"),
    "second step": ("/accounts/2fa/", "participant"),
    "deleting an account": ("/account/delete/", "participant"),
    "new team": ("/teams/new/", "viewer"),
    "own team": ("/teams/kestrel-lab/", "participant"),
    "inviting": ("/teams/kestrel-lab/invite/", "participant"),
    "leaving": ("/teams/kestrel-lab/leave/", "participant"),
    "joining": ("/join/{invitation}/", ""),
    "not there": ("/no/such/page/", "participant"),
}
OF_LOOKS = ("color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size")
KEYBOARD = ("leaderboard", "history", "comparison", "own run", "submit a refused file", "validity", "new board")


@pytest.mark.parametrize("name", PAGES)
def test_the_page_fits_and_everybody_can_use_it(site: Site, enter: Enter, name: str) -> None:
    """Wide and light with every rule, then narrow and dark with those that colours and widths can break."""
    seen = open_page(site, enter, name)
    assert find_faults(seen, name) == []
    seen.run(lambda page: page.emulate_media(color_scheme="dark"))
    seen.run(lambda page: page.set_viewport_size({"width": PHONE, "height": 844}))
    assert find_faults(seen, name, *OF_LOOKS) == []


@pytest.mark.parametrize("name", KEYBOARD)
def test_all_of_it_is_reached_by_keyboard(site: Site, enter: Enter, name: str) -> None:
    assert open_page(site, enter, name).find_keyboard_faults() == []


def test_the_leaderboard_is_walked_in_the_order_it_is_read(site: Site, enter: Enter) -> None:
    """The skip link first, then head, tabs and filters, then the table and its runs in their order."""
    stops = [stop.element for stop in open_page(site, enter, "leaderboard").walk_with_tab()]
    said = [stop.partition('"')[2].rstrip('"') for stop in stops]
    assert said[0] == "Skip to content"
    in_order = ["Submit a run", "Leaderboard", "Stability", "Leaderboard", "norrland-two", "R4", "bm25"]
    assert [each for each in said if each in in_order] == in_order


def open_page(site: Site, enter: Enter, name: str) -> Visit:
    path, role = PAGES[name]
    known = {**site.told["uploads"], "private": site.told["private_labels"], "invitation": site.told["invitation"]}
    return enter(path.format(**known), role, width=LAPTOP)


def find_faults(seen: Visit, name: str, *rules: str) -> list[str]:
    not_there = "the server responded with a status of 404" if name == "not there" else None
    return [
        *(f"console: {error}" for error in seen.errors if not_there is None or not_there not in error),
        *(f"asked for: {url}" for url in seen.outside),
        *(f"too wide: {element}" for element in seen.find_overflow()),
        *(f"axe: {violation}" for violation in seen.find_grave_violations(*rules)),
    ]
