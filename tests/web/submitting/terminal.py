"""A person at a terminal: whatever is asked is answered there, as soon as the question stands."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

IN_A_TERMINAL = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(['bash', '-ec', sys.argv[1]])))"


def type_in(
    commands: str, *, answers: Mapping[str, str], folder: Path, environment: Mapping[str, str]
) -> tuple[int, str]:
    """How the commands ended, and what stood on the screen. ``answers``: what is typed by the end of its question."""
    shell = subprocess.Popen(
        [sys.executable, "-c", IN_A_TERMINAL, commands],
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert shell.stdin is not None
    assert shell.stdout is not None
    with shell, shell.stdin as keys, shell.stdout as screen:
        seen, answered = "", 0
        while said := os.read(screen.fileno(), 65_536):
            seen += said.decode()
            question = next((each for each in answers if seen[answered:].rstrip().endswith(each)), None)
            if question is not None:
                answered = len(seen)
                keys.write(f"{answers[question]}\n".encode())
                keys.flush()
    return shell.returncode, seen
