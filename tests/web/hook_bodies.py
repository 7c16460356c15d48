"""What is a webhook of a board sent? All that there is to tell, to somebody who has no part in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from unittest.mock import patch

from allauth.account.models import EmailAddress
from tests.web.cast import make_user

from toprung.web.core.models.boards import Board
from toprung.web.core.models.hooks import Hook
from toprung.web.services.following import hook_calls
from toprung.web.services.following.events import BoardEvent


def sent_to_hook(board: Board) -> str:
    """The bodies of its calls; nothing is called."""
    reader = make_user(f"reader-of-{board.slug}")
    EmailAddress.objects.create(user=reader, email=reader.email, verified=True, primary=True)
    since = board.created_at - timedelta(days=3650)
    hook = Hook.objects.create(board=board, user=reader, address="https://example.org/", seed="seed", since=since)
    bodies: list[str] = []

    def note(hook: Hook, events: Sequence[BoardEvent]) -> str:
        bodies.append(hook_calls.write_call(hook, events).decode())
        return "200"

    with patch.object(hook_calls, "_call", note):
        for _ in range(10):
            hook_calls.call_hook(hook.pk)
    return "\n".join(bodies)
