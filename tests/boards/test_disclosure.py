"""What everyone may see of hidden labels, by hand."""

from __future__ import annotations

import math
import re
from datetime import date
from pathlib import Path

import numpy as np
import pytest

import toprung
from toprung.analyses.compare.find import compare
from toprung.analyses.compare.public import pair_in_public
from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.disclosure.luck import spread_of
from toprung.boards.disclosure.release import AutomaticBoardLadder, BoardLadder, Ladder, Release, read_release
from toprung.boards.disclosure.resolution import resolution
from toprung.boards.row import OutcomeShares
from toprung.data.matrices import FirstRanks

ROUNDING = r"disclosure\.rounding import [^\n]*\b(round_to_grid|widen_to_grid|to_two_digits|apportion)"


def disclose(release: str, n_hidden: int) -> Disclosure:
    return Disclosure(way=read_release(release).on_hidden(n_hidden), n_hidden=n_hidden, cutoff=10)


@pytest.mark.parametrize("release", ["full", "rounded:3", "ladder:0.01", "board-ladder:0.01", "ladder:free"])
@pytest.mark.parametrize("n", [50, 60, 200, 397, 1_000, 5_793])
def test_no_step_is_finer_than_ten_queries(release: str, n: int) -> None:
    told = disclose(release, n)
    assert told.grid >= 10 / n
    assert told.share_step >= 10 / n
    assert told.search_step(1) >= 10 * 9 / n
    assert told.step_over(n // 2) >= 10 / (n // 2 + 5)


def test_one_query_more_is_seen_at_most_once_in_ten() -> None:
    """Scores of 0, 1, … 200 of 200 queries: 21 that are shown."""
    told = disclose("full", 200)
    assert len({told.score(each / 200) for each in range(201)}) == 21
    assert len({told.share(each / 200) for each in range(201)}) == 21


def test_a_p_in_the_tail_does_not_count_queries() -> None:
    """Of public labels it is as it is."""
    told, public = disclose("full", 200), Disclosure(way=read_release("full"))
    assert {told.p(2.0**-n) for n in range(14, 60)} == {told.p(0.0)} == {9.9e-05}
    assert told.p(1e-9, 1e-5) == 1e-05, "not above its level"
    assert told.p(5e-05, 1e-5) > 1e-05, "nor below it"
    assert public.p(2.0**-50) == 8.9e-16


def test_what_is_coarser_stays_as_coarse() -> None:
    assert disclose("rounded:1", 5_793).grid == 0.1
    assert disclose("ladder:0.05", 5_793).grid == 0.05


def test_public_labels_are_shown_as_the_release_says() -> None:
    told = Disclosure(way=read_release("rounded:3"))
    assert (told.grid, told.share_step, told.count(7), told.shows_figure_over(3)) == (0.001, 0.001, 7, True)


def test_shares_add_up_to_one_in_whole_steps() -> None:
    told = disclose("full", 60)
    shares = OutcomeShares(only_this=0.1, better=0.15, same=0.3, neither=0.25, worse=0.15, only_top=0.05)
    shown = told.shares(shares)
    parts = [shown.only_this, shown.better, shown.same, shown.neither, shown.worse, shown.only_top]
    assert sum(parts) == pytest.approx(1)
    assert all(round(part / 0.2, 9) == round(part / 0.2) for part in parts)  # ten of 60 are a sixth, up to a round 0.2


def pair_of(n: int, n_sooner: int) -> FirstRanks:
    """B is a rank sooner on some queries of those that both answer."""
    values = np.array([[2, 1]] * n_sooner + [[2, 2]] * (n - n_sooner), dtype=np.int32)
    return FirstRanks(query_ids=tuple(f"{i:04}" for i in range(n)), runs=("A", "B"), values=values, cutoff=10)


def test_a_histogram_of_few_queries_is_left_out_not_rounded_to_nothing() -> None:
    """Of 60 queries 6 differ: to the nearest ten a bar would say 10 and its bins 0 or 10."""
    (pair,) = compare(pair_of(60, 6), resamples=10).pairs
    shown = pair_in_public(pair, disclose("full", 60)).breakdown
    assert shown
    assert shown.rank_differences.bins == ()


def test_a_histogram_of_many_is_counted_in_tens_and_says_what_the_outcome_bar_says() -> None:
    """126 of 400 is 30% in steps of 5%, which is about 120: nowhere does it say 130."""
    (pair,) = compare(pair_of(400, 126), resamples=10).pairs
    told = disclose("full", 400)
    shown = pair_in_public(pair, told).breakdown
    assert shown
    assert pair.breakdown
    beside_the_bar = told.counts(pair.breakdown.outcomes)
    assert (beside_the_bar["better"], beside_the_bar["same"]) == (120, 280)
    assert [(each.b_higher, each.a_higher) for each in shown.rank_differences.bins] == [(120, 0)]
    assert (shown.rank_differences.b_higher, shown.rank_differences.same) == (120, 280)
    assert shown.rank_differences.n == 400


@pytest.mark.parametrize("n", [240, 1000, 5793])
def test_bars_in_tens_add_up_to_what_is_said_of_them(n: int) -> None:
    """Whatever the runs: same rank, wins of B and wins of A are those beside the outcome bar; each bar is near."""
    rng = np.random.default_rng(n)
    values = rng.integers(0, 60, size=(n, 2)).astype(np.int32) // rng.integers(1, 9, size=(n, 1)).astype(np.int32)
    ranks = FirstRanks(query_ids=tuple(f"{i:04}" for i in range(n)), runs=("A", "B"), values=values, cutoff=100)
    (pair,) = compare(ranks, resamples=10).pairs
    told = disclose("full", n)
    shown = pair_in_public(pair, told).breakdown
    assert shown
    assert pair.breakdown
    exact, found, said = pair.breakdown.rank_differences, shown.rank_differences, told.counts(pair.breakdown.outcomes)
    assert (found.b_higher, found.a_higher, found.same) == (said["better"], said["worse"], said["same"])
    off = [
        *(one.b_higher - other.b_higher for one, other in zip(found.bins, exact.bins, strict=True)),
        *(one.a_higher - other.a_higher for one, other in zip(found.bins, exact.bins, strict=True)),
    ]
    assert max(map(abs, off)) < 20


def test_means_over_few_queries_are_left_out() -> None:
    """Both answer 40 of 60 queries: of those nothing is told."""
    values = np.array([[2, 1]] * 40 + [[0, 3]] * 20, dtype=np.int32)
    ranks = FirstRanks(query_ids=tuple(f"{i:02}" for i in range(60)), runs=("A", "B"), values=values, cutoff=10)
    (pair,) = compare(ranks, resamples=10).pairs
    shown = pair_in_public(pair, disclose("full", 60))
    assert shown.breakdown
    assert np.isnan([shown.breakdown.rr.mean_a, shown.breakdown.esl.mean_b, shown.breakdown.rr_difference.low]).all()
    assert shown.parts.ranking
    assert np.isnan(shown.parts.ranking.mean)
    assert shown.found == pair.found, "what was decided stays"


class TestLadders:
    def test_the_board_has_one_best_and_must_be_beaten_as_it_is(self) -> None:
        """0.54 is shown as 0.5; 0.61 is a step above that, and not above 0.54."""
        told, state = BoardLadder(step=0.1).show(0.54)
        assert told.shown == 0.5
        assert state.show(0.61)[0].shown is None
        assert state.show(0.6401)[0].shown == 0.6

    @pytest.mark.parametrize(
        ("n", "step", "grid"), [(200, 0.1149, 0.05), (1_000, 0.0514, 0.02), (5_793, 0.02135, 0.01)]
    )
    def test_the_step_goes_with_the_number_of_queries(self, n: int, step: float, grid: float) -> None:
        release = read_release("board-ladder:auto").on_hidden(n)
        assert isinstance(release, Ladder)
        assert release.step == pytest.approx(step, abs=5e-5)
        assert release.grid == grid
        assert release.needed >= resolution(n)

    def test_a_measure_whose_scores_are_1_or_0_has_twice_the_step_and_the_lot(self) -> None:
        ladder = AutomaticBoardLadder()
        half, full = (ladder.on_hidden(400, spread=spread_of(name)) for name in ("RR@10", "P@1"))
        assert isinstance(half, AutomaticBoardLadder)
        assert isinstance(full, AutomaticBoardLadder)
        assert (full.step, full.lot_size) == (2 * half.step, 2 * half.lot_size)

    def test_a_lot_is_added_before_a_run_is_compared_and_not_to_what_is_shown(self) -> None:
        """400 queries: luck has a standard deviation of 0.0125, a lot one of 0.01875, and the step is 0.08125."""
        start = read_release("board-ladder:auto").on_hidden(400).show(0.5)[1]
        shown = [start.drawing(lot).show(0.55)[0].shown for lot in (-1.0, 0.0, 1.5, 2.0)]
        assert shown == [None, None, None, 0.55], "0.55 + 2 × 0.01875 is more than 0.58125"
        assert [start.drawing(lot).show(0.6)[0].shown for lot in (-1.5, 0.0, math.inf)] == [None, 0.6, 0.6]
        assert start.drawing(2.0).show(0.55)[1].drawing(0.0).show(0.63)[0].shown is None, "0.55 is the best now"

    def test_other_ladders_draw_no_lot(self) -> None:
        start = read_release("board-ladder:0.05").on_hidden(1_000).show(0.5)[1]
        assert start.drawing(9.0).show(0.54)[0].shown is None

    def test_a_team_of_its_own_does_not_begin_anew_on_the_board(self) -> None:
        team, board = read_release("ladder:0.01"), read_release("board-ladder:0.01")
        assert (team.is_of_board, board.is_of_board) == (False, True)


class TestClosed:
    release: Release = read_release("closed:2027-03-01")

    def test_nothing_is_shown_before_its_day(self) -> None:
        assert self.release.on_day(date(2027, 2, 28)).show(0.9)[0].shown is None
        assert self.release.is_closed

    def test_then_every_score_is(self) -> None:
        opened = self.release.on_hidden(1_000).on_day(date(2027, 3, 1))
        assert not opened.is_closed
        assert opened.show(0.4567)[0].shown == 0.46


@pytest.mark.parametrize("spelling", ["board-ladder:auto", "board-ladder:0.02", "closed:2027-03-01", "ladder:free"])
def test_a_release_is_spelled_as_it_is_read(spelling: str) -> None:
    assert read_release(spelling).spelling == spelling


@pytest.mark.parametrize("text", ["closed", "closed:soon", "board-ladder:x", "board-ladder:-1"])
def test_what_cannot_be_read_says_what_is_expected(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        read_release(text)


def test_nothing_else_rounds() -> None:
    """Whoever shows something asks the disclosure."""
    package = Path(toprung.__file__).parent
    others = [
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if "boards/disclosure" not in path.as_posix() and re.search(ROUNDING, path.read_text())
    ]
    assert others == []
