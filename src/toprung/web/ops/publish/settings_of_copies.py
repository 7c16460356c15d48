"""What is set otherwise while a copy is written? Plain names of static files, and the address that citations give."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from django.conf import settings

PLAIN_STATIC_FILES = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE = "whitenoise.middleware.WhiteNoiseMiddleware"
"""Serves the folder of static files, which a machine that only copies does not have."""


def name_static_files_plainly() -> None:
    """For the rest of this process, before any page: names without digests, which need no folder made first."""
    settings.STORAGES = settings.STORAGES | {"staticfiles": PLAIN_STATIC_FILES}
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if each != WHITENOISE]


@contextmanager
def citing(site: str) -> Iterator[None]:
    """Citations give addresses of this site; none where it is empty."""
    before = settings.ENVIRONMENT
    settings.ENVIRONMENT = replace(before, public_url=site)
    try:
        yield
    finally:
        settings.ENVIRONMENT = before
