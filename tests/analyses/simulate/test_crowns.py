"""Lives of boards that can be checked by hand, and that agree with the timeline of the same runs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy.stats import ttest_rel

from toprung.analyses.simulate.crowns import NEVER, CrownRule, RuleName, SimulatedBoard, live, make_rules
from toprung.analyses.timeline.find import timeline
from toprung.boards.engine.parts import find_parts
from toprung.boards.engine.rules import Rule, claim_p
from toprung.data.matrices import FirstRanks
from toprung.errors import InputError
from toprung.stats.sequences.online import PlannedGamma, QuadraticGamma

Ranks = NDArray[np.int32]
small_boards = arrays(np.int32, st.tuples(st.integers(2, 8), st.integers(4, 25)), elements=st.integers(0, 5))


def rule(name: RuleName, *, alpha: float = 0.05) -> CrownRule:
    gamma = None if name in {"score", "naive"} else QuadraticGamma()
    return CrownRule(name=name, alpha=alpha, gamma=gamma)


def board(
    ranks: Ranks, qualities: list[float] | None = None, improvements: dict[int, float] | None = None
) -> SimulatedBoard:
    scores = np.divide(1.0, ranks, out=np.zeros(ranks.shape), where=ranks > 0)
    return SimulatedBoard(
        scores=scores,
        ranks=ranks,
        means=scores.mean(axis=1).round(12),
        qualities=np.zeros(len(ranks)) if qualities is None else np.array(qualities),
        improvements=improvements or {},
    )


def found_first(*counts: int, of: int = 20) -> Ranks:
    """Runs with rank 1 on so many of the first queries, and nothing else."""
    return np.array([[1] * count + [0] * (of - count) for count in counts], dtype=np.int32)


def as_first_ranks(ranks: Ranks) -> FirstRanks:
    return FirstRanks(
        query_ids=tuple(f"q{each:02}" for each in range(ranks.shape[1])),
        runs=tuple(f"R{each}" for each in range(len(ranks))),
        values=ranks.T.copy(),
        cutoff=5,
    )


class TestByHand:
    def test_by_score_every_higher_one_is_crowned(self) -> None:
        found = live(
            board(found_first(4, 6, 5, 7), qualities=[0.2, 0.2, 0.3, 0.3], improvements={2: 0.1}), rule("score")
        )
        # 6 of the same quality as 4 is false; 7 over 6 is true, and comes one later than 5, which is as good.
        assert (found.crowns, found.false_crowns, found.waits, found.regret) == (2, 1, (1.0,), 0.0)
        assert math.isnan(found.last_level)

    def test_an_improvement_that_nobody_matches_before_the_next_is_missed(self) -> None:
        found = live(
            board(found_first(4, 3, 5, 12), qualities=[0.1, 0.2, 0.3, 0.4], improvements={1: 0.1, 2: 0.1, 3: 0.1}),
            rule("measure", alpha=0.02),
        )
        # 5 against 4: p = 1 at the first level; 12 against 4: p = 2/2⁸ above the second, 0.02/6.
        assert (found.crowns, found.waits) == (0, (NEVER, NEVER, NEVER))
        assert found.last_level == pytest.approx(0.02 / 6)
        assert found.regret == pytest.approx(0.3)

    def test_what_matches_an_improvement_after_the_next_one_came_is_too_late_for_it(self) -> None:
        found = live(
            board(found_first(4, 3, 12), qualities=[0.1, 0.2, 0.3], improvements={1: 0.1, 2: 0.2}), rule("score")
        )
        assert (found.gains, found.waits) == ((0.1, 0.2), (NEVER, 0.0))

    def test_a_claim_that_passes_hands_its_level_on(self) -> None:
        passed, not_passed = board(found_first(4, 12, 13)), board(found_first(4, 5, 6))
        assert live(passed, rule("measure")).last_level == pytest.approx(0.05 / 2 + 0.05 / 6)
        assert live(not_passed, rule("measure")).last_level == pytest.approx(0.05 / 6)

    def test_uncorrected_the_measure_at_alpha_will_do_each_time(self) -> None:
        # 6 more answers: p = 2/2⁶ = .03125.
        assert live(board(found_first(4, 5, 10, 16)), rule("naive")).crowns == 2
        assert live(board(found_first(4, 5, 9)), rule("naive")).crowns == 0, "2/2⁵ = .0625"

    def test_no_harm_asks_for_harm_to_be_excluded(self) -> None:
        # 12 more answers; with 4 shared answers harm in the ranking is not excluded, with 24 it is.
        few, many = board(found_first(4, 16)), board(found_first(24, 36, of=60))
        assert [live(each, rule("no_harm")).crowns for each in (few, many)] == [0, 1]
        assert [live(each, rule("measure")).crowns for each in (few, many)] == [1, 1]

    def test_a_score_that_is_the_same_is_no_claim(self) -> None:
        assert live(board(found_first(4, 4)), rule("score")).crowns == 0

    def test_both_asks_for_answers_and_ranking(self) -> None:
        more = found_first(4, 16)
        both = np.array([[5, 6, 7, 8, 9] * 2 + [0] * 10, [1, 2, 1, 2, 1] * 2 + [1] * 10], dtype=np.int32)
        assert live(board(more), rule("both")).crowns == 0
        assert live(board(both), rule("both")).crowns == 1


class TestScores:
    def test_without_ranks_the_measure_decides(self) -> None:
        rng = np.random.default_rng(1)
        scores = rng.random((3, 30)) + np.array([[0.0], [0.05], [0.4]])
        made = board_of_scores(scores)
        assert made.parts(2, 0).measure.p == pytest.approx(ttest_rel(scores[2], scores[0]).pvalue)
        assert not made.parts(2, 0).has_ranks
        assert live(made, rule("measure")).crowns == 1

    def test_the_same_gain_everywhere_on_few_queries_is_no_evidence(self) -> None:
        assert board_of_scores(np.array([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4]])).parts(1, 0).measure.p == 0.25


def board_of_scores(scores: NDArray[np.float64]) -> SimulatedBoard:
    none = np.zeros(len(scores))
    return SimulatedBoard(scores=scores, ranks=None, means=scores.mean(axis=1), qualities=none, improvements={})


class TestAsOnARealBoard:
    @given(small_boards, st.sampled_from(["score", "measure", "no_harm", "both"]))
    @settings(max_examples=80)
    def test_a_life_is_the_timeline_of_the_same_runs(self, ranks: Ranks, name: RuleName) -> None:
        followed = timeline(as_first_ranks(ranks), rule=name, alpha=0.9, gamma=QuadraticGamma())
        found = live(board(ranks), rule(name, alpha=0.9))
        assert found.crowns == len(followed.holders) - 1
        levels = [claim.level for claim in followed.claims if claim.level is not None]
        assert found.last_level == pytest.approx(levels[-1] if levels else math.nan, nan_ok=True)

    @given(small_boards)
    @settings(max_examples=40)
    def test_the_parts_of_a_claim_are_those_of_the_engine(self, ranks: Ranks) -> None:
        made, matrix = board(ranks), as_first_ranks(ranks)
        for run in range(1, len(ranks)):
            # As text, for a mean over no query is NaN, which equals nothing.
            assert repr(made.parts(run, 0)) == repr(find_parts(matrix, "R0", f"R{run}"))

    @given(arrays(np.int32, (2, 30), elements=st.integers(0, 5)))
    @settings(max_examples=80)
    def test_uncorrected_is_the_measure_at_alpha(self, ranks: Ranks) -> None:
        made = board(ranks)
        p = claim_p(made.parts(1, 0), Rule.MEASURE)
        assert live(made, rule("naive")).crowns == (made.means[1] > made.means[0] and p <= 0.05)


class TestWhichRules:
    def test_the_usual_rule_is_tried_with_every_gamma_and_others_with_the_first(self) -> None:
        gammas = (QuadraticGamma(), PlannedGamma(claims=9))
        made = make_rules(["both", "no_harm", "score", "measure"], gammas, alpha=0.05)
        assert [(each.name, each.gamma) for each in made] == [
            ("score", None),
            ("measure", gammas[0]),
            ("no_harm", gammas[0]),
            ("no_harm", gammas[1]),
            ("both", gammas[0]),
        ]
        of_scores = make_rules(["measure"], gammas, alpha=0.05, has_ranks=False)
        assert [(each.name, each.gamma) for each in of_scores] == [("measure", gamma) for gamma in gammas]

    @pytest.mark.parametrize(
        ("names", "has_ranks", "message"),
        [
            (["best"], True, "rules: found 'best'; expected some of score, naive, measure, no_harm, both"),
            ([], True, "Found no rule"),
            (["both"], False, "found 'both' with scores; expected ranks"),
            (["measure", "no_harm"], False, "found 'no_harm' with scores; expected ranks"),
        ],
    )
    def test_what_is_no_rule_is_refused(self, names: list[str], has_ranks: bool, message: str) -> None:
        with pytest.raises(InputError, match=message):
            make_rules(names, (QuadraticGamma(),), alpha=0.05, has_ranks=has_ranks)

    def test_a_rule_without_levels_stands_nowhere_in_a_sequence(self) -> None:
        with pytest.raises(InputError, match="found 'naive'; expected one that shares alpha out"):
            rule("naive").at_claim(1)
