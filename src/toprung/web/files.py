"""Where does a stored file lie? As a path for the library, whichever storage holds it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db.models.fields.files import FieldFile


@contextmanager
def local_path(file: FieldFile) -> Iterator[Path]:
    """The file itself where the storage is a folder, else a copy for as long as it is needed."""
    path = _own_path(file)
    if path is not None:
        yield path
        return
    with tempfile.NamedTemporaryFile() as copy, file.open("rb") as source:
        shutil.copyfileobj(source, copy)
        copy.flush()
        yield Path(copy.name)


def _own_path(file: FieldFile) -> Path | None:
    try:
        return Path(file.path)
    except NotImplementedError:  # what Django's storages say that have no paths
        return None
