"""Which comparisons are stored? Some in advance, others when somebody asks; each is made once and kept.

A comparison is of two runs: it is made anew only when what it was made of has changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.web.core.access.labels import has_labels
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.results import Audience
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.columns import official_labels
from toprung.web.core.store.disclosing import disclosure_of
from toprung.web.core.store.locks import lock_board
from toprung.web.core.store.run_pairs import RunPair, comparison_key, digest_of_pair
from toprung.web.services.claims.records import released_submissions, settled_submissions
from toprung.web.services.results.compare.pair import compare_runs
from toprung.web.services.results.compare.show import show_comparison
from toprung.web.services.results.snapshot import store_unless_newer

MOST_IN_ADVANCE = 10
"""Runs, from the top, whose comparison with the highest score is made in advance; others when somebody asks."""

type WantedPairs = Mapping[Audience, Sequence[RunPair]]


def compare_pair(board_pk: int, challenger: str, holder: str) -> None:
    """Compare one pair that somebody asked for."""
    if has_labels(board_pk):
        compute_comparison(board_pk, challenger=challenger, holder=holder)


def compute_comparison(board_pk: int, *, challenger: str, holder: str) -> None:
    """One pair, for every audience that both runs are shown to."""
    with lock_board(board_pk) as board:
        labels, submissions, generation = official_labels(board), settled_submissions(board), board.results_due
    if challenger != holder:
        wanted = {
            audience: [pair]
            for audience, runs in runs_shown_to(submissions).items()
            if (pair := _find_pair(_by_run(runs), challenger, holder)) is not None
        }
        store_comparisons(board, labels, wanted, generation)


def runs_shown_to(submissions: Sequence[Submission]) -> dict[Audience, Sequence[Submission]]:
    """The runs that each audience may see anything of; an audience without any is left out."""
    shown_to = {Audience.ORGANISERS: submissions, Audience.PUBLIC: released_submissions(submissions)}
    return {audience: runs for audience, runs in shown_to.items() if runs}


def _by_run(submissions: Sequence[Submission]) -> dict[str, Submission]:
    return {each.run_id: each for each in submissions}


def _find_pair(by_run: Mapping[str, Submission], challenger: str, holder: str) -> RunPair | None:
    """None where one of them is not among these runs."""
    if challenger not in by_run or holder not in by_run:
        return None
    return RunPair(challenger=by_run[challenger], holder=by_run[holder])


def pairs_in_advance(board: Board, submissions: Sequence[Submission], found: Leaderboard) -> list[RunPair]:
    """The first runs against the highest score, and every claim against the holder of its day."""
    first = [(row.run, found.reference.run) for row in found.rows[1:MOST_IN_ADVANCE]]
    claims = board.claims.values_list("submission__run_id", "holder__run_id")
    by_run = _by_run(submissions)
    pairs = (_find_pair(by_run, challenger, holder) for challenger, holder in (*first, *claims))
    return [pair for pair in pairs if pair is not None]


def store_comparisons(board: Board, labels: LabelSet, wanted: WantedPairs, generation: int) -> None:
    """Those that are not there yet; a pair is compared once for all audiences."""
    missing: dict[str, tuple[RunPair, list[Audience]]] = {}
    for audience, pairs in wanted.items():
        for key, pair in _find_missing(board, labels, audience, pairs):
            missing.setdefault(key, (pair, []))[1].append(audience)
    for key, (pair, audiences) in missing.items():
        compared, release = compare_runs(board, labels, pair), disclosure_of(board, pair.both)
        for audience in audiences:
            store_unless_newer(
                board,
                "compare",
                audience,
                show_comparison(compared, audience, release),
                generation=generation,
                labels_version=labels.version,
                key=key,
                made_of=digest_of_pair(board, labels, pair),
            )


def _find_missing(
    board: Board, labels: LabelSet, audience: Audience, pairs: Sequence[RunPair]
) -> Iterator[tuple[str, RunPair]]:
    by_key = {comparison_key(board, labels, pair): pair for pair in pairs}
    stored = board.results.filter(kind="compare", labels_version=labels.version, audience=audience, key__in=by_key)
    made_of = dict(stored.values_list("key", "made_of"))
    for key, pair in by_key.items():
        if made_of.get(key) != digest_of_pair(board, labels, pair):
            yield key, pair


def keep_comparisons(board: Board, labels: LabelSet, submissions: Sequence[Submission], generation: int) -> None:
    """Those that are still what they were made of belong to the board as it stands, too."""
    for audience, runs in runs_shown_to(submissions).items():
        by_run = _by_run(runs)
        stored = board.results.filter(kind="compare", labels_version=labels.version, audience=audience)
        kept = [
            pk
            for pk, key, made_of in stored.values_list("pk", "key", "made_of")
            if (pair := _find_pair(by_run, *key.split()[:2])) and digest_of_pair(board, labels, pair) == made_of
        ]
        stored.filter(pk__in=kept).update(generation=generation)
