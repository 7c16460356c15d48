"""Is it still the person who signed in? Asked anew before something that would outlast a browser left open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.account.decorators import reauthentication_required
from django.http import HttpResponse

type View = Callable[..., HttpResponse]


def recent_login_required(view: View) -> View:
    """Have who posts confirm who they are, unless they did a moment ago; then what they posted is gone on with."""
    decorate: Any = reauthentication_required(allow_get=True)
    wrapped: View = decorate(view)
    return wrapped
