"""What a storage that fails at the wrong moment does to a file in pieces: nothing that was taken is lost."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage
from pytest_django import Settings
from tests.web.api.calling import Program, program_of
from tests.web.cast import Cast
from tests.web.runs import GOOD

from toprung.web.core.models.runs import PartialUpload, Upload
from toprung.web.core.store.files import FilesAwayError
from toprung.web.services.runs import receive as receiving
from toprung.web.services.runs.forget import forget_stray_pieces

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
HALF = len(GOOD) // 2


@pytest.fixture
def program(cast: Cast) -> Program:
    return program_of(cast.participant)


@pytest.fixture(autouse=True)
def own_files(settings: Settings, tmp_path: Path) -> None:
    options = {"location": tmp_path / "files"}
    settings.STORAGES = settings.STORAGES | {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": options}
    }


def stored_folders() -> list[str]:
    """Folders with pieces."""
    folders, _ = default_storage.listdir("partial")
    return folders


def stored_file() -> bytes:
    """The only upload that there is."""
    with Upload.objects.get().original.open("rb") as file:
        return file.read()


def begin(program: Program) -> str:
    file_id: str = program.start("web-docs", "kestrel-lab", GOOD).json()["id"]
    assert program.send_piece("web-docs", file_id, GOOD[:HALF], 0).status_code == 200
    return file_id


def test_a_file_that_was_taken_stays_where_its_pieces_cannot_be_deleted(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The storage is away once the upload is saved; the pieces go when it is back, and those of others stay."""

    def fail(*_: object) -> None:
        raise FilesAwayError("away")

    file_id = begin(program)
    with monkeypatch.context() as patch:
        patch.setattr(FileSystemStorage, "listdir", fail)
        last = program.send_piece("web-docs", file_id, GOOD[HALF:], HALF)
    assert (last.status_code, last.json()["state"]) == (200, "waiting")
    assert stored_file() == GOOD
    begin(program)
    assert len(stored_folders()) == 2
    assert forget_stray_pieces() == 1
    assert [f"partial/{name}" for name in stored_folders()] == [PartialUpload.objects.get(upload=None).folder]


def test_a_piece_that_comes_too_late_is_no_fault_of_who_was_faster(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It came into the folder after that was looked through, so the folder cannot be deleted."""

    def list_before(self: FileSystemStorage, path: str) -> tuple[list[str], list[str]]:
        found = listdir(self, path)
        self.save(f"{path}/late", ContentFile(b"late"))
        return found

    file_id, listdir = begin(program), FileSystemStorage.listdir
    with monkeypatch.context() as patch:
        patch.setattr(FileSystemStorage, "listdir", list_before)
        last = program.send_piece("web-docs", file_id, GOOD[HALF:], HALF)
    assert (last.status_code, last.json()["state"]) == (200, "waiting")
    assert stored_file() == GOOD


def test_a_disk_that_fills_meanwhile_takes_no_more_pieces(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many may have begun while there was room for each of them."""
    file_id = begin(program)
    full = SimpleNamespace(disk_usage=lambda _: shutil._ntuple_diskusage(1, 1, 0))
    monkeypatch.setattr(receiving, "shutil", full)
    response = program.send_piece("web-docs", file_id, GOOD[HALF : HALF + 9], HALF)
    assert (response.status_code, "no room" in response.json()["detail"]) == (507, True)
    assert PartialUpload.objects.get().received == HALF


def test_a_file_of_which_a_piece_was_lost_is_begun_anew(program: Program) -> None:
    file_id = begin(program)
    default_storage.delete(PartialUpload.objects.get().pieces[0])
    refused = program.send_piece("web-docs", file_id, GOOD[HALF:], HALF)
    assert (refused.status_code, "send it anew" in refused.json()["detail"]) == (422, True)
    again = program.start("web-docs", "kestrel-lab", GOOD)
    assert (again.status_code, again.json()["received"]) == (201, 0)


@pytest.mark.parametrize("name", ["..", ".", "run." + "\u00e9" * 190])
def test_a_file_may_be_called_as_no_file_on_the_server_could_be(program: Program, name: str) -> None:
    file_id = program.start("web-docs", "kestrel-lab", GOOD, name=name).json()["id"]
    last = program.send_piece("web-docs", file_id, GOOD, 0)
    assert (last.status_code, last.json()["state"]) == (200, "waiting")
    assert Upload.objects.get().file_name == name
