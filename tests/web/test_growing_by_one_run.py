"""A board that grew run by run shows what the same board shows when all of it is computed from nothing."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.web.cast import Cast, make_board
from tests.web.test_one_answer import draw_runs
from tests.web.test_ranking_by_another_measure import add_run, compute

from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience, StoredResult
from toprung.web.services.claims.withdraw import withdraw
from toprung.web.services.results.compare.store import compute_comparison

pytestmark = pytest.mark.figures
COMPUTED_AFTER = (3, 5, 7)
ORDERS = [
    pytest.param(1, "rounded:3"),
    pytest.param(2, "ladder:0.01"),
    *(pytest.param(seed, release, marks=pytest.mark.slow) for seed in (3, 4, 5) for release in ("full", "ladder:0.01")),
]


def grow(cast: Cast, slug: str, seed: int, **fields: str) -> Board:
    """Seven runs in an order of their own, the pages computed now and then; two pairs are asked for, one run goes."""
    board = make_board(slug, cast.organiser, **fields)
    runs = draw_runs(seed)
    Random(seed).shuffle(runs)
    for number, ranks in enumerate(runs, start=1):
        add_run(cast, board, ranks, [1 / rank if rank else 0.0 for rank in ranks])
        if number in COMPUTED_AFTER:
            compute(board)
        if number == 3:
            compute_comparison(board.pk, challenger="R3", holder="R1")
            compute_comparison(board.pk, challenger="R2", holder="R1")
        if number == 5:
            withdraw(board.submissions.get(run_id="R2"), by=cast.organiser)
    board.refresh_from_db()
    return board


def shown(board: Board) -> dict[Any, Any]:
    results = {
        (each.kind, each.key, each.audience): each.content for each in board.results.exclude(kind="validity").all()
    }
    rows = {(each.audience, each.submission.run_id): each.content for each in board.standings.all()}
    return results | rows


def forget(board: Board) -> None:
    board.results.all().delete()
    board.standings.all().delete()
    Board.objects.filter(pk=board.pk).update(results_done=0)


@pytest.mark.parametrize(("seed", "release"), ORDERS)
def test_it_shows_what_it_shows_when_computed_from_nothing(cast: Cast, seed: int, release: str) -> None:
    board = grow(cast, f"grown-{seed}", seed, release=release)
    grown = shown(board)
    asked = {key for key in grown if key[0] == "compare"}
    forget(board)
    compute(board)
    for _, key, _ in asked:
        challenger, holder = key.split()[:2]
        compute_comparison(board.pk, challenger=challenger, holder=holder)
    again = shown(board)
    assert grown.keys() == again.keys()
    assert [key for key in grown if grown[key] != again[key]] == []


def test_a_comparison_stays_while_its_two_runs_do(cast: Cast) -> None:
    board = grow(cast, "kept", 1)
    assert not board.results.filter(kind="compare", key__startswith="R2 ").exists()  # it was withdrawn
    asked = StoredResult.objects.get(board=board, key__startswith="R3 R1 ", audience=Audience.PUBLIC)
    assert asked.generation == board.results_due  # four runs came since it was made, and one went
    assert asked.computed_at < board.results.get(kind="board", audience=Audience.PUBLIC).computed_at


def test_a_comparison_is_made_anew_where_another_score_is_shown(cast: Cast) -> None:
    board = grow(cast, "shown-anew", 1)
    pair = StoredResult.objects.filter(board=board, key__startswith="R3 R1 ")
    before = dict(pair.values_list("audience", "made_of"))
    board.submissions.filter(run_id="R3").update(shown_score=0.125)
    Board.objects.filter(pk=board.pk).update(results_done=0)
    compute_comparison(board.pk, challenger="R3", holder="R1")
    after = dict(pair.values_list("audience", "made_of"))
    assert before.keys() == after.keys()
    assert before[Audience.PUBLIC] != after[Audience.PUBLIC]
    assert "0.125" in str(pair.get(audience=Audience.PUBLIC).content["evidence"][0])
