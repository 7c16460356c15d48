"""How large may an upload be? Counted while it arrives: what is too large is refused before it fills the disk."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import SkipFile, StopUpload, TemporaryFileUploadHandler
from django.http import HttpRequest

TOO_LARGE = "toprung.too_large"
NAME_ON_DISK = "run"
"""While a file comes in: what its sender calls it may be no name for a file here."""


class CappedUploadHandler(TemporaryFileUploadHandler):
    """Writes the upload to a temporary file, and stops at the cap; who is not signed in uploads nothing."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._received = 0

    def new_file(self, field_name: str, file_name: str, *args: Any, **kwargs: Any) -> None:
        user = getattr(self.request, "user", None)
        if user is None or not user.is_authenticated:
            raise SkipFile
        super().new_file(field_name, NAME_ON_DISK, *args, **kwargs)
        self.file.name = file_name

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        self._received += len(raw_data)
        if self._received > settings.ENVIRONMENT.max_upload_bytes:
            if self.request is not None:
                self.request.META[TOO_LARGE] = True
            raise StopUpload(connection_reset=False)
        return super().receive_data_chunk(raw_data, start)


def is_too_large(request: HttpRequest) -> bool:
    """Whether the upload was stopped; then the fields behind the file are missing too."""
    return TOO_LARGE in request.META
