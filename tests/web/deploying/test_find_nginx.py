"""scripts/find-nginx with programs that only pretend: nothing is installed here."""

from __future__ import annotations

import subprocess
from pathlib import Path

SCRIPT = Path(__file__).parents[3] / "scripts" / "find-nginx"


def find(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """With the programs of this folder alone, besides those of a shell."""
    code = f". <(/bin/sed '/^PATH=/d' {SCRIPT})"
    return subprocess.run(
        ["/bin/bash", "-c", code],
        env=environment | {"PATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def pretend(folder: Path, name: str, does: str) -> None:
    program = folder / name
    program.write_text(f"#!/bin/bash\n{does}\n")
    program.chmod(0o755)


def test_one_that_is_there_is_taken(tmp_path: Path) -> None:
    pretend(tmp_path, "nginx", "exit 0")
    assert find(tmp_path).stdout == f"{tmp_path}/nginx\n"


def test_where_there_is_none_how_to_get_it_is_said_and_nothing_is_changed(tmp_path: Path) -> None:
    pretend(tmp_path, "apt-get", f"/bin/touch {tmp_path}/asked")
    done = find(tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert "sudo apt-get install nginx" in done.stderr
    assert not (tmp_path / "asked").exists()


def test_on_ci_it_is_installed_and_one_that_cannot_be_is_only_said(tmp_path: Path) -> None:
    for name in ("timeout", "env"):
        (tmp_path / name).symlink_to(f"/usr/bin/{name}")
    pretend(tmp_path, "id", "echo 0")
    pretend(tmp_path, "apt-get", "exit 1")
    done = find(tmp_path, CI="1")
    assert (done.returncode, done.stdout) == (0, "")
    assert "NO NGINX" in done.stderr
    made = f"printf '#!/bin/bash\\n' > {tmp_path}/nginx; /bin/chmod +x {tmp_path}/nginx"
    pretend(tmp_path, "apt-get", made)
    assert find(tmp_path, CI="1").stdout == f"{tmp_path}/nginx\n"
