"""What do organisers see besides? The audit log, and whether the board can be trusted."""

from __future__ import annotations

from ninja import Router

from toprung.web.api.callers import ApiRequest, organising
from toprung.web.api.looks import Slug, get_result
from toprung.web.api.paging import AskedPage
from toprung.web.api.schemas.organising import AuditEntryOut, AuditOut, ValidityOut
from toprung.web.api.schemas.problems import problems
from toprung.web.services.results.content import without_drawings
from toprung.web.services.results.validity import KIND
from toprung.web.services.shown.organiser import organise_at

router = Router(tags=["organisers"])


@router.get(
    "/boards/{slug}/audit",
    response={200: AuditOut, **problems(404, 422)},
    summary="The audit log",
    url_name="api_audit",
    **organising(),
)
def list_audit(request: ApiRequest, slug: Slug, page: AskedPage) -> AuditOut:
    """Every entry as it is chained, from the first on, so that the chain can be followed."""
    entries = organise_at(request.auth.user, slug).board.audit.order_by("number")
    items = [
        AuditEntryOut(
            number=each.number,
            at=each.at,
            who=each.who,
            what=each.what,
            details=each.details,
            previous=each.previous,
            digest=each.digest,
        )
        for each in page.cut(entries)
    ]
    return AuditOut(items=items, count=entries.count())


@router.get(
    "/boards/{slug}/validity",
    response={200: ValidityOut, **problems(404)},
    summary="Can the board be trusted?",
    url_name="api_validity",
    **organising(),
)
def show_validity(request: ApiRequest, slug: Slug) -> ValidityOut:
    """Public against private scores, submissions against the policy, teams, and whether the audit log holds."""
    viewer = organise_at(request.auth.user, slug).viewer
    found = get_result(viewer, KIND)
    drawn = {part: without_drawings(found.content[part]) for part in ("private", "policy")}
    return ValidityOut(**(found.content | drawn), is_behind=found.generation < viewer.board.results_due)
