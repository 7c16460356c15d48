"""Django's own checks for a server that is reached from outside find nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.web.working.test_serving import PATIENCE, clean_environment, toprung

OUTSIDE = {"TOPRUNG_URL": "https://board.example.org", "TOPRUNG_MAIL_URL": "smtp://mail.example.org"}


def test_nothing_is_found(tmp_path: Path) -> None:
    variables = OUTSIDE | {"TOPRUNG_DATA": str(tmp_path / "data"), "DJANGO_SETTINGS_MODULE": "toprung.web.ops.settings"}
    assert toprung("migrate", **variables).returncode == 0
    checked = subprocess.run(
        [sys.executable, "-m", "django", "check", "--deploy", "--database", "default", "--fail-level", "WARNING"],
        env=clean_environment(**variables),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr
    assert checked.stdout == "System check identified no issues (2 silenced).\n"
