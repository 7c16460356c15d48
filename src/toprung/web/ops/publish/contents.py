"""What is in a copy? A list of its files with their digests, by which copies are compared and known again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from toprung.boards.archive.manifest import MANIFEST, ArchiveKind, Manifest, Member
from toprung.boards.archive.rows import Row
from toprung.errors import InputError

SUMS = "SHA256SUMS"


@dataclass(frozen=True, kw_only=True)
class PublicationFacts:
    """What the manifest of a copy says beside what every manifest does."""

    board: str
    """Its short name."""
    title: str
    address: str | None
    """Of the board itself, if people reach it."""
    results_of: str | None
    """When they were computed, if there are some."""

    @classmethod
    def read(cls, row: Row) -> PublicationFacts:
        address, results_of = row.text_or_none("address"), row.text_or_none("results_of")
        return cls(board=row.text("board"), title=row.text("title"), address=address, results_of=results_of)


PUBLICATION = ArchiveKind(
    format="toprung-publication",
    version=2,
    what="a copy of a board's pages",
    read_facts=PublicationFacts.read,
    names=re.compile(r".+", re.DOTALL),
)


def write_manifest(folder: Path, about: Manifest[PublicationFacts]) -> None:
    """``manifest.json``, and the digests of all files, that one too, as ``sha256sum --check`` reads them."""
    members = tuple(Member.of_file(name, folder / name) for name in list_files(folder))
    (folder / MANIFEST).write_bytes(replace(about, members=members).to_bytes())
    named = [*members, Member.of_file(MANIFEST, folder / MANIFEST)]
    (folder / SUMS).write_text("".join(f"{each.sha256}  {each.name}\n" for each in named))


def read_manifest(folder: Path) -> Manifest[PublicationFacts] | None:
    """None where there is none, or it is not of a copy."""
    try:
        return Manifest.read((folder / MANIFEST).read_bytes(), kind=PUBLICATION, source=MANIFEST)
    except (OSError, InputError):
        return None


def list_files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in walk(folder) if not path.is_dir())


def walk(folder: Path) -> Iterator[Path]:
    """All that lies in a folder; no link is followed."""
    for path in sorted(folder.iterdir()):
        yield path
        if path.is_dir() and not path.is_symlink():
            yield from walk(path)
