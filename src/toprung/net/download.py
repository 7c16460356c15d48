"""How does a large file come? Piece by piece into a file, from where an earlier attempt broke off.

Not through `request.exchange`, which holds a whole reply: here a reply may be larger than the memory.
"""

from __future__ import annotations

import http.client
import urllib.request
from collections.abc import Callable, Mapping
from http.client import HTTPMessage
from pathlib import Path
from typing import IO, override
from urllib.error import HTTPError

from toprung.net.request import NoReplyError, is_this_machine

PIECE = 1 << 18
REST = 206
OUT_OF_RANGE = 416


class _HttpsRedirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects to https alone: a link leads to where its owner keeps the file now."""

    @override
    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        if not newurl.startswith("https://"):
            raise HTTPError(newurl, code, "a redirect to an address that is not https", headers, fp)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def download(
    url: str,
    into: Path,
    *,
    headers: Mapping[str, str],
    timeout: float,
    follows: bool,
    on_progress: Callable[[int], None],
) -> None:
    """Add to the file what it lacks of the reply; a `NoReplyError` leaves what came for the next attempt.

    ``timeout`` is for each piece: a file may take hours. Redirects are followed only where ``follows`` says so.
    """
    start = into.stat().st_size if into.exists() else 0
    sent = dict(headers) | ({"Range": f"bytes={start}-"} if start else {})
    request = urllib.request.Request(url, headers=sent)  # noqa: S310 - callers let only http and https pass
    try:
        with _opener(url, follows=follows).open(request, timeout=timeout) as reply:
            _write(reply, into, start if reply.status == REST else 0, on_progress)
    except HTTPError as error:
        error.close()
        if error.code == OUT_OF_RANGE and start:  # all of it is there already
            return
        raise NoReplyError(f"status {error.code}") from None
    except (OSError, http.client.HTTPException) as error:
        raise NoReplyError(str(getattr(error, "reason", error)) or type(error).__name__) from None


def _opener(url: str, *, follows: bool) -> urllib.request.OpenerDirector:
    opener = urllib.request.OpenerDirector()
    opener.add_handler(urllib.request.ProxyHandler({} if is_this_machine(url) else None))
    opener.add_handler(urllib.request.HTTPHandler())
    opener.add_handler(urllib.request.HTTPSHandler())
    opener.add_handler(urllib.request.HTTPDefaultErrorHandler())
    opener.add_handler(urllib.request.HTTPErrorProcessor())
    if follows:
        opener.add_handler(_HttpsRedirects())
    return opener


def _write(reply: http.client.HTTPResponse, into: Path, start: int, on_progress: Callable[[int], None]) -> None:
    done = start
    with into.open("ab" if start else "wb") as file:
        while piece := reply.read(PIECE):
            file.write(piece)
            done += len(piece)
            on_progress(done)
    if reply.length:
        raise http.client.IncompleteRead(b"", reply.length)
