"""Processes of tests begin where most of them spend a second or two: with everything loaded. Forked, not started.

`WarmProcess` is a ``subprocess.Popen``, `run_warm` is ``subprocess.run``; both take ``("-c", CODE, ...)``,
``("-m", MODULE, ...)`` or ``("toprung", ...)``. `warm_path` is for shells: `toprung` is found there. Not for tests of a
start itself.
"""

from __future__ import annotations

import atexit
import inspect
import os
import select
import shutil
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from tests.warm.asking import TOPRUNG, Asked, ask, wait

__all__ = ["TOPRUNG", "WarmProcess", "run_warm", "warm_path"]

ROOT = Path(__file__).parents[2]
STARTS = inspect.signature(subprocess.Popen._execute_child)
COMMAND = """#!{python} -IS
import sys
sys.path.insert(0, {root!r})
from tests.warm.asking import ask, asked_here, wait
line, _ = ask({place!r}, asked_here("toprung", *sys.argv[1:]), (0, 1, 2))
sys.exit(wait(line) % 256)
"""


class WarmProcess(subprocess.Popen[Any]):
    """One that the server forked: it waits for that one, and tells how it ended."""

    def _execute_child(self, *given: Any) -> None:
        """In the place of the standard library's, which starts a program; called as that one is."""
        named = STARTS.bind(self, *given).arguments
        pipes = [named[name] for name in ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")]
        standard = [own if end == -1 else end for own, end in enumerate((pipes[0], pipes[3], pipes[5]))]
        pass_fds = named["pass_fds"]
        asked = Asked(
            arguments=list(map(str, named["args"])),
            environment=dict(os.environ if named["env"] is None else named["env"]),
            folder=os.path.realpath(named["cwd"] or "."),
            is_session=bool(named["start_new_session"]),
            numbers=[0, 1, 2, *pass_fds],
        )
        self._line, self.pid = ask(warm_server(), asked, [*standard, *pass_fds])
        self._child_created = True
        self._close_pipe_fds(*pipes)

    def _internal_poll(self, _deadstate: Any = None) -> int | None:
        return self._ended_within(0.0)

    def _wait(self, timeout: float | None) -> int:
        ended = self._ended_within(timeout)
        if ended is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        return ended

    def _ended_within(self, seconds: float | None) -> int | None:
        with self._waitpid_lock:
            if self.returncode is None and select.select([self._line], [], [], seconds)[0]:
                self.returncode = wait(self._line)
            return self.returncode


def run_warm(*arguments: object, timeout: float, **options: Any) -> subprocess.CompletedProcess[Any]:
    """Until it ends; what it printed is kept."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
    with WarmProcess(list(map(str, arguments)), **(pipes | options)) as process:
        try:
            printed, said = process.communicate(timeout=timeout)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(process.args, process.returncode, printed, said)


@cache
def warm_server() -> str:
    """Where it is asked; it ends with this process."""
    folder = Path(mkdtemp(prefix="warm-", dir="/tmp"))  # short, for the name of a socket may not be long
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(folder / "socket"))
    listener.listen(128)
    ordinary = {name: value for name, value in os.environ.items() if not name.startswith(("TOPRUNG_", "DJANGO_"))}
    with listener:
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.warm.server", str(listener.fileno())],
            pass_fds=[listener.fileno()],
            cwd=ROOT,
            env=ordinary,
            start_new_session=True,
            stdin=subprocess.PIPE,
        )

    def end() -> None:
        with server:
            pass  # its standard input is closed, and it is waited for
        shutil.rmtree(folder)

    atexit.register(end)
    return str(folder / "socket")


@cache
def warm_path() -> str:
    """A folder with a command `toprung` that asks for a process and is it, as far as a shell can see."""
    place = warm_server()
    command = Path(place).with_name(TOPRUNG)
    command.write_text(COMMAND.format(python=sys.executable, root=str(ROOT), place=place))
    command.chmod(0o755)
    return str(command.parent)
