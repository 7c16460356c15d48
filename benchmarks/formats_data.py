"""The same runs packed, as Parquet, with mixed queries and with a fault: ``python -m benchmarks.formats_data``."""

import gzip
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import zstandard

TOPRUNG = str(Path(sys.executable).with_name("toprung"))


def make_inputs(large: Path, small: Path, folder: Path) -> None:
    """Those that are not there."""
    folder.mkdir(parents=True, exist_ok=True)
    _make(folder / "run.gz", lambda: gzip.compress(large.read_bytes(), 6))
    _make(folder / "run.zst", lambda: zstandard.compress(large.read_bytes(), 3))
    _make(folder / "mixed.trec", lambda: mix_lines(small.read_bytes()))
    _make(folder / "faulty.trec", lambda: add_fault(large.read_bytes()))
    if not (table := folder / "run.parquet").exists():
        subprocess.run([TOPRUNG, "convert", str(large), str(table)], check=True, stdout=subprocess.DEVNULL)


def _make(path: Path, content: Callable[[], bytes]) -> None:
    if not path.exists():
        path.write_bytes(content())


def mix_lines(text: bytes) -> bytes:
    lines = text.splitlines(keepends=True)
    random.Random(8).shuffle(lines)
    return b"".join(lines)


def add_fault(text: bytes) -> bytes:
    """One line in the middle."""
    middle = text.index(b"\n", len(text) // 2) + 1
    return text[:middle] + b"not a line of a run\n" + text[middle:]


if __name__ == "__main__":
    make_inputs(*map(Path, sys.argv[1:]))
