"""Who has a board call an address? A person whose own address is verified, for few addresses, each with a secret."""

from __future__ import annotations

import re
import secrets
from urllib.parse import urlsplit

from django.utils.crypto import salted_hmac

from toprung.errors import InputError
from toprung.web.core.models.boards import Board
from toprung.web.core.models.hooks import LONGEST_ADDRESS, Hook
from toprung.web.core.models.people import User
from toprung.web.core.queue import call_hook, enqueue_once
from toprung.web.core.store.locks import lock_board
from toprung.web.services.following.follow import has_sure_address

MOST_HOOKS, MOST_ON_BOARD = 5, 100
"""Of one person, on all boards together; and of all people on one board."""
SALT = "toprung.hook"
AN_ADDRESS = "one as https://example.org/hook"
HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?|[0-9a-f:.]+", re.IGNORECASE)
PLAIN = re.compile(r"[!-~]+")
"""Letters that an address on the wire is made of: no blank, no control, no other alphabet."""


class HookRefusedError(InputError):
    """Nothing was added, and why."""


def add_hook(board: Board, user: User, address: str) -> tuple[Hook, str]:
    """And the secret that its calls are signed with, which is told now and never again."""
    check_address(address)
    if not has_sure_address(user):
        raise HookRefusedError("Found an account whose address is not verified; expected one that is.")
    with lock_board(board.pk):
        User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two windows add no sixth
        if user.hooks.filter(board=board, address=address).exists():
            raise HookRefusedError("Found the same webhook on this board; expected another, or remove that one first.")
        if user.hooks.count() >= MOST_HOOKS:
            raise HookRefusedError(f"Found {MOST_HOOKS} webhooks of yours; expected fewer: remove one first.")
        if board.hooks.count() >= MOST_ON_BOARD:
            full = f"Found {MOST_ON_BOARD} webhooks on this board; expected fewer: follow it by mail or as a feed."
            raise HookRefusedError(full)
        hook = Hook.objects.create(board=board, user=user, address=address, seed=secrets.token_hex(32))
    return hook, secret_of(hook)


def check_address(address: str) -> None:
    """Whether it has the form of one; where it leads is looked up when it is called, and is nobody's business."""
    if len(address) > LONGEST_ADDRESS or not PLAIN.fullmatch(address):
        raise HookRefusedError(f"Found no plain address of up to {LONGEST_ADDRESS} letters; expected one.")
    try:
        parts, port = urlsplit(address), urlsplit(address).port
    except ValueError:
        raise HookRefusedError(f"Found an address that cannot be read; expected {AN_ADDRESS}.") from None
    if parts.scheme != "https" or not HOST.fullmatch(parts.hostname or ""):
        raise HookRefusedError(f"Found no address of https; expected {AN_ADDRESS}.")
    if parts.username is not None or parts.fragment or port == 0:
        raise HookRefusedError("Found a name, a password or a fragment; expected an address without them.")


def remove_hook(board: Board, user: User, pk: int) -> bool:
    """Whether there was one."""
    return bool(user.hooks.filter(board=board, pk=pk).delete()[0])


def secret_of(hook: Hook) -> str:
    """Made of what is stored and of the key of the server: who reads the tables alone can sign nothing."""
    return salted_hmac(SALT, f"{hook.pk}:{hook.seed}", algorithm="sha256").hexdigest()


def call_hooks(board_pk: int) -> None:
    """Each on its own, so that one that does not answer keeps no other waiting."""
    for pk in Hook.objects.filter(board=board_pk, off_at=None).order_by("pk").values_list("pk", flat=True):
        enqueue_once(call_hook, pk)
