"""What do the pages of a board show? Computed here by tasks, for each audience, and stored with its provenance.

What everyone sees is made of the runs that the release policy shows, and rounded before it is stored: no page holds
more than it may show. What an audience is shown stays as it is while all that it was made of does (``inputs``).
"""

from __future__ import annotations

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.web.core.access.labels import has_labels
from toprung.web.core.models.boards import Board
from toprung.web.core.queue import enqueue_once, examine, finish
from toprung.web.core.store.columns import official_labels
from toprung.web.core.store.label_versions import CHANGE
from toprung.web.core.store.locks import lock_board
from toprung.web.core.store.standings import replace_standings
from toprung.web.core.store.top_group import note_top_group
from toprung.web.services.claims.records import settled_submissions
from toprung.web.services.query.fill import fill_public_columns
from toprung.web.services.results.analyses import show_grid, show_stability, show_timeline
from toprung.web.services.results.board import (
    count_not_shown,
    find_differences,
    make_board_result,
    make_standings,
    show_board,
)
from toprung.web.services.results.compare.store import (
    keep_comparisons,
    pairs_in_advance,
    runs_shown_to,
    store_comparisons,
)
from toprung.web.services.results.label_change import show_change
from toprung.web.services.results.label_doubt import DOUBT, show_doubt
from toprung.web.services.results.material import BoardMaterial, gather
from toprung.web.services.results.registered import show_registered
from toprung.web.services.results.snapshot import Computation, OvertakenError

FIRST_STORED, LAST_STORED = "board", "timeline"
"""Kinds of what every audience is shown, stored before and with all else of it: where both are, nothing is missing."""
LEAST_IN_GRID = 3
"""Runs from which on all pairs are tested: of two runs there is one pair, which has its own page."""


def refresh_results(board_pk: int) -> None:
    """Compute what the pages show, then ask for what organisers see of the board's validity, and for its end."""
    if has_labels(board_pk):
        compute_results(board_pk)
        note_top_group(board_pk)
        fill_public_columns(board_pk)
        enqueue_once(examine, board_pk)
        board = Board.objects.get(pk=board_pk)
        if board.is_closed and not board.is_final:
            enqueue_once(finish, board_pk)


def compute_results(board_pk: int) -> None:
    """Everything the pages show, unless it was computed for the board as it stands."""
    with lock_board(board_pk) as board:  # so that labels and scores are of one version
        if board.is_final or board.results_done >= board.results_due:
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
    board, labels, generation = computation.board, computation.labels, computation.generation
    gathered = gather(board, labels, runs_shown_to(computation.submissions))
    materials = [each for each in gathered if not _keep_as_it_is(computation, each)]
    boards = [_store_board(computation, material) for material in materials]
    wanted = {
        material.audience: pairs_in_advance(board, material.submissions, found)
        for material, found in zip(materials, boards, strict=True)
    }
    store_comparisons(board, labels, wanted, generation)
    for material in materials:
        _store_rest(computation, material)
    _forget_older(computation)


def _keep_as_it_is(computation: Computation, material: BoardMaterial) -> bool:
    """Whether all that an audience is shown is made of what it was made of last; then it is of this state, too.

    Only of how many runs it is not shown anything may be another number. Comparisons are kept one by one.
    """
    board, audience, made_of = computation.board, material.audience, material.findings.made_of
    with computation.keep():
        stored = board.results.filter(labels_version=computation.version, audience=audience, made_of=made_of)
        first = stored.filter(kind=FIRST_STORED).first()
        if first is None or not stored.filter(kind=LAST_STORED).exists():
            return False
        stored.update(generation=computation.generation)
        shown = first.content
        n_not_shown = count_not_shown(board, shown["n_runs"])
        if n_not_shown != shown["n_not_shown"]:
            computation.store(FIRST_STORED, audience, shown | {"n_not_shown": n_not_shown}, made_of=made_of)
    return True


def _store_board(computation: Computation, material: BoardMaterial) -> Leaderboard:
    board, audience = material.board, material.audience
    found = make_board_result(material)
    differences = find_differences(material, found)
    shown, rows = show_board(material, found, differences), make_standings(material, found, differences)
    with computation.keep():  # a page sees the old board or the new one
        computation.store(FIRST_STORED, audience, shown, made_of=material.findings.made_of)
        replace_standings(board, audience, computation.version, rows)
    return found


def _store_rest(computation: Computation, material: BoardMaterial) -> None:
    shown = {LAST_STORED: show_timeline(material)}
    if len(material.submissions) > 1:
        shown["stability"] = show_stability(material)
    if len(material.submissions) >= LEAST_IN_GRID:
        shown["significance"] = show_grid(material)
    if (change := show_change(material)) is not None:
        shown[CHANGE] = change
    if (doubt := show_doubt(material)) is not None:
        shown[DOUBT] = doubt
    registered, made_of = dict(show_registered(material)), material.findings.made_of
    with computation.keep():
        for kind, content in shown.items():
            computation.store(kind, material.audience, content, made_of=made_of)
        for key, content in registered.items():
            computation.store("analysis", material.audience, content, key=key, made_of=made_of)


def _forget_older(computation: Computation) -> None:
    """What there is no more, such as the stability of a single run, and comparisons with what has changed since.

    Of this version only: what was shown under those before stays as it was.
    """
    board, version = computation.board, computation.version
    with computation.keep():
        keep_comparisons(board, computation.labels, computation.submissions, computation.generation)
        results = board.results.filter(labels_version=version)
        stored = results.filter(kind="board", generation__gte=computation.generation)
        board.standings.filter(labels_version=version).exclude(audience__in=stored.values("audience")).delete()
        results.filter(generation__lt=computation.generation).delete()
