"""What do the pages of a board show? Computed here by tasks, for each audience, and stored with its provenance.

What everyone sees is made of the runs that the release policy shows, and rounded before it is stored: no page holds
more than it may show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from toprung.analyses.board import Board as BoardResult
from toprung.web.boards.analysis_results import show_grid, show_stability, show_timeline
from toprung.web.boards.board_results import make_board_result, make_standings, show_board, shown_scores_of
from toprung.web.boards.columns import first_ranks, official_labels, score_table
from toprung.web.boards.comparing import compare_pairs, comparison_key
from toprung.web.boards.comparison_results import show_comparison
from toprung.web.boards.material import Material
from toprung.web.boards.models import Audience, Board, LabelSet, Standing, StoredResult
from toprung.web.boards.records import released_submissions, settled_submissions
from toprung.web.submissions.models import Submission

LEAST_IN_GRID = 3
"""Runs from which on all pairs are tested: of two runs there is one pair, which has its own page."""
MOST_COMPARED = 50
"""Runs, from the top, whose comparison with the holder is made in advance; others when somebody asks."""

type RunPair = tuple[Submission, Submission]
"""Challenger, holder."""


def compute_results(board_pk: int) -> None:
    """Everything the pages show, unless it was computed for the board as it stands."""
    board = Board.objects.select_related("holder").get(pk=board_pk)
    submissions = settled_submissions(board)
    if board.results_done >= board.results_due:
        return
    generation = board.results_due
    labels = official_labels(board)
    shown_to = {Audience.ORGANISERS: submissions, Audience.PUBLIC: released_submissions(submissions)}
    materials = [Material.gather(board, labels, runs, audience) for audience, runs in shown_to.items() if runs]
    boards = [_store_board(material, generation) for material in materials]
    in_advance = [pair for found in boards for pair in _pairs_in_advance(board, found, submissions)]
    _store_comparisons(board, labels, list(dict.fromkeys(in_advance)))
    for material, found in zip(materials, boards, strict=True):
        _store_rest(material, found, generation)
    _forget_older(board, generation)
    Board.objects.filter(pk=board_pk, results_done__lt=generation).update(results_done=generation)


def compute_comparison(board_pk: int, *, challenger: str, holder: str) -> None:
    """One pair, for both audiences; what does not change is not computed again."""
    board = Board.objects.get(pk=board_pk)
    runs = {each.label: each for each in settled_submissions(board)}
    if challenger in runs and holder in runs and challenger != holder:
        _store_comparisons(board, official_labels(board), [(runs[challenger], runs[holder])])


def _store_board(material: Material, generation: int) -> BoardResult:
    board, audience, submissions = material.board, material.audience, material.submissions
    found = make_board_result(
        board, material.ranks, material.scores, material.followed, submissions=submissions, audience=audience
    )
    with transaction.atomic():  # a page sees the old board or the new one
        _store(board, "board", audience, show_board(found, board, submissions, audience), generation)
        _store_standings(board, audience, make_standings(board, found, material.ranks, submissions, audience))
    return found


def _store_rest(material: Material, found: BoardResult, generation: int) -> None:
    board, audience = material.board, material.audience
    _store(board, "timeline", audience, show_timeline(material), generation)
    if len(material.submissions) > 1:
        _store(board, "stability", audience, show_stability(material), generation)
    if len(material.submissions) >= LEAST_IN_GRID:
        _store(board, "significance", audience, show_grid(material, found), generation)


def _forget_older(board: Board, generation: int) -> None:
    """What there is no more, such as the stability of a single run; others are made, and kept, elsewhere."""
    stored = board.results.filter(kind="board", generation__gte=generation)
    board.standings.exclude(audience__in=stored.values("audience")).delete()
    board.results.filter(generation__lt=generation).exclude(kind__in=("compare", "history", "validity")).delete()


def _store_standings(board: Board, audience: Audience, rows: Sequence[Standing]) -> None:
    Standing.objects.filter(board=board, audience=audience).delete()
    Standing.objects.bulk_create(rows, batch_size=200)


def _pairs_in_advance(board: Board, found: BoardResult, submissions: Sequence[Submission]) -> Iterator[RunPair]:
    """The first runs against the holder, and every claim against the holder of its day."""
    by_label = {each.label: each for each in submissions}
    holder = by_label[found.holder.run]
    for row in found.rows[:MOST_COMPARED]:
        if row.run != holder.label:
            yield by_label[row.run], holder
    for claim in board.claims.select_related("submission", "holder"):
        challenger, challenged = by_label.get(claim.submission.label), by_label.get(claim.holder.label)
        if challenger is not None and challenged is not None:
            yield challenger, challenged


def _store_comparisons(board: Board, labels: LabelSet, pairs: Sequence[RunPair]) -> None:
    """Those that are not there yet, for everyone only where the release policy shows both runs."""
    wanted = {
        comparison_key(board, labels, challenger.label, holder.label): (challenger, holder)
        for challenger, holder in pairs
    }
    stored = set(board.results.filter(kind="compare", key__in=wanted).values_list("key", "audience"))
    missing = {
        key: audiences
        for key, pair in wanted.items()
        if (audiences := [each for each in _audiences_of(pair) if (key, each) not in stored])
    }
    if not missing:
        return
    runs = list({each.pk: each for key in missing for each in wanted[key]}.values())
    labelled = [(wanted[key][1].label, wanted[key][0].label) for key in missing]
    compared = compare_pairs(
        board, first_ranks(labels, runs), score_table(labels, runs, board.official_measure), labelled
    )
    for (key, audiences), each in zip(missing.items(), compared, strict=True):
        for audience in audiences:
            content = show_comparison(board, each, audience, shown_scores_of(wanted[key]))
            _store(board, "compare", audience, content, board.results_due, key=key)


def _audiences_of(pair: RunPair) -> list[Audience]:
    is_released = len(shown_scores_of(pair)) == len(pair)
    return [Audience.ORGANISERS, Audience.PUBLIC] if is_released else [Audience.ORGANISERS]


def _store(
    board: Board, kind: str, audience: Audience, content: dict[str, Any], generation: int, *, key: str = ""
) -> None:
    StoredResult.objects.update_or_create(
        board=board,
        kind=kind,
        key=key,
        audience=audience,
        defaults={"content": content, "generation": generation, "computed_at": timezone.now()},
    )
