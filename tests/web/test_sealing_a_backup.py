"""A backup is one sealed file: whichever byte changes, and wherever it is cut, it is found before anything is done."""

from __future__ import annotations

import hashlib
import io
import tarfile
from pathlib import Path

import pytest

from toprung.errors import InputError
from toprung.web.ops.backup.archive import check, reading, writing
from toprung.web.ops.backup.manifest import BackupManifest, BackupMember

pytestmark = pytest.mark.postgres

EMPTY = BackupManifest(
    made_at="2026-11-15T12:00:00+00:00", version="1.0", kind="sqlite", migrations=(), forgotten=(), lost=(), members=()
)
CONTENT = {"database": b"rows " * 300, "files/labels/a.txt": b"q1 0 d1 1\n", "files/runs/empty": b""}


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    path = tmp_path / "backup.tar"
    with writing(path) as writer:
        for name, content in CONTENT.items():
            writer.add(name, io.BytesIO(content), len(content))
        writer.seal(EMPTY)
    return path


def test_what_was_written_is_read_with_its_digests(backup: Path) -> None:
    with reading(backup) as reader:
        for member in reader.manifest.members:
            read = io.BytesIO()
            reader.copy(member, read)
            assert read.getvalue() == CONTENT[member.name]
            assert member.sha256 == hashlib.sha256(CONTENT[member.name]).hexdigest()
        assert [member.name for member in reader.manifest.members] == list(CONTENT)
        assert reader.manifest.n_files == 2


def test_a_backup_of_any_size_is_whole(tmp_path: Path) -> None:
    """Tar fills up blocks of 512 bytes, and records of twenty blocks."""
    for size in range(0, 11_000, 250):
        path = tmp_path / f"{size}.tar"
        with writing(path) as writer:
            writer.add("database", io.BytesIO(bytes(size)), size)
            writer.seal(EMPTY)
        assert [member.size for member in check(path).members] == [size]


def test_it_is_a_tar_for_its_owner_alone(backup: Path) -> None:
    assert backup.stat().st_mode & 0o777 == 0o600
    with tarfile.open(backup) as tar:
        assert tar.getnames() == [*CONTENT, "manifest.json", "seal.sha256"]


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
    with pytest.raises(OSError, match="unexpected end of data"), writing(tmp_path / "backup.tar") as writer:
        writer.add("database", io.BytesIO(b"short"), 500)
    assert list(tmp_path.iterdir()) == []


def test_an_earlier_backup_is_never_written_over(backup: Path) -> None:
    before = backup.read_bytes()
    with pytest.raises(InputError, match="found a file; expected a new name"), writing(backup):
        pass
    assert backup.read_bytes() == before


@pytest.mark.parametrize(
    "name", ["files/../../etc/passwd", "../x", "/etc/passwd", "files//x", "files/./x", "keys\\x", "other", "files/"]
)
def test_no_name_leads_out_of_the_folder(name: str, tmp_path: Path) -> None:
    listed = BackupManifest(**(vars(EMPTY) | {"members": (BackupMember(name=name, size=0, sha256="0" * 64),)}))
    with pytest.raises(InputError, match="found a list of what is in it that cannot be read"):
        BackupManifest.from_json(listed.to_json(), path=tmp_path)


def test_a_later_format_is_said(tmp_path: Path) -> None:
    later = EMPTY.to_json().replace(b"toprung-backup-1", b"toprung-backup-2")
    with pytest.raises(InputError, match="found a backup of format 'toprung-backup-2'; expected toprung-backup-1"):
        BackupManifest.from_json(later, path=tmp_path)
