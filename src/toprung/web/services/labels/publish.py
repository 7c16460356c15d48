"""May these labels be published, and then what? Checked as those of a new board, on record, handed to the workers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from django.utils import timezone

from toprung.data.formats.content import digest_of
from toprung.data.qrels_difference import QrelsDifference, compare_qrels, find_losses
from toprung.errors import InputError
from toprung.web.core.access.final import why_final
from toprung.web.core.access.labels import LACKS_LABELS
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet, LabelSource, LabelUse
from toprung.web.core.models.people import User
from toprung.web.core.models.results import StoredResult
from toprung.web.core.models.runs import FirstRankColumn, ScoreColumn
from toprung.web.core.store.audit import record
from toprung.web.core.store.columns import labels_of
from toprung.web.core.store.locks import lock_board
from toprung.web.core.store.plan import BoardRefusedError, SettingFault
from toprung.web.services.labels.access_log import describe
from toprung.web.services.labels.adopt import put_in_place
from toprung.web.services.labels.prepare import versions_in_preparation
from toprung.web.services.labels.read import LabelPlan, StoredPlan, find_label_faults, store_labels
from toprung.web.services.labels.rescore import enqueue_missing

FILE, CHANGES, SOURCE = "file", "changes", "source"
"""What a fault of a version is said of."""


NOTHING_WAS_PUBLISHED = "Nothing was published; the labels stay as they are."
NOT_RELEVANT = (
    "Give a document that is not relevant the grade 0; a query whose documents all have the grade 0 is not scored."
)


class VersionRefusedError(InputError):
    """Nothing was changed, and why."""


def current_version(board: Board, use: str, name: str = "") -> LabelSet:
    """The set that a new version is of; its name is needed where several have the use."""
    found = board.label_sets.filter(use=use, is_current=True).order_by("pk")
    named = found.filter(name=name) if name else found
    if len(named) != 1:
        known = ", ".join(f"'{each.name}'" for each in found) or "none"
        raise VersionRefusedError(f"Found {len(named)} sets of {use} labels named '{name}'; expected one of: {known}.")
    return named[0]


def plan_version(current: LabelSet, path: Path, file_name: str) -> LabelPlan:
    """Labels in the place of these: for the same use, by the same name, as hidden."""
    return LabelPlan(
        key=FILE, use=current.use, path=path, file_name=file_name, name=current.name, is_hidden=current.is_hidden
    )


def find_version_faults(
    board: Board, current: LabelSet, plan: LabelPlan, changes: str, source: str = LabelSource.GIVEN
) -> list[SettingFault]:
    """Everything that is wrong: with the words, with the labels, and with what they share with the board's others."""
    return find_new_faults(board, plan, changes) or list(_in_difference(current, plan, source))


def find_new_faults(board: Board, plan: LabelPlan, changes: str) -> list[SettingFault]:
    """The same of labels that stand in the place of none."""
    if said := LACKS_LABELS if board.lacks_labels else why_final(board):
        return [SettingFault(key=FILE, says=said)]
    return [*_in_words(changes), *_in_labels(board, plan)]


def _in_words(changes: str) -> Iterator[SettingFault]:
    longest = LabelSet._meta.get_field("changes").max_length or 0
    if not changes.strip():
        yield SettingFault(
            key=CHANGES, says="found nothing; expected some words on what is new, which everyone can read."
        )
    elif "\0" in changes:
        yield SettingFault(key=CHANGES, says="found a zero character; expected text.")
    elif len(changes) > longest:
        yield SettingFault(key=CHANGES, says=f"found {len(changes):,} characters; expected {longest:,} at most.")


def _in_labels(board: Board, plan: LabelPlan) -> list[SettingFault]:
    """Held against the other sets as they are, and as they are about to be."""
    others = board.label_sets.exclude(use=plan.use, name=plan.shown_name).order_by("pk")
    as_they_are = {(each.use, each.name): each for each in others.filter(is_current=True)}
    prepared = {(each.use, each.name): each for each in others.filter(current_since=None, given_up_at=None)}
    faults: list[SettingFault] = []
    for sets in (as_they_are, as_they_are | prepared):
        found = find_label_faults([*(StoredPlan.of(each) for each in sets.values()), plan])
        faults += [fault for fault in found if fault not in faults]
    return faults


def _in_difference(current: LabelSet, plan: LabelPlan, source: str) -> Iterator[SettingFault]:
    may_lower = source == LabelSource.GIVEN  # an organiser may correct a grade, votes for best answers do not
    if losses := find_losses(labels_of(current), plan.qrels, may_lower=may_lower):
        kept = "have a grade" if may_lower else "keep its grade or get a higher one"
        lost = losses.say(f" of {describe(current)}")
        says = f"{plan.file_name} would {lost}; expected every judged document to {kept}."
        advice = [NOTHING_WAS_PUBLISHED, *([NOT_RELEVANT] if may_lower else [])]
        yield SettingFault(key=FILE, says=" ".join([says, *advice]))
    if digest_of(plan.path) == current.digest or _difference(current, plan).is_none:
        yield SettingFault(
            key=FILE, says=f"{plan.file_name}: found the same labels as {describe(current)}; expected some that differ."
        )


def _difference(current: LabelSet, plan: LabelPlan) -> QrelsDifference:
    return compare_qrels(labels_of(current), plan.qrels)


def publish(
    board: Board, current: LabelSet, plan: LabelPlan, *, changes: str, by: User, source: str = LabelSource.GIVEN
) -> LabelSet:
    """The next version, which becomes current once it is prepared; a BoardRefusedError has every fault.

    Dev labels are current at once: no run on the board is scored on them.
    """
    faults = find_version_faults(board, current, plan, changes, source)
    if source not in LabelSource.values:
        faults.append(
            SettingFault(key=SOURCE, says=f"found '{source}'; expected one of {', '.join(LabelSource.values)}.")
        )
    if faults:
        raise BoardRefusedError(faults)
    difference = _difference(current, plan).to_dict()
    with lock_board(board.pk) as held:
        _refuse_second(held, current)
        versions = held.label_sets.filter(use=current.use, name=current.name)
        labels = store_labels(
            held,
            plan,
            version=max(versions.values_list("version", flat=True)) + 1,
            is_current=False,
            current_since=None,
            source=source,
            published_by=by,
            changes=changes.strip(),
            difference=difference,
        )
        try:
            record(
                held,
                by,
                f"Published labels, {describe(labels)}",
                queries=labels.n_queries,
                digest=labels.digest,
                source=str(labels.source),
                changes=labels.changes,
                difference=difference,
            )
            if labels.use == LabelUse.DEV:
                put_in_place(held, labels, n_runs=0)
            else:
                enqueue_missing(labels)
        except BaseException:
            labels.file.storage.delete(labels.file.name or "")
            raise
    return labels


def _refuse_second(board: Board, current: LabelSet) -> None:
    """Asked while the board is locked: two at once would both be the next version."""
    prepared = versions_in_preparation(board).filter(use=current.use, name=current.name).first()
    if prepared is not None:
        says = f"found {describe(prepared)} being prepared; expected to wait until it is current, or to give it up."
        raise BoardRefusedError([SettingFault(key=FILE, says=says)])
    if not board.label_sets.filter(pk=current.pk, is_current=True).exists():
        says = f"found a newer version than {describe(current)}; expected to look at that first."
        raise BoardRefusedError([SettingFault(key=FILE, says=says)])


def give_up(labels: LabelSet, *, by: User) -> LabelSet:
    """Leave a version that is being prepared: the one before stays current, and nothing of it is shown."""
    with lock_board(labels.board_id) as board:
        held = _held(board, labels)
        held.given_up_at, held.failure = timezone.now(), ""
        held.save(update_fields=["given_up_at", "failure"])
        for columns in (FirstRankColumn, ScoreColumn):
            columns._default_manager.filter(label_set=held).delete()
        if held.use == LabelUse.OFFICIAL:
            StoredResult.objects.filter(board=board, labels_version=held.version).delete()
            board.standings.filter(labels_version=held.version).delete()
        record(board, by, f"Gave up labels, {describe(held)}", digest=held.digest)
    return held


def try_again(labels: LabelSet, *, by: User) -> LabelSet:
    """Go on with a version that did not come to its end: runs without scores are handed to the workers once more."""
    with lock_board(labels.board_id) as board:
        held = _held(board, labels)
        held.failure = ""
        held.save(update_fields=["failure"])
        record(board, by, f"Tried again to prepare labels, {describe(held)}", digest=held.digest)
        enqueue_missing(held)
    return held


def _held(board: Board, labels: LabelSet) -> LabelSet:
    held = board.label_sets.select_for_update(no_key=True).get(pk=labels.pk)
    held.board = board
    if not held.is_being_prepared:
        state = "given up" if held.given_up_at else "current or superseded"
        raise VersionRefusedError(f"Found {describe(held)} {state}; expected a version that is being prepared.")
    return held
