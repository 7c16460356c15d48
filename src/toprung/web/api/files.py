"""How does a run file come in pieces, and what did its check find?"""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from django.http import UnreadablePostError
from ninja import Header, Path, Router, Status

from toprung.web.api.callers import BYTES, JSON, ApiRequest, changing, reading_own
from toprung.web.api.errors import ApiError
from toprung.web.api.file_access import get_file_for_sender, get_file_for_team
from toprung.web.api.looks import Slug
from toprung.web.api.schemas.files import LARGEST, DevScoresOut, FileOut, NewFileIn, PieceOut, ReportOut, StartedFileOut
from toprung.web.api.schemas.problems import WrongPlaceOut, problems
from toprung.web.core.access.boards import get_board_for_viewer
from toprung.web.core.access.runs import get_team_to_submit_for
from toprung.web.core.models.runs import PartialUpload, Upload
from toprung.web.services.runs.pieces import LARGEST_PIECE, receive_piece, start_file

router = Router(tags=["files"])
RECEIVING = "receiving"
FileId = Annotated[str, Path(description="The id of the file.", examples=["12"])]
Offset = Annotated[int, Header(alias="Upload-Offset", ge=0, le=LARGEST, description="How much was received before.")]
A_PIECE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "The next bytes of the file, as they are.",
        "content": {BYTES: {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.post(
    "/boards/{slug}/files",
    response={200: StartedFileOut, 201: StartedFileOut, **problems(404, 413, 415, 422, 503, 507)},
    summary="Begin to send a file",
    url_name="api_start_file",
    **changing(JSON),
)
def start(request: ApiRequest, slug: Slug, asked: NewFileIn) -> Status[StartedFileOut]:
    """Announce a run file: plain, or packed with gzip, bzip2 or zstd. Nothing is counted against the quota.

    Of you, this team, this board, this size and this digest there may be an unfinished one: it is answered (200), to go
    on with from what was received. Files that nobody goes on with for a day are forgotten.
    """
    user = request.auth.user
    board = get_board_for_viewer(user, slug)
    team = get_team_to_submit_for(board, user, asked.team)
    partial, is_new = start_file(board, team, by=user, file_name=asked.file_name, size=asked.size, digest=asked.digest)
    started = StartedFileOut(**_say_progress(partial), chunk_bytes=LARGEST_PIECE)
    return Status(HTTPStatus.CREATED if is_new else HTTPStatus.OK, started)


@router.patch(
    "/boards/{slug}/files/{file_id}",
    response={200: PieceOut, **problems(404, 413, 415, 422, 503, 507), 409: WrongPlaceOut},
    summary="Send a piece of a file",
    url_name="api_send_piece",
    openapi_extra=A_PIECE,
    **changing(BYTES),
)
def send_piece(request: ApiRequest, slug: Slug, file_id: FileId, offset: Offset) -> PieceOut:
    """The next bytes, from `Upload-Offset` on. The last ones complete the file, and its check is queued.

    409 where the piece begins elsewhere than the last one ended, with how much was received: go on from there. 422
    where the whole has another digest than announced: nothing is kept then.
    """
    partial = get_file_for_sender(request.auth.user, slug, file_id)
    return PieceOut(**_say_progress(receive_piece(partial, _read(request), offset=offset)))


@router.get(
    "/boards/{slug}/files/{file_id}",
    response={200: FileOut, **problems(404)},
    summary="A file and its check",
    url_name="api_file",
    **reading_own(),
)
def show_file(request: ApiRequest, slug: Slug, file_id: FileId) -> FileOut:
    """How far it is, what the check found, and its scores on the public development labels."""
    partial = get_file_for_team(request.auth.person, slug, file_id)
    upload = partial.upload
    return FileOut(
        **_say_progress(partial),
        file_name=partial.file_name,
        team=partial.team.slug,
        report=ReportOut(**upload.report) if upload is not None and upload.report else None,
        dev_scores=None if upload is None else _to_dev_scores(upload),
        run=None if upload is None or not hasattr(upload, "submission") else upload.submission.run_id,
    )


def _say_progress(partial: PartialUpload) -> dict[str, Any]:
    state = RECEIVING if partial.upload is None else partial.upload.state
    return {"id": str(partial.pk), "state": state, "received": partial.received, "size": partial.size}


def _to_dev_scores(upload: Upload) -> DevScoresOut | None:
    found = upload.dev_scores
    return DevScoresOut(n_queries=found["n_queries"], scores=dict(found["scores"])) if "n_queries" in found else None


def _read_length(request: ApiRequest) -> int:
    """Of the body, as it was announced; what is no number announces nothing, and Django reads nothing then."""
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


def _read(request: ApiRequest) -> bytes:
    """All of the body, or a refusal: of a piece that was cut short nothing is kept."""
    announced = _read_length(request)
    if announced > LARGEST_PIECE:
        raise ApiError(
            HTTPStatus.CONTENT_TOO_LARGE,
            f"Found a piece of {announced:,} bytes; expected at most {LARGEST_PIECE:,}. Send it in smaller ones.",
        )
    try:
        content = request.read()
    except UnreadablePostError:
        content = b""
    if len(content) != announced:
        raise ApiError(HTTPStatus.BAD_REQUEST, "Found a piece that was cut short; expected all of it. Send it again.")
    return content
