"""A backup or a restore that is killed leaves nothing hidden behind, and the next one is not in its way."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.backups.test_backing_up import refusal, succeed
from tests.web.real_board import PATIENCE, RealBoard

from toprung.boards.archive.working_folder import PREFIX, working_folder

pytestmark = pytest.mark.postgres

PAUSED = """
import sys, time
from toprung.web.ops.start import start_django
start_django(None)
import {module} as module

def wait(*_, **__):
    print("there", flush=True)
    time.sleep({patience})

module.{name} = wait
from toprung.cli.main import main
sys.argv = ["toprung", *sys.argv[1:]]
main()
"""
IN_A_BACKUP = ("toprung.web.ops.backup.backing_up", "find_files")
"""Where the database is copied, and its files are not."""
IN_A_RESTORE = ("toprung.web.ops.backup.restoring", "put_back")
"""Where all files are in place, and the database is not."""


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealBoard]:
    board = RealBoard(tmp_path_factory.mktemp("killed") / "data")
    board.call("two_files")
    yield board
    board.stop()


@pytest.fixture(scope="module")
def backup(board: RealBoard) -> Path:
    path = board.folder.parent / "whole.tar"
    succeed(board, "backup", path)
    return path


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[RealBoard]:
    board = RealBoard(tmp_path / "elsewhere", is_empty=True)
    yield board
    board.stop()


def pause_half_way(board: RealBoard, place: tuple[str, str], *arguments: object) -> subprocess.Popen[bytes]:
    """Start the command, and wait until it is at this place, where it stays."""
    module, name = place
    code = PAUSED.format(module=module, name=name, patience=PATIENCE)
    process = board.start("-c", code, *map(str, arguments), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    with process.stdout as said:
        assert said.readline() == b"there\n"
    return process


def end_half_way(board: RealBoard, place: tuple[str, str], by: signal.Signals, *arguments: object) -> int:
    """The same, and send it the signal there; returns how it ended."""
    process = pause_half_way(board, place, *arguments)
    process.send_signal(by)
    return process.wait(PATIENCE)


def files_of(board: RealBoard) -> list[Path]:
    return [path for path in (board.folder / "files").rglob("*") if path.is_file()]


def test_a_backup_that_is_asked_to_end_leaves_nothing(board: RealBoard, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    assert end_half_way(board, IN_A_BACKUP, signal.SIGTERM, "backup", kept / "a.tar") == 128 + signal.SIGTERM
    assert list(kept.iterdir()) == []


def test_what_a_killed_backup_left_goes_with_the_next(board: RealBoard, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    end_half_way(board, IN_A_BACKUP, signal.SIGKILL, "backup", kept / "a.tar")
    assert [path.name[: len(PREFIX)] for path in kept.iterdir()] == [PREFIX]
    succeed(board, "backup", kept / "b.tar")
    assert [path.name for path in kept.iterdir()] == ["b.tar"]


def test_a_backup_at_work_is_left_alone(tmp_path: Path) -> None:
    with working_folder(tmp_path / "a.tar") as first, working_folder(tmp_path / "b.tar") as second:
        assert first.is_dir()
        assert second.is_dir()
    assert list(tmp_path.iterdir()) == []


def test_a_restore_that_is_asked_to_end_leaves_nothing(elsewhere: RealBoard, backup: Path) -> None:
    assert end_half_way(elsewhere, IN_A_RESTORE, signal.SIGTERM, "restore", backup) == 128 + signal.SIGTERM
    assert (files_of(elsewhere), list(elsewhere.folder.glob("*restor*"))) == ([], [])
    succeed(elsewhere, "restore", backup)


def test_a_killed_restore_is_undone_by_the_next(elsewhere: RealBoard, backup: Path) -> None:
    end_half_way(elsewhere, IN_A_RESTORE, signal.SIGKILL, "restore", backup)
    left = [path.name for path in files_of(elsewhere)]
    assert left
    assert "found a restore that is not done; expected all of a server, or nothing" in refusal(elsewhere, "migrate")
    succeed(elsewhere, "restore", backup)
    assert [path.name for path in files_of(elsewhere)] == left, "neither lost nor doubled under another name"
    assert elsewhere.call("is_chain_whole")
    assert "found a database; expected none" in refusal(elsewhere, "restore", backup)


def test_two_restores_are_not_at_work_in_one_place(elsewhere: RealBoard, backup: Path) -> None:
    pause_half_way(elsewhere, IN_A_RESTORE, "restore", backup)
    assert "found another restore at work here" in refusal(elsewhere, "restore", backup)
    assert files_of(elsewhere), "those of the first"


def test_other_folders_are_never_deleted(tmp_path: Path) -> None:
    of_another = tmp_path / f"{PREFIX}mine"
    of_another.mkdir()
    (of_another / "thesis.txt").write_text("all of it")
    with working_folder(tmp_path / "a.tar"):
        pass
    assert (of_another / "thesis.txt").exists()
