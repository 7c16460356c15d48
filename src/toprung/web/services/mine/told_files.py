"""What became of a file that is no run? It is being checked, was refused or tried, or waits to be submitted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils import timezone

from toprung.web.core.models.runs import Upload, UploadState
from toprung.web.core.work.state import say_seconds
from toprung.web.services.mine.own_runs import Act, OwnRun, OwnState
from toprung.words.wording import list_names, say_count, show_number

STATES = {
    UploadState.REFUSED: OwnState.REFUSED,
    UploadState.ACCEPTED: OwnState.CHECKED,
    UploadState.DRY: OwnState.DRY,
}
DECIMALS = 4
NOT_COUNTED = "Nothing was counted against your quota."


def tell_file(upload: Upload, *, is_last: bool) -> OwnRun:
    """``is_last``: nothing came after it from the team, so it is for the team to act."""
    state = STATES.get(UploadState(upload.state), OwnState.CHECKING)
    bold, says = _say(upload, state)
    return OwnRun(
        name=upload.file_name,
        path=reverse("upload", args=[upload.board.slug, upload.pk]),
        board=upload.board,
        team=str(upload.team),
        at=upload.sent_at,
        state=state,
        took=f"for {_say_age(upload)}" if state is OwnState.CHECKING else "",
        bold=bold,
        says=says,
        act=_find_act(upload, state, is_last=is_last),
    )


def _say(upload: Upload, state: OwnState) -> tuple[str, str]:
    if state is OwnState.CHECKING:
        return "", "Its check has no cost."
    if state is OwnState.DRY:
        return "", f"{say_dry_run(upload.dev_scores)} {NOT_COUNTED}"
    if state is OwnState.CHECKED:
        return "", f"{upload.report.get('sentence', 'Accepted')}. It counts once it is submitted."
    errors = [each for each in upload.report.get("findings", []) if each["severity"] == "error"]
    if not errors:
        return "It was refused.", NOT_COUNTED
    first, more = errors[0], len(errors) - 1
    others = f" {more} more found." if more else ""
    return first["what"], f"{first.get('fix', '')}{others} {NOT_COUNTED}".strip()


def say_dry_run(found: Mapping[str, Any]) -> str:
    """What a file with the dev queries alone came to; their labels are public, so it is said in full.

    >>> say_dry_run({"n_queries": 60, "scores": [["RR@100", 0.25], ["AP", 0.2]]})
    'RR@100 0.2500 and AP 0.2000 on 60 dev queries.'
    """
    scores = [f"{measure} {show_number(value, DECIMALS)}" for measure, value in found.get("scores", [])]
    return f"{list_names(scores)} on {say_count(found['n_queries'], 'dev query', 'dev queries')}." if scores else ""


def _say_age(upload: Upload) -> str:
    return say_seconds((timezone.now() - upload.sent_at).total_seconds())


def _find_act(upload: Upload, state: OwnState, *, is_last: bool) -> Act | None:
    page = reverse("submit", args=[upload.board.slug])
    if state in (OwnState.CHECKING, OwnState.DRY) or not upload.board.is_open:
        return None
    if state is OwnState.CHECKED:
        return Act(words="Submit it", path=f"{page}?upload={upload.pk}", is_needed=is_last)
    return Act(words="Send again", path=page, is_needed=is_last)
