"""Where does a stored file lie? As a path for the library, whichever storage holds it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.files.storage import default_storage
from django.db.models.fields.files import FieldFile


class FilesAwayError(OSError):
    """The store of the files does not answer, or not as it should; nothing was lost, and later it may."""


@contextmanager
def local_path(file: FieldFile) -> Iterator[Path]:
    """The file itself where the storage is a folder, else a copy for as long as it is needed."""
    path = _own_path(file)
    if path is not None:
        yield path
        return
    with tempfile.NamedTemporaryFile(dir=settings.ENVIRONMENT.incoming) as copy:
        with file.open("rb") as source:
            shutil.copyfileobj(source, copy)
        copy.flush()
        yield Path(copy.name)


def look_at_files() -> None:
    """Raise a FilesAwayError where files can neither be read nor written now."""
    look = getattr(default_storage, "look", None)
    if look is not None:
        look()
    elif not os.access(settings.ENVIRONMENT.files, os.R_OK | os.W_OK | os.X_OK):
        raise FilesAwayError("no folder")


def _own_path(file: FieldFile) -> Path | None:
    try:
        return Path(file.path)
    except NotImplementedError:  # what Django's storages say that have no paths
        return None
