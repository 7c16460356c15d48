"""What memory does a faulty file of a million lines take? About what a good one takes; mixed, a few times its size."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.fuzz.drive import MEMORY_FACTOR, MEMORY_FREE

from toprung.data.formats.runs.validate import validate_run

QUERIES, DEPTH = 1000, 1000
MUCH = 180 << 20
"""For what reads line by line, and a piece of the file; to hold all rows takes three times as much."""
CHILD = f"""
import sys
from {validate_run.__module__} import {validate_run.__name__}
print({validate_run.__name__}(sys.argv[1]).is_valid)
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM:")))
"""
FAULT = "q500 D1 1 1 run\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """`good`; `faulty` with a line that lacks a column; and `mixed` with the same, whose first query comes back."""
    made = tmp_path_factory.mktemp("million")
    lines = [
        f"q{query} Q0 D{query}_{rank} {rank} {DEPTH - rank}.5 run\n"
        for query in range(QUERIES)
        for rank in range(DEPTH)
    ]
    faulty = [*lines[: len(lines) // 2], FAULT, *lines[len(lines) // 2 :]]
    contents = {"good": lines, "faulty": faulty, "mixed": [*faulty, "q0 Q0 last 1001 -1 run\n"]}
    for name, content in contents.items():
        (made / name).write_text("".join(content))
    yield made
    for name in contents:
        (made / name).unlink()


def peak_of(file: Path) -> tuple[str, int]:
    """Whether a process of its own found it valid, and the most memory that it took."""
    done = subprocess.run([sys.executable, "-c", CHILD, file], capture_output=True, text=True, check=True)
    is_valid, kilobytes = done.stdout.split()
    return is_valid, int(kilobytes) << 10


def test_a_faulty_file_takes_about_what_a_good_one_takes(folder: Path) -> None:
    (good, least), (faulty, most) = peak_of(folder / "good"), peak_of(folder / "faulty")
    assert (good, faulty) == ("True", "False")
    assert most < least + MUCH, (most >> 20, least >> 20)


def test_one_whose_queries_are_mixed_takes_what_any_reader_may(folder: Path) -> None:
    faulty, most = peak_of(folder / "mixed")
    size = (folder / "mixed").stat().st_size
    assert faulty == "False"
    assert most < MEMORY_FACTOR * size + MEMORY_FREE, (most >> 20, size >> 20)
