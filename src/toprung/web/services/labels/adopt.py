"""When do runs, claims and pages go by a new version? When all is there: then it changes, all in one transaction."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.runs import RunState, ScoreColumn, Submission
from toprung.web.core.queue import challenge_labels, enqueue_once, examine, settle
from toprung.web.core.store.audit import WORKER, record
from toprung.web.core.store.disclosing import release_of
from toprung.web.core.store.locks import lock_board
from toprung.web.core.store.top_group import note_top_group
from toprung.web.services.claims.records import settled_among
from toprung.web.services.claims.releasing import replay_releases, score_shown_to_all
from toprung.web.services.labels.access_log import describe
from toprung.web.services.labels.prepare import runs_to_score, scored_runs
from toprung.web.services.labels.rescore import enqueue_missing
from toprung.web.services.results.snapshot import Computation, OvertakenError


def adopt_version(labels_pk: int) -> bool:
    """Make a version current that every run is scored on; False where it is not, or no more, to be adopted.

    What the pages show under official labels is computed before, and nobody sees it until the labels are current.
    """
    labels = LabelSet.objects.select_related("board").get(pk=labels_pk)
    if not labels.is_being_prepared:
        return False
    if runs_to_score(labels).exists():
        enqueue_missing(labels)
        return False
    try:
        generation = _compute_results(labels) if labels.use == LabelUse.OFFICIAL else None
    except OvertakenError:
        return False  # another worker does it
    except Exception as error:
        _note_failure(labels, error)
        raise  # the queue tries again, some times
    with lock_board(labels.board_id) as board:
        held = board.label_sets.select_for_update(no_key=True).get(pk=labels.pk)
        held.board = board
        if not held.is_being_prepared or board.is_final:
            return False
        if runs_to_score(held).exists():  # of runs whose scoring was on its way when the version was published
            enqueue_missing(held)
            return False
        _switch(board, held, generation)
    return True


def _compute_results(labels: LabelSet) -> int:
    """Store what the pages show under the labels, and return for which state of the board that is.

    What they show under those before is brought up to date first, for it stays.
    """
    from toprung.web.services.results.compute import compute_results, store_results

    compute_results(labels.board_id)
    board = Board.objects.get(pk=labels.board_id)
    submissions = settled_among(runs_under(board, labels))
    computation = Computation(board=board, labels=labels, submissions=submissions, generation=board.results_due)
    store_results(computation)
    return computation.generation


def _note_failure(labels: LabelSet, error: Exception) -> None:
    says = f"What the pages show could not be computed: {type(error).__name__}: {error}"
    LabelSet.objects.filter(pk=labels.pk, current_since=None, given_up_at=None).update(failure=says)


def _switch(board: Board, labels: LabelSet, generation: int | None) -> None:
    """Call it while the board is locked, when all is there."""
    is_fresh = generation == board.results_due
    runs = runs_under(board, labels) if labels.use == LabelUse.OFFICIAL else []
    put_in_place(board, labels, n_runs=scored_runs(board).count())
    if labels.use == LabelUse.OFFICIAL:
        Submission.objects.bulk_update(runs, ["score", "shown_score"], batch_size=200)
        board.shown_version = labels.version
    board.results_due += 1
    if is_fresh:
        board.results_done = board.results_due
    board.save()
    note_top_group(board.pk)
    settle.enqueue(board.pk)  # runs may have waited; it asks for new results too, where they are due
    examine.enqueue(board.pk)
    if labels.use == LabelUse.OFFICIAL:
        enqueue_once(challenge_labels, board.pk)  # first answers are held against other labels now


def put_in_place(board: Board, labels: LabelSet, *, n_runs: int) -> None:
    """These labels in the place of those before; of claims tested under those it is kept whether they were shown."""
    now = timezone.now()
    before = board.label_sets.filter(use=labels.use, name=labels.name, is_current=True)
    for old in before.exclude(pk=labels.pk):
        old.is_current, old.superseded_at = False, now
        old.save(update_fields=["is_current", "superseded_at"])
        claims = board.claims.filter(label_set=old, was_shown=None)
        claims.filter(submission__shown_score=None).update(was_shown=False)
        claims.exclude(submission__shown_score=None).update(was_shown=True)
    labels.is_current, labels.current_since, labels.failure = True, now, ""
    labels.save(update_fields=["is_current", "current_since", "failure"])
    record(board, WORKER, f"Labels {describe(labels)} are current", digest=labels.digest, runs=n_runs)


def runs_under(board: Board, labels: LabelSet) -> list[Submission]:
    """Every scored run, with the scores it has under these labels and what the release policy shows of them; not saved.

    The policy is applied in the order the runs came. Who holds the rung or held it cannot be hidden.
    """
    columns = ScoreColumn.objects.filter(label_set=labels, measure=board.official_measure)
    means = dict(columns.values_list("submission_id", "mean"))
    runs = [each for each in _in_order(board) if each.pk in means]
    for each in runs:
        each.score = means[each.pk]
    settled = [each for each in runs if each.state == RunState.DONE]
    held = set[int]() if release_of(board).is_closed else _ever_held(board)
    shown = replay_releases(board, labels, settled)
    for each in settled:
        score = shown[each.pk]
        each.shown_score = score_shown_to_all(board, each) if score is None and each.pk in held else score
    return runs


def _in_order(board: Board) -> Sequence[Submission]:
    return list(scored_runs(board).select_related("team", "upload").order_by("number"))


def _ever_held(board: Board) -> set[int]:
    passed = board.claims.filter(passed=True).values_list("submission_id", "holder_id")
    held = {pk for pair in passed for pk in pair}
    return held if board.holder_id is None else held | {board.holder_id}
