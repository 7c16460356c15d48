"""Where is a page, for whoever reads of it elsewhere: in a file, a mail, a citation, an answer of the API?"""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse


def address_of(name: str, *parts: object) -> str:
    """The whole address; a path alone in a copy of a board that nobody else can reach."""
    return f"{settings.ENVIRONMENT.public_url}{reverse(name, args=parts)}"
