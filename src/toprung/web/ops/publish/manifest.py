"""What is in a copy? A list of its files with their digests, by which copies are compared and known again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from toprung.version import __version__

MANIFEST, SUMS = "manifest.json", "SHA256SUMS"
FORMAT, VERSION = "toprung-publication", 1


def write_manifest(folder: Path, about: dict[str, Any]) -> None:
    """``manifest.json``, and the digests of all files, that one too, as ``sha256sum --check`` reads them."""
    files = [describe(folder, name) for name in list_files(folder)]
    manifest = {"format": FORMAT, "version": VERSION, "toprung": __version__, **about, "files": files}
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    named = [*files, describe(folder, MANIFEST)]
    (folder / SUMS).write_text("".join(f"{each['sha256']}  {each['path']}\n" for each in named))


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """None where there is none, or it is not of a copy."""
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and found.get("format") == FORMAT else None


def describe(folder: Path, name: str) -> dict[str, Any]:
    path = folder / name
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"path": name, "bytes": path.stat().st_size, "sha256": digest}


def list_files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in walk(folder) if not path.is_dir())


def walk(folder: Path) -> Iterator[Path]:
    """All that lies in a folder; no link is followed."""
    for path in sorted(folder.iterdir()):
        yield path
        if path.is_dir() and not path.is_symlink():
            yield from walk(path)
