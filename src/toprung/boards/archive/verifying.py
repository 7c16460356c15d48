"""Can this bundle be trusted to be what was made, and by which key? All of its bytes, and what its tables say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toprung.boards.archive.bundle import BUNDLE, Bundle
from toprung.boards.archive.checking import check_contents
from toprung.boards.archive.following import Tell, tell_nobody
from toprung.boards.archive.reading import read_archive
from toprung.boards.archive.signing import read_fingerprint
from toprung.words.visible import in_one_line
from toprung.words.wording import say_count


@dataclass(frozen=True, kw_only=True)
class Verified:
    """A bundle in which everything holds, and what it holds."""

    bundle: Bundle
    is_key_demanded: bool

    def __str__(self) -> str:
        manifest, facts = self.bundle.manifest, self.bundle.facts
        labels = "included: keep the file as secret as they are" if facts.has_hidden_labels else "not included"
        texts = "included" if facts.has_texts else "not included"
        key = "as demanded" if self.is_key_demanded else "compare it with the one on the board's page"
        board, made_by, counts = in_one_line(facts.title), in_one_line(facts.made_by), facts.counts
        entries = say_count(counts["audit_entries"], "entry", "entries")
        return "\n".join(
            (
                f"{self.bundle.source} is whole: {board} ({facts.board}), as it stood on {manifest.made_at}.",
                f"Made by  {made_by}, Toprung {in_one_line(manifest.toprung)}",
                f"Key      {self.bundle.signature.fingerprint} ({key})",
                f"Runs     {counts['runs']:,} of {say_count(counts['teams'], 'team')}, {counts['claims']:,} claims, "
                f"{counts['charges']:,} charges",
                f"Audit    {entries}, the chain holds; the last is {in_one_line(facts.audit_head) or 'none'}",
                f"Labels   {say_count(counts['label_sets'], 'version')}; hidden ones {labels}",
                f"Judging  {say_count(counts['campaigns'], 'campaign')} with "
                f"{say_count(counts['judging_records'], 'record')}; no assessor is named",
                f"Data     {say_count(counts['data_files'], 'file')}; texts {texts}",
            )
        )

    def to_dict(self) -> dict[str, Any]:
        manifest, facts = self.bundle.manifest, self.bundle.facts
        return {
            "board": facts.board,
            "title": facts.title,
            "made_at": manifest.made_at,
            "made_by": facts.made_by,
            "toprung": manifest.toprung,
            "key": self.bundle.signature.fingerprint,
            "has_hidden_labels": facts.has_hidden_labels,
            "has_texts": facts.has_texts,
            "audit_head": facts.audit_head,
            **facts.counts,
        }


def verify_bundle(path: Path, *, key: str | None = None, tell: Tell = tell_nobody) -> Verified:
    """Check all of it; an InputError says what is wrong. ``key``: the fingerprint of the key that must have signed."""
    demanded = None if key is None else read_fingerprint(key)
    bundle = read_archive(path, BUNDLE, key=demanded, tell=tell)
    check_contents(bundle)
    return Verified(bundle=bundle, is_key_demanded=demanded is not None)
