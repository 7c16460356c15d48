"""Where is the board of a data folder served? What ``toprung serve`` noted there, for commands beside the server."""

from __future__ import annotations

import os
from pathlib import Path

from toprung.web.core.config.environment import Environment


def served_at(environment: Environment) -> str:
    """Where the board of this folder is: as TOPRUNG_URL says, else as it was served last."""
    address = _address_file(environment)
    if os.environ.get("TOPRUNG_URL") or not address.exists():
        return environment.public_url
    return address.read_text()


def _address_file(environment: Environment) -> Path:
    return environment.data_folder / "address"


def note_address(environment: Environment) -> None:
    """Write down where the board is served from now on."""
    _address_file(environment).write_text(environment.public_url)
