"""Are these labels made of preference judgments? A file with its manifest beside it, or the folder of an effort."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from toprung.data.formats.qrels_files import read_qrels
from toprung.errors import InputError
from toprung.labels.best.preference_qrels import QRELS, QrelsManifest, manifest_path
from toprung.labels.effort.effort import Effort


@dataclass(frozen=True, kw_only=True)
class LabelFile:
    """Where labels lie, and what made them."""

    path: Path
    manifest: QrelsManifest | None
    """Of labels that ``toprung labels`` made; None of others."""

    @property
    def is_preference(self) -> bool:
        return self.manifest is not None


def find_label_file(place: Path) -> LabelFile:
    """A file of labels, or the latest that an effort of judging made; its manifest must be of these labels."""
    path = _latest_of(place) if place.is_dir() else place
    beside = manifest_path(path)
    if not beside.is_file():
        return LabelFile(path=path, manifest=None)
    manifest = _read_manifest(beside)
    if manifest.digest != (found := read_qrels(path).digest):
        raise InputError(
            f"{path}: found the digest {found}; expected {manifest.digest}, as {beside.name} beside it says. "
            "Was it changed after it was made?"
        )
    return LabelFile(path=path, manifest=manifest)


def _latest_of(folder: Path) -> Path:
    versions = Effort.open(folder).read(QRELS)
    if not versions:
        raise InputError(f"{folder}: found no labels; expected some that `toprung labels tournament` made.")
    return Path(str(versions[-1].get("path", "")))


def _read_manifest(path: Path) -> QrelsManifest:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise InputError(f"{path}: found no JSON; expected the manifest of a label version.") from None
    return QrelsManifest.from_record(record)
