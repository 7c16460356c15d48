"""What does everyone see of a run's score? What the release policy shows of it, after those before it."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from statistics import NormalDist

from django.utils.crypto import salted_hmac

from toprung.boards.disclosure.release import ParameterFreeLadder, Release
from toprung.scoring.catalogue import higher_is_better
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.columns import score_table
from toprung.web.core.store.disclosing import disclosure_of, release_of

CERTAIN = math.inf
"""The lot of a run that is shown whatever it would draw."""


def replay_releases(
    board: Board, labels: LabelSet, submissions: Sequence[Submission], *, already_shown: Collection[int] = ()
) -> dict[int, float | None]:
    """For each of these runs, which stand in the order they came, what is shown of it under the labels.

    Their scores are those under the labels. Baselines are shown as they are, and stand on the ladder of the board.
    ``already_shown`` are runs that draw no lot: they were shown.
    """
    start = release_of(board)
    ladders: dict[int | None, Release] = {}
    found: dict[int, float | None] = {}
    for each in submissions:
        whose = None if start.is_of_board else each.team_id
        if each.team_id is None and not start.is_of_board:
            found[each.pk] = None if start.is_closed else each.score
        else:
            is_certain = each.team_id is None or each.pk in already_shown
            lot = CERTAIN if is_certain else draw_lot(board, each) if start.draws_lots else 0.0
            found[each.pk], ladders[whose] = _show(board, labels, each, ladders.get(whose, start), lot)
            if each.team_id is None and not start.is_closed:
                found[each.pk] = each.score
    return found


def score_shown_to_all(board: Board, submission: Submission) -> float:
    """Of a run that cannot be hidden, whatever its team's ladder says."""
    return disclosure_of(board).score(submission.score or 0.0)


def draw_lot(board: Board, submission: Submission) -> float:
    """Of the standard normal law: the same for the same file, and foreseen by nobody who lacks the server's secret."""
    drawn = salted_hmac("toprung.lots", f"{board.slug} {submission.upload.digest}", algorithm="sha256").digest()
    return NormalDist().inv_cdf((int.from_bytes(drawn[:6]) + 0.5) / 2**48)


def _show(
    board: Board, labels: LabelSet, submission: Submission, release: Release, lot: float
) -> tuple[float | None, Release]:
    """Releases take higher as better: the scores of another measure are turned round on the way in and out."""
    sign = 1.0 if higher_is_better(board.official_measure) else -1.0
    values = None
    if isinstance(release, ParameterFreeLadder):  # the only one that looks at single queries
        values = sign * score_table(labels, [submission], board.official_measure).values[:, 0]
    told, following = release.drawing(lot).show(sign * (submission.score or 0.0), values)
    return (None if told.shown is None else sign * told.shown), following
