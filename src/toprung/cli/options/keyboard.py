"""How is a person at this terminal asked? One key at a time, on the screen of the desk."""

from __future__ import annotations

import shutil
import sys

import click

from toprung.labels.judges.terminal import TerminalJudge


def at_terminal(name: str, *, allows_ties: bool = True, can_leave: bool = False) -> TerminalJudge:
    return TerminalJudge(
        name,
        read_key=read_key,
        write=click.echo,
        width=lambda: shutil.get_terminal_size().columns,
        allows_ties=allows_ties,
        can_leave=can_leave,
    )


def read_key() -> str:
    """One key; nothing at the end of the input or if the person wants out."""
    if not sys.stdin.isatty():
        return sys.stdin.read(1)
    try:
        return click.getchar()
    except (KeyboardInterrupt, EOFError):
        return ""
