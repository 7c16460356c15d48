"""How does a board come to be? Settings and labels checked together, stored in one transaction, or nothing is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from toprung.boards.disclosure.release import Closed, read_release
from toprung.errors import InputError
from toprung.result import json_safe
from toprung.web.core.models.boards import Board, BoardRole, Role
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.people import User
from toprung.web.core.store.audit import record
from toprung.web.core.store.plan import BoardPlan, BoardRefusedError, SettingFault, find_faults
from toprung.web.services.boards.defaults import Completed, complete, find_mail_faults
from toprung.web.services.labels.read import LabelPlan, find_label_faults, store_labels

TAKEN = "found '{}', which another board has; expected a new one."


def create_board(plan: BoardPlan, labels: Sequence[LabelPlan], *, by: User) -> Board:
    """The board, with its labels and its creator as organiser; a BoardRefusedError has every fault."""
    completed = complete(plan, labels)
    plan = completed.plan
    faults = [
        *_of_creator(by),
        *find_faults(plan),
        *find_mail_faults(plan),
        *find_past_faults(plan),
        *_of_slug(plan),
        *find_label_faults(labels),
    ]
    if faults:
        raise BoardRefusedError(faults)
    stored: list[LabelSet] = []
    try:
        with transaction.atomic():
            board = Board.objects.create(**_fields_of(plan), created_by=by)
            BoardRole.objects.create(board=board, user=by, role=Role.ORGANISER)
            for each in labels:
                stored.append(store_labels(board, each))  # noqa: PERF401 - where one fails, those before are known
            _record_creation(board, by, completed, stored)
    except BaseException as error:
        for kept in stored:
            kept.file.storage.delete(kept.file.name or "")
        if isinstance(error, IntegrityError) and Board.objects.filter(slug=plan.slug).exists():
            raise BoardRefusedError([SettingFault(key="slug", says=TAKEN.format(plan.slug))]) from None
        raise
    return board


def find_past_faults(plan: BoardPlan) -> list[SettingFault]:
    """A new board that closed before it was made would be final at once, and take no run ever."""
    faults, now = [], timezone.now()
    if plan.closes_at is not None and plan.closes_at <= now:
        says = f"found {plan.closes_at:%Y-%m-%d %H:%M}; expected a time to come."
        faults.append(SettingFault(key="closes_at", says=says))
    until = _held_back_until(plan.release)
    if until is not None and until <= now.date():
        faults.append(SettingFault(key="release", says=f"found {until}; expected a day to come."))
    return faults


def _held_back_until(text: str) -> date | None:
    """None too where it cannot be read, which is a fault of its own."""
    try:
        release = read_release(text)
    except InputError:
        return None
    return release.until if isinstance(release, Closed) else None


def _record_creation(board: Board, by: User, completed: Completed, stored: Sequence[LabelSet]) -> None:
    chosen = {"chosen_from_labels": completed.why} if completed.why else {}
    rules, labels = _to_record(completed.plan), _labels_to_record(stored)
    record(board, by, "Created the board", settings=rules, labels=labels, **chosen)


def _of_creator(user: User) -> list[SettingFault]:
    if user.may_create_boards and user.is_active:
        return []
    return [SettingFault(key="board", says="found someone who may not make boards; expected who was given the right.")]


def _of_slug(plan: BoardPlan) -> list[SettingFault]:
    is_taken = Board.objects.filter(slug=plan.slug).exists()
    return [SettingFault(key="slug", says=TAKEN.format(plan.slug))] if is_taken else []


def _fields_of(plan: BoardPlan) -> dict[str, Any]:
    fields = asdict(plan)
    return fields | {
        "opens_at": plan.opens_at or timezone.now(),
        "other_measures": list(plan.other_measures),
    }


def _to_record(plan: BoardPlan) -> dict[str, Any]:
    return {key: json_safe(value) for key, value in asdict(plan).items() if key != "description"}


def _labels_to_record(stored: Sequence[LabelSet]) -> list[dict[str, Any]]:
    return [
        {
            "use": each.use,
            "name": each.name,
            "version": each.version,
            "queries": each.n_queries,
            "is_hidden": each.is_hidden,
            "digest": each.digest,
        }
        for each in stored
    ]
