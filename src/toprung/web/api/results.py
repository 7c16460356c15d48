"""What was found of the runs of a board? Claims, who held the rung, stability, the grid of pairs, any two compared."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from django.http import Http404
from ninja import Path, Query, Router, Status

from toprung.errors import InputError
from toprung.web.api.callers import ApiRequest, looking
from toprung.web.api.errors import ApiError
from toprung.web.api.limits import count
from toprung.web.api.looks import AskedVersion, Slug, get_result, get_viewer_of, version_of
from toprung.web.api.paging import AskedPage
from toprung.web.api.schemas.problems import problems
from toprung.web.api.schemas.results import (
    AskedComparisonOut,
    ClaimOut,
    ClaimsOut,
    ComparisonOut,
    ReignOut,
    ResultTablesOut,
    TimelineOut,
)
from toprung.web.core import queue
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.results import StoredResult
from toprung.web.core.store.run_pairs import RunPair
from toprung.web.services.results.content import without_drawings
from toprung.web.services.shown import rates
from toprung.web.services.shown.compare.pairs import find_pair
from toprung.web.services.shown.compare.relations import find_comparison, key_of
from toprung.web.services.shown.exports import provenance_of
from toprung.web.services.shown.history.ledger import find_claims, to_entries

router = Router(tags=["results"])
B = Annotated[str, Query(description="The challenger or newer run, by its label.", examples=["R2"])]
A = Annotated[str, Query(description="The holder or the run to compare with.", examples=["R1"])]
Key = Annotated[str, Path(description="The analysis, as in the address of its page.", examples=["agreement"])]


@router.get(
    "/boards/{slug}/claims",
    response={200: ClaimsOut, **problems(404, 422)},
    summary="The ledger of claims",
    url_name="api_claims",
    **looking(),
)
def list_claims(request: ApiRequest, slug: Slug, page: AskedPage, labels: AskedVersion = None) -> ClaimsOut:
    """Every claim to the top rung that was ever made, the latest first; none is left out, also when it was voided."""
    viewer = get_viewer_of(request, slug, labels)
    claims = find_claims(viewer)
    entries = to_entries(page.cut(claims), viewer)
    return ClaimsOut(items=[ClaimOut(**each.record()) for each in entries], count=claims.count())


@router.get(
    "/boards/{slug}/timeline",
    response={200: TimelineOut, **problems(404, 422)},
    summary="Which submissions proved an improvement",
    url_name="api_timeline",
    **looking(),
)
def show_timeline(request: ApiRequest, slug: Slug, labels: AskedVersion = None) -> TimelineOut:
    """Whom claims were tested against over time, and how many would have led by score alone."""
    viewer = get_viewer_of(request, slug, labels)
    found = get_result(viewer, "timeline")
    return TimelineOut(**(_to_evidence(viewer, found) | {"holders": _to_reigns(viewer, found.content["holders"])}))


@router.get(
    "/boards/{slug}/stability",
    response={200: ResultTablesOut, **problems(404, 422)},
    summary="Stability of the ranks",
    url_name="api_stability",
    **looking(),
)
def show_stability(request: ApiRequest, slug: Slug, labels: AskedVersion = None) -> ResultTablesOut:
    """Would the same runs lead on other queries? Ranks over bootstrap samples; 404 while there is one run."""
    viewer = get_viewer_of(request, slug, labels)
    return ResultTablesOut(**_to_evidence(viewer, get_result(viewer, "stability")))


@router.get(
    "/boards/{slug}/significance",
    response={200: ResultTablesOut, **problems(404, 422)},
    summary="The grid of all pairs",
    url_name="api_significance",
    **looking(),
)
def show_significance(request: ApiRequest, slug: Slug, labels: AskedVersion = None) -> ResultTablesOut:
    """Which runs differ beyond chance? 404 while there are fewer than three runs."""
    viewer = get_viewer_of(request, slug, labels)
    return ResultTablesOut(**_to_evidence(viewer, get_result(viewer, "significance")))


@router.get(
    "/boards/{slug}/analyses/{key}",
    response={200: ResultTablesOut, **problems(404, 422)},
    summary="Another analysis",
    url_name="api_analysis",
    **looking(),
)
def show_analysis(request: ApiRequest, slug: Slug, key: Key, labels: AskedVersion = None) -> ResultTablesOut:
    """What an analysis found that the server registers for boards; 404 where it has no such one for you."""
    viewer = get_viewer_of(request, slug, labels)
    found = viewer.analysis(key)
    if found is None:
        raise Http404("There is nothing yet.")
    return ResultTablesOut(**_to_evidence(viewer, found))


@router.get(
    "/boards/{slug}/compare",
    response={200: ComparisonOut, **problems(404, 422)},
    summary="Two runs compared",
    url_name="api_compare",
    **looking(),
)
def show_comparison(request: ApiRequest, slug: Slug, b: B, a: A, labels: AskedVersion = None) -> ComparisonOut:
    """Is B really better than A? The first runs and every claim are compared in advance.

    404 where the pair is not compared yet, and with its reason where it cannot be: ask for one with POST.
    """
    viewer = get_viewer_of(request, slug, labels)
    found = find_comparison(viewer, _find_pair(viewer, b, a))
    if found is None:
        raise ApiError(HTTPStatus.NOT_FOUND, "Found no comparison of this pair yet; ask for it with POST.")
    return ComparisonOut(**_to_evidence(viewer, found))


@router.post(
    "/boards/{slug}/compare",
    response={200: AskedComparisonOut, 202: AskedComparisonOut, **problems(404, 422)},
    summary="Have two runs compared",
    url_name="api_ask_to_compare",
    **looking(),
)
def have_compared(request: ApiRequest, slug: Slug, b: B, a: A) -> Status[AskedComparisonOut]:
    """Hand the pair to the worker, once however many ask; then fetch it. Limited as on the page."""
    viewer = get_viewer_of(request, slug)
    pair = _find_pair(viewer, b, a)
    key = key_of(viewer, pair)
    if find_comparison(viewer, pair) is not None:
        return Status(HTTPStatus.OK, AskedComparisonOut(b=b, a=a, state="done"))
    if not rates.was_asked(viewer.board, key):
        _count_asking(request)
        if rates.is_first_to_ask(viewer.board, key):
            queue.compare.enqueue(viewer.board.pk, pair.challenger.run_id, pair.holder.run_id)
    return Status(HTTPStatus.ACCEPTED, AskedComparisonOut(b=b, a=a, state="queued"))


def _count_asking(request: ApiRequest) -> None:
    """With the same limits as on the page."""
    if request.auth.token is None:
        count(request, "compare_anonymously")
    else:
        count(request, "compare", user=request.auth.user)


def _find_pair(viewer: Viewer, b: str, a: str) -> RunPair:
    if not b or not a:
        raise ApiError(HTTPStatus.NOT_FOUND, "Found no two labels; expected b and a.")
    try:
        return find_pair(viewer, (), b, a)
    except InputError as error:
        raise ApiError(HTTPStatus.NOT_FOUND, str(error)) from None


def _to_evidence(viewer: Viewer, found: StoredResult) -> dict[str, Any]:
    """What the page shows, as data: the figures in words, and no drawing."""
    more = {"provenance": provenance_of(viewer, found), "labels_version": version_of(found)}
    return without_drawings(found.content) | more


def _to_reigns(viewer: Viewer, holders: list[dict[str, Any]]) -> list[ReignOut]:
    labels = [each["run"] for each in holders]
    runs = {each.run_id: each for each in viewer.board.submissions.filter(run_id__in=labels).select_related("team")}
    reigns = []
    for each in holders:
        run = runs[each["run"]]
        identity = viewer.namer.name(run)
        reigns.append(
            ReignOut(
                run=run.run_id,
                name="" if identity.is_hidden else identity.name,
                team=identity.team,
                since=each["since"],
                until=each["until"],
                is_baseline=run.is_baseline,
            )
        )
    return reigns
