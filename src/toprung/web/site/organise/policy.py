"""What are the rules, and which may still change? What runs and claims depend on is frozen; changes are on record."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.store.columns import labels_of
from toprung.web.core.store.plan import BoardPlan, BoardRefusedError
from toprung.web.services.boards.label_facts import LabelFacts
from toprung.web.services.boards.policy import change_policy, frozen_keys
from toprung.web.services.boards.words import (
    BoardChoice,
    measure_choices,
    name_release,
    rule_choices,
    say_expected_claims,
)
from toprung.web.services.results.words import USUAL_MARGIN
from toprung.web.services.shown.organiser import organise_at
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.organise.board_form import SettingsForm
from toprung.web.site.organise.choices import choices_of_policy, initial_of, show_choices, tick
from toprung.words.wording import list_names

MARGINS = ("answered_margin", "ranking_margin")
SAID_BY: dict[str, Callable[[str], str]] = {"gamma": say_expected_claims, "release": name_release}
"""Settings that are kept as codes."""


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def show_policy(request: MemberRequest, slug: str) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    frozen = frozen_keys(organiser_page.board)
    measures = _measures(organiser_page.board, frozen)
    before = initial_of(BoardPlan.of(organiser_page.board)) | _another_measure(organiser_page.board, measures)
    form = SettingsForm(_with_frozen(request, before, frozen) if request.method == "POST" else None, initial=before)
    status = HTTPStatus.OK
    if request.method == "POST":
        changed = _change(request, organiser_page.board, form, frozen)
        if changed is not None:
            said = f"Changed {list_names(changed)}; the audit log has both values." if changed else "Nothing changed."
            messages.success(request, said)
            return redirect("policy", slug=slug)
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    context = organiser_page.frame("policy") | {
        "form": form,
        "frozen": _to_list(form, organiser_page.board, frozen),
        "keys": frozen,
        "choices": _choices(form, organiser_page.board, frozen, measures),
    }
    context |= {"n_runs": organiser_page.board.submissions.count(), "n_claims": organiser_page.board.claims.count()}
    return render(request, "organise/policy.html", context, status=status)


def _measures(board: Board, frozen: Collection[str]) -> list[BoardChoice]:
    """What the labels ask for, and what else is usual; nothing where the measure is fixed, or no labels are here."""
    labels = _official(board)
    if "official_measure" in frozen or labels is None or not labels.file:
        return []
    return measure_choices(LabelFacts.of(labels_of(labels)))


def _another_measure(board: Board, measures: Collection[BoardChoice]) -> dict[str, str]:
    """That of the board, where it is not among the usual ones."""
    is_usual = board.official_measure in {each.value for each in measures}
    return {"another_measure": "" if is_usual else board.official_measure}


def _official(board: Board) -> LabelSet | None:
    return board.label_sets.filter(use=LabelUse.OFFICIAL, is_current=True).first()


def _choices(
    form: SettingsForm, board: Board, frozen: Collection[str], measures: Sequence[BoardChoice]
) -> dict[str, Any]:
    """In the words that the board was made with; of what is fixed nothing is asked."""
    plan, labels = BoardPlan.of(board), _official(board)
    n = 0 if labels is None else labels.n_queries
    hidden = n if labels is not None and labels.is_hidden else 0
    shown = dict(choices_of_policy(form, plan, queries=n, hidden_queries=hidden))
    if measures:
        shown["official_measure"] = show_choices(form, "official_measure", measures)
    if "rule" not in frozen:
        shown["rule"] = show_choices(form, "rule", rule_choices(proposes=False))
    if "depth" not in frozen:
        shown["others"] = tick(form, plan)
    return shown


def _change(request: MemberRequest, board: Board, form: SettingsForm, frozen: dict[str, str]) -> list[str] | None:
    """The names of what changed; None where it was refused, and the form says why."""
    if not form.is_valid():
        return None
    try:
        changed = change_policy(board, _with_seconds(form.settings(), board), by=request.user)
    except BoardRefusedError as error:
        form.show_faults(error.faults, unasked=frozen)
        return None
    return [str(form.fields[key].label or key) for key in changed]


def _with_seconds(changes: dict[str, Any], board: Board) -> dict[str, Any]:
    """The form shows minutes: a time that it left as it was did not change."""
    for key in ("opens_at", "closes_at"):
        was = getattr(board, key)
        if was is not None and changes[key] == was.replace(second=0, microsecond=0):
            changes[key] = was
    if changes["opens_at"] is None:
        changes["opens_at"] = board.opens_at
    return changes


def _with_frozen(request: MemberRequest, before: Mapping[str, object], frozen: Collection[str]) -> QueryDict:
    """What the page does not ask for stays as it is; what was sent all the same is held to the rules."""
    sent = request.POST.copy()
    for key in frozen:
        if key not in sent and before[key] is not None:
            sent[key] = str(before[key])
    return sent


def _to_list(form: SettingsForm, board: Board, frozen: dict[str, str]) -> list[tuple[str, str, str]]:
    """Each frozen setting: its name, its value in words, and why."""
    rows = []
    for key, why in frozen.items():
        label = form.fields[key].label if key in form.fields else "Address"
        rows.append((str(label), say_value(board, key), why))
    return rows


def say_value(board: Board, key: str) -> str:
    """What a setting is set to, never by its code."""
    words = getattr(board, f"get_{key}_display", lambda: getattr(board, key))()
    if key in SAID_BY:
        return SAID_BY[key](words)
    if words is None:
        return USUAL_MARGIN if key in MARGINS else "not set"
    if isinstance(words, bool):
        return "yes" if words else "no"
    if isinstance(words, datetime):
        return f"{words:%Y-%m-%d %H:%M} UTC"
    return ", ".join(words) or "none" if isinstance(words, list) else str(words)
