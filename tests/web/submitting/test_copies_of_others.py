"""A copy of another team's run is no new entry where labels are hidden; only organisers learn whose it is."""

from __future__ import annotations

import pytest
from tests.web.cast import Cast, make_cast, make_upload
from tests.web.probing import QUERIES, make_small_board, send_run, spread, text_of

from toprung.data.run_card import RunCard
from toprung.web.core.models.audit import AuditEntry
from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import Upload, UploadState
from toprung.web.services.runs.check import check_upload
from toprung.web.services.runs.copies import IS_A_COPY
from toprung.web.services.runs.submit import SubmissionRefusedError, submit

pytestmark = pytest.mark.django_db
CONTENT = text_of(spread(20, 20))


@pytest.fixture
def hidden() -> tuple[Cast, Board]:
    cast = make_cast()
    return cast, make_small_board(cast, "board-ladder:auto", {})


def send(cast: Cast, board: Board, content: bytes) -> Upload:
    """By the other team."""
    upload = make_upload(board, cast.other_team, cast.stranger, content)
    check_upload(upload.pk)
    upload.refresh_from_db()
    return upload


def other_scores(content: bytes) -> bytes:
    """The same ranking in another file: other scores, another tag."""
    rows = [line.split() for line in content.decode().splitlines()]
    return "".join(f"{q} Q0 {d} {rank} {float(score) / 7:.4f} mine\n" for q, _, d, rank, score, _ in rows).encode()


@pytest.mark.parametrize("content", [CONTENT, other_scores(CONTENT)])
def test_a_copy_is_refused_and_whose_it_is_stays_with_the_organisers(
    hidden: tuple[Cast, Board], content: bytes
) -> None:
    cast, board = hidden
    send_run(board, cast.team, cast.participant, "first", CONTENT)
    upload = send(cast, board, content)
    assert upload.state == UploadState.REFUSED
    assert [each["what"] for each in upload.report["findings"] if each["severity"] == "error"] == [IS_A_COPY]
    assert "R1" not in str(upload.report["findings"])
    assert cast.team.name not in str(upload.report)
    said = AuditEntry.objects.filter(board=board).values_list("what", flat=True)
    assert any(f"{cast.other_team.name} is a copy, or nearly one, of R1 of {cast.team.name}" in each for each in said)


def test_nearly_a_copy_is_one_too(hidden: tuple[Cast, Board]) -> None:
    """Two documents change places on one query of sixty."""
    cast, board = hidden
    send_run(board, cast.team, cast.participant, "first", CONTENT)
    changed = CONTENT.replace(f"other-{QUERIES[1]}-4 4 96".encode(), b"another 4 96")
    assert changed != CONTENT
    assert send(cast, board, changed).state == UploadState.REFUSED


def test_a_run_of_its_own_is_taken(hidden: tuple[Cast, Board]) -> None:
    cast, board = hidden
    send_run(board, cast.team, cast.participant, "first", CONTENT)
    other = text_of({}).replace(b"other-", b"mine-")
    assert send(cast, board, other).state == UploadState.ACCEPTED


def test_two_copies_that_were_checked_before_either_was_submitted(hidden: tuple[Cast, Board]) -> None:
    cast, board = hidden
    upload = send(cast, board, CONTENT)
    assert upload.state == UploadState.ACCEPTED
    send_run(board, cast.team, cast.participant, "first", CONTENT)
    with pytest.raises(SubmissionRefusedError, match="a copy is no new entry"):
        submit(upload, RunCard(name="second"), by=cast.stranger)
