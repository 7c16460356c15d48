"""What is a draft of a board so far? What was chosen, and what the labels propose where nothing was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

from django.utils.text import slugify

from toprung.errors import InputError
from toprung.result import json_safe
from toprung.scoring.catalogue import first_rank_of
from toprung.web.core.models.boards import Board
from toprung.web.core.models.drafts import BoardDraft, DraftLabels
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.store.plan import BoardPlan, SettingFault, find_faults
from toprung.web.services.boards.create import TAKEN, find_past_faults
from toprung.web.services.boards.defaults import choose_for_hidden, find_mail_faults, with_cutoff
from toprung.web.services.boards.label_facts import LabelFacts
from toprung.web.services.boards.toml_out import NamedLabels

MOMENTS = ("opens_at", "closes_at")
NEEDED = {"slug": "", "title": "", "task": ""}
LONGEST_SLUG = 60


class DraftChangedError(InputError):
    """Another window changed the draft; nothing was saved."""


def plan_of(draft: BoardDraft) -> BoardPlan:
    """What was chosen, and nothing else."""
    known = {field.name for field in fields(BoardPlan)}
    values = NEEDED | {key: _decode(key, value) for key, value in draft.settings.items() if key in known}
    return BoardPlan(**values)


def official_of(draft: BoardDraft) -> DraftLabels | None:
    return draft.label_sets.filter(use=LabelUse.OFFICIAL).first()


def facts_of(draft: BoardDraft) -> LabelFacts | None:
    """Of the official labels; None before there are any."""
    labels = official_of(draft)
    return None if labels is None else LabelFacts.from_json(labels.facts)


def require_facts(draft: BoardDraft) -> LabelFacts:
    """A draft is made when its official labels could be read, so they are there."""
    facts = facts_of(draft)
    if facts is None:
        raise DraftChangedError("Found a draft without official labels; expected them first.")
    return facts


def is_hidden(draft: BoardDraft) -> bool:
    labels = official_of(draft)
    return labels is None or labels.is_hidden


def named_labels(draft: BoardDraft) -> list[NamedLabels]:
    """As a ``board.toml`` names them."""
    return [
        NamedLabels(use=each.use, file=each.file_name, name=each.name, is_hidden=each.is_hidden)
        for each in draft.label_sets.all()
    ]


def propose(draft: BoardDraft) -> BoardPlan:
    """The plan with what the labels ask for where nothing was chosen; the same as `complete` finds."""
    plan, labels = plan_of(draft), official_of(draft)
    if labels is None:
        return plan
    facts = LabelFacts.from_json(labels.facts)
    measure = plan.official_measure or facts.measure
    rule = plan.rule or (facts.rule if first_rank_of(measure) is not None else "measure")
    release, who = choose_for_hidden(plan, is_hidden=labels.is_hidden)
    return with_cutoff(replace(plan, official_measure=measure, rule=rule, release=release, who_may_submit=who))


def find_faults_with(draft: BoardDraft, changes: Mapping[str, Any]) -> list[SettingFault]:
    """Everything that would be wrong with the board, but for its labels, which were looked at when they came."""
    plan = propose(with_choices(draft, changes))
    faults = [*find_faults(plan), *find_mail_faults(plan), *find_past_faults(plan)]
    known = faults if plan.slug else [each for each in faults if each.key != "slug"]  # why there is none is said below
    return [*known, *find_address_faults(plan)]


def with_choices(draft: BoardDraft, changes: Mapping[str, Any]) -> BoardDraft:
    return BoardDraft(pk=draft.pk, settings=merge(draft.settings, changes))


def with_address(draft: BoardDraft, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The address is made of the title, until another is given."""
    given, title = changes.get("slug", ""), str(changes.get("title", ""))
    before = draft.settings.get("slug", "")
    follows = not given or (given == before == address_of(str(draft.settings.get("title", ""))))
    return dict(changes) | {"slug": address_of(title) if follows else given}


def address_of(title: str) -> str:
    """Empty where the title has no letter that an address may have.

    >>> address_of("Harbour Manuals 2027!")
    'harbour-manuals-2027'
    """
    return slugify(title.replace("_", " "))[:LONGEST_SLUG].strip("-")


def find_address_faults(plan: BoardPlan) -> list[SettingFault]:
    if plan.title and not plan.slug:
        return [SettingFault(key="slug", says="found no letter from a to z in the name; expected an address.")]
    is_taken = plan.slug and Board.objects.filter(slug=plan.slug).exists()
    return [SettingFault(key="slug", says=TAKEN.format(plan.slug))] if is_taken else []


def merge(before: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    chosen = before | {key: encode(value) for key, value in changes.items()}
    return {key: value for key, value in chosen.items() if value is not None and (value != "" or key in NEEDED)}


def encode(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else json_safe(value)


def _decode(key: str, value: Any) -> Any:
    if key in MOMENTS and value:
        return datetime.fromisoformat(value)
    return tuple(value) if key == "other_measures" else value
