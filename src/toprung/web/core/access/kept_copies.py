"""May a browser or a proxy keep an answer, or pack it? What is made for one person is kept nowhere.

Where the size of an answer would tell what it is about, it is filled up and sent as it is (``no-transform``).
"""

from __future__ import annotations

from django.http import HttpResponseBase
from django.utils.cache import patch_cache_control

AS_IT_IS = "no-transform"


def keep_nowhere(response: HttpResponseBase) -> None:
    """Whatever was said of keeping before is replaced; that it is sent as it is stays so."""
    must_not_change = is_sent_as_it_is(response)
    response.headers["Cache-Control"] = "no-store, private"
    if must_not_change:
        send_as_it_is(response)


def send_as_it_is(response: HttpResponseBase) -> None:
    patch_cache_control(response, no_transform=True)


def is_sent_as_it_is(response: HttpResponseBase) -> bool:
    return AS_IT_IS in response.headers.get("Cache-Control", "")
