"""How is a stored file sent? As it is, known by its digest, from where an earlier download broke off."""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus

from django.db.models.fields.files import FieldFile
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase

from toprung.web.core.models.data import DataFile

FROM = re.compile(r"bytes=(\d{1,18})-")


@dataclass(frozen=True, kw_only=True)
class StoredFile:
    """A file on this server, by the name it is sent under."""

    name: str
    size: int
    digest: str
    file: FieldFile

    @classmethod
    def of(cls, given: DataFile) -> StoredFile:
        return cls(name=given.name, size=given.size or 0, digest=given.digest, file=given.file)


def send_stored_file(request: HttpRequest, stored: StoredFile) -> HttpResponseBase:
    """Nothing where the asker has it; the rest where they have the beginning of this same file."""
    etag = f'"{stored.digest.removeprefix("sha256:")}"'
    if etag in request.headers.get("If-None-Match", ""):
        response: HttpResponseBase = HttpResponse(status=HTTPStatus.NOT_MODIFIED)
    else:
        response = _send(stored, _read_start(request, stored, etag))
    response.headers["ETag"] = etag
    response.headers["Accept-Ranges"] = "bytes"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def _read_start(request: HttpRequest, stored: StoredFile, etag: str) -> int:
    """From which byte on; all of it where another file was begun, or another part is asked for."""
    found = FROM.fullmatch(request.headers.get("Range", ""))
    if found is None or request.headers.get("If-Range", etag) != etag:
        return 0
    start = int(found[1])
    return start if start < stored.size else 0


def _send(stored: StoredFile, start: int) -> FileResponse:
    file = stored.file.open("rb")
    if start:
        file.seek(start)
    response = FileResponse(file, as_attachment=True, filename=stored.name, content_type="application/octet-stream")
    if start:
        response.status_code = HTTPStatus.PARTIAL_CONTENT
        response.headers["Content-Range"] = f"bytes {start}-{stored.size - 1}/{stored.size}"
        response.headers["Content-Length"] = str(stored.size - start)
    return response
