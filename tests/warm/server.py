"""A Python that has loaded what boards need and does nothing but fork: ``python -m tests.warm.server DESCRIPTOR``.

What it forks is a process like any other, with a session, an environment, open files and an exit code of its own.
Nothing here may do work in threads or read settings: neither survives in the processes to come. It ends with whoever
holds the other end of its standard input.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import os
import pkgutil
import runpy
import select
import signal
import socket
import sys
import types
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from tests.warm.asking import ENDED, STARTED, TOPRUNG, Asked, receive

OUT_OF_THE_WAY, MOST = 512, 1024
"""Descriptors from here on are nobody's, so that files can be put where a process expects them; and all there are."""
LOADED = (
    "toprung.web.core.apart.warm",
    "toprung.cli.main",
    "toprung.web.ops.backup.cut_short",
    "toprung.web.site.board.markdown",
    "django.contrib.auth.tokens",
    "django.db.backends.sqlite3.base",
    "django.db.migrations.executor",
    "django.views.decorators.clickjacking",
    "fido2.server",
    "pydantic.dataclasses",
    "pydantic.networks",
    "waitress",
)
LOADED_WHOLE = ("toprung.analyses", "toprung.boards", "toprung.labels", "toprung.report")
"""With all that is in them."""


def serve(listener: socket.socket) -> Asked | None:
    """Fork whenever asked. Returns in each process that was forked; and None here, once nobody can ask any more."""
    lines: dict[int, socket.socket] = {}
    woken, wakes = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    while True:
        readable, _, _ = select.select([listener, sys.stdin, woken], [], [])
        if sys.stdin in readable:
            return None
        if woken in readable:
            os.read(woken, 4096)
        if listener in readable:
            line, _ = listener.accept()
            asked, files = receive(line)
            number = fork()
            if not number:
                begin(asked, line)
                for each in (listener, line, *lines.values()):
                    each.detach()  # its number is soon another file's
                become(asked, files)
                return asked
            for each in files:
                os.close(each)
            lines[number] = line
        tell_of_the_dead(lines)


def begin(asked: Asked, line: socket.socket) -> None:
    """Be known, with one's own session: whoever kills that at once is to find it."""
    if asked.is_session:
        os.setsid()
    with suppress(OSError):  # whoever asked may be gone
        line.sendall(STARTED.pack(os.getpid()))


def fork() -> int:
    """Without Python's warning of threads: Polars and its memory have some, which do nothing yet."""
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
        return os.fork()


def tell_of_the_dead(lines: dict[int, socket.socket]) -> None:
    with suppress(ChildProcessError):
        while True:
            number, status = os.waitpid(-1, os.WNOHANG)
            if not number:
                return
            with lines.pop(number) as line, suppress(OSError):
                line.sendall(ENDED.pack(os.waitstatus_to_exitcode(status)))


def become(asked: Asked, files: Sequence[int]) -> None:
    """Be the process that was asked for, up to what it runs."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    moved = [fcntl.fcntl(each, fcntl.F_DUPFD, OUT_OF_THE_WAY) for each in files]
    for number, file in zip(asked.numbers, moved, strict=True):
        os.dup2(file, number)
    kept = sorted(asked.numbers)
    for before, after in zip(kept, [*kept[1:], MOST], strict=True):
        os.closerange(before + 1, after)
    os.environ.clear()
    os.environ.update(asked.environment)
    os.chdir(asked.folder)
    first = str(Path(sys.executable).parent) if asked.arguments[0] == TOPRUNG else asked.folder
    sys.path[:1] = [first, *filter(None, asked.environment.get("PYTHONPATH", "").split(os.pathsep))]


def run(arguments: Sequence[str]) -> None:
    """As ``python -c CODE``, ``python -m MODULE`` or the command ``toprung`` do, with what follows."""
    kind, *rest = arguments
    if kind == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
        return
    sys.argv = list(arguments) if kind == TOPRUNG else ["-c", *rest[1:]]
    code = "from toprung.cli.main import main; main()" if kind == TOPRUNG else rest[0]
    own = sys.modules["__main__"] = types.ModuleType("__main__")
    exec(compile(code, "<string>", "exec"), vars(own))


def load() -> None:
    whole = (each.name for name in LOADED_WHOLE for each in _modules_of(importlib.import_module(name)))
    for name in (*LOADED, *whole):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # pages of memory that nobody writes to are shared


def _modules_of(package: types.ModuleType) -> Iterator[pkgutil.ModuleInfo]:
    return pkgutil.walk_packages(package.__path__, f"{package.__name__}.")


if __name__ == "__main__":
    load()
    if (asked := serve(socket.socket(fileno=int(sys.argv[1])))) is not None:
        run(asked.arguments)
