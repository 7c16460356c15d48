"""What does a team say of its run? Checked by the form of the page, field by field."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from typing import Any

from toprung.data.run_card import CardValue, RunCard, card_fields
from toprung.web.api.errors import ApiError
from toprung.web.api.schemas.runs import NewRunIn, RunCardIn
from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import Submission
from toprung.web.services.runs.card_form import CardForm, initial_of


def read_new_card(asked: NewRunIn, board: Board) -> RunCard:
    """Of a new run."""
    given = asked.model_dump(exclude_unset=True, exclude={"file"})
    form = CardForm(_to_posted(given), board=board)
    return replace(RunCard(), **_clean(form, given, list(form.fields)))


def read_card(asked: RunCardIn, before: RunCard, submission: Submission) -> RunCard:
    """What was given, on top of what the card says."""
    given = asked.model_dump(exclude_unset=True)
    form = CardForm(initial_of(before) | _to_posted(given), board=submission.board, of=submission)
    return replace(before, **_clean(form, given, list(given)))


def _clean(form: CardForm, given: dict[str, Any], wanted: list[str]) -> dict[str, Any]:
    faults = {name: str(faults[0]) for name, faults in form.errors.items() if name in wanted}
    for name, value in given.items():
        if name not in form.fields and value is not None:
            faults[name] = "Found a day; expected none: this run cannot be anonymous."
    for name in _lists():
        if any("," in tag for tag in given.get(name) or []):
            faults[name] = "Found a comma in a tag; expected none."
    if faults:
        said = " ".join(f"{name}: {fault}" for name, fault in faults.items())
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, said)
    return {name: form.cleaned_data[name] for name in wanted if name in form.fields}


def _to_posted(given: dict[str, Any]) -> dict[str, Any]:
    """As a browser would send it: the form takes texts, and nothing for null."""
    posted = {name: "" if value is None else str(value) for name, value in given.items()}
    return posted | {name: ", ".join(given[name] or ()) for name in _lists() if name in given}


def _lists() -> list[str]:
    return [each.name for each in card_fields() if each.holds is CardValue.TAGS]
