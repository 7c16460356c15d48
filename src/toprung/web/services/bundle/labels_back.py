"""How does a board that was imported without its hidden labels get them again? By the files with the same digests."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

from django.core.files import File

from toprung.data.formats.content import digest_of
from toprung.errors import InputError
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.people import User
from toprung.web.core.models.runs import ScoreColumn
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board
from toprung.web.services.bundle.going_on import go_on
from toprung.web.services.labels.access_log import describe
from toprung.web.services.labels.prepare import scored_runs
from toprung.web.services.runs.score import Columns, save_columns, score_on

AS_RECORDED = 1e-9


def restore_labels(
    board: Board, paths: Sequence[Path], *, by: User, on_progress: Callable[[str], None] = lambda _: None
) -> list[LabelSet]:
    """Put the files in their places and score all runs on them; once none is missing, the board goes on.

    What runs score must be what was recorded of them; else nothing is changed for that set.
    """
    missing = list(board.label_sets.filter(file="").order_by("pk"))
    found = [(labels, path) for path in paths for labels in missing if labels.digest == digest_of(path)]
    unknown = [path for path in paths if path not in {path for _, path in found}]
    if unknown:
        wanted = ", ".join(f"{describe(each)} {each.digest}" for each in missing) or "none: no labels are missing"
        raise InputError(
            f"{unknown[0].name}: found the digest {digest_of(unknown[0])}; expected that of labels which are missing: "
            f"{wanted}."
        )
    for labels, path in found:
        _restore(board, labels, path, by=by)
        on_progress(describe(labels))
    return [labels for labels, _ in found]


def _restore(board: Board, labels: LabelSet, path: Path, *, by: User) -> None:
    with path.open("rb") as file:
        labels.file.save(f"{board.slug}-{labels.use}", File(file), save=True)
    try:
        columns = [] if labels.use == LabelUse.DEV else _score(board, labels)
        with lock_board(board.pk) as held:
            ScoreColumn.objects.filter(label_set=labels, packed=b"").delete()
            save_columns(columns)
            record(held, by, f"Gave labels again, {describe(labels)}", digest=labels.digest)
            _open_again(held)
    except BaseException:
        labels.file.delete(save=True)
        raise


def _score(board: Board, labels: LabelSet) -> list[Columns]:
    recorded = {
        (run, measure): mean
        for run, measure, mean in ScoreColumn.objects.filter(label_set=labels).values_list(
            "submission_id", "measure", "mean"
        )
    }
    scored = []
    for run in scored_runs(board).filter(score_columns__label_set=labels).distinct().select_related("upload"):
        run.board = board
        (columns,) = score_on([labels], run)
        for each in columns.scores:
            was = recorded.get((run.pk, each.measure), each.mean)
            if not math.isclose(was, each.mean, abs_tol=AS_RECORDED):
                raise InputError(
                    f"{run.run_id}: found {each.measure} of {each.mean:.6f} on {describe(labels)}; expected {was:.6f}, "
                    "as recorded. Was the bundle made by another version of Toprung?"
                )
        scored.append(columns)
    return scored


def _open_again(board: Board) -> None:
    if board.label_sets.filter(is_current=True, file="").exclude(use=LabelUse.DEV).exists() or not board.imported:
        return
    board.imported[-1]["has_labels"] = True
    board.save(update_fields=["imported"])
    go_on(board)
