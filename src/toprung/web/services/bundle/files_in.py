"""How do the files of a bundle come into the storage? Under names of our own, before a row speaks of them."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.files import File
from django.db import models

from toprung.boards.archive import tables
from toprung.boards.archive.bundle import Bundle
from toprung.boards.archive.following import Tell
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import Upload

type StoredFiles = dict[str, str]
"""Each member with its name in the storage."""


@contextmanager
def stored_files(bundle: Bundle, *, tell: Tell) -> Iterator[StoredFiles]:
    """All runs and labels of the bundle, stored; where what follows fails, none of them is kept."""
    stored: list[tuple[models.FileField, str]] = []
    names: StoredFiles = {}
    try:
        for name in bundle.manifest.by_name:
            field = _field_for(name)
            if field is None:
                continue
            with bundle.open(name) as file:
                path = field.generate_filename(Upload(), secrets.token_hex(16) + _ending(name))
                names[name] = field.storage.save(path, File(file, name=name))
            stored.append((field, names[name]))
            tell(bundle.manifest.offsets[name])
        yield names
    except BaseException:
        for field, path in stored:
            field.storage.delete(path)
        raise


def _field_for(name: str) -> models.FileField | None:
    folder, _, file = name.partition("/")
    if not file:
        return None
    model, field = (LabelSet, "file") if folder == "labels" else (Upload, _kind(file))
    found = model._meta.get_field(field)
    return found if isinstance(found, models.FileField) else None


def _kind(file: str) -> str:
    label, _, kind = file.partition(".")
    return "parquet" if f"runs/{label}.{kind}" == tables.parquet_file(label) else "original"


def _ending(name: str) -> str:
    return ".parquet" if name.endswith(".parquet") else ""
