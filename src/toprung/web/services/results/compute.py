"""What do the pages of a board show? Computed here by tasks, for each audience, and stored with its provenance.

What everyone sees is made of the runs that the release policy shows, and rounded before it is stored: no page holds
more than it may show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils import timezone

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.web.core.access.labels import has_labels
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.results import Audience, Standing
from toprung.web.core.models.runs import Submission
from toprung.web.core.queue import examine
from toprung.web.core.store.columns import official_labels
from toprung.web.core.store.label_versions import CHANGE
from toprung.web.core.store.locks import lock_board
from toprung.web.services.claims.records import released_submissions, settled_submissions
from toprung.web.services.results.analyses import show_grid, show_stability, show_timeline
from toprung.web.services.results.board import make_board_result, make_standings, release_to_everyone, show_board
from toprung.web.services.results.comparing import compare_pairs, comparison_key
from toprung.web.services.results.comparison import show_comparison
from toprung.web.services.results.label_change import show_change
from toprung.web.services.results.material import BoardMaterial
from toprung.web.services.results.registered import show_registered
from toprung.web.services.results.snapshot import Computation, OvertakenError

LEAST_IN_GRID = 3
"""Runs from which on all pairs are tested: of two runs there is one pair, which has its own page."""
MOST_COMPARED = 50
"""Runs, from the top, whose comparison with the highest score is made in advance; others when somebody asks."""

type RunPair = tuple[Submission, Submission]
"""Challenger, holder."""


def refresh_results(board_pk: int) -> None:
    """Compute what the pages show, then ask for what organisers see of the board's validity."""
    if has_labels(board_pk):
        compute_results(board_pk)
        examine.enqueue(board_pk)


def compare_pair(board_pk: int, challenger: str, holder: str) -> None:
    """Compare one pair that somebody asked for."""
    if has_labels(board_pk):
        compute_comparison(board_pk, challenger=challenger, holder=holder)


def compute_results(board_pk: int) -> None:
    """Everything the pages show, unless it was computed for the board as it stands."""
    with lock_board(board_pk) as board:  # so that labels and scores are of one version
        if board.results_done >= board.results_due:
            return
        computation = Computation(
            board=board,
            labels=official_labels(board),
            submissions=settled_submissions(board),
            generation=board.results_due,
        )
    try:
        store_results(computation)
    except OvertakenError:
        return  # whoever was faster computes all of it
    done = Board.objects.filter(pk=board_pk, results_done__lt=computation.generation)
    done.update(results_done=computation.generation)


def store_results(computation: Computation) -> None:
    """Compute and store all of it, under the version of its labels; results under other versions stay as they are."""
    materials = _gather(computation.board, computation.labels, computation.submissions)
    boards = [_store_board(computation, material) for material in materials]
    for material, found in zip(materials, boards, strict=True):
        _store_comparisons(material, list(_pairs_in_advance(material, found)), computation.generation)
        _store_rest(computation, material, found)
    _forget_older(computation)


def _gather(board: Board, labels: LabelSet, submissions: Sequence[Submission]) -> list[BoardMaterial]:
    """For each audience that has something to see."""
    shown_to = {Audience.ORGANISERS: submissions, Audience.PUBLIC: released_submissions(submissions)}
    return [BoardMaterial.gather(board, labels, runs, audience) for audience, runs in shown_to.items() if runs]


def compute_comparison(board_pk: int, *, challenger: str, holder: str) -> None:
    """One pair, for every audience that both runs are shown to; what was found for the board as it stands is kept."""
    with lock_board(board_pk) as board:
        labels, submissions, generation = official_labels(board), settled_submissions(board), board.results_due
    if challenger != holder:
        for material in _gather(board, labels, submissions):
            runs = {each.run_id: each for each in material.submissions}
            if challenger in runs and holder in runs:
                _store_comparisons(material, [(runs[challenger], runs[holder])], generation)


def _store_board(computation: Computation, material: BoardMaterial) -> Leaderboard:
    board, audience = material.board, material.audience
    found = make_board_result(material)
    shown, rows = show_board(material, found), make_standings(material, found)
    with computation.keep():  # a page sees the old board or the new one
        computation.store("board", audience, shown)
        board.standings.filter(audience=audience, labels_version=computation.version).delete()
        Standing.objects.bulk_create(rows, batch_size=200)
    return found


def _store_rest(computation: Computation, material: BoardMaterial, found: Leaderboard) -> None:
    shown = {"timeline": show_timeline(material)}
    if len(material.submissions) > 1:
        shown["stability"] = show_stability(material)
    if len(material.submissions) >= LEAST_IN_GRID:
        shown["significance"] = show_grid(material, found)
    if (change := show_change(material)) is not None:
        shown[CHANGE] = change
    registered = dict(show_registered(material))
    with computation.keep():
        for kind, content in shown.items():
            computation.store(kind, material.audience, content)
        for key, content in registered.items():
            computation.store("analysis", material.audience, content, key=key)


def _forget_older(computation: Computation) -> None:
    """What there is no more, such as the stability of a single run, and comparisons of pairs among fewer runs.

    Of this version only: what was shown under those before stays as it was.
    """
    board, version = computation.board, computation.version
    with computation.keep():
        results = board.results.filter(labels_version=version)
        stored = results.filter(kind="board", generation__gte=computation.generation)
        board.standings.filter(labels_version=version).exclude(audience__in=stored.values("audience")).delete()
        results.filter(generation__lt=computation.generation).delete()


def _pairs_in_advance(material: BoardMaterial, found: Leaderboard) -> Iterator[RunPair]:
    """The first runs against the highest score, and every claim against the holder of its day."""
    by_label = {each.run_id: each for each in material.submissions}
    highest = by_label[found.reference.run]
    for row in found.rows[1:MOST_COMPARED]:
        yield by_label[row.run], highest
    for claim in material.board.claims.select_related("submission", "holder"):
        challenger, challenged = by_label.get(claim.submission.run_id), by_label.get(claim.holder.run_id)
        if challenger is not None and challenged is not None:
            yield challenger, challenged


def _store_comparisons(material: BoardMaterial, pairs: Sequence[RunPair], generation: int) -> None:
    """Those that are not there yet for the board as it stands: who is better is known by comparing all runs."""
    board, labels, audience = material.board, material.labels, material.audience
    wanted = {
        comparison_key(board, labels, challenger.run_id, holder.run_id): (challenger, holder)
        for challenger, holder in pairs
    }
    kept = board.results.filter(kind="compare", labels_version=labels.version, audience=audience, key__in=wanted)
    stored = set(kept.filter(generation__gte=generation).values_list("key", flat=True))
    missing = {key: pair for key, pair in wanted.items() if key not in stored}
    if not missing:
        return
    labelled = [(holder.run_id, challenger.run_id) for challenger, holder in missing.values()]
    compared = compare_pairs(board, material.matrix, material.top, labelled)
    for (key, pair), each in zip(missing.items(), compared, strict=True):
        board.results.update_or_create(
            labels_version=labels.version,
            kind="compare",
            key=key,
            audience=audience,
            defaults={
                "content": show_comparison(each, audience, release_to_everyone(board, pair)),
                "generation": generation,
                "computed_at": timezone.now(),
            },
        )
