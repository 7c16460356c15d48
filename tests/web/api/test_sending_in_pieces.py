"""A file comes in pieces: gone on with where it broke, counted once, whole or not at all; by the rules of the page."""

from __future__ import annotations

import dataclasses
import gzip
import os
import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.core.files.storage import FileSystemStorage, default_storage
from django.test import Client, TestCase
from django.utils import timezone
from pytest_django import Settings
from tests.web.api.calling import BASE, Program, announce, program_of
from tests.web.cast import Cast
from tests.web.runs import GOOD

from toprung.web.core.models.runs import PartialUpload, Upload
from toprung.web.services.runs import pieces
from toprung.web.services.runs.forget import forget_old_partials
from toprung.web.services.runs.pieces import WrongPlaceError, receive_piece
from toprung.web.services.runs.receive import FileRefusedError

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
HALF = len(GOOD) // 2


@pytest.fixture
def program(cast: Cast) -> Program:
    return program_of(cast.participant)


def begin(program: Program, content: bytes = GOOD) -> str:
    response = program.start("web-docs", "kestrel-lab", content)
    assert response.status_code in (200, 201), response.content.decode()
    file_id: str = response.json()["id"]
    return file_id


def stored_pieces() -> list[str]:
    """Names of all pieces that lie in the storage."""
    if not default_storage.exists("partial"):
        return []
    folders, _ = default_storage.listdir("partial")
    return [name for folder in folders for name in default_storage.listdir(f"partial/{folder}")[1]]


def stored_file() -> bytes:
    """The only upload that there is."""
    with Upload.objects.get().original.open("rb") as file:
        return file.read()


def test_what_broke_goes_on_where_it_was(program: Program) -> None:
    first = program.start("web-docs", "kestrel-lab", GOOD)
    assert first.status_code == 201
    assert first.json() | {"id": ""} == {
        "id": "",
        "state": "receiving",
        "received": 0,
        "size": len(GOOD),
        "chunk_bytes": 8 << 20,
    }
    file_id = first.json()["id"]
    sent = program.send_piece("web-docs", file_id, GOOD[:HALF], 0)
    assert (sent.status_code, sent.json()["received"], sent.json()["state"]) == (200, HALF, "receiving")
    again = program.start("web-docs", "kestrel-lab", GOOD)
    assert (again.status_code, again.json()["id"], again.json()["received"]) == (200, file_id, HALF)
    with TestCase.captureOnCommitCallbacks(execute=True):
        last = program.send_piece("web-docs", file_id, GOOD[HALF:], HALF)
    assert (last.json()["state"], last.json()["received"]) == ("waiting", len(GOOD))
    upload = Upload.objects.get()
    assert stored_file() == GOOD
    assert (upload.file_name, upload.size) == ("run.txt", len(GOOD))
    assert stored_pieces() == []


def test_a_piece_that_comes_twice_is_counted_once(program: Program) -> None:
    file_id = begin(program)
    program.send_piece("web-docs", file_id, GOOD[:HALF], 0)
    again = program.send_piece("web-docs", file_id, GOOD[:HALF], 0)
    assert (again.status_code, again.json()["received"]) == (409, HALF)
    ahead = program.send_piece("web-docs", file_id, GOOD[HALF + 9 :], HALF + 9)
    assert (ahead.status_code, ahead.json()["received"]) == (409, HALF)
    program.send_piece("web-docs", file_id, GOOD[HALF:], HALF)
    late = program.send_piece("web-docs", file_id, GOOD[HALF:], HALF)
    assert (late.status_code, late.json()["received"]) == (409, len(GOOD))
    assert Upload.objects.count() == 1


def test_of_two_at_the_same_place_one_is_counted(program: Program) -> None:
    """Both saw the file as it was before either came; the pieces themselves are cut elsewhere."""
    begin(program)
    one, other = PartialUpload.objects.get(), PartialUpload.objects.get()
    receive_piece(one, GOOD[:HALF], offset=0)
    with pytest.raises(WrongPlaceError) as refused:
        receive_piece(other, GOOD[: HALF - 7], offset=0)
    assert refused.value.received == HALF
    assert len(stored_pieces()) == 1
    one, other = PartialUpload.objects.get(), PartialUpload.objects.get()
    receive_piece(one, GOOD[HALF:], offset=HALF)
    with pytest.raises(WrongPlaceError) as refused:
        receive_piece(other, GOOD[HALF:], offset=HALF)
    assert refused.value.received == len(GOOD)
    assert stored_file() == GOOD


def test_a_last_piece_whose_answer_was_lost_may_be_sent_again(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process died after the piece was stored and before the upload was made."""
    file_id = begin(program)
    program.send_piece("web-docs", file_id, GOOD[:HALF], 0)
    with monkeypatch.context() as patch:
        patch.setattr(pieces, "keep_file", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            program.send_piece("web-docs", file_id, GOOD[HALF:], HALF)
    assert program.get(f"/boards/web-docs/files/{file_id}")["received"] == HALF
    assert program.send_piece("web-docs", file_id, GOOD[HALF:], HALF).json()["state"] == "waiting"
    assert stored_file() == GOOD


def test_another_file_than_was_announced_is_not_kept(program: Program) -> None:
    file_id = begin(program)
    with TestCase.captureOnCommitCallbacks(execute=True):
        response = program.send_piece("web-docs", file_id, GOOD[::-1], 0)
    assert response.status_code == 422
    assert "Nothing was kept" in response.json()["detail"]
    assert not PartialUpload.objects.exists()
    assert not Upload.objects.exists()
    assert stored_pieces() == []


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"size": 0}, 422),
        ({"size": -1}, 422),
        ({"size": 10**9}, 413),
        ({"digest": "sha256:" + "0" * 63}, 422),
        ({"digest": "md5:" + "0" * 64}, 422),
        ({"team": "norrland-ir"}, 404),
        ({"team": "no-such-team"}, 404),
        ({"file_name": "half \ud800"}, 422),
    ],
)
def test_what_cannot_come_is_refused_at_once(program: Program, change: dict[str, object], status: int) -> None:
    body = announce("kestrel-lab", GOOD) | change
    assert program.status("POST", "/boards/web-docs/files", body) == status
    assert not PartialUpload.objects.exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"size": None}, "Found something else at body size; expected a valid integer."),
        ({"size": "x"}, "Found something else at body size; expected a valid integer, unable to parse string as an"),
        ({"digest": "md5:0"}, "Found something else at body digest; expected text that should match pattern"),
        ({"file_name": "x" * 1001}, "at body file_name; expected text that should have at most 1000 characters."),
        ({"size": "9" * 5_000}, "Found something else at body size; expected another value: unable to parse"),
    ],
)
def test_a_refusal_says_what_was_expected_where(program: Program, change: dict[str, object], said: str) -> None:
    response = program.ask("POST", "/boards/web-docs/files", announce("kestrel-lab", GOOD) | change)
    assert (response.status_code, said in response.json()["detail"]) == (422, True)


def test_what_was_left_out_is_named(program: Program) -> None:
    body = announce("kestrel-lab", GOOD)
    del body["digest"]
    response = program.ask("POST", "/boards/web-docs/files", body)
    assert response.json() == {"detail": "Found nothing at body digest; expected a value."}


def test_a_name_with_folders_is_only_shown(program: Program) -> None:
    program.start("web-docs", "kestrel-lab", GOOD, name="../../etc/passwd")
    assert PartialUpload.objects.get().file_name == "passwd"


def test_pieces_are_bytes_as_they_are(program: Program) -> None:
    file_id = begin(program)
    path = f"/boards/web-docs/files/{file_id}"
    packed = gzip.compress(GOOD)
    assert program.status("PATCH", path, content=packed, Upload_Offset="0", Content_Encoding="gzip") == 415
    assert program.status("PATCH", path, content=GOOD, Upload_Offset="0", Content_Type="text/plain") == 415
    assert program.status("PATCH", path, content=GOOD, Upload_Offset="-1") == 422
    assert program.status("PATCH", path, content=GOOD, Upload_Offset="one") == 422
    assert program.status("PATCH", path, content=GOOD) == 422
    assert program.status("PATCH", path, content=GOOD + b"x", Upload_Offset="0") == 422
    assert program.status("PATCH", path, content=b"x" * (pieces.LARGEST_PIECE + 1), Upload_Offset="0") == 413
    with pytest.raises(FileRefusedError, match="empty piece"):
        receive_piece(PartialUpload.objects.get(), b"", offset=0)
    assert stored_pieces() == []


@pytest.mark.parametrize("length", ["0", "", "many", "1.5", "-1", "9" * 5_000])
def test_a_wrong_length_is_no_fault_of_the_server(program: Program, length: str) -> None:
    path = f"{BASE}/boards/web-docs/files/{begin(program)}"
    headers = {"Authorization": f"Bearer {program.secret}", "Upload-Offset": "0"}
    response = Client().generic(
        "PATCH", path, GOOD, content_type="application/octet-stream", headers=headers, CONTENT_LENGTH=length
    )
    assert response.status_code in (400, 422)
    assert stored_pieces() == []


def test_announcements_are_json(program: Program) -> None:
    path, body = "/boards/web-docs/files", announce("kestrel-lab", GOOD)
    assert program.status("POST", path, body, Content_Type="text/plain") == 415
    assert program.status("POST", path, body, Content_Encoding="gzip") == 415
    assert program.status("POST", path, content=b"{", Content_Type="application/json") == 400
    assert program.status("POST", path, content=b"[" * 3_000_000, Content_Type="application/json") == 413


def test_a_person_has_so_many_on_their_way(program: Program, cast: Cast) -> None:
    for number in range(pieces.MOST_OPEN):
        begin(program, GOOD + b"#" * number)
    response = program.start("web-docs", "kestrel-lab", GOOD + b"one more")
    assert (response.status_code, response.headers["Retry-After"]) == (429, "60")
    assert program_of(cast.mate).start("web-docs", "kestrel-lab", GOOD).status_code == 201


def test_no_more_pieces_than_can_be_kept_in_order(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "MOST_PIECES", 2)
    file_id = begin(program)
    statuses = [program.send_piece("web-docs", file_id, GOOD[at : at + 1], at).status_code for at in range(3)]
    assert statuses == [200, 200, 422]


def test_a_board_that_is_closed_takes_no_files(program: Program, cast: Cast) -> None:
    file_id = begin(program)
    cast.board.closes_at = timezone.now()
    cast.board.save()
    assert program.start("web-docs", "kestrel-lab", GOOD + b"x").status_code == 422
    assert program.send_piece("web-docs", file_id, GOOD, 0).status_code == 422
    assert not Upload.objects.exists()


def test_files_wait_for_their_check_as_those_of_the_page(program: Program) -> None:
    """Three at once: the same count, whichever way they come."""
    for number in range(3):
        program.send("web-docs", "kestrel-lab", GOOD + b"\n" * number)
    response = program.start("web-docs", "kestrel-lab", GOOD + b"\n" * 9)
    assert response.status_code == 429
    assert "waiting for a check" in response.json()["detail"]


def test_a_disk_without_room_takes_nothing(program: Program, settings: Settings) -> None:
    settings.ENVIRONMENT = dataclasses.replace(django_settings.ENVIRONMENT, max_upload_bytes=1 << 60)
    response = program.start("web-docs", "kestrel-lab", GOOD)
    assert response.status_code == 507
    assert "no room" in response.json()["detail"]


def test_nobody_else_goes_on_with_it(program: Program, cast: Cast) -> None:
    file_id = begin(program)
    mate, stranger = program_of(cast.mate), program_of(cast.stranger)
    assert mate.send_piece("web-docs", file_id, GOOD, 0).status_code == 404
    assert stranger.send_piece("web-docs", file_id, GOOD, 0).status_code == 404
    assert program.send_piece("elsewhere", file_id, GOOD, 0).status_code == 404
    assert mate.get(f"/boards/web-docs/files/{file_id}")["state"] == "receiving"
    assert stranger.status("GET", f"/boards/web-docs/files/{file_id}") == 404


def test_what_nobody_goes_on_with_is_forgotten_after_a_day(program: Program) -> None:
    file_id = begin(program)
    program.send_piece("web-docs", file_id, GOOD[:HALF], 0)
    assert forget_old_partials() == 0
    PartialUpload.objects.update(touched_at=timezone.now() - timedelta(days=1, minutes=1))
    with TestCase.captureOnCommitCallbacks(execute=True):
        assert forget_old_partials() == 1
    assert program.status("GET", f"/boards/web-docs/files/{file_id}") == 404
    assert stored_pieces() == []


def test_a_file_that_was_forgotten_meanwhile_is_said_to_be_gone(program: Program) -> None:
    begin(program)
    held = PartialUpload.objects.get()
    PartialUpload.objects.all().delete()
    with pytest.raises(FileRefusedError, match="not kept any more"):
        receive_piece(held, GOOD[:HALF], offset=0)
    assert stored_pieces() == []


def test_a_piece_whose_folder_was_emptied_while_it_was_stored_is_told_where_to_go_on(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else sent the last piece between the storage's writing this one and its looking at it."""
    begin(program)
    late = PartialUpload.objects.get()
    receive_piece(PartialUpload.objects.get(), GOOD, offset=0)

    def empty_then_look(_: FileSystemStorage, path: str) -> None:
        shutil.rmtree(Path(path).parent)
        os.stat(path)

    monkeypatch.setattr(FileSystemStorage, "_ensure_location_group_id", empty_then_look)
    with pytest.raises(WrongPlaceError) as refused:
        receive_piece(late, GOOD[:HALF], offset=0)
    assert refused.value.received == len(GOOD)
    assert stored_pieces() == []


@pytest.fixture(autouse=True)
def own_files(settings: Settings, tmp_path: Path) -> None:
    """A storage of its own, so that a test sees its own pieces alone."""
    options = {"location": tmp_path / "files"}
    settings.STORAGES = settings.STORAGES | {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": options}
    }
