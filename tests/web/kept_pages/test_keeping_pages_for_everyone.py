"""A page that is kept for whoever has no account is the page that would be made now, whatever happened meanwhile."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve
from django.utils import timezone
from tests.web.cast import Cast
from tests.web.runs import settled
from tests.web.versions import do_tasks, publish_labels
from tests.web.viewing import EMBARGO, SECRET_NAME, Viewed

from toprung.data.run_card import RunCard
from toprung.web.core.models.boards import Board
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.people import Team
from toprung.web.core.models.runs import Submission
from toprung.web.services.boards.policy import change_policy
from toprung.web.services.claims.void import void_claim
from toprung.web.services.claims.withdraw import withdraw
from toprung.web.services.following.announce import announce, withdraw_announcement
from toprung.web.services.runs.edit import edit_card

type Act = Callable[[Cast, Path], object]

pytestmark = pytest.mark.postgres  # rows are noted as the driver gives them
BOARD = "/b/web-docs/"
PAGES = (
    "/",
    "/boards/?q=web",
    *(f"{BOARD}{page}" for page in ("", "?sort=-date", "?q=kestrel", "history/", "stability/", "about/", "embed/")),
    *(f"{BOARD}{page}" for page in ("labels/", "runs/R1/", "runs/R2/", "export.csv", "export.json", "history.json")),
)


@pytest.fixture
def busy(cast: Cast) -> Cast:
    """Runs of two teams, one of them under an embargo, and what the pages show of them."""
    settled(cast, "kestrel-one", 4)
    until = timezone.now().date() + EMBARGO
    settled(cast, "norrland-one", 2, team=cast.other_team, user=cast.stranger, anonymous_until=until)
    do_tasks(cast)
    return cast


def facts_of(response: HttpResponse) -> tuple[int, dict[str, str], bytes]:
    changing = ("X-Request-Id",)
    return response.status_code, {k: v for k, v in response.headers.items() if k not in changing}, response.content


def is_made(client: Client, path: str) -> bool:
    """Whether the view was called for it."""
    view = resolve(path.partition("?")[0])
    calls: list[object] = []

    def noted(frame: object, event: str, _: object) -> None:
        if event == "call" and frame.f_code is code:  # type: ignore[attr-defined]
            calls.append(frame)

    code = _innermost(view.func).__code__  # type: ignore[attr-defined]
    sys.setprofile(noted)
    try:
        client.get(path)
    finally:
        sys.setprofile(None)
    return bool(calls)


def _innermost(view: Callable[..., object]) -> Callable[..., object]:
    while hasattr(view, "__wrapped__"):
        view = view.__wrapped__
    return view


def _run(cast: Cast, label: str) -> Submission:
    return cast.board.submissions.get(run_id=label)


def _submit(cast: Cast, _: Path) -> None:
    settled(cast, "kestrel-two", 1)


def _compute(cast: Cast, _: Path) -> None:
    do_tasks(cast)


def _rename(cast: Cast, _: Path) -> None:
    edit_card(_run(cast, "R1"), RunCard(name="kestrel-renamed", description="Said anew."), by=cast.participant)


def _withdraw(cast: Cast, _: Path) -> None:
    withdraw(_run(cast, "R1"), by=cast.participant)


def _void(cast: Cast, _: Path) -> None:
    void_claim(
        Claim.objects.filter(board=cast.board).latest("pk"), reason="It was made with the labels.", by=cast.organiser
    )


def _announce(cast: Cast, _: Path) -> None:
    announce(cast.board, "A workshop", "In **May**.", by=cast.organiser)


def _unsay(cast: Cast, _: Path) -> None:
    withdraw_announcement(cast.board.announcements.get(), by=cast.organiser)


def _change(**changes: object) -> Act:
    def act(cast: Cast, _: Path) -> None:
        change_policy(Board.objects.get(pk=cast.board.pk), changes, by=cast.organiser)

    return act


def _relabel(cast: Cast, folder: Path) -> None:
    publish_labels(cast, folder)
    do_tasks(cast)


def _lift(cast: Cast, _: Path) -> None:
    cast.board.submissions.filter(run_id="R2").update(anonymous_until=None)


def _rename_team(cast: Cast, _: Path) -> None:
    Team.objects.filter(pk=cast.team.pk).update(name="Falcon Lab")


ACTS: tuple[Act, ...] = (
    *(_announce, _unsay, _rename, _rename_team, _lift, _submit, _compute),
    *(_change(title="Web pages", quota=7), _change(description="Other *words*."), _void, _compute),
    *(_change(release="ladder:0.05"), _compute, _relabel, _withdraw, _compute, _change(is_public=False)),
)


def test_after_every_act_the_kept_page_is_the_page_made_anew(busy: Cast, tmp_path: Path) -> None:
    reader, n_changed = Client(), 0
    before = {path: facts_of(reader.get(path)) for path in PAGES}
    for act in ACTS:
        act(busy, tmp_path)
        for path in PAGES:
            kept, anew = facts_of(reader.get(path)), facts_of(Client().get(path))
            assert kept == anew, (act, path)
            n_changed += kept != before[path]
            before[path] = kept
    assert n_changed > len(ACTS), "acts that change nothing show nothing"
    assert before[BOARD][0] == 404, "at last it is for nobody"


def test_a_page_that_nothing_changed_is_not_made_again(viewed: Viewed) -> None:
    reader = Client()
    for path in PAGES:
        assert [is_made(reader, path) for _ in range(3)] == [True, False, False], path


def test_the_clock_alone_changes_a_page(viewed: Viewed, monkeypatch: pytest.MonkeyPatch) -> None:
    """The board closes, and later a run has its name: nobody does anything. A clock that is set back is believed."""
    noon = timezone.now().replace(hour=12)
    Board.objects.filter(pk=viewed.board.pk).update(closes_at=noon + timedelta(hours=2))
    reader = Client()
    for later in (timedelta(0), timedelta(hours=1), timedelta(hours=3), EMBARGO + timedelta(days=1), timedelta(0)):
        monkeypatch.setattr(timezone, "now", lambda later=later: noon + later)
        for path in PAGES:
            assert reader.get(path).content == Client().get(path).content, (later, path)


def test_a_board_that_closes_and_an_embargo_that_ends_are_seen(viewed: Viewed, monkeypatch: pytest.MonkeyPatch) -> None:
    now = timezone.now()
    Board.objects.filter(pk=viewed.board.pk).update(closes_at=now + timedelta(hours=2))
    reader = Client()
    assert "Submit" in reader.get(BOARD).text
    assert SECRET_NAME not in reader.get(BOARD).text
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(hours=2))
    assert "Submit<" not in reader.get(BOARD).text
    monkeypatch.setattr(timezone, "now", lambda: now + EMBARGO + timedelta(days=1))
    assert SECRET_NAME in reader.get(BOARD).text


def test_who_is_signed_in_gets_their_own_and_leaves_nothing(viewed: Viewed) -> None:
    browser = Client()
    everyone = browser.get(BOARD).text
    browser.force_login(viewed.cast.organiser)
    own = browser.get(BOARD)
    assert "You are an organiser of this board" in own.text
    assert SECRET_NAME in own.text
    assert "no-store" in own.headers["Cache-Control"]
    assert "ETag" not in own.headers
    browser.logout()
    browser.cookies.clear()
    assert browser.get(BOARD).text == everyone
    assert not is_made(browser, BOARD)


def test_a_member_first_and_everyone_after(viewed: Viewed) -> None:
    browser = Client()
    browser.force_login(viewed.cast.stranger)
    assert SECRET_NAME in browser.get(BOARD).text
    browser.cookies.clear()
    assert SECRET_NAME not in browser.get(BOARD).text


@pytest.mark.parametrize(
    "asked",
    [
        {"headers": {"cookie": "sessionid=no-session"}},
        {"headers": {"cookie": "messages=some"}},
        {"headers": {"authorization": "Bearer tr_x"}},
        {"headers": {"hx-request": "true"}},
        {"headers": {"hx-request": "true", "hx-history-restore-request": "true"}},
        {"query_params": {"q": "x" * 400}},
    ],
)
def test_who_may_be_somebody_or_asks_otherwise_has_it_made(viewed: Viewed, asked: dict[str, dict[str, str]]) -> None:
    reader = Client()
    reader.get(BOARD)
    for _ in range(2):
        assert "ETag" not in reader.get(BOARD, **asked).headers


def test_other_names_and_packing_have_pages_of_their_own(viewed: Viewed, settings: object) -> None:
    settings.ALLOWED_HOSTS = ["one.example", "two.example"]  # type: ignore[attr-defined]
    reader = Client()
    for name in ("one.example", "two.example", "one.example"):
        assert f"//{name}/b/web-docs/embed/" in reader.get(BOARD, headers={"host": name}).text
    packed = reader.get(BOARD, headers={"host": "one.example", "accept-encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in reader.get(BOARD, headers={"host": "one.example"}).headers
    assert reader.get(BOARD, headers={"host": "three.example"}).status_code == 400


def test_a_host_in_another_spelling_has_its_page_made_and_kept_nowhere(viewed: Viewed, settings: object) -> None:
    settings.ALLOWED_HOSTS = ["one.example", ".below.example"]  # type: ignore[attr-defined]
    reader = Client()
    for host in ("one.example:1234", "One.example", "one.example.", "made-up.below.example"):
        for _ in range(2):
            made = reader.get(BOARD, headers={"host": host})
            assert (made.status_code, "ETag" in made.headers) == (200, False), host
    for host in ("one.example", "one.example:80"):
        assert "ETag" in reader.get(BOARD, headers={"host": host}).headers


def test_who_has_it_already_is_sent_nothing_until_it_changes(viewed: Viewed) -> None:
    first = Client().get(BOARD)
    assert first.headers["Cache-Control"] == "no-cache"
    has = {"if-none-match": first.headers["ETag"]}
    reader = Client()
    for _ in range(2):  # made, and kept
        again = reader.get(BOARD, headers=has)
        assert (again.status_code, again.content) == (304, b"")
    packed = reader.get(BOARD, headers=has | {"accept-encoding": "gzip"})
    assert packed.status_code == 304
    Board.objects.filter(pk=viewed.board.pk).update(title="Another title")
    assert "Another title" in reader.get(BOARD, headers=has).text


def test_a_page_with_a_form_of_its_own_is_not_kept(viewed: Viewed) -> None:
    """It holds a token against forged forms, and sets a cookie."""
    reader = Client()
    assert "csrftoken" in reader.get("/accounts/login/").cookies
    for _ in range(2):
        assert "ETag" not in reader.get("/accounts/login/").headers


def test_the_key_of_the_server_is_asked_for_again(viewed: Viewed, monkeypatch: pytest.MonkeyPatch) -> None:
    """It lies in a file, not in the database."""
    reader = Client()
    assert "5f:5f:5f" not in reader.get(f"{BOARD}about/").text
    monkeypatch.setattr(
        "toprung.web.core.config.signing_key.find_key", lambda _: type("Key", (), {"fingerprint": "5f:5f:5f"})
    )
    assert "5f:5f:5f" in reader.get(f"{BOARD}about/").text
