"""Where does a judging effort keep what it knows? One plain folder: append-only JSONL files and a manifest.

Every line is written at once and flushed to disk before the next step. A line torn by a crash is the last of its file
and is left out when read; the next line written takes its place. A last line that only lacks its end is kept.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

from toprung.data.folder_lock import LOCK, hold
from toprung.data.formats.judgments.kept import parse_kept
from toprung.data.judgments import Judgments
from toprung.errors import FormatError, InputError
from toprung.labels.effort.manifest_check import check_manifest
from toprung.labels.effort.store import JUDGMENTS, RecordStore

MANIFEST = "manifest.json"
LAYOUT = 1
SHORTEST = 60
"""No judgment takes fewer characters."""


@dataclass(frozen=True)
class Effort(RecordStore):
    """A folder of records by kind, such as ``pools``, ``tasks`` and ``judgments``; the current state is derived."""

    folder: Path
    _places: dict[str, tuple[int, int]] = field(default_factory=dict, init=False, repr=False, compare=False)
    """How many whole lines of a kind were read last, and where they end: what is behind can be read alone."""

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> Self:
        """A folder that is there."""
        effort = cls(Path(folder))
        if not (effort.folder / MANIFEST).is_file():
            raise InputError(
                f"{effort.folder}: found no {MANIFEST}; expected the state of a judging effort. "
                "`toprung labels pool` or `toprung labels import` starts one."
            )
        layout = effort.manifest.get("layout")
        if layout != LAYOUT:
            raise InputError(f"{effort.folder}: found layout {layout!r}; expected {LAYOUT}, which this version reads.")
        return effort

    @classmethod
    def open_or_create(cls, folder: str | os.PathLike[str]) -> Self:
        """The folder, made if it is missing or empty."""
        effort = cls(Path(folder))
        if not (effort.folder / MANIFEST).exists():
            effort._start()
        return cls.open(folder)

    def _start(self) -> None:
        self._refuse_another_folder()
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.alone():
            if not (self.folder / MANIFEST).exists():
                self.note({"layout": LAYOUT})

    def _refuse_another_folder(self) -> None:
        """A hidden file is no other work: it may be of another process that starts here too."""
        if not self.folder.exists():
            return
        is_taken = not self.folder.is_dir() or any(not each.name.startswith(".") for each in self.folder.iterdir())
        if is_taken and not (self.folder / MANIFEST).exists():
            raise InputError(
                f"{self.folder}: found something else than a judging effort; expected a new or empty folder."
            )

    @property
    def manifest(self) -> dict[str, Any]:
        """What the effort as a whole is: its seed, policies and inputs."""
        path = self.folder / MANIFEST
        if not path.exists():
            return {}
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, UnicodeDecodeError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise FormatError(
                source=str(path), found="text that is not JSON", expected="the manifest as it was written"
            )
        check_manifest(found, str(path))
        return found

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else writes here meanwhile: hold it from reading what there is until what follows from it is written.

        Other processes and threads wait; whoever has it may ask for it again.
        """
        with hold(self.folder):
            yield

    def note(self, entries: Mapping[str, Any]) -> None:
        """Put entries into the manifest, which is replaced as a whole: never half written."""
        with self.alone():
            text = json.dumps({**self.manifest, **entries}, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
            new = self.folder / f".{MANIFEST}.{uuid4().hex}"
            with new.open("x", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self.folder / MANIFEST)

    def path_of(self, kind: str) -> Path:
        return self.folder / f"{kind}.jsonl"

    def owns(self, path: str | os.PathLike[str]) -> bool:
        """Whether a path is one of the files this state lives in, written by it alone."""
        place = Path(path).resolve()
        is_own_name = place.name in (MANIFEST, LOCK) or place.suffix == ".jsonl"
        return is_own_name and place.parent == self.folder.resolve()

    def append(self, kind: str, records: Iterable[Mapping[str, Any]]) -> None:
        """Write records behind those there are; they are on disk when this returns."""
        data = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode("utf-8")
        with self.alone(), _opened(self.path_of(kind)) as file:
            start = _end_of_last_line(file)
            last = _read_from(file, start)
            if _to_object(last) is not None:  # whole but for its end
                start, data = start + len(last), b"\n" + data
            os.ftruncate(file, start)
            written = 0
            while written < len(data):
                written += os.pwrite(file, data[written:], start + written)
            os.fsync(file)

    def torn_files(self) -> list[Path]:
        """Files whose last line is half a record: it is left out, and the next record takes its place."""
        return [path for path in sorted(self.folder.glob("*.jsonl")) if _is_torn(path)]

    def name_of(self, kind: str) -> str:
        return str(self.path_of(kind))

    def read(self, kind: str, *, after: int = 0) -> list[dict[str, Any]]:
        """All whole records of a kind but the first so many, in the order they were written."""
        n_before, start = self._places.get(kind, (0, 0))
        if n_before > after or start > self._size_of(kind):
            n_before, start = 0, 0
        data = self._read_from(kind, start)
        *lines, last = data.split(b"\n")
        self._places[kind] = (n_before + len(lines), start + len(data) - len(last))
        if _to_object(last) is not None:  # whole but for its end: someone edited the file
            lines.append(last)
        if n_before + len(lines) < after:
            raise _shortened(self.path_of(kind), found=n_before + len(lines), expected=after)
        return self._parse_all(kind, lines[after - n_before :], first=after + 1)

    def read_judgments(self) -> Judgments:
        """All judgments ever made here, each once; as columns where all lines are as they were written."""
        data = self._read_from(JUDGMENTS, 0)
        if data.count(b"\n") * SHORTEST > len(data):
            self._refuse_short_lines(data)
        found = parse_kept(data)
        return super().read_judgments() if found is None else found

    def _refuse_short_lines(self, data: bytes) -> None:
        """Name the first line that is no judgment: millions of them would take the memory of as many records."""
        for number, line in enumerate(io.BytesIO(data), start=1):
            self.to_judgment(self._parse(self.path_of(JUDGMENTS), number, line.removesuffix(b"\n")), number)

    def _size_of(self, kind: str) -> int:
        path = self.path_of(kind)
        return path.stat().st_size if path.exists() else 0

    def _read_from(self, kind: str, start: int) -> bytes:
        if self._size_of(kind) == start:
            return b""
        with self.path_of(kind).open("rb") as file:
            file.seek(start)
            return file.read()

    def _parse_all(self, kind: str, lines: list[bytes], *, first: int) -> list[dict[str, Any]]:
        records = _parse_at_once(lines)
        if records is None:  # one of them is broken: find out which
            return [self._parse(self.path_of(kind), number, line) for number, line in enumerate(lines, start=first)]
        return records

    def _parse(self, path: Path, number: int, line: bytes) -> dict[str, Any]:
        record = _to_object(line)
        if record is None:
            raise FormatError(
                source=str(path), line=number, found="a line that is no JSON object", expected="one record a line"
            )
        return record


def _shortened(path: Path, *, found: int, expected: int) -> FormatError:
    return FormatError(
        source=str(path),
        found=f"{found:,} records",
        expected=f"the {expected:,} that were there before, or more",
        advice="Put back what was taken out, or start again.",
    )


def _to_object(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except (ValueError, UnicodeDecodeError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _parse_at_once(lines: list[bytes]) -> list[dict[str, Any]] | None:
    """All lines as one JSON list, which takes half the time; None unless each is one object."""
    try:
        records: list[dict[str, Any]] = json.loads(b"[%s]" % b",".join(lines))
    except (ValueError, UnicodeDecodeError, RecursionError):
        return None
    is_whole = len(records) == len(lines) and all(isinstance(record, dict) for record in records)
    return records if is_whole else None


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        yield file
    finally:
        os.close(file)


def _is_torn(path: Path) -> bool:
    with path.open("rb") as file:
        last = _read_from(file.fileno(), _end_of_last_line(file.fileno()))
    return bool(last.strip()) and _to_object(last) is None


def _read_from(file: int, start: int) -> bytes:
    return os.pread(file, os.fstat(file).st_size - start, start)


def _end_of_last_line(file: int) -> int:
    """Where the last line with an end ends: what is behind it was torn by a crash, or written by hand."""
    end = os.lseek(file, 0, os.SEEK_END)
    while end > 0:
        start = max(0, end - 4096)
        found = os.pread(file, end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0
