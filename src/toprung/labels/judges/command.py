"""What does another program prefer? It reads a request a line and writes an answer a line, in JSON.

A request is ``{"id": 1, "query": …, "left": …, "right": …}``; its answer is ``{"id": 1, "choice": …}`` with ``left``,
``right``, ``tie`` or ``invalid``, and may hold ``tokens_in``, ``tokens_out``, ``cost`` and ``raw``. Other lines are
passed over. A program that dies or says nothing in time is started again.
"""

from __future__ import annotations

import hashlib
import json
import queue
import shlex
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from toprung.data.judgments import AssessorKind, Choice
from toprung.errors import InputError
from toprung.labels.tasks.protocol import Answer, JudgeStoppedError, NoAnswerError, Text, read_count

STARTS = 3
"""How often a program is started for one pair before the pair is left open."""
MOST_LINE = 1 << 20
MOST_NONSENSE = 1_000
MOST_RAW = 2_000
MOST_MONEY = 1e12


class CommandJudge:
    """A program that judges. Close it, or use it in a ``with``."""

    def __init__(
        self,
        command: str,
        *,
        name: str | None = None,
        kind: AssessorKind = AssessorKind.LLM,
        timeout: float = 60.0,
        starts: int = STARTS,
    ) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise InputError(
                f"Found the command {command!r}; expected a program and its arguments ({error})."
            ) from None
        if not self._words:
            raise InputError("Found an empty command; expected a program and its arguments.")
        self.name = name or _name_of(self._words)
        self.kind = kind
        self._timeout = timeout
        self._starts = starts
        self._asked = 0
        self._program: _Program | None = None

    @property
    def asks_both_orders(self) -> bool:
        return self.kind is AssessorKind.LLM

    def compare(self, query: Text, left: Text, right: Text) -> Answer:
        """Ask the program; it is started again if it fails."""
        failure = ""
        for _ in range(self._starts):
            self._asked += 1
            request = {"id": self._asked, "query": query.text, "left": left.text, "right": right.text}
            try:
                return _to_answer(self._running().ask(request, self._timeout))
            except _FailedError as error:
                failure = str(error)
                self.close()
        raise NoAnswerError(f"{self._words[0]}: found {failure}, {self._starts} times; expected an answer a line.")

    def _running(self) -> _Program:
        if self._program is None:
            self._program = _Program(self._words)
        return self._program

    def close(self) -> None:
        """End the program."""
        if self._program is not None:
            self._program.end()
            self._program = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _name_of(words: list[str]) -> str:
    """Another for every command line; its words are not told, for a key may be among them."""
    digest = hashlib.sha256(shlex.join(words).encode(errors="replace")).hexdigest()
    return f"{Path(words[0]).name}-{digest[:8]}"


class _FailedError(Exception):
    """The program died or said nothing in time."""


class _Program:
    """A running program; a thread reads what it writes, so that waiting for it can end."""

    def __init__(self, words: list[str]) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user names the program; no shell reads it
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as error:
            raise JudgeStoppedError(f"{words[0]}: found no program that starts ({error.strerror or error}).") from None
        self._lines: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None  # noqa: S101 - a pipe was asked for
        with suppress(ValueError, OSError):  # closed while reading
            while line := stdout.readline(MOST_LINE):
                self._lines.put(line)
        self._lines.put(b"")

    def ask(self, request: dict[str, Any], timeout: float) -> dict[str, Any]:
        until = time.monotonic() + timeout
        self._write(json.dumps(request, ensure_ascii=False).encode() + b"\n", timeout)
        for _ in range(MOST_NONSENSE):
            try:
                line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise _FailedError(f"no answer in {timeout:g} s") from None
            if not line:
                raise _FailedError(f"that the program ended (status {self._process.wait()})")
            found = _parse(line)
            if found.get("id") == request["id"]:
                return found
        raise _FailedError(f"{MOST_NONSENSE:,} lines that answer nothing")

    def _write(self, line: bytes, timeout: float) -> None:
        stdin = self._process.stdin
        assert stdin is not None  # noqa: S101 - a pipe was asked for
        # A long line waits for a program that does not read; ending the program ends the wait.
        watch = threading.Timer(timeout, self._process.kill)
        watch.daemon = True
        watch.start()
        try:
            stdin.write(line)
            stdin.flush()
        except OSError:
            raise _FailedError(f"that the program ended (status {self._process.wait()})") from None
        finally:
            watch.cancel()

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def _parse(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {}


def _to_answer(found: dict[str, Any]) -> Answer:
    choice = found.get("choice")
    is_known = choice in (Choice.LEFT, Choice.RIGHT, Choice.TIE)
    cost = _money(found.get("cost"))
    return Answer(
        choice=Choice(str(choice)) if is_known else None,
        tokens_in=read_count(found.get("tokens_in")) or 0,
        tokens_out=read_count(found.get("tokens_out")) or 0,
        cost=cost or 0.0,
        is_metered=cost is not None,
        raw=str(found.get("raw") or ("" if is_known else choice))[:MOST_RAW],
    )


def _money(value: object) -> float | None:
    """None if it is not said, or no amount of money."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if 0 <= value < MOST_MONEY else None
