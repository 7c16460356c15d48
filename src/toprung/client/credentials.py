"""Who am I on which server? A token for each, in a file that only its owner can read.

``TOPRUNG_TOKEN`` stands in for what is kept, where nothing may be: it is for ``TOPRUNG_SERVER`` alone, which is set
with it, so that a board named by another's address never gets it.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path

from toprung.client.address import read_server
from toprung.data.formats.whole_files import replace_file
from toprung.errors import InputError

TOKEN_VARIABLE, SERVER_VARIABLE = "TOPRUNG_TOKEN", "TOPRUNG_SERVER"
LONGEST_TOKEN = 500


def credentials_file() -> Path:
    """Where tokens are kept."""
    said = os.environ.get("XDG_CONFIG_HOME", "")
    folder = Path(said) if Path(said).is_absolute() else Path.home() / ".config"
    return folder / "toprung" / "credentials.json"


def check_token(text: str, source: str) -> str:
    """The token, if it can be one; it is never quoted."""
    token = text.strip()
    if not token or len(token) > LONGEST_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
        raise InputError(f"{source}: found no token; expected one such as trt_…, and nothing else.")
    return token


def find_server(named: str) -> str:
    """The server that is meant where a board was named by its slug: the one named, or set, or the only one known."""
    if named or os.environ.get(SERVER_VARIABLE, "").strip():
        return read_server(named or os.environ[SERVER_VARIABLE].strip())
    known = sorted(read_tokens())
    if len(known) == 1:
        return known[0]
    found = f"{', '.join(known)} and none of them named" if known else "no server"
    raise InputError(
        f"Found {found}; expected one: name the board by the whole of its address, or give --server URL, or set "
        f"{SERVER_VARIABLE}."
    )


def find_token(server: str) -> str | None:
    """The token for this server, from the environment or as kept; None where there is none."""
    said = os.environ.get(TOKEN_VARIABLE, "").strip()
    if said and _server_of_variable() == server:
        return check_token(said, TOKEN_VARIABLE)
    return read_tokens().get(server)


def _server_of_variable() -> str:
    meant = os.environ.get(SERVER_VARIABLE, "").strip()
    if not meant:
        raise InputError(
            f"Found {TOKEN_VARIABLE} and no {SERVER_VARIABLE}; expected both: a token goes only to the server it was "
            "made for."
        )
    return read_server(meant)


def read_tokens() -> dict[str, str]:
    """All that are kept, by server."""
    path = credentials_file()
    try:
        with path.open(encoding="utf-8") as file:
            if os.name == "posix" and stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                raise InputError(f"{path}: found a file that others can read; expected yours alone: chmod 600 {path}")
            servers = json.load(file)["servers"]
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: found something else; expected what toprung login writes. Delete it.") from None
    if not isinstance(servers, dict) or not all(isinstance(token, str) for token in servers.values()):
        raise InputError(f"{path}: found something else; expected what toprung login writes. Delete it.")
    return {server: check_token(token, str(path)) for server, token in servers.items()}


def keep_token(server: str, token: str) -> Path:
    """Keep it beside those of other servers; returns where."""
    return _write(read_tokens() | {server: token})


def forget_token(server: str) -> bool:
    """Whether there was one."""
    tokens = read_tokens()
    if tokens.pop(server, None) is None:
        return False
    _write(tokens)
    return True


def _write(tokens: Mapping[str, str]) -> Path:
    """Whole or not at all, and never readable by others, not even for a moment."""
    path = credentials_file()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    replace_file(path, json.dumps({"servers": dict(sorted(tokens.items()))}, indent=2) + "\n")
    return path
