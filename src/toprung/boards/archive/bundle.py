"""What does the bundle of a board say of itself? Whose board it is, who made it, and how much is in it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from toprung.boards.archive import tables
from toprung.boards.archive.manifest import ArchiveKind
from toprung.boards.archive.reading import Archive
from toprung.boards.archive.rows import Row

COUNTS = tuple(tables.COUNTED)
_SLUG = re.compile(r"[-a-zA-Z0-9_]{1,60}", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class BundleFacts:
    """What the manifest of a bundle says beside what every manifest does."""

    board: str
    """Its short name."""
    title: str
    made_by: str
    """The address of the server."""
    has_hidden_labels: bool
    has_texts: bool
    """Whether the files of queries, passages and the collection were asked for."""
    counts: dict[str, int]
    audit_head: str
    """The digest of the last entry of the audit log; empty where there is none."""

    @classmethod
    def read(cls, row: Row) -> BundleFacts:
        board, counts = row.text("board"), row["counts"]
        if not _SLUG.fullmatch(board):
            row.refuse(f"'{board[:80]}' as the board", "its short name")
        if not isinstance(counts, dict) or tuple(counts) != COUNTS:
            row.refuse("other counts", f"those of {', '.join(COUNTS)}")
        numbers = Row(source=row.source, line=None, values=counts)
        return cls(
            board=board,
            title=row.text("title"),
            made_by=row.text("made_by"),
            has_hidden_labels=row.is_so("has_hidden_labels"),
            has_texts=row.is_so("has_texts"),
            counts={name: numbers.whole(name) for name in COUNTS},
            audit_head=row.text("audit_head"),
        )


type Bundle = Archive[BundleFacts]

BUNDLE = ArchiveKind(
    format="toprung-bundle",
    version=3,
    what="a bundle of a board, as `toprung export` writes it",
    read_facts=BundleFacts.read,
    names=re.compile(r"[a-z][a-z_]*\.jsonl?|(runs|labels|data)/[A-Za-z0-9]{1,20}(\.[a-z]{1,20})?", re.ASCII),
    advice="The bundle was changed or damaged since it was made; take another copy.",
)
