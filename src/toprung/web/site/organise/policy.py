"""What are the rules, and which may still change? What runs and claims depend on is frozen; changes are on record."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from toprung.web.core.models.boards import Board
from toprung.web.core.store.plan import BoardPlan, BoardRefusedError
from toprung.web.services.boards.policy import change_policy, frozen_keys
from toprung.web.services.shown.organiser import organise_at
from toprung.web.site.account.requests import MemberRequest
from toprung.web.site.organise.board_form import SettingsForm
from toprung.web.site.organise.gains import show_gains
from toprung.words.wording import list_names


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def show_policy(request: MemberRequest, slug: str) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    frozen = frozen_keys(organiser_page.board)
    before = _initial(organiser_page.board)
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
        "gains": show_gains(organiser_page.board),
    }
    context |= {"n_runs": organiser_page.board.submissions.count(), "n_claims": organiser_page.board.claims.count()}
    return render(request, "organise/policy.html", context, status=status)


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


def _initial(board: Board) -> dict[str, Any]:
    plan = BoardPlan.of(board)
    values = {key: getattr(plan, key) for key in BoardPlan.__dataclass_fields__}
    return values | {"other_measures": ", ".join(plan.other_measures)}


def _with_frozen(request: MemberRequest, before: dict[str, Any], frozen: dict[str, str]) -> dict[str, Any]:
    """What the page does not ask for stays as it is; what was sent all the same is held to the rules."""
    unasked = {key: before[key] for key in frozen if key not in request.POST}
    return request.POST.dict() | unasked


def _to_list(form: SettingsForm, board: Board, frozen: dict[str, str]) -> list[tuple[str, object, str]]:
    """Each frozen setting: its name, its value in words, and why."""
    rows = []
    for key, why in frozen.items():
        words = getattr(board, f"get_{key}_display", lambda key=key: getattr(board, key))()
        value = ", ".join(words) or "none" if isinstance(words, list) else "the usual" if words is None else words
        label = form.fields[key].label if key in form.fields else "Address"
        rows.append((str(label), value, why))
    return rows
