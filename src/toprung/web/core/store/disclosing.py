"""What does everyone see of this board? Its disclosure, with the scores that are released."""

from __future__ import annotations

from collections.abc import Sequence

from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.disclosure.luck import spread_of
from toprung.boards.disclosure.release import Release, TooFewQueries, read_release
from toprung.boards.disclosure.resolution import LEAST_HIDDEN
from toprung.web.core.asked import today
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet, LabelUse
from toprung.web.core.models.runs import Submission


def release_of(board: Board) -> Release:
    """What everyone sees of scores today; as a team, or the board, stands before its first run."""
    return disclosure_of(board).way


def disclosure_of(board: Board, submissions: Sequence[Submission] = ()) -> Disclosure:
    """With what is released of these runs; no score has more digits than the policy shows, whatever was stored."""
    n_hidden = _count_hidden(board)
    told = Disclosure(way=_way_of(board, n_hidden), n_hidden=n_hidden, cutoff=board.cutoff)
    shown = {each.run_id: told.score(each.shown_score) for each in submissions if each.shown_score is not None}
    return Disclosure(way=told.way, n_hidden=n_hidden, cutoff=board.cutoff, shown_scores=shown)


def _way_of(board: Board, n_hidden: int) -> Release:
    """Of today; of labels that are hidden with their number known, and of too few of them nothing."""
    release = read_release(board.release)
    if 0 < n_hidden < LEAST_HIDDEN:
        return TooFewQueries()
    if n_hidden:
        release = release.on_hidden(n_hidden, spread=spread_of(board.official_measure))
    return release.on_day(today())


def _count_hidden(board: Board) -> int:
    """Queries of the official labels, if these are hidden; asked once for each board in memory."""
    known = board.__dict__.get("_n_hidden", None if board.pk else 0)
    if known is None:
        labels = LabelSet.objects.filter(board_id=board.pk, use=LabelUse.OFFICIAL, is_current=True)
        found = labels.order_by("-version").values_list("is_hidden", "n_queries").first()
        known = board.__dict__["_n_hidden"] = 0 if found is None or not found[0] else found[1]
    return int(known)
