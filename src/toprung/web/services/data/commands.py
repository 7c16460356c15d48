"""Which commands lead to a first run? Those that the page shows; a test types them as they stand there."""

from __future__ import annotations

from dataclasses import dataclass
from shlex import quote

INSTALL = "pip install toprung"
A_CARD = '{"description": "What is new in this run."}'


@dataclass(frozen=True, kw_only=True)
class StarterCommands:
    """Four steps, each to be copied whole."""

    fetch: str
    lines: str
    """Of a run."""
    dry_run: str
    submit: str


def starter_commands(address: str, *, query_id: str, has_dev: bool, has_terms: bool) -> StarterCommands:
    """For the board at this address; ``query_id`` is one that everyone may see, to show what a line is like."""
    fetch = f"toprung data {address}{' --accept-terms' if has_terms else ''}"
    return StarterCommands(
        fetch=f"{INSTALL}\n{fetch}",
        lines=f"{query_id} Q0 DOCUMENT-A 1 14.21 my-run\n{query_id} Q0 DOCUMENT-B 2 13.90 my-run",
        dry_run=f"toprung submit {address} {'dev' if has_dev else 'my'}.run.gz --dry-run",
        submit=f"echo {quote(A_CARD)} > meta.json\ntoprung submit {address} my.run.gz --name my-run --meta meta.json",
    )
