"""A board ends: closed by its organisers or by its day, scored to the last run, then frozen, signed and cited."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from django_ox.testing import run_tasks
from tests.web.cast import Cast, make_board, make_upload, make_user, run_text
from tests.web.reading import folded, text_of
from tests.web.runs import GOOD, accepted, settled
from tests.web.viewing import Viewed, browse

from toprung.boards.archive.verifying import verify_bundle
from toprung.data.run_card import RunCard
from toprung.errors import InputError
from toprung.web.core.models.boards import Board
from toprung.web.core.models.endings import FinalStandings
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.store.audit import find_break
from toprung.web.services.boards.policy import change_policy, frozen_keys
from toprung.web.services.claims.withdraw import WithdrawalRefusedError, withdraw
from toprung.web.services.ending.close import ClosingRefusedError, close_board
from toprung.web.services.ending.freeze import finish_board, finish_closed_boards, what_waits
from toprung.web.services.labels.publish import current_version, find_version_faults, plan_version
from toprung.web.services.results.compute import compute_results
from toprung.web.services.runs.submit import SubmissionRefusedError, submit

PAGE = "/b/web-docs/organise/end/"


@pytest.fixture
def board(cast: Cast) -> Board:
    """R1 and R2, the second better; what the pages show is not computed yet."""
    settled(cast, "first", 8)
    settled(cast, "second", 2, team=cast.other_team, user=cast.stranger)
    return cast.board


def rows_of(board: Board) -> list[tuple[str, object]]:
    return [(each.audience, each.content) for each in board.standings.order_by("audience", "place")]


def test_an_organiser_closes_it_by_typing_its_address(client: Client, cast: Cast, board: Board) -> None:
    client.force_login(cast.organiser)
    assert "To close it, type its address: web-docs" in client.get(PAGE).content.decode()
    refused = client.post(PAGE, {"address": "yes"})
    assert refused.status_code == 422
    assert "Found “yes”; expected the address of the board, web-docs." in refused.content.decode()
    assert Board.objects.get(pk=board.pk).is_open
    assert client.post(PAGE, {"address": "web-docs"}).url == PAGE
    board.refresh_from_db()
    assert board.is_closed
    assert not board.is_open
    assert board.audit.latest("number").what == "Closed the board"
    with pytest.raises(ClosingRefusedError, match="closed since"):
        close_board(board, typed="web-docs", by=cast.organiser)


def test_standings_are_final_once_everything_is_scored(client: Client, cast: Cast, board: Board) -> None:
    upload = accepted(cast, run_text(dict.fromkeys([f"q{n:02}" for n in range(1, 41)], 3), name="late"))
    submit(upload, RunCard(name="late"), by=cast.participant)
    close_board(board, typed="web-docs", by=cast.organiser)
    board.refresh_from_db()
    assert list(what_waits(board)) == ["1 run is being scored."]
    assert not finish_board(board.pk)
    assert "its standings become final" in folded(client.get("/b/web-docs/").content.decode())
    run_tasks(raise_failures=True)
    board.refresh_from_db()
    assert board.is_final, "the last task of the queue freezes it"
    assert board.standings.filter(audience="public").count() == 3
    assert [each.what for each in board.audit.order_by("-number")[:2]] == [
        "Exported the board without hidden labels",
        "The standings are final",
    ]
    assert find_break(board) is None
    for page in ("", "about/", "runs/R2/", "final/"):
        shown = folded(client.get(f"/b/web-docs/{page}").content.decode())
        assert f"Closed since {board.closes_at:%Y-%m-%d}; these standings are final." in shown, page


PAGES = (
    *("", "history/", "stability/", "compare/", "queries/", "data/", "about/", "labels/", "runs/R1/", "runs/R2/"),
    *("timeline/", "claims/", "significance/", "embed/"),
)
FILES = (
    *("export.csv", "export.json", "export.tex", "history.csv", "history.svg", "stability.json", "labels.json"),
    *("feed.atom", "badge.svg", "runs/R1/badge.svg", "card.png", "data/SHA256SUMS"),
)


def test_every_address_stays_and_every_page_says_that_it_is_closed(client: Client, cast: Cast, board: Board) -> None:
    compute_results(board.pk)
    statuses = {each: client.get(f"/b/web-docs/{each}").status_code for each in (*PAGES, *FILES)}
    assert set(statuses.values()) == {200, 301}, statuses
    close_board(board, typed="web-docs", by=cast.organiser)
    assert finish_board(board.pk)
    assert {each: client.get(f"/b/web-docs/{each}").status_code for each in statuses} == statuses
    for page in PAGES:
        answer = client.get(f"/b/web-docs/{page}", follow=True)
        assert "these standings are final." in folded(answer.content.decode()), page


def test_nobody_is_asked_for_a_run_or_told_of_a_next_claim(client: Client, cast: Cast, board: Board) -> None:
    """What a next claim is held to, runs left, commands that send and the form itself: all of it would be refused."""
    client.force_login(cast.participant)
    asks = (
        ("", "can still see"),
        ("history/", "The next claim is number"),
        ("data/", "toprung submit"),
        ("data/", "A team may submit"),
        ("submit/", "submissions left"),
    )
    compute_results(board.pk)
    for page, asked in asks:
        assert asked in text_of(client.get(f"/b/web-docs/{page}").content.decode()), page
    close_board(board, typed="web-docs", by=cast.organiser)
    for page, asked in asks:
        said = text_of(client.get(f"/b/web-docs/{page}").content.decode())
        assert (asked in said, "Closed since" in said) == (False, True), page
    assert "What stays The board is closed; it takes no runs. Its pages," in text_of(
        client.get("/b/web-docs/").content.decode()
    )


def test_nobody_is_asked_to_ask_the_organisers(client: Client, cast: Cast, board: Board) -> None:
    """Who was not approved in time."""
    Board.objects.filter(pk=board.pk).update(who_may_submit="approved")
    client.force_login(make_user("late"))
    client.post("/teams/new/", {"name": "Late"})
    assert "Ask to take part with Late" in text_of(client.get("/b/web-docs/submit/").content.decode())
    close_board(board, typed="web-docs", by=cast.organiser)
    said = text_of(client.get("/b/web-docs/submit/").content.decode())
    assert ("Ask to take part" in said, "Closed since" in said) == (False, True)


def test_what_it_could_see_is_told_of_a_claim_that_never_came(viewed: Viewed) -> None:
    said = text_of(browse(None).get("/b/web-docs/").text)
    assert "What this board can still see a gain of" in said
    assert "It is claim 4, held to" in said
    Board.objects.filter(pk=viewed.board.pk).update(closes_at=timezone.now() - timedelta(days=1))
    said = text_of(browse(None).get("/b/web-docs/").text)
    assert "What this board could see in the end a gain of" in said
    assert "that one more claim would have shown four times in five: claim 4, held to" in said
    assert "still see" not in said


def test_nothing_changes_them_after(cast: Cast, board: Board, tmp_path: Path) -> None:
    close_board(board, typed="web-docs", by=cast.organiser)
    assert finish_board(board.pk)
    board.refresh_from_db()
    rows, document = rows_of(board), board.final.document
    assert rows
    Board.objects.filter(pk=board.pk).update(results_due=board.results_due + 5)
    compute_results(board.pk)
    assert finish_board(board.pk), "a second time it finds nothing to do"
    assert FinalStandings.objects.count() == 1
    run = board.submissions.get(run_id="R1")
    with pytest.raises(WithdrawalRefusedError, match="nothing changes them any more"):
        withdraw(run, by=cast.participant)
    late = make_upload(board, cast.team, cast.participant, GOOD)
    with pytest.raises(SubmissionRefusedError, match="Found a board that is closed since"):
        submit(late, RunCard(name="late"), by=cast.participant)
    path = tmp_path / "v2.txt"
    path.write_text("q01 0 other 1\nq02 0 other 1\n")
    current = current_version(board, LabelUse.OFFICIAL)
    (fault,) = find_version_faults(board, current, plan_version(current, path, "v2.txt"), "New.")
    assert "its standings final since" in fault.says
    assert set(frozen_keys(board)) >= {"closes_at", "title", "release", "official_measure"}
    with pytest.raises(InputError, match="its standings are final"):
        change_policy(board, {"closes_at": None}, by=cast.organiser)
    board.refresh_from_db()
    assert (rows_of(board), board.final.document) == (rows, document)


def test_organisers_are_asked_for_nothing_that_cannot_change(client: Client, cast: Cast, board: Board) -> None:
    """The policy page asks for what still may change, and takes it; the checklist offers no act."""
    close_board(board, typed="web-docs", by=cast.organiser)
    assert finish_board(board.pk)
    client.force_login(cast.organiser)
    page = client.get("/b/web-docs/organise/policy/").content.decode()
    assert "only its description, and who may see it, can change." in folded(page)
    asked = set(re.findall(r'name="(\w+)"', page[page.index('<form class="form"') :]))
    assert asked == {"csrfmiddlewaretoken", "description", "is_public"}
    said = {"description": "It is over.", "is_public": "on"}
    assert client.post("/b/web-docs/organise/policy/", said).status_code == 302
    board.refresh_from_db()
    assert (board.description, board.is_public, board.is_final) == ("It is over.", True, True)
    todo = client.get("/b/web-docs/organise/").content.decode()
    assert "Add a baseline" not in todo
    assert "The board is closed, and its standings are final." in todo


def test_nobody_is_offered_what_a_closed_board_does_not_take(client: Client, cast: Cast, board: Board) -> None:
    compute_results(board.pk)
    offers = {
        "": ("Take part", "in 30 days for each team", "can still see"),
        "data/": ("toprung submit", "--dry-run", "Rules in one breath"),
    }
    for page, words in offers.items():
        shown = folded(client.get(f"/b/web-docs/{page}").content.decode())
        assert [each for each in words if each not in shown] == [], page
    close_board(board, typed="web-docs", by=cast.organiser)
    assert finish_board(board.pk)
    for page, words in offers.items():
        shown = folded(client.get(f"/b/web-docs/{page}").content.decode())
        assert [each for each in words if each in shown] == [], page
    assert "The board takes no runs any more, and no dry runs." in shown


def test_organisers_are_offered_nothing_that_a_final_board_refuses(client: Client, cast: Cast, board: Board) -> None:
    client.force_login(cast.organiser)
    offers = {
        "baselines/": "Send and check",
        "labels/": "Publish a new version",
        "labels/publish/": '<button class="btn main" type="submit">Publish</button>',
        "import/": "toprung host import-runs",
    }
    for page, offer in offers.items():
        assert offer in client.get(f"/b/web-docs/organise/{page}").content.decode(), page
    close_board(board, typed="web-docs", by=cast.organiser)
    assert finish_board(board.pk)
    for page, offer in offers.items():
        shown = client.get(f"/b/web-docs/organise/{page}").content.decode()
        assert offer not in shown, page
        assert "The board is closed, and its standings are final" in shown, page


def test_they_are_cited_by_version_and_digest_and_kept_in_a_signed_bundle(
    client: Client, cast: Cast, board: Board, tmp_path: Path
) -> None:
    assert client.get("/b/web-docs/final/").status_code == 404, "not before the end"
    close_board(board, typed="web-docs", by=cast.organiser)
    finish_board(board.pk)
    file = client.get("/b/web-docs/final.json").content
    digest = f"sha256:{hashlib.sha256(file).hexdigest()}"
    page = client.get("/b/web-docs/final/").content.decode()
    assert f"Web Docs: final standings of {timezone.now():%Y-%m-%d}, RR@100, labels v1." in page
    assert "@misc{toprung-web-docs," in page
    assert page.count(digest) == 3, "in words, as BibTeX, beside the file"
    said = json.loads(file)
    assert [run["run"] for run in said["standings"]["runs"]] == ["R2", "R1"]
    assert said["labels_version"] == 1
    assert "organise/end/bundle" not in page
    assert client.get("/b/web-docs/organise/end/bundle").status_code == 302, "who is not signed in is asked to"
    client.force_login(cast.participant)
    assert client.get("/b/web-docs/organise/end/bundle").status_code == 404, "it has exact scores and all names"
    client.force_login(cast.organiser)
    bundle = tmp_path / "web-docs.toprung"
    bundle.write_bytes(b"".join(client.get("/b/web-docs/organise/end/bundle").streaming_content))
    final = FinalStandings.objects.get()
    assert f"sha256:{hashlib.sha256(bundle.read_bytes()).hexdigest()}" == final.bundle_digest
    assert verify_bundle(bundle, key=final.key).to_dict()["has_hidden_labels"] is False
    told = client.get("/api/v1/boards/web-docs").json()
    assert (told["is_open"], told["final_digest"]) == (False, digest)


def test_the_day_closes_it_by_itself(cast: Cast, board: Board) -> None:
    finish_closed_boards()
    run_tasks(raise_failures=True)
    board.refresh_from_db()
    assert not board.is_final, "it is open"
    Board.objects.filter(pk=board.pk).update(closes_at=timezone.now() - timedelta(hours=1))
    finish_closed_boards()
    run_tasks(raise_failures=True)
    board.refresh_from_db()
    assert board.is_final


def test_scores_that_are_held_back_are_shown_first(cast: Cast, board: Board) -> None:
    Board.objects.filter(pk=board.pk).update(release="closed:2199-01-01", closes_at=timezone.now())
    assert not finish_board(board.pk)
    board.refresh_from_db()
    assert list(what_waits(board)) == ["Scores are held back, as closed:2199-01-01 says."]


def test_a_board_that_closed_without_a_run_expects_none(client: Client, cast: Cast) -> None:
    make_board("empty", cast.organiser, closes_at=timezone.now() - timedelta(hours=1))
    shown = folded(client.get("/b/empty/").content.decode())
    assert "None came before the board closed." in shown
    assert "the first holder" not in shown
