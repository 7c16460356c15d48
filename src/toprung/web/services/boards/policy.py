"""Which rules of a board may still change? Those that neither runs nor claims depend on; what changed is on record."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from django.utils import timezone

from toprung.result import json_safe
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import User
from toprung.web.core.queue import refresh
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board
from toprung.web.core.store.plan import BoardPlan, BoardRefusedError, SettingFault, find_faults
from toprung.web.services.boards.defaults import find_mail_faults, with_cutoff
from toprung.words.wording import list_names

FIXED = ("slug",)
OF_SCORING = ("official_measure", "cutoff", "other_measures", "depth", "seed")
OF_CLAIMS = ("rule", "alpha", "gamma")
OF_OPENING = ("answered_margin", "ranking_margin")
STILL = ("slug", "description", "is_public")
"""What does not touch the standings may change on a board that has ended."""
WHY_FINAL = "the board is closed, and its standings are final"
WHY_FIXED = "addresses and the audit chain hold it"
WHY_SCORED = "runs were scored with it"
WHY_OPENED = "the board has opened"
WHY_CLAIMED = "a claim was tested under it"


def frozen_keys(board: Board) -> dict[str, str]:
    """Each setting that cannot change any more, with the reason."""
    frozen = dict.fromkeys(FIXED, WHY_FIXED)
    if board.is_final:
        return frozen | dict.fromkeys((each.name for each in fields(BoardPlan) if each.name not in STILL), WHY_FINAL)
    if board.submissions.exists():
        frozen |= dict.fromkeys(OF_SCORING, WHY_SCORED)
    if board.opens_at <= timezone.now():
        frozen |= dict.fromkeys(OF_OPENING, WHY_OPENED)
    if board.claims.exists():
        frozen |= dict.fromkeys((*OF_CLAIMS, "official_measure", "cutoff"), WHY_CLAIMED)
    return frozen


def change_policy(board: Board, changes: dict[str, Any], *, by: User) -> dict[str, tuple[Any, Any]]:
    """Change settings, all or none; returns each that changed with what it was and is.

    A BoardRefusedError names what is frozen or cannot be.
    """
    with lock_board(board.pk) as held:
        before = BoardPlan.of(held)
        after = with_cutoff(replace(before, **changes))
        changed = {
            field.name: (getattr(before, field.name), getattr(after, field.name))
            for field in fields(BoardPlan)
            if getattr(before, field.name) != getattr(after, field.name)
        }
        _refuse(held, before, after, changed)
        if not changed:
            return {}
        for key, (_, value) in changed.items():
            setattr(held, key, list(value) if isinstance(value, tuple) else value)
        held.results_due += 1
        held.save()
        record(held, by, f"Changed {list_names(list(changed), most=len(changed))}", **_to_record(changed))
        refresh.enqueue(held.pk)
    return changed


def _refuse(board: Board, before: BoardPlan, after: BoardPlan, changed: dict[str, tuple[Any, Any]]) -> None:
    """What is frozen, and every fault that the changes bring, also in settings that stayed as they were."""
    frozen, known = frozen_keys(board), [*find_faults(before), *find_mail_faults(before)]
    faults = [
        SettingFault(key=key, says=f"found {_show(to)}; expected {_show(was)} as it is: {frozen[key]}.")
        for key, (was, to) in changed.items()
        if key in frozen
    ]
    if "closes_at" in changed and after.closes_at is not None and after.closes_at <= timezone.now():
        says = f"found {after.closes_at:%Y-%m-%d %H:%M}; expected a time to come. The page Closing ends it now."
        faults.append(SettingFault(key="closes_at", says=says))
    brought = [*find_faults(after), *find_mail_faults(after)]
    faults += [fault for fault in brought if fault.key in changed or fault not in known]
    if faults:
        raise BoardRefusedError(faults)


def _show(value: Any) -> str:
    if value is None:
        return "nothing"
    return (", ".join(value) or "none") if isinstance(value, tuple) else str(value)


def _to_record(changed: dict[str, tuple[Any, Any]]) -> dict[str, Any]:
    before = {key: json_safe(was) for key, (was, _) in changed.items()}
    after = {key: json_safe(to) for key, (_, to) in changed.items()}
    return {"before": before, "after": after}
