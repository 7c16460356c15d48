"""What if a request fails? Try again where that can help, wait as long as the server asks, stop where it cannot."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from toprung.labels.judges.http_post import post_json
from toprung.labels.judges.terminal import clean
from toprung.labels.tasks.protocol import JudgeStoppedError, NoAnswerError
from toprung.net.pace import Backoff, RateLimit, read_retry_after
from toprung.net.request import NoReplyError, Reply, without_query

TRANSIENT = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
LONGEST_WAIT = 3600.0
"""Seconds; a server that asks for more is better asked another day."""
REFUSALS = frozenset(
    {"content_filter", "content_policy_violation", "context_length_exceeded", "string_above_max_length"}
)
"""What servers answer, with status 400, to a pair that they will never answer."""


OUT_OF_QUOTA = frozenset({402, 403, 429})
QUOTA_CODES = frozenset(
    {
        "billing_hard_limit_reached",
        "billing_not_active",
        "exceeded_current_quota_error",
        "insufficient_balance",
        "insufficient_credits",
        "insufficient_quota",
        "quota_exceeded",
    }
)
QUOTA_WORDS = re.compile(
    "insufficient (?:quota|credits?|balance|funds)|exceeded your current quota"
    "|credit balance is too low|out of credits",
    re.IGNORECASE,
)
RETRY_WORDS = re.compile(r"(?:retry|try again) in \d", re.IGNORECASE)
"""Some servers say of a limit by the minute, too, that the quota is exceeded, and when to come back."""


class JudgeRefusedError(Exception):
    """The server will not answer this pair; asking again does not help."""


@dataclass(frozen=True, kw_only=True)
class FailedTry:
    """What was wrong with a try, and how long the server asks to wait."""

    said: str
    retry_after: float = 0.0


@dataclass(kw_only=True)
class Client:
    """Posts to one URL until there is a reply in JSON."""

    url: str
    key: str | None = field(default=None, repr=False)
    timeout: float = 60.0
    backoff: Backoff = field(default_factory=Backoff)
    rate: RateLimit = field(default_factory=RateLimit)
    sleep: Callable[[float], None] = time.sleep
    rng: random.Random = field(default_factory=random.Random, repr=False)

    def post(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """The reply; `JudgeRefusedError`, `NoAnswerError` or `JudgeStoppedError` if there is none."""
        failed = 0
        while True:
            self.rate.wait()
            found = self._try(payload)
            if isinstance(found, dict):
                return found
            failed += 1
            if failed == self.backoff.tries:
                raise NoAnswerError(f"{self.shown}: found {found.said}, {failed} times; expected an answer.")
            self.sleep(max(self.backoff.wait_after(failed, self.rng), found.retry_after))

    def _try(self, payload: Mapping[str, Any]) -> dict[str, Any] | FailedTry:
        headers = {} if self.key is None else {"Authorization": f"Bearer {self.key}"}
        try:
            return self._read(post_json(self.url, payload, headers=headers, timeout=self.timeout))
        except NoReplyError as error:
            return FailedTry(said=clean(self.hide_key(str(error))))

    def _read(self, reply: Reply) -> dict[str, Any] | FailedTry:
        """The object of a good reply, or what is wrong with one that may be better next time."""
        parsed = _parse(reply.body)
        if 200 <= reply.status < 300:
            return parsed if parsed and parsed.get("choices") else FailedTry(said="a reply without choices in JSON")
        said = clean(self.hide_key(_say_error(reply, parsed)))
        if _is_out_of_quota(reply, parsed):
            raise JudgeStoppedError(
                f"{self.shown}: found {said}; expected an account with money or quota left. Waiting does not help. "
                "What was answered is kept: top it up, and run the same command again."
            )
        if reply.status in TRANSIENT:
            return FailedTry(
                said=said, retry_after=self._check_wait(read_retry_after(reply.headers.get("Retry-After")) or 0.0, said)
            )
        if reply.status == 413 or _code_of(parsed) in REFUSALS:
            raise JudgeRefusedError(said)
        raise JudgeStoppedError(
            f"{self.shown}: found {said}; expected an answer. Check the address, the model's name and the key."
        )

    def _check_wait(self, seconds: float, said: str) -> float:
        if seconds > LONGEST_WAIT:
            raise JudgeStoppedError(
                f"{self.shown}: found {said}, to be tried again in {seconds / 60:,.0f} minutes. "
                "What was answered is kept: run the same command then."
            )
        return seconds

    @property
    def shown(self) -> str:
        """The URL, for messages."""
        return without_query(self.url)

    def hide_key(self, text: str) -> str:
        """The text without the key: servers repeat a wrong one in their errors."""
        in_query = (value for _, value in parse_qsl(urlsplit(self.url).query))
        for secret in (self.key, *in_query):
            text = text.replace(secret, "***") if secret else text
        return text


def _parse(body: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _error_of(parsed: dict[str, Any] | None) -> dict[str, Any]:
    error = (parsed or {}).get("error")
    return error if isinstance(error, dict) else {}


def _is_out_of_quota(reply: Reply, parsed: dict[str, Any] | None) -> bool:
    """Whether money or quota is spent: a code says so, or words do and nothing says when to come back."""
    if reply.status not in OUT_OF_QUOTA:
        return False
    if reply.status == 402 or _codes_of(parsed) & QUOTA_CODES:
        return True
    message = _message_of(parsed)
    is_told_when = reply.headers.get("Retry-After") is not None or bool(RETRY_WORDS.search(message))
    return bool(QUOTA_WORDS.search(message)) and not is_told_when


def _codes_of(parsed: dict[str, Any] | None) -> set[str]:
    """What names the error, in whichever of the places that servers put it."""
    error, whole = _error_of(parsed), parsed or {}
    found = (error.get("code"), error.get("type"), whole.get("code"), whole.get("type"), whole.get("error"))
    return {each.lower() for each in found if isinstance(each, str)}


def _message_of(parsed: dict[str, Any] | None) -> str:
    whole = parsed or {}
    found = (_error_of(parsed).get("message"), whole.get("message"), whole.get("error"))
    return next((each.strip() for each in found if isinstance(each, str) and each.strip()), "")


def _code_of(parsed: dict[str, Any] | None) -> str:
    return str(_error_of(parsed).get("code", ""))


def _say_error(reply: Reply, parsed: dict[str, Any] | None) -> str:
    message = _message_of(parsed)
    return f"status {reply.status}" + (f" ({' '.join(message.split())[:200]})" if message else "")
