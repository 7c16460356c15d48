"""Every kind of page in a real browser: nothing is too wide, nothing fails, everybody can use it, light and dark."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from tests.browser.looking import LAPTOP, Visit
from tests.web.journeys.conftest import Enter
from tests.web.journeys.looks import find_faults_in_all_looks
from tests.web.journeys.site import Site

pytestmark = pytest.mark.django_db  # for the world that the served folder is filled with

BOARD, GRADED, ENDED = "/b/rounded", "/b/graded", "/b/ended"
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
    "graded leaderboard": (f"{GRADED}/", ""),
    "graded leaderboard by another measure": (f"{GRADED}/?cols=rank,score,rr-10,against,cost&sort=-rr-10", ""),
    "graded leaderboard as of labels v1": (f"{GRADED}/?labels=1", ""),
    "graded comparison": (f"{GRADED}/compare/", ""),
    "run under two label versions": (f"{GRADED}/runs/R2/", ""),
    "label versions": (f"{GRADED}/labels/", ""),
    "report a label": (f"{GRADED}/queries/report/?query=t2", "participant"),
    "reported labels": (f"{GRADED}/organise/reports/", "organiser"),
    "following with a webhook": (f"{GRADED}/follow/", "participant"),
    "closed leaderboard": (f"{ENDED}/", ""),
    "final standings": (f"{ENDED}/final/", ""),
    "what a closed board leaves": (f"{ENDED}/organise/end/", "organiser"),
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
    "tokens": ("/account/tokens/", "mate"),
    "second step": ("/accounts/2fa/", "participant"),
    "deleting an account": ("/account/delete/", "participant"),
    "new team": ("/teams/new/", "viewer"),
    "own team": ("/teams/kestrel-lab/", "participant"),
    "inviting": ("/teams/kestrel-lab/invite/", "participant"),
    "leaving": ("/teams/kestrel-lab/leave/", "participant"),
    "joining": ("/join/{invitation}/", ""),
    "not there": ("/no/such/page/", "participant"),
}
ERRORS = ("400", "403", "403_csrf", "413", "429", "500", "503")
SAID = {"title": "Files are away", "sentence": "They are where they were; try again in a while."}
"""On a page that says what is away."""
KEYBOARD = ("leaderboard", "history", "comparison", "own run", "submit a refused file", "validity", "new board")


@pytest.mark.parametrize("name", PAGES)
def test_the_page_fits_and_everybody_can_use_it(site: Site, enter: Enter, name: str) -> None:
    seen = open_page(site, enter, name)
    not_there = "the server responded with a status of 404" if name == "not there" else None
    seen.errors[:] = [each for each in seen.errors if not_there is None or not_there not in each]
    assert find_faults_in_all_looks(seen) == []


@pytest.mark.parametrize("name", ERRORS)
def test_a_page_that_says_what_went_wrong_can_be_used_too(site: Site, enter: Enter, name: str) -> None:
    """As the server would answer, in the place of a page: few of these faults can be made in a journey."""
    seen, page_of_it = enter("/methods/"), render_to_string(f"{name}.html", SAID)
    seen.run(
        lambda page: page.route("**/fault/", lambda route: route.fulfill(body=page_of_it, content_type="text/html"))
    )
    seen.run(lambda page: page.goto(f"{site.url}/fault/", wait_until="load"))
    assert seen.texts("h1") != []
    assert find_faults_in_all_looks(seen) == []


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
