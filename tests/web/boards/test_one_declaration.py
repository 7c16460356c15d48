"""One declaration is enough for a field of a run card, and for a column of a board.

Another process declares one more of each before it loads anything else, and looks for both (`one_more_checks`).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parents[1]


def test_what_is_declared_once_is_everywhere() -> None:
    command = ("-m", "pytest", "-q", "-p", "tests.web.one_more", "-p", "no:randomly", "-p", "no:cacheprovider")
    done = subprocess.run(
        [sys.executable, *command, HERE / "one_more_checks.py"],
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5_000:]
