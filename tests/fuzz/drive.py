"""Gives a reader changed files in child processes, and counts what it makes of them.

A child reads many files, since to start one takes longer than to read one. Before each it says which one comes, so that
a death has a cause. What was found is kept beside the counts: the file, and what the reader did.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import random
import resource
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from tests.fuzz.readers import READERS, FuzzedReader

FILES_PER_CHILD = 2000
MOST_FOUND = 20
MEMORY_FACTOR, MEMORY_FREE = 10, 200 << 20
"""A file may take ten times its size and 200 MB more."""
ADDRESS_SPACE = 16 << 30
PATIENCE = 60
"""Seconds for one file."""


@dataclass
class Tally:
    """How many files were read, refused with a sentence, or did harm; and those that did."""

    counts: Counter[str] = field(default_factory=Counter)
    harmful: list[tuple[bytes, str]] = field(default_factory=list)
    largest_growth: int = 0
    seconds: float = 0.0

    @property
    def n_files(self) -> int:
        return sum(self.counts.values())

    def add(self, data: bytes, outcome: str, growth: int) -> None:
        kind = outcome.split(":", maxsplit=1)[0]
        self.counts[kind] += 1
        self.largest_growth = max(self.largest_growth, growth)
        if kind not in ("read", "refused") and len(self.harmful) < MOST_FOUND:
            self.harmful.append((data, outcome))


def fuzz(name: str, *, seconds: float, seed: int, most_files: int | None = None) -> Tally:
    """Files until the time is over, or there were so many."""
    tally, began = Tally(), time.monotonic()
    batch = 0
    while time.monotonic() - began < seconds and (most_files is None or tally.n_files < most_files):
        left = FILES_PER_CHILD if most_files is None else min(FILES_PER_CHILD, most_files - tally.n_files)
        until = began + seconds
        for data, outcome, growth in _in_child(name, f"{seed}/{batch}", left, until):
            tally.add(data, outcome, growth)
        batch += 1
    tally.seconds = time.monotonic() - began
    return tally


def _in_child(name: str, seed: str, n: int, until: float) -> Iterator[tuple[bytes, str, int]]:
    """What became of each file; a file whose reader died is the last of its child."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("spawn").Process(target=_read_many, args=(theirs, name, seed, n, until))
    child.start()
    theirs.close()
    data: bytes | None = None
    is_stuck = False
    with contextlib.suppress(EOFError):
        while not is_stuck:
            data = ours.recv_bytes() if ours.poll(PATIENCE) else None
            is_stuck = not ours.poll(PATIENCE)
            if data is not None and not is_stuck:
                outcome, growth = ours.recv()
                yield data, outcome, growth
                data = None
    if is_stuck:
        child.kill()
    child.join()
    if is_stuck or data is not None or child.exitcode:
        yield data or b"", "stuck: no answer" if is_stuck else f"died: exit code {child.exitcode}", 0


def _read_many(answers: Connection, name: str, seed: str, n: int, until: float) -> None:
    if "ASAN_OPTIONS" not in os.environ:  # its shadow of the memory is larger than any limit
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    warnings.simplefilter("ignore")
    reader, rng = READERS[name], random.Random(seed)
    reader.prepare()
    seeds = reader.seeds()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        _warm_up(reader, path, seeds)
        for _ in range(n):
            if time.monotonic() > until:
                break
            data = reader.make(rng.choice(seeds), rng)
            path.write_bytes(data)
            answers.send_bytes(data)
            answers.send(_read_one(reader, path, len(data)))


def _warm_up(reader: FuzzedReader, path: Path, seeds: list[bytes]) -> None:
    """What is loaded once is not what a file takes."""
    for data in seeds:
        path.write_bytes(data)
        with contextlib.suppress(*reader.refuses_by):
            reader.read(path)


def _read_one(reader: FuzzedReader, path: Path, size: int) -> tuple[str, int]:
    before = _forget_peak()
    try:
        reader.read(path)
        outcome = "read"
    except reader.refuses_by:
        outcome = "refused"
    except Exception as error:
        outcome = f"{type(error).__name__}: {error}"[:2000]
    growth = _peak() - before
    return ("memory: " + outcome if growth > MEMORY_FACTOR * size + MEMORY_FREE else outcome), growth


def _forget_peak() -> int:
    """From here on the peak is that of the next file; what is held now, in bytes."""
    Path("/proc/self/clear_refs").write_text("5")
    return _memory("VmRSS:")


def _peak() -> int:
    return _memory("VmHWM:")


def _memory(field: str) -> int:
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith(field))
