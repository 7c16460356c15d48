"""The units and the environment file of the docs: systemd finds no fault in them, and what they start works."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.web.a_proxy import DEPLOY
from tests.web.working.test_running_apart import Part, Web
from tests.web.working.test_serving import TOPRUNG, clean_environment, left_of, toprung, wait_for

from toprung.web.core.config.environment import VARIABLES

PROGRAM = "/opt/toprung/bin/toprung"
UNITS = ("toprung-web.service", "toprung-worker@.service", "toprung.target")


def environment_of(folder: Path) -> Path:
    """The file of the docs, for a board in a folder with a database of its own."""
    text = (DEPLOY / "environment").read_text()
    assert "TOPRUNG_DATA='/var/lib/toprung'\n" in text
    text = text.replace("/var/lib/toprung", str(folder / "data"))
    text = re.sub(r"^TOPRUNG_DATABASE_URL=.*\n", "", text, flags=re.MULTILINE)
    path = folder / "environment"
    path.write_text(text)
    return path


def read(path: Path) -> dict[str, str]:
    """As systemd does it."""
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return {name: shlex.split(value)[0] for name, _, value in (line.partition("=") for line in lines)}


def started_by(unit: str) -> list[str]:
    """What follows the program in the unit's command."""
    command = re.search(r"^ExecStart=(.+)$", (DEPLOY / unit).read_text(), re.MULTILINE)[1].split()
    assert command[0] == PROGRAM
    return command[1:]


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="NO SYSTEMD: the units of docs/deploy are NOT CHECKED by it."
)
def test_systemd_finds_no_fault(tmp_path: Path) -> None:
    for name in UNITS:
        (tmp_path / name).write_text((DEPLOY / name).read_text().replace(PROGRAM, str(TOPRUNG)))
    shutil.copy(tmp_path / "toprung-worker@.service", tmp_path / "toprung-worker@1.service")
    units = ["toprung.target", "toprung-web.service", "toprung-worker@1.service"]
    found = subprocess.run(
        ["systemd-analyze", "verify", *(tmp_path / name for name in units)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


def test_what_the_units_start_is_ready_and_ends_when_told(tmp_path: Path) -> None:
    variables = read(environment_of(tmp_path))
    made = toprung("migrate", **variables)
    assert made.stdout.startswith("Made the tables.\n"), made.stderr
    name, *options = started_by("toprung-web.service")
    assert (name, options[:4]) == ("web", ["--host", "127.0.0.1", "--port", "8000"])
    web = Web(tmp_path / "data", **variables)
    name, *options = started_by("toprung-worker@.service")
    worker = Part(tmp_path / "data", name, *options, **variables)
    try:
        wait_for(lambda: web.get("/readyz").status == 200)
        assert web.get("/").status == 301  # people come by TLS
    finally:
        started = [*web.descendants(), *worker.descendants()]
        assert [web.stop(), worker.stop()] == [0, 0]
    assert left_of(started) == []


@pytest.mark.parametrize("unit", ["toprung-web.service", "toprung-worker@.service"])
def test_a_part_that_could_not_start_is_started_again(unit: str, tmp_path: Path) -> None:
    """After a power cut the server of the database may be up later than this one."""
    name, *_ = started_by(unit)
    nobody = "postgresql://toprung@127.0.0.1:1/toprung"
    port = ["--port", "0"] if name == "web" else []  # one that is taken would be said before
    done = toprung(name, *port, TOPRUNG_DATA=str(tmp_path / "data"), TOPRUNG_DATABASE_URL=nobody)
    assert "Connection refused" in done.stderr
    text = (DEPLOY / unit).read_text()
    assert "\nRestart=always\n" in text
    prevented = re.findall(r"^RestartPreventExitStatus=(.+)$", text, re.MULTILINE)
    assert str(done.returncode) not in " ".join(prevented).split()


def test_a_shell_reads_the_environment_as_systemd_does(tmp_path: Path) -> None:
    """As the page has it for commands by hand; with everything in it that is offered there."""
    path = environment_of(tmp_path)
    path.write_text(re.sub(r"^#(TOPRUNG_)", r"\1", path.read_text(), flags=re.MULTILINE))
    script = re.search(r"sh -c '(.+?)' sh", (DEPLOY / "server.md").read_text())[1]
    script = script.replace("/etc/toprung/environment", str(path))
    done = subprocess.run(
        ["sh", "-c", script, "sh", "env", "-0"],
        env=clean_environment(),
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    seen = dict(each.split("=", 1) for each in done.stdout.split("\0") if each.startswith("TOPRUNG_"))
    assert seen == read(path)
    assert "&region=REGION" in seen["TOPRUNG_FILES_URL"]
    assert set(seen) <= set(VARIABLES)
