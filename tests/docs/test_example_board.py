"""The made-up leaderboard of the examples is what its script makes."""

from __future__ import annotations

import gzip
from pathlib import Path

from docs.examples.board import make

BOARD = Path(__file__).parents[2] / "docs/examples/board"


def content_of(path: Path) -> bytes:
    """Unpacked: packed bytes depend on the library that packs."""
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def test_the_script_makes_the_files_beside_it(tmp_path: Path) -> None:
    make.main(tmp_path)
    there = {
        path.name: content_of(path) for path in BOARD.iterdir() if path.suffix not in (".py", ".pyc") and path.is_file()
    }
    assert {path.name: content_of(path) for path in tmp_path.iterdir()} == there
    assert len(there) == 19
