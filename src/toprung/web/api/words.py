"""What does a team say of its run? Checked by the form of the page, field by field."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from typing import Any

from toprung.web.api.errors import ApiError
from toprung.web.api.schemas.runs import NewRunIn, RunCardIn
from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import Submission
from toprung.web.services.runs.submit import RunCard
from toprung.web.services.runs.words_form import WordsForm, initial_of


def read_new_words(asked: NewRunIn, board: Board) -> RunCard:
    """Of a new run."""
    given = asked.model_dump(exclude_unset=True, exclude={"file"})
    form = WordsForm(_to_posted(given), board=board)
    return replace(RunCard(name=""), **_clean(form, given, list(form.fields)))


def read_words(asked: RunCardIn, before: RunCard, submission: Submission) -> RunCard:
    """What was given, on top of what the words are."""
    given = asked.model_dump(exclude_unset=True)
    form = WordsForm(initial_of(before) | _to_posted(given), board=submission.board, of=submission)
    return replace(before, **_clean(form, given, list(given)))


def _clean(form: WordsForm, given: dict[str, Any], wanted: list[str]) -> dict[str, Any]:
    faults = {name: str(faults[0]) for name, faults in form.errors.items() if name in wanted}
    for name, value in given.items():
        if name not in form.fields and value is not None:
            faults[name] = "Found a day; expected none: this run cannot be anonymous."
    if any("," in tag for tag in given.get("tags") or []):
        faults["tags"] = "Found a comma in a tag; expected none."
    if faults:
        said = " ".join(f"{name}: {fault}" for name, fault in faults.items())
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, said)
    return {name: form.cleaned_data[name] for name in wanted if name in form.fields}


def _to_posted(given: dict[str, Any]) -> dict[str, Any]:
    """As a browser would send it: the form takes texts, and nothing for null."""
    posted = {name: "" if value is None else str(value) for name, value in given.items()}
    return posted | ({"tags": ", ".join(given["tags"])} if given.get("tags") else {})
