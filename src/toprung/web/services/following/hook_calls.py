"""What is said at an address, and what if nobody answers? What followers are mailed, signed; then it is left alone."""

from __future__ import annotations

import hashlib
import hmac
import json
import smtplib
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone

from toprung.net.outward import NotPublicError, find_address
from toprung.net.request import NoReplyError, exchange
from toprung.version import __version__
from toprung.web.core.access.boards import boards_for_viewer
from toprung.web.core.access.shared import as_everyone
from toprung.web.core.addresses import address_of
from toprung.web.core.models.hooks import Hook, HookCall
from toprung.web.services.following.events import BoardEvent, find_events
from toprung.web.services.following.follow import can_be_mailed, has_sure_address
from toprung.web.services.following.hooks import secret_of

SECONDS, MOST_BYTES, MOST_EVENTS, LONGEST_TEXT = 10.0, 65_536, 20, 2000
"""That a call may take from looking up the name on, that its answer may have, and that it tells at once."""
MOST_FAILURES = 15
"""In a row: the queue tries each call five times, later each time."""
MOST_CALLS = 60
"""Of one machine in an hour, whoever's webhooks lead there and by whatever names."""
GIVEN_UP = timedelta(seconds=1.5 * SECONDS)
"""After which a call that has no outcome has none: its worker was killed."""
SIGNATURE = "Toprung-Signature"
NOT_REACHED, PUT_OFF = "no answer", "put off"


class HookNotReachedError(Exception):
    """A call came to nothing; the queue tries again."""


def call_hook(hook_pk: int) -> None:
    """Tell it all that is new to it; a second call finds nothing to tell, unless the first was killed."""
    hook = Hook.objects.select_related("board", "user").filter(pk=hook_pk, off_at=None).first()
    if hook is None or not _may_be_told(hook):
        return
    noted = [each for each in _find_new(hook) if _note(hook, each)]
    if not noted:
        return
    said, calls = _call(hook, noted), hook.calls.filter(event__in=[each.key for each in noted])
    if said.startswith("2"):
        calls.update(is_told=True)
        Hook.objects.filter(pk=hook.pk).update(failures=0, last_answer=said)
        return
    calls.delete()
    if said == PUT_OFF:
        raise HookNotReachedError(said)
    Hook.objects.filter(pk=hook.pk).update(failures=F("failures") + 1, last_answer=said)
    hook.refresh_from_db()
    if hook.failures < MOST_FAILURES:
        raise HookNotReachedError(said)  # no address, no content
    _switch_off(hook)


def _may_be_told(hook: Hook) -> bool:
    """While they may see the board, and their address is theirs."""
    return boards_for_viewer(hook.user).filter(pk=hook.board_id).exists() and has_sure_address(hook.user)


def _find_new(hook: Hook) -> list[BoardEvent]:
    being_told = Q(is_told=True) | Q(at__gt=timezone.now() - GIVEN_UP)
    told = set(hook.calls.filter(being_told).values_list("event", flat=True))
    events = find_events(as_everyone(hook.board))
    new = [each for each in events if each.is_mailed and each.at > hook.since and each.key not in told]
    return new[:MOST_EVENTS]


def _note(hook: Hook, event: BoardEvent) -> bool:
    """Whether it is for this worker to tell: nobody has begun, or whoever has was killed."""
    call, is_new = HookCall.objects.get_or_create(hook=hook, event=event.key)
    now = timezone.now()
    return is_new or bool(hook.calls.filter(pk=call.pk, is_told=False, at__lte=now - GIVEN_UP).update(at=now))


def _call(hook: Hook, events: Sequence[BoardEvent]) -> str:
    """The status that came back, or that none did; where it leads is looked up once, and no redirect is followed."""
    parts, body, ends_at = urlsplit(hook.address), write_call(hook, events), time.monotonic() + SECONDS
    allowed = settings.ENVIRONMENT.hook_networks
    try:
        found = find_address(parts.hostname or "", parts.port or 443, timeout=SECONDS, allowed=allowed)
        if not _has_calls_left(found):
            return PUT_OFF
        reply = exchange(
            "POST",
            hook.address,
            body=body,
            headers={"Content-Type": "application/json", "User-Agent": f"Toprung/{__version__}", **sign(hook, body)},
            timeout=ends_at - time.monotonic(),
            most_bytes=MOST_BYTES,
            address=found,
        )
    except (NotPublicError, NoReplyError):
        return NOT_REACHED
    return str(reply.status)


def _has_calls_left(address: str) -> bool:
    """Count a call of this machine: many webhooks, of many people, are not to be aimed at one."""
    key = f"hook-calls:{timezone.now():%Y-%m-%dT%H}:{address}"
    n_called = cache.get(key, 0)
    cache.set(key, n_called + 1, timeout=3600)
    return bool(n_called < MOST_CALLS)


def write_call(hook: Hook, events: Sequence[BoardEvent]) -> bytes:
    here, board = settings.ENVIRONMENT.public_url, hook.board
    said = {
        "board": board.slug,
        "title": board.title,
        "address": here + reverse("leaderboard", args=[board.slug]),
        "events": [
            {
                "event": each.key,
                "at": each.at.isoformat(timespec="seconds"),
                "title": each.title,
                "text": each.text[:LONGEST_TEXT],
                "address": here + each.path,
            }
            for each in events
        ],
    }
    return json.dumps(said, ensure_ascii=False).encode()


def sign(hook: Hook, body: bytes) -> dict[str, str]:
    """With the time, so that an old call cannot be played again: HMAC-SHA256 of "<seconds>.<body>"."""
    at = f"{timezone.now().timestamp():.0f}"
    made = hmac.new(secret_of(hook).encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return {SIGNATURE: f"t={at},v1={made}"}


def _switch_off(hook: Hook) -> None:
    """Its owner is told once; on the page where it was added it stands as switched off."""
    is_first = Hook.objects.filter(pk=hook.pk, off_at=None).update(off_at=timezone.now())
    if is_first and can_be_mailed(hook.user):
        with suppress(smtplib.SMTPException, OSError):  # the page says it too
            make_notice(hook).send()


def make_notice(hook: Hook) -> EmailMessage:
    page = address_of("follow", hook.board.slug)
    return EmailMessage(
        subject=" ".join(f"{hook.board}: your webhook was switched off".split()),
        body=(
            f"It was called {hook.failures} times in a row without success; the last time: {hook.last_answer}.\n"
            f"The board is followed as before by all other ways. Remove the webhook, or add it anew: {page}\n"
        ),
        to=[hook.user.email],
    )
