"""What does a board offer to work with? Files with their digests, sent once their terms are accepted."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from django.http import Http404, HttpResponseBase
from ninja import Path, Router

from toprung.web.api.callers import JSON, ApiRequest, changing, looking
from toprung.web.api.errors import ApiError
from toprung.web.api.looks import Slug
from toprung.web.api.schemas.data import AcceptTermsIn, DataFileOut, DataTermsOut, OfferedDataOut
from toprung.web.api.schemas.problems import problems
from toprung.web.core.access.boards import get_board_for_viewer
from toprung.web.core.access.rights import Person
from toprung.web.core.models.boards import Board
from toprung.web.services.data.offered import find_stored, list_offered
from toprung.web.services.data.sending import send_stored_file
from toprung.web.services.data.terms import TermsError, accept_terms, current_terms, find_acceptance, must_accept

router = Router(tags=["data"])
FileName = Annotated[str, Path(description="The name of the file.", examples=["queries-dev.tsv"])]
NOT_ACCEPTED = (
    "Found terms that you have not accepted; expected that first: read them at the page Data of the board, and accept "
    "them there or with `toprung data BOARD --accept-terms`."
)


@router.get(
    "/boards/{slug}/data",
    response={200: OfferedDataOut, **problems(404)},
    summary="Files of a board",
    url_name="api_data",
    **looking(),
)
def show_offered(request: ApiRequest, slug: Slug) -> OfferedDataOut:
    """Queries, passages, corpus, public labels and whatever else its organisers offer, and the terms of them."""
    return _to_offered(get_board_for_viewer(request.auth.person, slug), request.auth.person)


@router.post(
    "/boards/{slug}/data/terms",
    response={200: OfferedDataOut, **problems(404, 409, 413, 415, 422)},
    summary="Accept the terms",
    url_name="api_accept_terms",
    **changing(JSON),
)
def accept(request: ApiRequest, slug: Slug, asked: AcceptTermsIn) -> OfferedDataOut:
    """Of the version that was read, by its digest; who accepted which one and when is kept. 409 where it changed."""
    board = get_board_for_viewer(request.auth.person, slug)
    try:
        accept_terms(board, asked.digest, by=request.auth.user)
    except TermsError as error:
        raise ApiError(HTTPStatus.CONFLICT, str(error)) from None
    return _to_offered(board, request.auth.person)


@router.get(
    "/boards/{slug}/data/files/{name}",
    response={200: None, **problems(404)},
    summary="A file",
    url_name="api_data_file",
    **looking(),
)
def send_file(request: ApiRequest, slug: Slug, name: FileName) -> HttpResponseBase:
    """The file as it is, with its SHA-256 as `ETag`; `Range: bytes=N-` gives the rest of it. 403 before the terms."""
    board = get_board_for_viewer(request.auth.person, slug)
    found = find_stored(board, name)
    if found is None:
        raise Http404("There is no such file.")
    stored, needs_terms = found
    if needs_terms and must_accept(board, request.auth.person):
        raise ApiError(HTTPStatus.FORBIDDEN, NOT_ACCEPTED)
    return send_stored_file(request, stored)


def _to_offered(board: Board, person: Person) -> OfferedDataOut:
    terms = current_terms(board)
    files = [
        DataFileOut(
            name=each.name,
            kind=each.kind,
            note=each.note,
            size=each.size,
            digest=each.digest,
            link=(each.url or None) if each.is_link else None,
            needs_terms=terms is not None and each.needs_terms,
        )
        for each in list_offered(board, person)
    ]
    accepted = find_acceptance(board, person) is not None
    shown = (
        None if terms is None else DataTermsOut(text=terms.text, digest=terms.digest, at=terms.at, is_accepted=accepted)
    )
    return OfferedDataOut(files=files, terms=shown)
