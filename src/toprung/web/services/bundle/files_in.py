"""How do the files of a bundle come into the storage? Under names of our own, before a row speaks of them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import batched

from django.conf import settings
from django.core.files import File
from django.db import models
from django.db.models.fields.files import FieldFile

from toprung.boards.archive import tables
from toprung.boards.archive.bundle import Bundle
from toprung.boards.archive.following import Tell
from toprung.errors import FormatError
from toprung.web.core.apart.process import ChildEndedError, run_apart
from toprung.web.core.models.data import DataFile
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import Upload
from toprung.web.core.store.files import local_path
from toprung.web.services.bundle.reading import read_members

AT_ONCE = 50
"""Files that one child reads."""

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
        _refuse_unreadable(bundle, names)
        yield names
    except BaseException:
        for field, path in stored:
            field.storage.delete(path)
        raise


def _refuse_unreadable(bundle: Bundle, names: StoredFiles) -> None:
    """Workers will read these files again and again: each is read once before, by a child that may die of it."""
    for members in batched(filter(_is_read, names), AT_ONCE):
        try:
            fault = _read(members, names)
        except ChildEndedError:
            fault = next(filter(None, (_read_alone(name, names) for name in members)), None)
        if fault is not None:
            raise FormatError(
                source=bundle.source, found=f"{fault.source} with {fault.found}", expected=fault.expected
            ) from None


def _read_alone(name: str, names: StoredFiles) -> FormatError | None:
    try:
        return _read([name], names)
    except ChildEndedError as died:
        return FormatError(
            source=name, found=f"what could not be read to its end ({died})", expected="a file as a board wrote it"
        )


def _read(members: Iterable[str], names: StoredFiles) -> FormatError | None:
    with ExitStack() as files:
        paths = [(name, files.enter_context(local_path(_file_of(name, names[name])))) for name in members]
        limits = settings.ENVIRONMENT.child_limits.with_pieces(len(paths))
        return run_apart(read_members, paths, limits=limits)


def _is_read(name: str) -> bool:
    """What a sender sent is kept and not read again; data files are read where their texts are packed."""
    field = _field_for(name)
    return field is not None and field.name != "original" and field.model is not DataFile


def _file_of(name: str, stored: str) -> FieldFile:
    return LabelSet(file=stored).file if name.startswith("labels/") else Upload(parquet=stored).parquet


def _field_for(name: str) -> models.FileField | None:
    folder, _, file = name.partition("/")
    if not file:
        return None
    with_files: dict[str, type[models.Model]] = {"labels": LabelSet, "data": DataFile}
    model, field = (with_files[folder], "file") if folder in with_files else (Upload, _kind(file))
    found = model._meta.get_field(field)
    return found if isinstance(found, models.FileField) else None


def _kind(file: str) -> str:
    label, _, kind = file.partition(".")
    return "parquet" if f"runs/{label}.{kind}" == tables.parquet_file(label) else "original"


def _ending(name: str) -> str:
    return ".parquet" if name.endswith(".parquet") else ""
