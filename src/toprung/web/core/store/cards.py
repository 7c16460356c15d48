"""May this stand on a card? What is stored without a column is checked as a column would be."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from toprung.data.run_card import A_COST, CardField, CardValue, RunCard, card_fields, is_cost
from toprung.web.core.models.runs import Submission

type AnyField = models.Field[Any, Any]


def card_columns() -> dict[str, AnyField]:
    """For each thing that is said of a run, its column, or what checks it like one."""
    return {each.name: _column_of(each) for each in card_fields()}


def is_column(name: str) -> bool:
    return any(each.name == name for each in Submission._meta.concrete_fields)


def check_card(card: RunCard) -> None:
    """Raise a ValidationError that names what cannot be stored."""
    check_values({each.name: getattr(card, each.name) for each in card_fields()})


def check_values(values: dict[str, Any]) -> None:
    """The same for some of them; what is empty and may be is not looked at."""
    columns = card_columns()
    for name, value in values.items():
        column = columns[name]
        if column.blank and value in column.empty_values:
            continue
        try:
            column.clean(value, None)
        except ValidationError as error:
            raise ValidationError({name: error.messages}) from None


def _column_of(declared: CardField) -> AnyField:
    own = {each.name: each for each in Submission._meta.concrete_fields}
    if declared.name in own:
        return own[declared.name]
    column = _make_column(declared)
    column.set_attributes_from_name(declared.name)
    return column


def _make_column(declared: CardField) -> AnyField:
    match declared.holds:
        case CardValue.COST:
            return models.FloatField(null=True, blank=True, validators=[_check_cost])
        case CardValue.TAGS:
            return models.JSONField(default=list, blank=True, validators=[_check_tags])
        case CardValue.DAY:
            return models.DateField(null=True, blank=True)
        case CardValue.TEXT:
            return models.TextField(max_length=declared.limit, blank=True)
        case CardValue.ADDRESS:
            return models.URLField(max_length=declared.limit, blank=True)
    return models.CharField(max_length=declared.limit, blank=True)


def _check_tags(value: list[object]) -> None:
    if not all(isinstance(tag, str) for tag in value):
        raise ValidationError("Found a tag that is no text; expected words.")


def _check_cost(value: float) -> None:
    if not is_cost(value):
        raise ValidationError(f"Found {value:g}; expected {A_COST}.")
