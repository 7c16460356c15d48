"""Which server and which board are meant? A server is an origin; a board its slug there, or the address of its page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from toprung.errors import InputError
from toprung.net.request import without_query
from toprung.words.visible import in_one_line

SLUG = re.compile(r"[-a-zA-Z0-9_]{1,100}", re.ASCII)
LABEL = re.compile(r"[A-Za-z]{1,3}[0-9]{1,9}", re.ASCII)
BOARD_PATH = re.compile(r"/b/(?P<slug>[-a-zA-Z0-9_]{1,100})(/.*)?", re.ASCII)
AN_ADDRESS = "an address such as https://board.example.org"
USUAL_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, kw_only=True)
class BoardName:
    """A board as it was named: by its slug alone, or with its server."""

    slug: str
    server: str = ""


def read_server(text: str) -> str:
    """The origin of a server, written in one way.

    >>> read_server("https://Board.example.org:443/"), read_server("http://localhost:8000/b/news/")
    ('https://board.example.org', 'http://localhost:8000')
    """
    url = _split(text)
    host = url.hostname or ""
    host = f"[{host}]" if ":" in host else host
    port = "" if url.port in (None, USUAL_PORTS[url.scheme]) else f":{url.port}"
    return f"{url.scheme}://{host}{port}"


def read_board(text: str) -> BoardName:
    """The board that a person names.

    >>> read_board("news"), read_board("https://board.example.org/b/news/claims/").slug
    (BoardName(slug='news', server=''), 'news')
    """
    if SLUG.fullmatch(text):
        return BoardName(slug=text)
    if "//" not in text:
        raise InputError(f"Found board '{_show(text)}'; expected the last part of its address, or all of it.")
    found = BOARD_PATH.fullmatch(_split(text).path)
    if found is None:
        raise InputError(f"Found '{_show(text)}'; expected the address of a board, such as https://HOST/b/BOARD/.")
    return BoardName(slug=found["slug"], server=read_server(text))


def check_label(text: str) -> str:
    """What a run is called on its board, such as R32.

    >>> check_label("r32")
    'R32'
    """
    if not LABEL.fullmatch(text):
        raise InputError(f"Found run '{_show(text)}'; expected what it is called on the board, such as R32.")
    return text.upper()


def _split(text: str) -> SplitResult:
    try:
        url = urlsplit(text)
        is_whole = url.scheme in USUAL_PORTS and bool(url.hostname) and url.port != 0
    except ValueError:  # half an address in brackets, a port that is no number
        is_whole = False
    if not is_whole or not text.isascii() or not text.isprintable() or " " in text:
        raise InputError(f"Found '{_show(text)}'; expected {AN_ADDRESS}.")
    if url.username or url.password:
        raise InputError(f"Found a name or a password in the address; expected {AN_ADDRESS}, and the token by itself.")
    return url


def _show(text: str) -> str:
    """Without what may hold a password."""
    return in_one_line(without_query(text).rpartition("@")[2])[:200]
