"""Which files does nothing name? Those saved just before a stop, and those that could not be deleted at the time.

A file is saved before the row that names it, so only what has lain for a day is looked at. Where much would go, the
database is not the one that these files belong to, and nothing does.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import timedelta

from django.apps import apps
from django.core.files.storage import Storage, default_storage
from django.db.models import FileField
from django.utils import timezone

from toprung.web.services.runs.forget import forget_stray_pieces

logger = logging.getLogger(__name__)

OLD_ENOUGH = timedelta(days=1)
A_FEW = 20
"""So many may go in any case; of more, at most the share below."""
MOST_SHARE = 0.2


def delete_orphans_and_pieces() -> None:
    delete_orphans()
    forget_stray_pieces()


def delete_orphans() -> int:
    """Delete old files of our folders that no row names; returns how many."""
    fields = _file_fields()
    names = {name for folder in _folders(fields) for name in _walk(default_storage, folder)}
    orphans = [name for name in sorted(names - _named(fields)) if _is_old(name)]
    if len(orphans) > max(A_FEW, MOST_SHARE * len(names)):
        logger.error(
            "Found %d of %d files that no row of the database names; expected a few. Do files and database belong "
            "together? Nothing was deleted.",
            len(orphans),
            len(names),
        )
        return 0
    named_meanwhile = _named(fields)  # a look at many files takes a while
    gone = [name for name in orphans if name not in named_meanwhile]
    for name in gone:
        default_storage.delete(name)
    return len(gone)


def _file_fields() -> list[FileField]:
    return [
        field
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if isinstance(field, FileField) and field.storage == default_storage
    ]


def _folders(fields: list[FileField]) -> set[str]:
    """The first folder of what each field is saved under, "runs" of "runs/%Y/%m/"; nothing outside them is ours."""
    firsts = {str(field.upload_to).partition("/")[0] for field in fields if isinstance(field.upload_to, str)}
    return {first for first in firsts if first and "%" not in first}


def _named(fields: list[FileField]) -> set[str]:
    return {
        name
        for field in fields
        for name in field.model._base_manager.exclude(**{field.name: ""}).values_list(field.name, flat=True).iterator()
        if name
    }


def _walk(storage: Storage, folder: str) -> Iterator[str]:
    try:
        folders, files = storage.listdir(folder)
    except FileNotFoundError:
        return
    for file in files:
        if file:
            yield f"{folder}/{file}"
    for inner in folders:
        yield from _walk(storage, f"{folder}/{inner}")


def _is_old(name: str) -> bool:
    try:
        return default_storage.get_modified_time(name) < timezone.now() - OLD_ENOUGH
    except FileNotFoundError:
        return False
