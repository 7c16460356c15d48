"""scripts/find-chromium with programs that only pretend: nothing is installed here."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "find-chromium"
WORKS = "#!/bin/sh\nexit 0\n"
FAILS = "#!/bin/sh\nexit 1\n"


class Machine:
    """A PATH with some commands of this machine and some made up."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.calls = folder / "calls"
        for name in ("env", "timeout", "chmod", "touch"):
            (folder / name).symlink_to(f"/usr/bin/{name}")
        self.add("id", "#!/bin/sh\necho 0\n")  # root, so that sudo is not asked for

    def add(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(0o755)

    def add_apt(self, *, gives: str) -> None:
        """An apt-get that notes how it was called and, asked to install, puts a program where chromium goes."""
        program = self.folder / "chromium"
        self.add(
            "apt-get",
            f'#!/bin/sh\necho "$@" >> {self.calls}\n'
            f"case \"$*\" in *install*) printf '{gives}' > {program}; chmod 755 {program};; esac\n",
        )

    def run(self, **environment: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            ["/bin/bash", str(SCRIPT)],
            env={"PATH": str(self.folder), **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0
        return done


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_browser_that_is_there_is_named_and_nothing_installed(machine: Machine) -> None:
    machine.add("chromium", WORKS)
    machine.add_apt(gives=WORKS)
    assert machine.run(CI="true").stdout == f"{machine.folder / 'chromium'}\n"
    assert not machine.calls.exists()


def test_one_that_does_not_run_is_passed_over(machine: Machine) -> None:
    machine.add("chromium", FAILS)
    machine.add("chromium-browser", WORKS)
    assert machine.run().stdout == f"{machine.folder / 'chromium-browser'}\n"


def test_without_ci_nothing_is_installed_and_it_is_said_how_to(machine: Machine) -> None:
    machine.add_apt(gives=WORKS)
    done = machine.run()
    assert not machine.calls.exists()
    assert done.stdout == ""
    assert done.stderr.startswith("NO BROWSER: pages will not be tested.")
    assert "apt-get install chromium" in done.stderr


def test_with_ci_it_is_installed(machine: Machine) -> None:
    machine.add_apt(gives="#!/bin/sh\\nexit 0\\n")
    assert machine.run(CI="true").stdout == f"{machine.folder / 'chromium'}\n"
    (call,) = machine.calls.read_text().splitlines()
    assert "install -y --no-install-recommends chromium" in call


def test_what_cannot_be_installed_is_said_loudly(machine: Machine) -> None:
    machine.add("apt-get", f'#!/bin/sh\necho "$@" >> {machine.calls}\nexit 100\n')
    assert "NO BROWSER" in machine.run(CI="true").stderr
    assert len(machine.calls.read_text().splitlines()) == 2  # the list of packages could not be had either


def test_a_machine_without_apt_is_left_alone(machine: Machine) -> None:
    assert "NO BROWSER" in machine.run(CI="true").stderr
