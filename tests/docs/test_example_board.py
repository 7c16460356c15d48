"""The made-up leaderboard of the examples is what its script makes."""

from __future__ import annotations

import gzip
import importlib.util
from pathlib import Path

BOARD = Path(__file__).parents[2] / "docs/examples/board"


def content_of(path: Path) -> bytes:
    """Unpacked: packed bytes depend on the library that packs."""
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def test_the_script_makes_the_files_beside_it(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("make_board", BOARD / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main(tmp_path)
    there = {
        path.name: content_of(path) for path in BOARD.iterdir() if path.suffix not in (".py", ".pyc") and path.is_file()
    }
    assert {path.name: content_of(path) for path in tmp_path.iterdir()} == there
    assert len(there) == 19
