"""What is in a file of labels that was sent? Told by a child process: no database, no Django."""

from __future__ import annotations

from pathlib import Path

from toprung.data.formats.content import Limits
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.qrels import Qrels


def read_labels_file(path: Path, limits: Limits) -> Qrels:
    return read_qrels(path, limits=limits)
