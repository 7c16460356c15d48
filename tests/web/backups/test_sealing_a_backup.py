"""A backup is one sealed file: whichever byte changes, and wherever it is cut, it is found before anything is done."""

from __future__ import annotations

import hashlib
import io
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from toprung.boards.archive.manifest import Manifest, Member
from toprung.boards.archive.reading import read_archive
from toprung.boards.archive.writing import Source
from toprung.errors import InputError
from toprung.web.ops.backup.backing_up import write_backup
from toprung.web.ops.backup.contents import BACKUP, Backup, BackupFacts, count_files

pytestmark = pytest.mark.postgres

EMPTY = Manifest(
    kind=BACKUP,
    toprung="1.0",
    made_at="2026-11-15T12:00:00+00:00",
    facts=BackupFacts(database="sqlite", migrations=(), forgotten=(), lost=()),
)
CONTENT = {"database": b"rows " * 300, "files/labels/a.txt": b"q1 0 d1 1\n", "files/runs/empty": b""}


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    path = tmp_path / "backup.tar"
    write_backup(path, EMPTY, [source_of(name, content) for name, content in CONTENT.items()])
    return path


def source_of(name: str, content: bytes) -> Source:
    return Source(name=name, size=len(content), open=lambda: io.BytesIO(content))


def check(path: Path) -> Backup:
    return read_archive(path, BACKUP)


def test_what_was_written_is_read_with_its_digests(backup: Path) -> None:
    read = check(backup)
    for member in read.manifest.members:
        with read.open(member.name) as file:
            assert file.read() == CONTENT[member.name]
        assert member.sha256 == hashlib.sha256(CONTENT[member.name]).hexdigest()
    assert [member.name for member in read.manifest.members] == list(CONTENT)
    assert count_files(read.manifest) == 2


def test_a_backup_of_any_size_is_whole(tmp_path: Path) -> None:
    """Tar fills up blocks of 512 bytes."""
    for size in range(0, 11_000, 250):
        path = tmp_path / f"{size}.tar"
        write_backup(path, EMPTY, [source_of("database", bytes(size))])
        assert [member.size for member in check(path).manifest.members] == [size]


def test_a_name_of_any_length_and_script_is_kept(tmp_path: Path) -> None:
    """Tar has room for 100 bytes; longer ones come before their header."""
    contents = {f"files/labels/{letter * length}": b"q1 0 d1 1\n" for letter in "aé" for length in (40, 87, 88, 240)}
    path = tmp_path / "long.tar"
    write_backup(path, EMPTY, [source_of(name, content) for name, content in contents.items()])
    assert set(check(path).manifest.by_name) == set(contents)
    with tarfile.open(path) as tar:
        assert set(tar.getnames()) > set(contents)


def test_it_is_a_tar_for_its_owner_alone(backup: Path) -> None:
    assert backup.stat().st_mode & 0o777 == 0o600
    with tarfile.open(backup) as tar:
        assert tar.getnames() == ["manifest.json", "signature.json", *CONTENT]


def test_any_byte_that_changed_is_found(backup: Path, tmp_path: Path) -> None:
    """Every 13th is tried, in content, headers and what fills up blocks alike."""
    whole = backup.read_bytes()
    changed = tmp_path / "changed.tar"
    passed = []
    for position in range(0, len(whole), 13):
        flipped = bytes([whole[position] ^ 0x20])
        changed.write_bytes(whole[:position] + flipped + whole[position + 1 :])
        try:
            check(changed)
            passed.append(position)
        except InputError:
            pass
    assert passed == []


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.8, 0.95])
def test_a_file_that_was_cut_short_is_none(backup: Path, tmp_path: Path, share: float) -> None:
    whole = backup.read_bytes()
    cut = tmp_path / "cut.tar"
    cut.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(InputError, match="expected"):
        check(cut)
    cut.write_bytes(whole[:-1])
    with pytest.raises(InputError, match="found a byte that is not as it was written"):
        check(cut)
    cut.write_bytes(whole + b"\0")
    with pytest.raises(InputError, match="found a byte that is not as it was written"):
        check(cut)


def test_another_file_is_said(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("a shopping list\n" * 100)
    with pytest.raises(InputError, match=r"list\.txt: found no tar file; expected a backup of Toprung\."):
        check(path)


def test_a_fault_while_writing_leaves_nothing(tmp_path: Path) -> None:
    short = Source(name="database", size=500, open=lambda: io.BytesIO(b"short"))
    with pytest.raises(InputError, match="found 5 bytes; expected 500"):
        write_backup(tmp_path / "backup.tar", EMPTY, [short])
    assert list(tmp_path.iterdir()) == []


def test_an_earlier_backup_is_never_written_over(backup: Path) -> None:
    before = backup.read_bytes()
    with pytest.raises(InputError, match="found a file; expected a new name"):
        write_backup(backup, EMPTY, [])
    assert backup.read_bytes() == before


@pytest.mark.parametrize(
    "name", ["files/../../etc/passwd", "../x", "/etc/passwd", "files//x", "files/./x", "keys\\x", "other", "files/"]
)
def test_no_name_leads_out_of_the_folder(name: str) -> None:
    listed = replace(EMPTY, members=(Member(name=name, size=0),))
    with pytest.raises(InputError, match=r"found a member called .*; expected a name that a backup of Toprung has"):
        Manifest.read(listed.to_bytes(), kind=BACKUP, source="backup.tar")


def test_a_later_format_is_said() -> None:
    later = EMPTY.to_bytes().replace(b'"format_version": 2', b'"format_version": 3')
    with pytest.raises(InputError, match="found version 3 of the format; expected version 2"):
        Manifest.read(later, kind=BACKUP, source="backup.tar")
