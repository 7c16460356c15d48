"""The disk is full for a while, or cannot be written to: that is said, and nothing that was acknowledged is lost."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.chaos.counts import Counts, count_waiting
from tests.chaos.load import Submitters
from tests.chaos.own_mounts import may_mount
from tests.chaos.site import Site
from tests.chaos.test_kills import A_WHOLE_QUEUE, STAGES
from tests.web.own_database import SERVER
from tests.web.real_board import PATIENCE, RealBoard, wait_until

MEGABYTES = 60
SECONDS_FULL = 4.0
NO_ANSWER = 0
"""On a busy machine one may take longer than a submitter waits."""


@contextmanager
def a_disk(folder: Path, *options: str) -> Iterator[Path]:
    """A small one of its own."""
    folder.mkdir()
    what = ["mount", "-t", "tmpfs", "-o", ",".join([f"size={MEGABYTES}m", *options]), "tmpfs", str(folder)]
    subprocess.run(what, check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with a_disk(tmp_path / "disk") as disk:
        board = RealBoard(disk / "data")
        site = Site(board=board)
        yield site
        site.stop()
        board.stop()


def fill(disk: Path) -> Path:
    """To the last byte."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            with_room = True
            while with_room:
                try:
                    with_room = file.write(b"\0" * size) == size
                except OSError:
                    with_room = False
    return filler


@pytest.mark.skipif(bool(SERVER), reason="The database lies on another disk here.")
@may_mount
def test_a_full_disk_takes_nothing_and_loses_nothing(site: Site) -> None:
    teams = site.board.call("submitters", of=STAGES, teams=2, files=8)
    site.start()
    people = Submitters(site.port, teams)
    wait_until(lambda: bool(people.acknowledged), "the first submission")
    filler = fill(site.board.folder.parent)
    wait_until(lambda: 503 in people.faults, "a submitter to hear of it")
    time.sleep(SECONDS_FULL)
    faults, n_acknowledged = set(people.faults), len(people.acknowledged)
    filler.unlink()
    people.end()
    wait_until(lambda: count_waiting(site.board) == 0, "the queue to be empty", patience=A_WHOLE_QUEUE)
    counts = Counts.of(site.board, people.acknowledged)
    print(f"full: faults {Counter(people.faults)}, {n_acknowledged} acknowledged by then, {counts}")
    assert (people.refused, counts.is_well) == ([], True), counts
    assert faults - {NO_ANSWER} == {503}, "the disk was full, and that was said as such"
    assert counts.acknowledged > n_acknowledged
    assert site.board.ask("PRAGMA integrity_check") == [("ok",)]
    assert site.board.call("is_chain_whole")


@may_mount
def test_a_folder_that_cannot_be_written_to_is_said(tmp_path: Path) -> None:
    with a_disk(tmp_path / "disk", "ro") as disk:
        done = subprocess.run(
            [Path(sys.executable).with_name("toprung"), "serve", "--data", disk / "data", "--port", "0"],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert str(tmp_path / "disk") in done.stderr
