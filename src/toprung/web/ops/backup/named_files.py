"""Which files does a snapshot of the database name? Asked of the snapshot itself, for the board goes on meanwhile."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.core.files.storage import default_storage
from django.db.models import FileField

from toprung.web.core.models.drafts import DraftLabels
from toprung.web.core.models.runs import PartialUpload, Submission, Upload

type Ask = Callable[[str], Sequence[Sequence[Any]]]
"""Answers a question in SQL from the snapshot."""


@dataclass(frozen=True, kw_only=True)
class NamedFiles:
    """Names in the storage."""

    kept: frozenset[str]
    """Nothing deletes them: labels, and what was submitted."""
    passing: frozenset[str]
    """May be forgotten at any time: of uploads that nobody submitted, of drafts, and pieces of files on their way."""


def find_named_files(ask: Ask, tables: Sequence[str]) -> NamedFiles:
    """All of them, of the tables that are there: some may be missing where a newer version has not migrated yet."""
    named = {name for table, column in _file_columns() if table in tables for name in _names(ask, table, column)}
    submitted = {
        name
        for column in ("original", "parquet")
        for name in _names(ask, Upload._meta.db_table, column, f"WHERE id IN ({_SUBMITTED})")
    }
    of_uploads = {name for column in ("original", "parquet") for name in _names(ask, Upload._meta.db_table, column)}
    passing = (of_uploads - submitted) | _pieces(ask, tables) | _of_drafts(ask, tables)
    return NamedFiles(kept=frozenset(named - passing), passing=frozenset(passing))


_SUBMITTED = f"SELECT upload_id FROM {Submission._meta.db_table}"  # noqa: S608 - names of our own tables


def _file_columns() -> list[tuple[str, str]]:
    return [
        (model._meta.db_table, field.column)
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if isinstance(field, FileField) and field.storage == default_storage and field.column is not None
    ]


def _names(ask: Ask, table: str, column: str, where: str = "") -> set[str]:
    return {name for (name,) in ask(f"SELECT DISTINCT {column} FROM {table} {where}") if name}  # noqa: S608 - our own


def _pieces(ask: Ask, tables: Sequence[str]) -> set[str]:
    table = PartialUpload._meta.db_table
    if table not in tables:
        return set()
    rows = ask(f"SELECT pieces FROM {table} WHERE upload_id IS NULL")  # noqa: S608 - our own
    return {name for (pieces,) in rows for name in read_pieces(pieces)}


def _of_drafts(ask: Ask, tables: Sequence[str]) -> set[str]:
    table = DraftLabels._meta.db_table
    return _names(ask, table, "file") if table in tables else set()


def read_pieces(stored: Any) -> list[str]:
    """A list as a database gives JSON back, which is text or a list."""
    pieces: list[str] = json.loads(stored) if isinstance(stored, str) else stored
    return pieces
