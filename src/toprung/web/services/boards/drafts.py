"""How does a board come together, step by step? A draft keeps labels and choices until it is opened or dropped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

from django.core.files import File
from django.db import transaction
from django.utils import timezone

from toprung.web.core.models.boards import Board
from toprung.web.core.models.drafts import BoardDraft, DraftLabels
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.people import User
from toprung.web.core.store.files import local_path
from toprung.web.core.store.plan import BoardPlan, BoardRefusedError, SettingFault
from toprung.web.services.boards.create import create_board
from toprung.web.services.boards.draft_plan import DraftChangedError, encode, merge, official_of, plan_of, propose
from toprung.web.services.boards.draft_plan import is_hidden as are_labels_hidden
from toprung.web.services.boards.label_facts import LabelFacts, read_facts
from toprung.web.services.labels.read import LabelPlan, find_label_faults

FROM_LABELS = ("official_measure", "cutoff", "rule", "release", "who_may_submit", "other_measures")
"""Settings that are proposed from the official labels: where others come, those that were as proposed are again."""
AS_HIDDEN = (LabelUse.OFFICIAL, LabelUse.EXTRA)
"""Sets on the official queries: hidden together or not at all."""
MOST_DRAFTS = 20
KEPT_FOR = timedelta(days=90)
"""How long a draft is kept that nobody goes on with."""


def start(by: User) -> BoardDraft:
    if BoardDraft.objects.filter(maker=by).count() >= MOST_DRAFTS:
        says = f"found {MOST_DRAFTS} drafts of yours; expected fewer. Open or drop one first."
        raise BoardRefusedError([SettingFault(key="draft", says=says)])
    return BoardDraft.objects.create(maker=by)


@contextmanager
def hold(draft: BoardDraft, seen: int) -> Iterator[BoardDraft]:
    """The draft locked and as it is now, to be changed; a DraftChangedError where the window had not seen it so."""
    with transaction.atomic():
        held = BoardDraft.objects.select_for_update(no_key=True).filter(pk=draft.pk).first()
        if held is None:
            raise DraftChangedError("Found no such draft any more; it was opened or dropped in another window.")
        if held.edition != seen:
            raise DraftChangedError(
                f"Found a draft that another window changed at {held.changed_at:%H:%M} UTC; nothing of this page was "
                "saved. Below is what it says now."
            )
        yield held
        held.edition += 1
        held.changed_at = timezone.now()
        held.save()
    draft.settings, draft.edition, draft.changed_at = held.settings, held.edition, held.changed_at


def choose(draft: BoardDraft, changes: Mapping[str, Any], *, seen: int) -> None:
    """Keep what one step chose; None and empty text are no choice."""
    with hold(draft, seen) as held:
        held.settings = merge(held.settings, changes)


def start_with_labels(sent: Sequence[LabelPlan], *, by: User) -> BoardDraft:
    """A draft of nothing but labels; none is left where they cannot be used."""
    facts = read_all(sent)
    with transaction.atomic():
        draft = start(by)
        _put(draft, sent, facts, is_hidden=any(each.is_hidden for each in sent if each.use == LabelUse.OFFICIAL))
    return draft


def read_all(sent: Sequence[LabelPlan], others: Sequence[LabelPlan] = ()) -> dict[str, LabelFacts]:
    """What is in the files; a BoardRefusedError has what is wrong with each, or with what they share."""
    found = {plan.key: read_facts(plan) for plan in sent}
    faults = [fault for _, wrong in found.values() for fault in wrong]
    faults = faults or find_label_faults([*others, *sent])
    if faults:
        raise BoardRefusedError(faults)
    return {key: facts for key, (facts, _) in found.items() if facts is not None}


def put_labels(draft: BoardDraft, sent: Sequence[LabelPlan], *, is_hidden: bool, seen: int) -> None:
    """Label files in the place of those before; a BoardRefusedError has every fault, and nothing was kept then."""
    if not sent and is_hidden == are_labels_hidden(draft):
        return  # so that nothing is read anew
    with stored_labels(draft) as kept:
        new = {(plan.use, plan.name) for plan in sent}
        others = [_hide(each, is_hidden) for each in kept if (each.use, each.name) not in new]
        facts = read_all(sent, others)
    with hold(draft, seen) as held:
        _put(held, sent, facts, is_hidden=is_hidden)


def _hide(plan: LabelPlan, is_hidden: bool) -> LabelPlan:
    return replace(plan, is_hidden=is_hidden) if plan.use in AS_HIDDEN else plan


def _put(draft: BoardDraft, sent: Sequence[LabelPlan], facts: Mapping[str, LabelFacts], *, is_hidden: bool) -> None:
    draft.settings = _forget_proposals(draft)
    for plan in sent:
        _keep(draft, plan, facts[plan.key])
    draft.label_sets.filter(use__in=AS_HIDDEN).update(is_hidden=is_hidden)


def _keep(draft: BoardDraft, plan: LabelPlan, facts: LabelFacts) -> None:
    before = draft.label_sets.filter(use=plan.use, name=plan.name).first()
    labels = before or DraftLabels(draft=draft, use=plan.use, name=plan.name)
    old = labels.file.name if before else ""
    labels.is_hidden, labels.file_name = plan.is_hidden, plan.file_name[:200]
    labels.facts = facts.to_json()
    with plan.path.open("rb") as file:
        labels.file.save(f"draft-{draft.pk}-{plan.use}", File(file), save=False)
    labels.save()
    if old:
        transaction.on_commit(lambda: labels.file.storage.delete(old))


def _forget_proposals(draft: BoardDraft) -> dict[str, Any]:
    """What was as the labels before asked for is proposed anew."""
    if official_of(draft) is None:
        return dict(draft.settings)
    bare = BoardDraft(pk=draft.pk, settings={})
    proposed = {key: encode(getattr(propose(bare), key)) for key in FROM_LABELS}
    return {key: value for key, value in draft.settings.items() if key not in proposed or proposed[key] != value}


@contextmanager
def stored_labels(draft: BoardDraft) -> Iterator[list[LabelPlan]]:
    """The label files of the draft, as a new board takes them."""
    with ExitStack() as stack:
        yield [
            LabelPlan(
                key=f"{each.use}_file",
                use=each.use,
                path=stack.enter_context(local_path(each.file)),
                file_name=each.file_name,
                name=each.name,
                is_hidden=each.is_hidden,
            )
            for each in draft.label_sets.all()
        ]


def open_board(draft: BoardDraft, *, seen: int, by: User) -> Board:
    """Make the board and drop the draft; a BoardRefusedError has every fault, and the draft stays."""
    with hold(draft, seen):
        pass  # labels are read without a lock; who opens it twice finds the address taken
    with stored_labels(draft) as labels:
        board = create_board(plan_of(draft), labels, by=by)
    drop(draft)
    return board


def drop(draft: BoardDraft) -> None:
    """Nothing is left of it."""
    files = [each.file for each in draft.label_sets.all()]
    BoardDraft.objects.filter(pk=draft.pk).delete()
    for file in files:
        file.storage.delete(file.name or "")


def forget_old_drafts() -> None:
    for draft in BoardDraft.objects.filter(changed_at__lt=timezone.now() - KEPT_FOR):
        drop(draft)


def start_from_file(plan: BoardPlan, labels: Sequence[LabelPlan], *, by: User) -> BoardDraft:
    """A draft with every step filled in."""
    facts = read_all(labels)
    with transaction.atomic():
        draft = start(by)
        _put(draft, labels, facts, is_hidden=any(each.is_hidden for each in labels if each.use == LabelUse.OFFICIAL))
        choose(draft, {field.name: getattr(plan, field.name) for field in fields(plan)}, seen=draft.edition)
    return draft
