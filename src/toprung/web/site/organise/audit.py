"""What was done to this board? Its hash-chained log, page by page, checked when asked, and as a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from toprung.web.core.models.audit import AuditEntry
from toprung.web.core.store.audit import find_break, show_people
from toprung.web.core.store.provenance import show_ends
from toprung.web.services.shown.organiser import organise_at
from toprung.web.site.account.requests import MemberRequest
from toprung.words.wording import say_count

ENTRIES_A_PAGE = 50


@dataclass(frozen=True, kw_only=True)
class ShownEntry:
    """One entry, with people called by the names they go by now."""

    number: int
    at: datetime
    who: str
    what: str
    reason: str
    changes: tuple[tuple[str, str, str], ...]
    """Of a change of settings: each with its value before and after."""
    digest: str


@never_cache
@login_required
@require_safe
def show_audit(request: MemberRequest, slug: str) -> HttpResponse:
    organiser_page = organise_at(request.user, slug)
    page = Paginator(organiser_page.board.audit.order_by("-number"), ENTRIES_A_PAGE).get_page(request.GET.get("page"))
    context = organiser_page.frame("audit", json_url=reverse("export_audit", args=[slug]))
    return render(request, "organise/audit.html", context | {"log": page, "entries": list(to_shown(list(page)))})


@login_required
@require_POST
def check_audit(request: MemberRequest, slug: str) -> HttpResponse:
    """Follow the chain from the first entry on."""
    organiser_page = organise_at(request.user, slug)
    broken, n = find_break(organiser_page.board), organiser_page.board.audit.count()
    if broken is None:
        messages.success(
            request, f"The chain holds: {say_count(n, 'entry', 'entries')}, each with the digest of the one before."
        )
    else:
        messages.error(
            request,
            f"The chain breaks at entry {broken:,}: it is missing, or not what was written. Entries before it hold. "
            "Compare with an export or a backup of the time.",
        )
    return redirect("audit", slug=slug)


@never_cache
@login_required
@require_safe
def export_audit(request: MemberRequest, slug: str) -> HttpResponse:
    """Every entry as it is chained, so that others can follow it; people by their numbers."""
    board = organise_at(request.user, slug).board
    entries = [
        {
            "number": entry.number,
            "at": entry.at.isoformat(),
            "who": entry.who,
            "what": entry.what,
            "details": entry.details,
            "previous": entry.previous,
            "digest": entry.digest,
        }
        for entry in board.audit.order_by("number").iterator()
    ]
    response = JsonResponse({"board": board.slug, "entries": entries}, json_dumps_params={"ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="{board.slug}-audit.json"'
    return response


def to_shown(entries: Sequence[AuditEntry]) -> Iterator[ShownEntry]:
    """Names are looked up when they are shown: who left is nobody's name any more."""
    for entry, (who, what) in zip(entries, show_people(entries), strict=True):
        yield ShownEntry(
            number=entry.number,
            at=entry.at,
            who=who,
            what=what,
            reason=str(entry.details.get("reason", "")),
            changes=tuple(_changes(entry)),
            digest=show_ends(entry.digest),
        )


def _changes(entry: AuditEntry) -> Iterator[tuple[str, str, str]]:
    before, after = entry.details.get("before", {}), entry.details.get("after", {})
    for key in before:
        yield key, _in_words(before[key]), _in_words(after.get(key))


def _in_words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value in (None, "") else str(value)
