"""Run a command with a PostgreSQL of its own: ``python scripts/with_postgres.py pytest tests/web``.

The server is made in a temporary folder from the programs of this machine, listens on a socket in that folder alone,
and ends with the command, also when that is interrupted. The command finds it by ``TOPRUNG_DATABASE_URL``. With CI set,
missing programs are installed from Debian; without, how to get them is said loudly, and the command is not run.
``--lasting`` before the command makes a server that keeps what it acknowledged when it is killed, as one that is used.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

ORDINARY_USERS = ("postgres", "nobody", "daemon")
"""Who the server runs as where we are root: it refuses to be that."""
USUAL_PLACES = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
    "/usr/local/pgsql/bin",
)
OLDEST = 15
SECONDS_TO_START, SECONDS_TO_INSTALL = 60, 150
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "64MB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}
# Nothing of it is kept, so nothing has to reach the disk.
FLEETING = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}
LASTING = "--lasting"


def main(command: Sequence[str]) -> int:
    is_lasting = list(command[:1]) == [LASTING]
    command = command[is_lasting:]
    programs = find_programs() or (install_programs() if os.environ.get("CI") else None)
    if programs is None:
        print(
            "POSTGRESQL NOT TESTED: found no server programs of version "
            f"{OLDEST} or later. Install them, for example: sudo apt-get install postgresql",
            file=sys.stderr,
        )
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what was started is ended
    with running_server(programs, is_lasting=is_lasting) as server:
        print(f"With PostgreSQL of {programs}: {' '.join(command)}", file=sys.stderr, flush=True)
        return run(command, server.url)


def find_programs() -> Path | None:
    """The folder of the newest server on this machine that is new enough."""
    on_path = shutil.which("postgres")
    folders = [Path(on_path).resolve().parent] if on_path else []
    folders += [_told_by_pg_config()] if shutil.which("pg_config") else []
    for place in USUAL_PLACES:
        folders += Path("/").glob(place.removeprefix("/"))
    usable = {folder: version_of(folder) for folder in folders if (folder / "initdb").exists()}
    newest = max(usable, key=usable.__getitem__, default=None)
    return newest if newest and usable[newest] >= OLDEST else None


def _told_by_pg_config() -> Path:
    told = subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True, check=False)
    return Path(told.stdout.strip() or "/nonexistent")


def version_of(folder: Path) -> int:
    """The main version; 0 for what does not run."""
    told = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=False)
    number = told.stdout.split()[2:3] or ["0"]
    main_number = number[0].partition(".")[0]
    return int(main_number) if main_number.isdecimal() else 0


def install_programs() -> Path | None:
    """Debian's; its lists of packages may be old or missing, and are fetched only if the first try finds nothing."""
    if shutil.which("apt-get") is None:
        return None
    print("Installing Debian's PostgreSQL to test with", file=sys.stderr, flush=True)
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    apt = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
    install = [*apt, "install", "-y", "--no-install-recommends", "postgresql"]
    for commands in ([install], [[*apt, "update"], install]):
        if all(_succeeds(each) for each in commands):
            break
    return find_programs()


def _succeeds(command: Sequence[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False, timeout=SECONDS_TO_INSTALL).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


class Server:
    """One made in a folder; it can be killed and started again."""

    def __init__(self, programs: Path, folder: Path, *, is_lasting: bool) -> None:
        self.programs, self.folder, self.user = programs, folder, _ordinary_user()
        self.settings = SETTINGS if is_lasting else SETTINGS | FLEETING
        self.log = folder / "log"
        if self.user is not None:
            os.chown(folder, self.user.pw_uid, self.user.pw_gid)
        how = ("--username", "toprung", "--auth", "trust", "--no-sync", "--encoding", "UTF8", "--locale", "C.UTF-8")
        _run_as(self.user, [programs / "initdb", "--pgdata", folder / "data", *how], folder)
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"postgresql://toprung@/postgres?host={self.folder}"

    def start(self) -> None:
        """Until it answers; what it repairs after it was killed is done then."""
        options = [part for setting in self.settings.items() for part in ("-c", "=".join(setting))]
        command: list[str | Path] = [
            self.programs / "postgres",
            "-D",
            self.folder / "data",
            "-k",
            self.folder,
            *options,
        ]
        self.process = _start_as(self.user, command, self.folder, self.log)
        _wait_for(self.process, self.programs, self.folder, self.log)

    def kill(self) -> None:
        """All its processes by ``kill -9``, which write nothing more; the first of them first, so that none is new."""
        if self.process is None:
            return
        others = _children_of(self.process.pid)
        self.process.kill()
        self.process.wait()
        for number in others:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        latest = time.monotonic() + SECONDS_TO_START
        while any(map(_is_running, others)) and time.monotonic() < latest:
            time.sleep(0.01)

    def stop(self) -> None:
        """Without waiting for clients, and without cleaning up: all of it is thrown away."""
        if self.process is None:
            return
        self.process.send_signal(signal.SIGQUIT)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        self.process.kill()
        self.process.wait()


@contextmanager
def running_server(programs: Path, *, is_lasting: bool = False) -> Iterator[Server]:
    """Make a server, start it, and end it with all that is left of it."""
    # Short, for the name of a socket may not be long; and not where only root may go.
    with tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp", ignore_cleanup_errors=True) as name:
        server = Server(programs, Path(name), is_lasting=is_lasting)
        try:
            server.start()
            yield server
        finally:
            server.stop()


def _children_of(number: int) -> list[int]:
    """Linux tells; elsewhere they end by themselves when they find the first of them gone."""
    told = Path(f"/proc/{number}/task/{number}/children")
    return [int(each) for each in told.read_text().split()] if told.exists() else []


def _is_running(number: int) -> bool:
    """What is dead and not yet buried is not."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def run(command: Sequence[str], url: str) -> int:
    """The command's own exit code; what interrupts us is passed on to it, and waited for."""
    process = subprocess.Popen(command, env=os.environ | {"TOPRUNG_DATABASE_URL": url})

    def pass_on(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - signal calls it so
        with suppress(ProcessLookupError):
            process.send_signal(number)

    signal.signal(signal.SIGINT, lambda *_: None)  # a terminal sends Ctrl-C to the command too
    signal.signal(signal.SIGTERM, pass_on)
    signal.signal(signal.SIGHUP, pass_on)
    return process.wait()


def _ordinary_user() -> pwd.struct_passwd | None:
    """None where we are one ourselves."""
    if os.geteuid() != 0:
        return None
    for name in ORDINARY_USERS:
        with suppress(KeyError):
            return pwd.getpwnam(name)
    raise SystemExit(f"Found none of the users {', '.join(ORDINARY_USERS)}; expected one that PostgreSQL may run as.")


def _run_as(user: pwd.struct_passwd | None, command: Sequence[str | Path], folder: Path) -> None:
    done = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        user=user and user.pw_uid,
        group=user and user.pw_gid,
        extra_groups=user and [],
    )
    if done.returncode:
        raise SystemExit(f"{command[0]} failed:\n{done.stderr}")


def _start_as(
    user: pwd.struct_passwd | None, command: Sequence[str | Path], folder: Path, log: Path
) -> subprocess.Popen[bytes]:
    """In a session of its own: Ctrl-C must not reach it before its clients are gone."""
    with log.open("w") as sink:
        return subprocess.Popen(
            command,
            cwd=folder,
            stdout=sink,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            user=user and user.pw_uid,
            group=user and user.pw_gid,
            extra_groups=user and [],
        )


def _wait_for(server: subprocess.Popen[bytes], programs: Path, folder: Path, log: Path) -> None:
    latest = time.monotonic() + SECONDS_TO_START
    ready: list[str | Path] = [programs / "pg_isready", "--quiet", "--host", folder, "--username", "toprung"]
    while subprocess.run(ready, check=False).returncode:
        if server.poll() is not None or time.monotonic() > latest:
            raise SystemExit(f"PostgreSQL did not start:\n{log.read_text()[-2000:]}")
        time.sleep(0.05)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
