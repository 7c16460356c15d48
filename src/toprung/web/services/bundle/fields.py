"""What of a row travels, and how is it written? All that is no key or file of this host, so a new field comes along."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from toprung.boards.archive.rows import Row
from toprung.web.core.models.data import DataFile, TextAccess
from toprung.web.core.models.judging import Campaign, JudgingRecord
from toprung.web.core.models.people import Team
from toprung.web.core.models.runs import Submission, Upload
from toprung.web.core.store.cards import card_columns, check_values, is_column
from toprung.web.services.runs.sketch import without_sketch
from toprung.words.visible import in_one_line

type AnyField = models.Field[Any, Any]

LEFT_OUT: dict[type[models.Model], tuple[str, ...]] = {
    Team: ("look",),
    Upload: ("state", "attempts", "deaths"),
    Submission: ("attempts", "said", "attempt_key", "attempt_digest"),
    DataFile: ("n_texts", "n_blocks"),
    TextAccess: ("assessor",),
    Campaign: ("key",),
    JudgingRecord: ("answer_id",),
}
"""What is made anew, says how far this host was, or could tell who somebody is."""
STORED_AS = {"run_id": "label"}
"""Fields that have another name in bundles."""


@lru_cache(maxsize=32)
def plain_fields(model: type[models.Model]) -> tuple[AnyField, ...]:
    """Those with values of their own: what a row points to is written by name, what a card says by what it says."""
    left_out = LEFT_OUT.get(model, ())
    fields = [
        field
        for field in model._meta.concrete_fields
        if not (field.is_relation or field.primary_key or field.name in left_out)
        and not isinstance(field, models.FileField | models.BinaryField)
    ]
    if model is not Submission:
        return tuple(fields)
    card = card_columns()
    before = [field.name for field in fields].index(next(iter(card)))
    others = [field for field in fields if field.name not in card]
    return (*others[:before], *card.values(), *others[before:])


def encode(row: models.Model) -> dict[str, Any]:
    said = row.card.to_json() if isinstance(row, Submission) else {}
    return {
        _stored_name(field): said[field.name] if field.name in said else _write(_told(field, getattr(row, field.name)))
        for field in plain_fields(type(row))
    }


def _stored_name(field: AnyField) -> str:
    return STORED_AS.get(field.name, field.name)


def _told(field: AnyField, value: Any) -> Any:
    """As it travels, either way: a sketch stays where it was made."""
    return without_sketch(value) if field is Upload._meta.get_field("report") else value


def _write(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, Decimal):
        return str(value)
    return value.isoformat() if isinstance(value, date) else value


def decode[M: models.Model](model: type[M], row: Row, *, others: tuple[str, ...] = (), **given: Any) -> M:
    """A row of this host, checked as a form would check it; ``others`` are fields that are read elsewhere.

    A field that the bundle does not have, for it was made by an earlier version, gets its default; one that is not
    known is refused, for nothing is to be lost unseen.
    """
    fields = {_stored_name(field): field for field in plain_fields(model)}
    unknown = [name for name in row.values if name not in fields and name not in others]
    if unknown:
        row.refuse(f"a field '{unknown[0][:40]}'", "those that this version of Toprung knows")
    try:
        known = ((fields[name], row.values[name]) for name in row.values if name in fields)
        values = {field.name: _told(field, _read(field, value)) for field, value in known}
        values = _with_said(values) if model is Submission else values
        made = model(**values, **given)
        made.clean_fields(exclude=[each.name for each in model._meta.fields if not _is_to_check(each, values)])
    except ValidationError as error:
        name, says = next(iter(error.message_dict.items())) if hasattr(error, "error_dict") else ("", error.messages)
        row.refuse(f"{name} that cannot be used ({in_one_line(str(says[0]))[:200]})", "a value of its kind")
    except (TypeError, ValueError, OverflowError) as error:
        row.refuse(f"a value that cannot be used ({in_one_line(str(error))[:200]})", "one of its kind")
    return made


def _with_said(values: dict[str, Any]) -> dict[str, Any]:
    """What has no column of its own stands together in one, checked as if each had."""
    said = {name: value for name, value in values.items() if not is_column(name)}
    check_values({name: value for name, value in said.items() if value is not None})
    others = {name: value for name, value in values.items() if name not in said}
    return others | {"said": {name: _write(value) for name, value in said.items()}}


def _is_to_check(field: AnyField, values: dict[str, Any]) -> bool:
    """Forms must be filled in; rows may be empty where the database allows it."""
    if field.name not in values:
        return False
    value = values[field.name]
    return not field.null if value is None else value not in field.empty_values


def _read(field: AnyField, value: Any) -> Any:
    if value is not None and isinstance(field, models.DateTimeField):
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None:
            raise ValueError(f"{field.name} without a time zone")
        return moment.astimezone(UTC)
    if value is not None and isinstance(field, models.DateField):
        return date.fromisoformat(value)
    is_written = isinstance(field, models.CharField | models.TextField)
    if (is_written or (isinstance(field, models.DecimalField) and value is not None)) and not isinstance(value, str):
        raise TypeError(f"{field.name} is no text")
    if isinstance(field, models.BooleanField) and not isinstance(value, bool | None):
        raise TypeError(f"{field.name} is neither true nor false")
    if isinstance(field, models.IntegerField | models.FloatField) and not isinstance(value, int | float | None):
        raise TypeError(f"{field.name} is no number")
    if isinstance(field, models.JSONField) and not isinstance(value, list if field.default is list else dict):
        raise TypeError(f"{field.name} is of another kind")
    return value
