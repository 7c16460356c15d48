"""What is rounded before it is stored for everyone, by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from toprung.analyses.catalogue import find_analysis
from toprung.analyses.compare.find import compare
from toprung.analyses.compare.public import pair_in_public
from toprung.analyses.power.plan import plan
from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.disclosure.release import RoundedRelease, read_release
from toprung.boards.disclosure.rounding import round_to_grid, to_two_digits, widen_to_grid
from toprung.boards.engine import claims
from toprung.boards.engine.parts import PairParts
from toprung.boards.engine.public import claim_in_public
from toprung.boards.engine.rules import Rule
from toprung.boards.engine.words import say_shown
from toprung.boards.row import OutcomeShares
from toprung.client.hosted_board import decimals_of
from toprung.client.record import Record
from toprung.data.matrices import FirstRanks
from toprung.stats.intervals.harm import HarmBounds
from toprung.stats.tests.pair import PairTest
from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience
from toprung.web.services.results.public import decimals_for, seen_by


@pytest.mark.parametrize(
    ("release", "decimals", "grid"),
    [
        ("full", 4, 1e-4),
        ("rounded:3", 3, 1e-3),
        ("rounded:2", 2, 1e-2),
        ("ladder:0.01", 2, 0.01),
        ("ladder:0.005", 3, 0.005),
        ("ladder:free", 4, 1e-4),
    ],
)
def test_the_release_policy_says_how_fine_scores_are(release: str, decimals: int, grid: float) -> None:
    assert read_release(release).decimals == decimals
    assert math.isclose(read_release(release).grid, grid)


@pytest.mark.parametrize("release", ["full", "rounded:2", "rounded:5", "ladder:0.01", "ladder:0.005", "ladder:free"])
def test_the_command_line_shows_the_decimals_of_the_page(release: str) -> None:
    on_page = decimals_for(Board(release=release), Audience.PUBLIC)
    assert decimals_of(Record(fields={"decimals": on_page}, source="")) == on_page


def test_an_interval_covers_no_less_than_it_did() -> None:
    assert widen_to_grid(0.4469, 0.4661, 0.001) == (0.446, 0.467)
    assert widen_to_grid(0.446, 0.467, 0.001) == (0.446, 0.467)
    assert widen_to_grid(-0.0012, 0.0308, 0.01) == (-0.01, 0.04)


def test_halves_go_up() -> None:
    assert (round_to_grid(0.1875, 0.001), round_to_grid(0.125, 0.05)) == (0.188, 0.15)


def test_p_keeps_two_digits_however_small() -> None:
    assert [to_two_digits(p) for p in (0.64694, 0.00991, 1.234e-9, 1.0)] == [0.65, 0.0099, 1.2e-9, 1.0]


def test_shares_are_to_a_tenth_of_a_percent() -> None:
    shares = OutcomeShares(only_this=1 / 7, better=1 / 7, same=2 / 7, neither=1 / 7, worse=1 / 7, only_top=1 / 7)
    shown = Disclosure(way=RoundedRelease()).shares(shares)
    assert shown.same == 0.285  # rounded by themselves the six would add up to 1.001
    assert shown.only_top == 0.143
    assert sum(vars(shown).values()) == pytest.approx(1)


def test_a_pair_keeps_its_verdict_and_loses_its_digits() -> None:
    """B is two ranks sooner on 23 of 37 queries, and misses 3."""
    a = np.array([3] * 37, dtype=np.int32)
    b = np.array([1] * 23 + [3] * 11 + [0] * 3, dtype=np.int32)
    ranks = FirstRanks(query_ids=tuple(map(str, range(37))), runs=("A", "B"), values=np.column_stack([a, b]), cutoff=10)
    (pair,) = compare(ranks).pairs
    shown = pair_in_public(pair, Disclosure(way=RoundedRelease(digits=3)))
    assert pair.breakdown
    assert shown.breakdown
    assert shown.breakdown.verdict is pair.breakdown.verdict
    assert shown.breakdown.answered_difference.estimate == -0.081  # 3 of 37 is 0.08108
    assert shown.breakdown.esl.mean_b == 1.65  # (23 + 33) / 34 is 1.64706
    assert shown.breakdown.rank_differences.b_higher == 23
    assert shown.breakdown.rank_differences.same == 11
    assert shown.breakdown.break_even.cost.estimate == round(shown.breakdown.break_even.cost.estimate)
    assert shown.difference.estimate == round(shown.difference.estimate, 3)
    assert shown.breakdown.only_one.p == 0.25  # three of three: 2 / 2³


def test_bounds_of_harm_go_outwards_to_the_grid_and_exclude_what_they_did() -> None:
    """20 of 1,000 queries are answered by B alone and 40 by A: L_a is −.032863, beyond the margin of .031623."""
    values = np.array([[0, 2]] * 20 + [[2, 0]] * 40 + [[2, 2]] * 904 + [[0, 0]] * 36, dtype=np.int32)
    ranks = FirstRanks(query_ids=tuple(f"{i:04}" for i in range(1000)), runs=("A", "B"), values=values, cutoff=10)
    (pair,) = compare(ranks, resamples=10).pairs
    shown = pair_in_public(pair, Disclosure(way=RoundedRelease(digits=2), shown_scores={"A": 0.47, "B": 0.46}))
    assert shown.parts.answered_harm
    assert shown.parts.ranking_harm
    assert pair.parts.ranking_harm
    assert shown.parts.answered_harm.low == -0.033
    assert shown.parts.ranking_harm.low == -0.01  # −.0026 goes to −.01, within the margin of .033
    assert [shown.parts.answered_harm.is_excluded(side) for side in (1, -1)] == [False, True]
    assert shown.parts.ranking_harm.n == 904
    hidden = pair_in_public(pair, Disclosure(way=RoundedRelease(digits=2), n_hidden=1000)).parts
    assert hidden.ranking_harm
    assert hidden.answered_harm
    assert hidden.ranking_harm.n == 900
    assert hidden.ranking_harm.margin == pytest.approx(1 / 30)  # of 900 queries, not of 904
    assert hidden.answered_harm.low == -0.04  # ten of a thousand queries are 0.01
    assert shown.parts.measure.mean == pytest.approx(-0.01)  # 0.46 − 0.47, as a reader would have it
    assert shown.found == pair.found
    # On a coarse grid a bound may pass its margin; what was decided stays.
    coarse = pair_in_public(pair, Disclosure(way=read_release("ladder:0.05")))
    assert coarse.parts.ranking_harm
    assert coarse.parts.ranking_harm.low == -0.05
    assert coarse.parts.ranking_harm.is_excluded(1)


def test_a_claim_is_shown_to_two_digits_and_passes_as_it_did() -> None:
    values = np.array([[2, 2]] * 200 + [[0, 10]] * 12 + [[0, 0]] * 88, dtype=np.int32)
    ranks = FirstRanks(query_ids=tuple(map(str, range(300))), runs=("A", "B"), values=values, cutoff=100)
    (pair,) = compare(ranks, resamples=10).pairs
    claim = pair_in_public(pair, Disclosure(way=RoundedRelease(digits=3))).claim
    assert claim
    assert (claim.p, claim.passed, claim.outcomes) == (0.00098, True, None)
    assert claim.smallest_gain == 0.005  # .0046, on the grid


def test_nothing_is_finer_than_the_step_of_the_ladder() -> None:
    """The step of .05 is written with two decimals; .01 between two scores would be finer than the scores are."""
    a = np.array([3] * 37, dtype=np.int32)
    b = np.array([1] * 23 + [3] * 11 + [0] * 3, dtype=np.int32)
    ranks = FirstRanks(query_ids=tuple(map(str, range(37))), runs=("A", "B"), values=np.column_stack([a, b]), cutoff=10)
    (pair,) = compare(ranks, resamples=10).pairs
    release = Disclosure(way=read_release("ladder:0.05"))
    assert pair.claim
    claim, shown = claim_in_public(pair.claim, release), pair_in_public(pair, release)
    assert claim.parts
    assert claim.parts.measure.mean == 0.4  # (23 · 2/3 − 3 · 1/3) / 37 is .387
    assert shown.breakdown
    assert (shown.breakdown.rr.mean_b, shown.breakdown.rr.mean_a) == (0.8, 0.35)  # .7843 and .3333


def test_what_a_claim_showed_is_said_as_it_was_found() -> None:
    """The p of the measure is .00112, above half the level of .00222; to two digits, .0011, it would be below."""
    part = PairTest(p=0.00112, favours=1, mean=0.1, sd=0.3, n=90, differing=40)
    bounds = HarmBounds(low=0.0, high=0.2, n=90, margin=0.1)
    more = replace(part, p=0.0001)
    claim = claims.TestedClaim(
        t=1,
        run="B",
        holder="A",
        measure="RR@10",
        rule=Rule.NO_HARM,
        passed=True,
        p=0.0002,
        level=0.00222,
        parts=PairParts(measure=part, answered=more, ranking=part, answered_harm=bounds, ranking_harm=bounds),
    )
    shown = claim_in_public(claim, Disclosure(way=RoundedRelease(digits=3)))
    assert shown.parts
    assert shown.parts.measure.p == 0.0012
    assert say_shown(shown) == say_shown(claim) == "proved to answer more, doing no harm"


def test_a_claim_on_few_hidden_queries_tells_a_bound_of_its_p_on_its_side_of_the_level() -> None:
    """Of 300 hidden queries 12 differ, all for B: twice 2^-11 is .00098, below the level of .0022 and of .001."""
    values = np.array([[2, 2]] * 200 + [[0, 10]] * 12 + [[0, 0]] * 88, dtype=np.int32)
    ranks = FirstRanks(query_ids=tuple(map(str, range(300))), runs=("A", "B"), values=values, cutoff=100)
    (pair,) = compare(ranks, resamples=10).pairs
    hidden = Disclosure(way=read_release("full").on_hidden(300), n_hidden=300)
    assert pair.claim
    told = claim_in_public(pair.claim, hidden)
    assert (pair.claim.p, told.p, told.passed) == (pytest.approx(2.0**-10), 0.001, True)
    failed = claim_in_public(replace(pair.claim, p=2.0**-8, level=0.0022, passed=False), hidden)
    assert failed.p == 0.01
    near = claim_in_public(replace(pair.claim, p=2.0**-9, level=0.0022), hidden)
    assert near.p == 0.0022


def test_what_registers_nothing_for_everyone_is_for_organisers_alone() -> None:
    found, release = plan(sd=0.3, difference=0.01), Disclosure(way=RoundedRelease(digits=3))
    assert not find_analysis("power").in_public
    assert seen_by(Audience.ORGANISERS, found, release, key="power") is found
    with pytest.raises(LookupError, match="power: its results are for organisers alone"):
        seen_by(Audience.PUBLIC, found, release, key="power")
