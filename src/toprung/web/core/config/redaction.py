"""What is left out of a log? Whatever lets someone in, who somebody is, and what stands in files and labels."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator

HIDDEN = "…"
# What follows these is a secret: login links, invitations, new passwords, confirmed addresses.
_SECRET_PATHS = ("link", "join", "accounts/password/reset/key", "accounts/confirm-email")
_RULES = (
    (re.compile(rf"(/(?:{'|'.join(_SECRET_PATHS)})/)[^\s'\"/]+"), rf"\1{HIDDEN}"),
    # What was asked for behind a question mark.
    (re.compile(r"(?<![^\s'\"?])([^\s'\"?/]*+/[^\s'\"?]*+\?)[^\s'\"]+"), rf"\1{HIDDEN}"),
    (re.compile(r"trt_[\w-]+"), f"trt_{HIDDEN}"),  # tokens of the API
    (re.compile(r"(?i)\b(bearer|basic|token)\s+[\w.~+/=:-]{8,}"), rf"\1 {HIDDEN}"),
    (re.compile(r"(?i)\b(authorization|cookie|x-csrftoken)(['\"]?\s*[:=]\s*['\"]?)[^'\"\n]+"), rf"\1\2{HIDDEN}"),
    (
        re.compile(r"(?i)((?:password|secret|signing_key|s3_key)\w{0,9}['\"]?\s*[:=]\s*['\"]?)[^\s'\"]+"),
        rf"\1{HIDDEN}",
    ),
    (re.compile(r"(?i)\b(sessionid|csrftoken|csrfmiddlewaretoken)=[^\s;&'\"]+"), rf"\1={HIDDEN}"),
    (re.compile(r"(://)[^\s/@'\"]+@"), rf"\1{HIDDEN}@"),  # the user and password of an address
    # Of people. A measure such as nDCG@10 is none: a host does not begin with a digit here.
    (re.compile(r"(?<![\w.+%-])[\w.+%-]++@[a-z][\w.-]*\w", re.IGNORECASE), f"{HIDDEN}@{HIDDEN}"),
)
"""None looks at a long word more than once: anyone may send one."""

TELLING = {
    "django.db.utils": ("OperationalError", "InterfaceError"),
    "sqlite3": ("OperationalError",),
    "psycopg": ("OperationalError",),
    "toprung.web.core.store.files": ("FilesAwayError",),
    "builtins": (
        *("ImportError", "ModuleNotFoundError", "AttributeError", "NameError", "TypeError", "RecursionError"),
        *("MemoryError", "TimeoutError", "ConnectionRefusedError", "ConnectionResetError", "BrokenPipeError"),
    ),
}
"""Exceptions that speak of the program or the machine. The message of any other may quote a label, a file, a form."""


def hide_secrets(text: str) -> str:
    """The text without the secret part of any address, token or header in it, and without addresses of people.

    >>> hide_secrets("Forbidden: /link/abc:def/ and /b/web-docs/?q=secret")
    'Forbidden: /link/…/ and /b/web-docs/?…'
    >>> hide_secrets("Authorization: Bearer trt_abc of ada@example.org for nDCG@10")
    'Authorization: …'
    >>> hide_secrets("could not connect: host=db password=hunter22 port=5432")
    'could not connect: host=db password=… port=5432'
    >>> hide_secrets("ada@example.org asks for nDCG@10")
    '…@… asks for nDCG@10'
    """
    for pattern, instead in _RULES:
        text = pattern.sub(instead, text)
    return text


def name_exception(error: BaseException) -> str:
    """Its kind, and what it says only where that cannot quote what is hidden.

    >>> name_exception(KeyError("d17"))
    'KeyError'
    >>> name_exception(AttributeError("no attribute 'x'"))
    "AttributeError: no attribute 'x'"
    """
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    if kind.__qualname__ not in TELLING.get(kind.__module__, ()):
        return name
    says = str(error).partition("\n")[0]  # servers quote the statement below
    return f"{name}: {says}" if says else name


def trace_exception(error: BaseException) -> str:
    """Where it was raised and why, as Python prints it, but for messages that may quote what is hidden."""
    return "\n".join(_lines(error, seen=set()))


def _lines(error: BaseException, *, seen: set[int]) -> Iterator[str]:
    seen.add(id(error))
    before, how = error.__cause__, "The above was the cause of the following:"
    if before is None and not error.__suppress_context__:
        before, how = error.__context__, "While the above was handled, another was raised:"
    if before is not None and id(before) not in seen:
        yield from _lines(before, seen=seen)
        yield from ("", how, "")
    yield "Traceback (most recent call last):"
    for frame in traceback.extract_tb(error.__traceback__):
        yield f'  File "{frame.filename}", line {frame.lineno}, in {frame.name}'
        if frame.line:
            yield f"    {frame.line}"
    yield name_exception(error)
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            if id(each) not in seen:
                yield ""
                yield from _lines(each, seen=seen)
