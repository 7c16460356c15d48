"""How is a file replaced? Whole or not at all: whoever reads it sees the old one or the new one."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def replace_file(path: Path, text: str, *, mode: int = 0o600) -> None:
    """Write the text beside the file, then put it in its place; never readable by more people than ``mode`` says."""
    descriptor, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # made with mode 600
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(beside).chmod(mode)
        os.replace(beside, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(beside)
        raise
