"""A little of the fuzzing at every run of the tests; ``python -m tests.fuzz`` does much more of it."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest
from tests.fuzz.readers import READERS

N_FILES = 25


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.django_db] if name == "api-bodies" else []) for name in READERS]
)
def test_changed_files_are_read_or_cleanly_refused(name: str, tmp_path: Path) -> None:
    reader, rng = READERS[name], random.Random(name)
    seeds = reader.seeds()
    path = tmp_path / "file"
    for _ in range(N_FILES):
        path.write_bytes(reader.make(rng.choice(seeds), rng))
        with contextlib.suppress(*reader.refuses_by):
            reader.read(path)
