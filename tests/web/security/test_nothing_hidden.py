"""Hidden means hidden: no answer to who does not organise a board tells a hidden label, a private or exact score, a
score of a query, who is anonymous, or what another team sent; under every release policy alike.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from tests.web.asking import Address, ask, find
from tests.web.busy_boards import (
    FAILED,
    HIDDEN_NAME,
    HIDDEN_OWN,
    HIDDEN_TEAM,
    NAME_WAS,
    NOT_RELEASED,
    PLANS,
    QUEUED,
    RELEASES,
    World,
    slug_of,
)
from tests.web.hidden_things import KESTREL, Secrets, find_in_text, find_leaks
from tests.web.hook_bodies import sent_to_hook
from tests.web.kept_world import KeptWorld
from tests.web.listening import listening
from tests.web.matrix import BOARD_LINES, ROLES, SITE_LINES

pytestmark = [pytest.mark.django_db, pytest.mark.figures]
NOT_ORGANISERS = ROLES[:-1]
OUTSIDERS = [role for role in NOT_ORGANISERS if role not in KESTREL]
BOARDS = [slug_of(release) for release in RELEASES]
LOOKS = [
    *(("ladder", role) for role in NOT_ORGANISERS),
    *((slug, role) for slug in ("full", "rounded") for role in ("anonymous", "participant", "stranger")),
]
"""Every role on the strictest board; on the others one of each kind: what everyone sees is stored once for all."""
WAYS_TO_LOOK = (
    *(
        "sort=-answered",
        "sort=run",
        "sort=ms",
        "cols=rank,score,against",
        "per=best",
        "against=B1",
        "tag=dense",
        "page=2",
    ),
    *("q=R4", "q=vault", "q=Kestrel&per=best"),
)


@pytest.fixture(scope="module")
def log(kept_world: KeptWorld) -> Iterator[list[str]]:
    """What the server logs while the boards fill and are looked at."""
    with listening() as lines:
        lines.extend(kept_world.log)
        yield lines


@pytest.fixture(scope="module", autouse=True)
def listened_to(log: list[str]) -> None:
    """From the first test on."""


@pytest.mark.parametrize(("slug", "role"), LOOKS)
def test_no_page_of_a_board_tells_what_is_hidden(world: World, slug: str, role: str) -> None:
    secrets, leaks = Secrets.of(world, world.boards[slug], role), []
    for address, methods in addresses(world, slug):
        for method in methods:
            found = find_leaks(ask(world, role, address, method), secrets, quotes_own_file=may_quote(address, role))
            leaks += [f"{method} {address.url}: {leak}" for leak in found]
    assert leaks == []


@pytest.mark.parametrize("role", NOT_ORGANISERS)
def test_no_other_page_tells_what_is_hidden(world: World, role: str) -> None:
    busy = world.boards["ladder"]
    secrets, leaks = Secrets.of(world, busy, role), []
    for line in SITE_LINES:
        if line.name == "api_openapi":  # made from the code alone: the numbers in its examples are of no board
            continue
        for method in ("GET", "POST"):
            address = find(world, busy, line)
            leaks += [f"{method} {line}: {leak}" for leak in find_leaks(ask(world, role, address, method), secrets)]
    assert leaks == []


@pytest.mark.parametrize(("slug", "role"), LOOKS)
def test_parts_of_pages_tell_no_more(world: World, slug: str, role: str) -> None:
    """What htmx fetches: the table by itself, how far a file and a run are."""
    secrets, leaks = Secrets.of(world, world.boards[slug], role), []
    for address, _ in addresses(world, slug):
        if re.search(r"/b/[\w-]+/(\?|$|uploads|runs/\w+/status|compare|organise)", address.url):
            response = ask(world, role, address, headers={"HX-Request": "true", "HX-Target": "standings"})
            found = find_leaks(response, secrets, quotes_own_file=may_quote(address, role))
            leaks += [f"{address.url}: {leak}" for leak in found]
    assert leaks == []


def addresses(world: World, slug: str) -> Iterator[tuple[Address, tuple[str, ...]]]:
    """Those of the table, and the board looked at in every way that it offers; each with what may be done there."""
    for line in BOARD_LINES:
        takes_post = set(line.post.values()) - {"x", "in"}
        yield find(world, world.boards[slug], line), ("GET", "POST") if takes_post else ("GET",)
    for asked in WAYS_TO_LOOK:
        yield Address(url=f"/b/{slug}/?{asked}"), ("GET",)
    for b, a in (("R4", "R1"), ("R6", "R4"), ("R8", "R4"), ("R5", "R4")):
        yield Address(url=f"/b/{slug}/compare/?b={b}&a={a}", data={"b": b, "a": a}), ("GET", "POST")
        yield from ((Address(url=f"/b/{slug}/compare.{ending}?b={b}&a={a}"), ("GET",)) for ending in ("json", "tex"))
    for kind in ("stability", "significance"):
        yield from ((Address(url=f"/b/{slug}/{kind}.{ending}"), ("GET",)) for ending in ("csv", "json", "tex"))
    yield from ((Address(url=f"/b/{slug}/runs/{label}/"), ("GET",)) for label in ("R2", "R5", "R8"))
    yield Address(url=f"/b/{slug}/uploads/{world.boards[slug].refused.pk}/?as=text"), ("GET",)


def may_quote(address: Address, role: str) -> bool:
    """Pages that quote and count the lines of a file, to the team that sent it."""
    team = {"participant": "Kestrel Lab", "mate": "Kestrel Lab", "stranger": "Norrland IR"}.get(role)
    if team is None:
        return False
    run = re.search(r"/runs/(\w+)/", address.url)
    own = {label for label, plan in PLANS.items() if plan.team == team} | {QUEUED, FAILED}
    return run[1] in own if run else any(part in address.url for part in ("/uploads/", "/submit/"))


def test_organisers_are_told(world: World) -> None:
    """So that the tests above can fail: every kind of hidden thing is found where it is shown."""
    secrets = Secrets.of(world, world.boards["ladder"], "viewer")
    pages = ("", "export.json", "runs/R4/", "compare/?b=R2&a=R1", "organise/validity/", "organise/audit/")
    told = {
        leak.partition(":")[0]
        for page in pages
        for leak in find_leaks(ask(world, "organiser", Address(url=f"/b/ladder/{page}")), secrets)
    }
    assert told == {
        "a hidden word",
        "a document of hidden labels",
        "a query",
        "a private score",
        "an exact score",
        "an exact difference",
        "an exact count",
        "a count of queries",
        "a number with more than 4 decimals",
    }


# ---- who is anonymous ----


@pytest.mark.parametrize("role", OUTSIDERS)
@pytest.mark.parametrize("hidden", [HIDDEN_NAME, HIDDEN_TEAM, HIDDEN_OWN, "quokka", "vault"])
def test_a_hidden_name_finds_as_little_as_a_name_that_nobody_has(world: World, role: str, hidden: str) -> None:
    for slug in BOARDS:
        assert search(world, role, slug, hidden) == search(world, role, slug, "nobody-has-this")


def test_their_own_people_find_them(world: World) -> None:
    """So that the test above can fail."""
    assert search(world, "participant", "rounded", HIDDEN_OWN) != search(world, "participant", "rounded", "nobody")
    assert search(world, "organiser", "rounded", HIDDEN_NAME) != search(world, "organiser", "rounded", "nobody")


def search(world: World, role: str, slug: str, term: str) -> str:
    """The board as it is for this search, without the words that were looked for."""
    page = ask(world, role, Address(url=f"/b/{slug}/?q={term.replace(' ', '+')}")).text
    for spelled in (term, term.replace(" ", "+"), term.replace(" ", "%20")):
        page = page.replace(spelled, "…")
    return page


@pytest.mark.parametrize("role", OUTSIDERS)
def test_an_anonymous_run_stands_beside_its_team_not_in_its_place(world: World, role: str) -> None:
    """The best of each team: R6 is better than R1, and of the same team, which nobody is to know."""
    page = ask(world, role, Address(url="/b/rounded/?per=best")).text
    assert labels_in(page) == {"R4", "R5", "R6", "R8", "B1"}
    own = ask(world, "participant", Address(url="/b/rounded/?per=best")).text
    assert labels_in(own) == {"R4", "R5", "R8", "B1"}


def labels_in(page: str) -> set[str]:
    """The runs that have a row."""
    return set(re.findall(r'href="/b/[\w-]+/runs/(\w+)/"', page))


@pytest.mark.parametrize("role", OUTSIDERS)
def test_no_page_joins_an_anonymous_run_with_its_team(world: World, role: str) -> None:
    for slug in BOARDS:
        assert "kestrel" not in ask(world, role, Address(url=f"/b/{slug}/runs/R6/")).text.lower()
        assert "R6" not in ask(world, role, Address(url=f"/b/{slug}/runs/R1/")).text
    assert "R6" not in ask(world, role, Address(url=f"/teams/{world.cast.team.slug}/")).text
    assert "/runs/R6/" in ask(world, "mate", Address(url=f"/teams/{world.cast.team.slug}/")).text


# ---- what Ladder does not release ----


@pytest.mark.parametrize("role", NOT_ORGANISERS)
def test_a_run_that_is_not_released_has_a_name_and_nothing_else(world: World, role: str) -> None:
    rows = csv.DictReader(io.StringIO(ask(world, role, Address(url="/b/ladder/export.csv")).text))
    unshown = {row["run"]: {key for key, cell in row.items() if cell} for row in rows if row["run"] in NOT_RELEASED}
    told = {"run", "name", "team", "date", "status"}
    assert unshown == {"R3": told, "R8": told}


@pytest.mark.parametrize("role", NOT_ORGANISERS)
@pytest.mark.parametrize("page", ["stability/", "stability.json", "significance.csv", "compare/"])
def test_a_run_that_is_not_released_is_in_no_analysis(world: World, page: str, role: str) -> None:
    shown = ask(world, role, Address(url=f"/b/ladder/{page}")).text
    assert re.findall(r"\bR[378]\b", shown) == []
    assert re.findall(r"\bR1\b", shown)


@pytest.mark.parametrize("role", NOT_ORGANISERS)
@pytest.mark.parametrize("label", ["R3", "R8"])
def test_the_page_of_a_run_that_is_not_released_has_no_figure(world: World, label: str, role: str) -> None:
    page = ask(world, role, Address(url=f"/b/ladder/runs/{label}/")).text
    scores, claims = (re.sub(r"<[^>]*>", " ", part) for part in between(page, "Scores", "Claims", "About this run"))
    assert scores.split() == ["None", "are", "shown."]
    assert re.findall(r"points|ranks|mean rank|\d%", claims) == []


def between(page: str, *headings: str) -> list[str]:
    """What stands under each heading, up to the next."""
    starts = [page.index(f"<h2>{heading}</h2>") for heading in headings]
    parts = [page[start:end] for start, end in pairwise(starts)]
    return [part.partition("</h2>")[2] for part in parts]


# ---- mail, logs and faults ----


def test_a_mail_tells_its_team_what_the_page_does(world: World, kept_world: KeptWorld) -> None:
    roles = {world.cast.participant.email: "participant", world.cast.stranger.email: "stranger"}
    assert {address for each in kept_world.sent for address in each.to} == {*roles, world.hider.email}
    leaks = []
    for each in kept_world.sent:
        board = next(busy for busy in world.boards.values() if busy.board.title in each.subject)
        secrets = Secrets.of(world, board, roles.get(each.to[0], "viewer"))
        own = (
            {f"a hidden word: {name}" for name in (NAME_WAS, HIDDEN_NAME)} if each.to == [world.hider.email] else set()
        )
        leaks += [leak for leak in find_in_text(f"{each.subject}\n{each.body}", secrets) if leak not in own]
    assert leaks == []


@pytest.mark.parametrize("slug", BOARDS)
def test_a_webhook_tells_what_everyone_may_know(world: World, slug: str) -> None:
    busy = world.boards[slug]
    said = sent_to_hook(busy.board)
    assert '"event": "' in said
    assert list(find_in_text(said, Secrets.of(world, busy, "anonymous"))) == []


def test_no_line_of_the_log_tells_a_label_or_a_private_score(world: World, log: list[str]) -> None:
    for slug in BOARDS:
        secrets = Secrets.of(world, world.boards[slug], "viewer")
        told = [leak for line in log for leak in find_in_text(line, secrets) if "hidden word" not in leak]
        assert told == []


def test_a_fault_of_the_server_does_not_tell_what_it_was_at(
    world: World, log: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> None:
        raise LookupError(f"rel-q001 of {HIDDEN_TEAM}")

    n_lines = len(log)
    monkeypatch.setattr("toprung.web.site.board.leaderboard.list_runs", fail)
    response = ask(world, "participant", Address(url="/b/rounded/"), raises=False)
    assert response.status_code == 500
    assert find_leaks(response, Secrets.of(world, world.boards["rounded"], "participant")) == []
    del log[n_lines:]  # whoever runs the server must see what it was
