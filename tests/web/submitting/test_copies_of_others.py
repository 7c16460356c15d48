"""A copy of another team's run is no new entry where labels are hidden; only organisers learn whose it is."""

from __future__ import annotations

import pytest
from tests.web.cast import DEV, Cast, make_cast, make_labels, make_upload
from tests.web.probing import QUERIES, make_small_board, send_run, spread, text_of

from toprung.data.run_card import RunCard
from toprung.web.core.models.audit import AuditEntry
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.runs import Upload, UploadState
from toprung.web.services.runs import copies
from toprung.web.services.runs.check import check_upload
from toprung.web.services.runs.copies import IS_A_COPY
from toprung.web.services.runs.submit import CheckAgainError, SubmissionRefusedError, check_again, submit

pytestmark = pytest.mark.django_db
CONTENT = text_of(spread(20, 20))
NEARLY = text_of(spread(20, 20) | dict.fromkeys(QUERIES[30:], 7))
"""Half of the queries have another answer."""


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


def test_nearly_a_copy_of_a_run_of_long_ago_is_one_too(
    hidden: tuple[Cast, Board], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the latest runs all are read; of all others those whose sketches are alike."""
    cast, board = hidden
    send_run(board, cast.team, cast.participant, "first", CONTENT)
    send_run(board, cast.team, cast.participant, "later", text_of({}).replace(b"other-", b"theirs-"))
    monkeypatch.setattr(copies, "MOST_COMPARED", 1)
    assert send(cast, board, NEARLY).state == UploadState.REFUSED
    said = AuditEntry.objects.filter(board=board).values_list("what", flat=True)
    assert any(f"is a copy, or nearly one, of R1 of {cast.team.name}" in each for each in said)
    assert send(cast, board, text_of({}).replace(b"other-", b"mine-")).state == UploadState.ACCEPTED


def test_what_stands_beside_the_queries_of_the_board_makes_no_new_run(hidden: tuple[Cast, Board]) -> None:
    """A file may have the dev queries too, of which there may be many more."""
    cast, board = hidden
    dev = [*DEV, *(f"dev-{number}" for number in range(300))]
    make_labels(board, LabelUse.DEV, dev, is_hidden=False)
    send_run(board, cast.team, cast.participant, "first", CONTENT)
    beside = "".join(f"{query} Q0 anything-{rank} {rank} {-rank} x\n" for query in dev for rank in range(1, 11))
    for content in (CONTENT, NEARLY):
        upload = send(cast, board, content + beside.encode())
        assert [each["what"] for each in upload.report["findings"] if each["severity"] == "error"] == [IS_A_COPY]


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


def test_two_near_copies_that_were_checked_before_either_was_submitted(hidden: tuple[Cast, Board]) -> None:
    cast, board = hidden
    upload = send(cast, board, NEARLY)
    another = send(cast, board, text_of({}).replace(b"other-", b"mine-"))
    send_run(board, cast.team, cast.participant, "first", CONTENT)
    with pytest.raises(CheckAgainError, match="checked once more"):
        submit(upload, RunCard(name="second"), by=cast.stranger)
    check_again(upload)
    check_upload(upload.pk)
    upload.refresh_from_db()
    assert upload.state == UploadState.REFUSED
    assert submit(another, RunCard(name="third"), by=cast.stranger).run_id == "R2", "it is like none of them"
