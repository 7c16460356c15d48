"""What does every page know?"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from toprung.version import __version__
from toprung.web.core.store.copies import Copy, find_copy


def version(request: HttpRequest) -> dict[str, str]:  # noqa: ARG001 - Django calls it so
    return {"toprung_version": __version__}


def mail(request: HttpRequest) -> dict[str, bool]:  # noqa: ARG001 - Django calls it so
    """Whether this server sends mail: pages promise none where it does not."""
    return {"has_mail": settings.ENVIRONMENT.mail is not None}


def copy(request: HttpRequest) -> dict[str, Copy | None]:
    """Set where a page is written as a file: then it offers nothing that needs a server."""
    return {"copy": find_copy(request)}
