"""What is forked is like what is started: its environment, files, session, signals and exit code are its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.warm.python import TOPRUNG, WarmProcess, run_warm, warm_path

PATIENCE = 300.0


def test_what_it_prints_and_how_it_ends_is_told() -> None:
    code = "import sys; print(sys.argv, sys.stdin.read(), __name__); print('no', file=sys.stderr); sys.exit(3)"
    done = run_warm("-c", code, "a", "b c", text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (3, "['-c', 'a', 'b c']  __main__\n", "no\n")


def test_an_error_that_nobody_catches_is_said_and_ends_it() -> None:
    done = run_warm("-c", "import atexit; atexit.register(print, 'end'); 1 / 0", text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (1, "end\n")
    assert done.stderr.endswith("ZeroDivisionError: division by zero\n")


def test_a_module_is_run_as_python_runs_it(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import sys\nprint(__name__, sys.argv[1:])\n")
    done = run_warm("-m", "mine", "x", cwd=tmp_path, text=True, timeout=PATIENCE)
    assert (done.stdout, done.stderr) == ("__main__ ['x']\n", "")


def test_environment_and_folder_are_those_it_is_given(tmp_path: Path) -> None:
    code = "import os, tempfile; print(dict(os.environ), os.getcwd(), tempfile.gettempdir())"
    done = run_warm("-c", code, env={"TMPDIR": str(tmp_path)}, cwd=tmp_path, text=True, timeout=PATIENCE)
    assert done.stdout == f"{ {'TMPDIR': str(tmp_path)} } {tmp_path} {tmp_path}\n"


def test_files_are_known_by_their_numbers_and_no_other_is_open() -> None:
    code = "import os, socket, sys; n = int(sys.argv[1]); socket.socket(fileno=n).send(b'here'); print(*LIST)"
    ours, its = socket.socketpair()
    with ours, its:
        number = its.fileno()
        code = code.replace("LIST", "sorted(map(int, os.listdir('/proc/self/fd')))[:-1]")
        done = run_warm("-c", code, number, pass_fds=[number], text=True, timeout=PATIENCE)
        assert ours.recv(4) == b"here"
    if sys.platform.startswith("linux"):
        assert done.stdout in ("0 1 2\n", f"0 1 2 {number}\n"), "the socket was closed with its object"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_it_and_is_told(number: signal.Signals) -> None:
    code = "import os, time; print(os.getsid(0) == os.getpid(), flush=True); time.sleep(900)"
    with WarmProcess(["-c", code], stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout.readline() == b"True\n"
        assert process.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.01)
        os.killpg(process.pid, number)
        assert process.wait(PATIENCE) == -number
        assert process.poll() == -number


def test_a_shell_finds_the_command() -> None:
    found = os.environ | {"PATH": f"{warm_path()}{os.pathsep}{os.environ['PATH']}"}
    shell = "toprung measures | head -1; echo x | toprung evaluate; echo $?"
    here = subprocess.run(shell, shell=True, env=found, capture_output=True, text=True, check=True, timeout=PATIENCE)
    own = Path(sys.executable).with_name(TOPRUNG)
    there = subprocess.run(
        shell.replace(TOPRUNG, str(own)), shell=True, capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert (here.stdout, here.stderr) == (there.stdout, there.stderr)
    assert here.stdout.endswith("\n2\n")


def test_a_process_that_is_known_has_its_session_so_that_who_kills_that_kills_it() -> None:
    """Else a kill finds no such group, and whoever waits for the end waits for ever."""
    for _ in range(20):
        with WarmProcess(("-c", "import time; time.sleep(900)"), start_new_session=True) as process:
            group = os.getpgid(process.pid)
            process.kill()
        assert group == process.pid
