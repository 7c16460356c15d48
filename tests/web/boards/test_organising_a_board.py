"""Organisers see what is missing on their board, what waits for them, and where everything else is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from django.test import Client
from django.utils import timezone
from tests.web.cast import DEV, OFFICIAL, PRIVATE, Cast, make_user
from tests.web.reading import folded
from tests.web.runs import settled

from toprung.web.core.models.boards import Admission, Board, BoardRole, Role
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.reported_labels import ReportedLabel
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.services.boards.checklist import find_needs, list_items, say_missing
from toprung.web.services.data.give import FileSaid, give_file

PAGE = "/b/web-docs/organise/"


def done(board: Board) -> dict[str, bool]:
    return {item.key: item.is_done for item in list_items(board)}


def test_what_is_missing_is_listed_until_it_is_done(client: Client, cast: Cast) -> None:
    board = cast.board
    Board.objects.filter(pk=board.pk).update(who_may_submit=Admission.APPROVED, is_public=False)
    board.refresh_from_db()
    assert done(board) == {
        "settings": True,
        "baseline": False,
        "dev": True,
        "texts": False,
        "kit": False,
        "invite": False,
        "share": False,
    }
    bold, rest = say_missing(board, list_items(board))
    assert bold == "The board is open; five things would make it easier to join."
    assert rest == "Next: a baseline."
    BoardRole.objects.create(board=board, user=cast.participant, role=Role.PARTICIPANT)
    Board.objects.filter(pk=board.pk).update(is_public=True)
    run = settled(cast, "bm25", 5)
    Submission.objects.filter(pk=run.pk).update(is_baseline=True)
    assert [key for key, is_done in done(Board.objects.get(pk=board.pk)).items() if not is_done] == ["texts", "kit"]
    client.force_login(cast.organiser)
    page = folded(client.get(PAGE).content.decode())
    assert "two things would make it easier to join." in page
    assert "bm25. A second one shows teams what a step up looks like." in page
    assert "Judg" not in page.partition("Run the board")[2], "no offer of judging where there is none"


def test_the_kit_is_done_once_a_whole_run_can_be_made(cast: Cast, tmp_path: Path) -> None:
    """Texts of the dev queries alone let nobody answer those of the leaderboard."""

    def give(name: str, query_ids: Sequence[str], **how: bool) -> str:
        (tmp_path / name).write_text("".join(f"{query_id}\twhat is {query_id}\n" for query_id in query_ids))
        give_file(cast.board, FileSaid(kind="queries", name=name, **how), tmp_path / name, by=cast.organiser)
        return next(item.said for item in list_items(cast.board) if item.key == "kit")

    lacks = "Its files lack texts of queries that runs are scored on"
    assert lacks in give("dev.tsv", DEV)
    assert lacks in give("seen-by-nobody.tsv", [*OFFICIAL, *PRIVATE], is_hidden=True)
    assert lacks in give("official.tsv", OFFICIAL), "private queries are in every run too"
    assert lacks not in give("private.tsv", PRIVATE)
    assert done(cast.board)["kit"]


def test_a_board_that_lacks_everything_says_what_comes_next(client: Client, cast: Cast) -> None:
    """As one is that was just made for teams to be approved, with hidden labels alone."""
    LabelSet.objects.filter(board=cast.board, use=LabelUse.DEV).delete()
    Board.objects.filter(pk=cast.board.pk).update(who_may_submit=Admission.APPROVED, is_public=False)
    board = Board.objects.get(pk=cast.board.pk)
    assert [key for key, is_done in done(board).items() if is_done] == ["settings"]
    client.force_login(cast.organiser)
    page = folded(client.get(PAGE).content.decode())
    assert "The board is open; six things would make it easier to join.</b> Next: a baseline." in page


def test_what_waits_for_someone_is_said_with_where(client: Client, cast: Cast) -> None:
    board = cast.board
    run = settled(cast, "one", 5)
    Submission.objects.filter(pk=run.pk).update(state=RunState.FAILED)
    BoardRole.objects.create(board=board, user=make_user("asks"), role=Role.APPLICANT)
    labels = LabelSet.objects.get(board=board, use="official")
    labels.pk, labels.version, labels.current_since, labels.failure = None, 2, None, "It broke."
    labels.is_current, labels.published_at = False, timezone.now()
    labels.save()
    ReportedLabel.objects.create(board=board, user=cast.stranger, query_id="d01", why="Another answer.")
    needs = {need.page: need.said for need in find_needs(board)}
    assert needs["reported_labels"] == "1 label reported as wrong."
    assert needs["people"] == "1 person asks to take part."
    assert needs["audit"] == "R1 failed on our side: look at the log."
    assert "could not be prepared" in needs["preparation"]
    assert "No worker was seen yet" in needs[""]
    client.force_login(cast.organiser)
    page = folded(client.get(PAGE).content.decode())
    assert 'href="/b/web-docs/organise/people/">Look' in page
    assert 'href="/b/web-docs/organise/reports/">Look' in page
    assert "Nothing waits" not in page
