"""How are all runs scored on a new version of the labels? Slice by slice, by as many workers as there are.

A task is a slice of the board's runs, by their numbers. Whichever ends last finds that no run is left, and hands the
version on; a worker that is killed only delays that, for its slice is begun anew and finds what is done.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import Submission
from toprung.web.core.queue import adopt, rescore
from toprung.web.core.store.locks import lock_board
from toprung.web.services.labels.access_log import describe
from toprung.web.services.labels.prepare import runs_to_score
from toprung.web.services.runs.score import Columns, save_columns, score_each
from toprung.words.wording import say_count

SLICE = 50
"""Runs in a task: their columns are recorded together, in one short transaction."""


def enqueue_missing(labels: LabelSet) -> int:
    """A task for each slice of the runs to be scored, or the next step where there are none; returns how many."""
    numbers = list(runs_to_score(labels).values_list("number", flat=True))
    slices = sorted({(number - 1) // SLICE for number in numbers})
    for each in slices:
        rescore.enqueue(labels.pk, each * SLICE + 1, (each + 1) * SLICE)
    if not slices:
        adopt.enqueue(labels.pk)
    return len(slices)


def rescore_slice(labels_pk: int, first: int, last: int) -> None:
    """Score a slice; with the last run the version can be adopted."""
    if score_slice(labels_pk, first, last):
        adopt.enqueue(labels_pk)


def score_slice(labels_pk: int, first: int, last: int) -> bool:
    """Score the runs of these numbers that are not scored on the labels; True where no run at all is left then."""
    labels = LabelSet.objects.select_related("board").get(pk=labels_pk)
    if not labels.is_being_prepared:
        return False
    runs = runs_to_score(labels).filter(number__range=(first, last)).select_related("upload")
    failures: list[str] = []
    columns = list(_score(labels, list(runs), failures))
    return _record(labels, columns, failures) and not runs_to_score(labels).exists()


def _score(labels: LabelSet, runs: Sequence[Submission], failures: list[str]) -> Iterator[Columns]:
    for each in runs:
        each.board = labels.board
    for each, found in zip(runs, score_each(labels, runs), strict=True):
        if isinstance(found, Exception):
            says = f"{each.run_id} could not be scored on {describe(labels)}: {type(found).__name__}: {found}"
            failures.append(says)
        else:
            yield found


def _record(labels: LabelSet, columns: Sequence[Columns], failures: Sequence[str]) -> bool:
    """All of a slice at once; False where the version was given up meanwhile."""
    with lock_board(labels.board_id) as board:
        held = board.label_sets.select_for_update(no_key=True).get(pk=labels.pk)
        if not held.is_being_prepared:
            return False
        save_columns(columns)
        if failures:
            more = f" So it is with {say_count(len(failures) - 1, 'other run')}." if len(failures) > 1 else ""
            held.failure = failures[0] + more
            held.save(update_fields=["failure"])
    return True
