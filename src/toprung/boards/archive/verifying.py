"""Can this bundle be trusted to be what was made, and by which key? All of its bytes, and what its tables say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toprung.boards.archive.checking import check_contents
from toprung.boards.archive.following import OnProgress, tell_nobody
from toprung.boards.archive.reading import Bundle, read_bundle
from toprung.boards.archive.signing import read_fingerprint
from toprung.words.visible import in_one_line
from toprung.words.wording import say_count


@dataclass(frozen=True, kw_only=True)
class Verified:
    """A bundle in which everything holds, and what it holds."""

    bundle: Bundle
    is_key_demanded: bool

    def __str__(self) -> str:
        manifest, counts = self.bundle.manifest, self.bundle.manifest.counts
        labels = "included: keep the file as secret as they are" if manifest.has_hidden_labels else "not included"
        key = "as demanded" if self.is_key_demanded else "compare it with the one on the board's page"
        board, made_by = in_one_line(manifest.title), in_one_line(manifest.made_by)
        entries = say_count(counts["audit_entries"], "entry", "entries")
        return "\n".join(
            (
                f"{self.bundle.source} is whole: {board} ({manifest.slug}), as it stood on {manifest.made_at}.",
                f"Made by  {made_by}, Toprung {in_one_line(manifest.toprung)}",
                f"Key      {self.bundle.signature.fingerprint} ({key})",
                f"Runs     {counts['runs']:,} of {say_count(counts['teams'], 'team')}, {counts['claims']:,} claims, "
                f"{counts['charges']:,} charges",
                f"Audit    {entries}, the chain holds; the last is {in_one_line(manifest.audit_head) or 'none'}",
                f"Labels   {say_count(counts['label_sets'], 'version')}; hidden ones {labels}",
            )
        )

    def to_dict(self) -> dict[str, Any]:
        manifest = self.bundle.manifest
        return {
            "board": manifest.slug,
            "title": manifest.title,
            "made_at": manifest.made_at,
            "made_by": manifest.made_by,
            "toprung": manifest.toprung,
            "key": self.bundle.signature.fingerprint,
            "has_hidden_labels": manifest.has_hidden_labels,
            "audit_head": manifest.audit_head,
            **manifest.counts,
        }


def verify_bundle(path: Path, *, key: str | None = None, on_progress: OnProgress = tell_nobody) -> Verified:
    """Check all of it; an InputError says what is wrong. ``key``: the fingerprint of the key that must have signed."""
    demanded = None if key is None else read_fingerprint(key)
    bundle = read_bundle(path, key=demanded, on_progress=on_progress)
    check_contents(bundle)
    return Verified(bundle=bundle, is_key_demanded=demanded is not None)
