"""Which commands lead to a first run? Those that the page shows; a test types them as they stand there."""

from __future__ import annotations

from dataclasses import dataclass
from shlex import quote

INSTALL = "pip install toprung"
A_CARD = '{"description": "What is new in this run."}'


@dataclass(frozen=True, kw_only=True)
class StarterCommands:
    """Four steps, each to be copied whole; the first that needs to know who asks begins by signing in."""

    fetch: str
    lines: str
    """Of a run."""
    dry_run: str
    submit: str


def board_address(server: str, slug: str) -> str:
    """What a command is given to find the board: nobody has to say beforehand which server is meant."""
    return f"{server}/b/{slug}/"


def starter_commands(
    server: str, slug: str, *, query_id: str, has_files: bool, has_dev: bool, has_terms: bool
) -> StarterCommands:
    """For a board of this server; ``query_id`` is one that everyone may see, to show what a line is like."""
    address, login = board_address(server, slug), f"toprung login {server}\n"
    fetch = f"{login}toprung data {address} --accept-terms" if has_terms else f"toprung data {address}"
    dry_run = f"toprung submit {address} {'dev' if has_dev else 'my'}.run.gz --dry-run"
    return StarterCommands(
        fetch=f"{INSTALL}\n{fetch}" if has_files else INSTALL,
        lines=f"{query_id} Q0 DOCUMENT-A 1 14.21 my-run\n{query_id} Q0 DOCUMENT-B 2 13.90 my-run",
        dry_run=dry_run if has_terms and has_files else f"{login}{dry_run}",
        submit=f"echo {quote(A_CARD)} > meta.json\ntoprung submit {address} my.run.gz --name my-run --meta meta.json",
    )
