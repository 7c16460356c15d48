"""With which key does this server sign? Its own, drawn at first use, or the one that the environment gives."""

from __future__ import annotations

import base64
import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from toprung.boards.archive.signing import KEY_BYTES, SigningKey
from toprung.errors import InputError, MissingPackageError
from toprung.web.core.config.environment import Environment

FILE = "signing-key"


def signing_key(environment: Environment) -> SigningKey:
    """The key; where there is none yet, it is made, whole and for its owner alone."""
    found = find_key(environment)
    if found is not None:
        return found
    environment.data_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = _path(environment)
    with tempfile.NamedTemporaryFile("w", dir=environment.data_folder) as drawn:
        drawn.write(base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode() + "\n")
        drawn.flush()
        with suppress(FileExistsError):  # another was faster, and its key holds
            os.link(drawn.name, path)
    return _read_file(path)


def find_key(environment: Environment) -> SigningKey | None:
    """The key if there is one."""
    if environment.signing_key:
        return SigningKey(base64.b64decode(environment.signing_key))
    path = _path(environment)
    return _read_file(path) if path.exists() else None


def find_fingerprint(environment: Environment) -> str:
    """Of the key if there is one that can be used; a page never fails for want of it."""
    with suppress(InputError, MissingPackageError, OSError):
        key = find_key(environment)
        return "" if key is None else key.fingerprint
    return ""


def _read_file(path: Path) -> SigningKey:
    try:
        return SigningKey(base64.b64decode(path.read_text().strip(), validate=True))
    except ValueError:
        raise InputError(
            f"{path}: found no signing key; expected {KEY_BYTES} bytes in base64. Put the key back from a backup; "
            "without it bundles of this server are signed by another."
        ) from None


def _path(environment: Environment) -> Path:
    return environment.data_folder / FILE
