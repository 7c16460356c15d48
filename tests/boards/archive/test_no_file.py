"""A device or a pipe in the place of a file: it is refused before anything is read, for it may never end or begin."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from toprung.boards.archive.reading import read_archive
from toprung.cli.main import app
from toprung.client.run_card_file import read_card
from toprung.client.sending import open_file
from toprung.data.formats.content import digest_of
from toprung.errors import InputError
from toprung.web.ops.backup.contents import BACKUP

REFUSED = "found a device or a pipe; expected a file."


@pytest.fixture(params=["/dev/zero", "pipe"])
def stream(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / str(request.param)


@pytest.mark.parametrize("command", [["verify"], ["import"], ["backup", "--check"]])
def test_commands_refuse_it(command: list[str], stream: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, [*command, str(stream)])
    assert REFUSED in f"{done.output} {done.exception}"
    assert done.exit_code


def test_a_restore_refuses_it(stream: Path) -> None:
    with pytest.raises(InputError, match=REFUSED):
        read_archive(stream, BACKUP)


def _open(path: Path) -> None:
    with open_file(path):
        pass


@pytest.mark.parametrize("read", [digest_of, read_card, _open])
def test_readers_refuse_it(read: Callable[[Path], Any], stream: Path) -> None:
    with pytest.raises(InputError, match=REFUSED):
        read(stream)
