"""A board that grew run by run shows what the same board shows when all of it is computed from nothing."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from django.conf import settings
from django.db.models import F
from tests.web.cast import Cast, make_board
from tests.web.leaderboard.test_one_answer import draw_runs
from tests.web.leaderboard.test_ranking_by_another_measure import add_run, compute

from toprung.boards.engine import kept_pairs, kept_scores
from toprung.data.folder_lock import LOCK
from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience, StoredResult
from toprung.web.core.store.columns import official_labels
from toprung.web.core.store.kept_pairs import kept_pairs_of
from toprung.web.core.store.run_pairs import RunPair
from toprung.web.services.claims.records import settled_submissions
from toprung.web.services.claims.withdraw import withdraw
from toprung.web.services.results.compare.store import compute_comparison, store_comparisons

pytestmark = pytest.mark.figures
COMPUTED_AFTER = (3, 5, 7)
ORDERS = [
    pytest.param(1, "rounded:3"),
    pytest.param(2, "ladder:0.01"),
    pytest.param(3, "board-ladder:auto"),  # everyone's runs stay, until one of them is withdrawn
    *(pytest.param(seed, release, marks=pytest.mark.slow) for seed in (3, 4, 5) for release in ("full", "ladder:0.01")),
    *(pytest.param(seed, "board-ladder:auto", marks=pytest.mark.slow) for seed in (2, 4, 5)),
]


@pytest.fixture(autouse=True)
def all_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards of seven runs keep what those of hundreds keep."""
    monkeypatch.setattr(kept_pairs, "LEAST_WORK", 0)
    monkeypatch.setattr(kept_scores, "LEAST_KEPT", 0)


def kept_files(board: Board) -> list[Path]:
    folder: Path = kept_pairs_of(official_labels(board))
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name != LOCK)


def compute_again(board: Board) -> None:
    """From what is kept of runs and pairs, and not from what is shown."""
    board.results.exclude(kind="compare").update(made_of="")
    Board.objects.filter(pk=board.pk).update(results_due=F("results_due") + 1)
    compute(board)


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
    shutil.rmtree(settings.ENVIRONMENT.kept_pairs, ignore_errors=True)
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


def test_files_that_were_cut_short_change_nothing(cast: Cast) -> None:
    board = grow(cast, "damaged", 1)
    before, names = shown(board), [path.name for path in kept_files(board)]
    assert {"variances", "variance", "means", "intervals", "index.json"} <= set(names)
    for path in kept_files(board):
        path.write_bytes(path.read_bytes()[:5])
    compute_again(board)
    assert shown(board) == before
    for path in kept_files(board):
        if path.name != "index.json":  # which still tells of all runs
            path.write_bytes(path.read_bytes()[:-1])
    compute_again(board)
    assert shown(board) == before


def test_what_is_kept_is_what_is_shown(cast: Cast) -> None:
    """So that the tests above would see it if something wrong were kept."""
    board = grow(cast, "believed", 1)
    before = shown(board)
    (path,) = (each for each in kept_files(board) if each.name == "intervals")
    path.write_bytes(np.full(path.stat().st_size // 8, 0.25).tobytes())
    compute_again(board)
    row = shown(board)["organisers", "R1"]
    assert (row["score_low"], row["score_high"]) == (0.25, 0.25)
    forget(board)
    compute(board)
    assert shown(board)["organisers", "R1"] == before["organisers", "R1"]


def test_a_comparison_by_who_began_earlier_is_not_stored_over_a_newer_one(cast: Cast) -> None:
    board = grow(cast, "overtaken", 1)
    labels, runs = official_labels(board), {each.run_id: each for each in settled_submissions(board)}
    stored = StoredResult.objects.filter(board=board, key__startswith="R3 R1 ").order_by("audience")
    before = list(stored.values_list("content", "made_of", "generation"))
    runs["R3"].shown_score = 0.125  # as the slower one saw it
    pair = RunPair(challenger=runs["R3"], holder=runs["R1"])
    store_comparisons(board, labels, {Audience.PUBLIC: [pair]}, board.results_due - 1)
    assert list(stored.values_list("content", "made_of", "generation")) == before
    store_comparisons(board, labels, {Audience.PUBLIC: [pair]}, board.results_due)
    assert list(stored.values_list("content", "made_of", "generation")) != before


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
