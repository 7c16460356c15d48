"""Who held the top: claims that can be checked by hand, what must always hold, and boards where nothing is better."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from tests.stats.samples import decide_in_turn
from toprung.boards.claims import ClaimPolicy, decide_claim, gather_evidence

from toprung.analyses.timeline.find import Timeline, timeline
from toprung.analyses.timeline.published import score_timeline
from toprung.boards.engine.verdict import Verdict
from toprung.boards.lin2021.verdict import Facet, LinGrade, LinRule, claim_p, decide, with_least_p
from toprung.data.formats.tables.leaderboard_files import read_leaderboard
from toprung.data.formats.tables.matrix_files import read_ranks
from toprung.data.matrices import FirstRanks
from toprung.errors import InputError
from toprung.report.render import OutputFormat, render
from toprung.stats.pairs.pairwise import pair_facets
from toprung.stats.sequences.online import OnlineTest, PlannedGamma, PowerLawGamma
from toprung.stats.tests.paired_t import paired_t_test

RECONSTRUCTION = Path(__file__).parents[3] / "demo" / "lin2021_reconstruction.csv.gz"
Ranks = NDArray[np.int32]


def matrix(**columns: list[int]) -> FirstRanks:
    values = np.array(list(columns.values()), dtype=np.int32).T
    return FirstRanks(
        query_ids=tuple(f"q{i:04d}" for i in range(len(values))), runs=tuple(columns), values=values, cutoff=100
    )


def found_first(n: int, *, of: int = 20, then: list[int] | None = None) -> list[int]:
    """Rank 1 on the first n queries, then these ranks, then nothing."""
    ranks = [1] * n + (then or [])
    return ranks + [0] * (of - len(ranks))


# 20 queries. B answers 8 more than A: two-sided binomial 2/2⁸ = .0078125, doubled .015625. All that both answer is at
# rank 1, so the ranking has nothing to say.
A = found_first(4)  # 0.2
B = found_first(12)  # 0.6
C = found_first(13)  # 0.65
D = found_first(12, then=[2])  # 0.625: above B, below C
E = [0] * 8 + [1] * 12  # 0.6, as B
F = found_first(20)  # 1.0


class TestByHand:
    def test_scores_of_another_measure_say_who_is_above_whom(self) -> None:
        """By RR B is above A, and makes a claim; by these scores it is not."""
        assert [claim.run for claim in timeline(matrix(A=A, B=B)).claims] == ["B"]
        found = timeline(matrix(A=A, B=B), scores={"A": 0.5, "B": 0.4})
        assert (found.claims, found.holder.run, found.holder.score) == ((), "A", 0.5)

    def test_the_first_run_holds_and_a_supported_claim_takes_over(self) -> None:
        found = timeline(matrix(A=A, B=B))
        (claim,) = found.claims
        assert (claim.t, claim.run, claim.holder) == (1, "B", "A")
        assert claim.p == pytest.approx(0.015625)
        assert claim.level == pytest.approx(0.025)
        assert claim.is_supported
        assert (claim.verdict, claim.grade) == (Verdict.B, LinGrade.NO_HARM_ANSWERED)
        assert claim.shows == "answers more"
        assert claim.reason == (
            "B answers more (only B answers 40.0% of queries, only A 0.0%) and cannot be told apart in where it finds "
            "it (mean rank 1.00 against 1.00 where both answer): claim supported."
        )
        assert found.holder.run == "B"
        assert found.sentence == (
            "B holds the top rung; the one claim, B's, was supported; by score alone the top changed hands once."
        )

    def test_a_supported_claim_hands_its_level_on_and_later_ones_shrink(self) -> None:
        found = timeline(matrix(A=A, B=B, C=C, D=D, E=E, F=F))
        levels = {claim.run: claim.level for claim in found.claims}
        expected = {"B": 0.05 / 2, "C": 0.05 / 6 + 0.05 / 2, "D": 0.05 / 12, "F": 0.05 / 20}
        assert levels == pytest.approx(expected)
        assert found.state.next_level == pytest.approx(0.05 / 30)

    def test_a_claim_must_be_above_the_holder_not_above_the_highest(self) -> None:
        found = timeline(matrix(A=A, B=B, C=C, D=D))
        assert [claim.run for claim in found.claims] == ["B", "C", "D"]
        assert found.claims[2].holder == "B"
        assert [each.leader for each in found.submissions] == ["A", "B", "C", "C"]
        assert [each.holder for each in found.submissions] == ["A", "B", "B", "B"]

    def test_an_equal_score_is_no_claim(self) -> None:
        found = timeline(matrix(A=A, B=B, E=E))
        assert [claim.run for claim in found.claims] == ["B"]
        assert found.submissions[2].claim is None
        assert found.table.rows[2][-1] == "no claim"

    def test_scores_that_differ_by_rounding_are_equal(self) -> None:
        # (1/2 + 1/3 + 1/6) and (1/6 + 1/3 + 1/2) differ in the last bit if summed in order.
        found = timeline(matrix(A=[2, 3, 6, 10], B=[10, 6, 3, 2]))
        assert found.claims == ()

    def test_given_scores_that_differ_by_rounding_are_equal(self) -> None:
        found = timeline(matrix(A=A, B=B), scores={"A": 0.3, "B": 0.1 + 0.2})
        assert (found.claims, found.leader.run) == ((), "A")

    def test_what_is_beyond_chance_at_005_may_not_be_at_the_level_it_is_held_to(self) -> None:
        claim = timeline(matrix(A=A, B=B, C=C, D=D, F=F)).claims[-1]
        assert (claim.run, claim.p, claim.is_supported) == ("F", pytest.approx(0.015625), False)
        assert (claim.verdict, claim.grade, claim.shows) == (Verdict.TIED, LinGrade.NONE, "cannot be told apart")

    def test_a_higher_score_than_the_holder_s_is_said(self) -> None:
        found = timeline(matrix(A=A, B=B, C=C, D=D, F=F))
        assert "The rung is not the score: F scores 0.4000 above B, 2 other runs by less." in found.notes
        assert "The rung is not the score" not in str(timeline(matrix(A=A, B=B)))

    def test_finding_it_sooner_is_enough_where_nothing_is_lost(self) -> None:
        late, soon = [4, 5, 6, 7, 8, 9, 10, 12], [1, 1, 3, 2, 4, 5, 5, 8]
        (claim,) = timeline(matrix(A=late, B=soon)).claims
        assert (claim.is_supported, claim.grade, claim.shows) == (True, LinGrade.NO_HARM_RANKING, "finds it sooner")

    def test_harm_is_no_claim_s_gain(self) -> None:
        # B answers 10 more, and where both answer it is later by 1 to 3 ranks.
        first, second = [2] * 10 + [0] * 10, [3, 4, 5] * 3 + [3] + [1] * 10
        (claim,) = timeline(matrix(A=first, B=second)).claims
        assert (claim.p, claim.is_supported, claim.verdict) == (1.0, False, Verdict.CONFLICT)
        assert claim.shows == "answers more, but later"
        assert (
            " but finds it later (mean rank 3.90 against 2.00 where both answer): claim not supported." in claim.reason
        )

    def test_both_facets_make_it_significant(self) -> None:
        first, second = [5, 6, 7, 8, 9, 5, 6, 7, 8, 9] + [0] * 10, [1, 2, 1, 2, 1, 2, 1, 1, 2, 1] + [1] * 10
        for rule in LinRule:
            (claim,) = timeline(matrix(A=first, B=second), rule=rule).claims
            assert (claim.is_supported, claim.grade) == (True, LinGrade.SIGNIFICANT)
            assert claim.shows == "answers more, sooner"

    def test_the_rule_significant_asks_for_both(self) -> None:
        (claim,) = timeline(matrix(A=A, B=B), rule=LinRule.SIGNIFICANT).claims
        assert (claim.p, claim.is_supported, claim.shows) == (1.0, False, "only answers more")
        assert (claim.verdict, claim.grade) == (Verdict.B, LinGrade.NO_HARM_ANSWERED), "better, but not by this rule"

    def test_two_facets_at_just_the_level_are_not_enough_for_no_harm(self) -> None:
        # Each facet between half the level and the level: "significant" at the level, but the claim's p is the double.
        both_late, both_soon = [3] * 9, [2, 2, 2, 2, 4, 2, 2, 3, 1]
        first = both_late + [0] * 7
        second = both_soon + [1] * 7
        evidence = gather_evidence(np.array(first, np.int32), np.array(second, np.int32), ClaimPolicy())
        alpha = 2 * evidence.answered_p * 1.01  # the first level is half of it
        assert evidence.answered_p > alpha / 4
        (claim,) = timeline(matrix(A=first, B=second), alpha=alpha).claims
        assert not claim.is_supported
        assert (claim.verdict, claim.grade) == (Verdict.TIED, LinGrade.NONE)

    def test_where_signed_ranks_and_mean_point_apart_it_is_said(self) -> None:
        first, second = [2] * 59 + [1], [1] * 59 + [100]
        (claim,) = (found := timeline(matrix(A=first, B=second), facet_test="wsr")).claims
        assert claim.shows == "finds it sooner"
        assert "2.65 against 1.98 where both answer, though signed ranks say the opposite" in claim.reason
        assert any("opposite ways for B" in note for note in found.notes)

    def test_runs_that_share_no_answered_query_can_be_compared(self) -> None:
        (claim,) = timeline(matrix(A=[1] * 4 + [0] * 16, B=[0] * 4 + [1] * 16)).claims
        assert "no query that both answer" in claim.reason
        assert json.loads(render(timeline(matrix(A=A, B=[0] * 4 + [1] * 16)), OutputFormat.JSON))

    def test_a_first_run_that_stays(self) -> None:
        found = timeline(matrix(B=B, A=A))
        assert found.sentence == ("B holds the top rung; no later run scored above the holder, so there was no claim.")

    def test_a_single_run_holds(self) -> None:
        assert timeline(matrix(A=A)).holder.run == "A"


class TestTheRuleScore:
    def test_every_higher_score_takes_the_top_and_nothing_is_tested(self) -> None:
        found = timeline(matrix(A=A, B=B, C=C, D=D), rule="score")
        assert [each.holder for each in found.submissions] == ["A", "B", "C", "C"]
        assert all(claim.p is None and claim.level is None and claim.is_supported for claim in found.claims)
        assert found.sentence == (
            "C has had the highest RR@100; by score alone the top changed hands twice; no claim was tested."
        )
        assert "p" not in found.table.header


class TestDates:
    def test_dates_give_the_order(self) -> None:
        found = timeline(matrix(B=B, A=A), {"B": date(2021, 3, 1), "A": date(2021, 2, 1)})
        assert [each.run for each in found.submissions] == ["A", "B"]
        assert found.sentence.startswith("B holds the top rung since 2021-03-01; ")
        assert [(each.run, each.since, each.until) for each in found.holders] == [
            ("A", date(2021, 2, 1), date(2021, 3, 1)),
            ("B", date(2021, 3, 1), None),
        ]

    def test_one_date_keeps_the_order_given(self) -> None:
        day = date(2021, 2, 1)
        assert timeline(matrix(A=A, B=B), {"B": day, "A": day}).submissions[0].run == "B"
        found = timeline(matrix(B=B, A=A), {"A": day, "B": day})
        assert found.submissions[0].run == "A"
        assert "Order: by date; runs of one date in the order given." in found.notes

    def test_without_dates_the_order_given_counts_and_it_says_so(self) -> None:
        found = timeline(matrix(A=A, B=B))
        assert any("no dates were given" in note for note in found.notes)
        assert "date" not in found.table.header

    def test_a_run_without_a_date_is_an_error(self) -> None:
        with pytest.raises(InputError, match="dates: found none for B and C; expected one for every run but baselines"):
            timeline(matrix(A=A, B=B, C=C), {"A": date(2021, 2, 1)})

    def test_a_date_of_an_unknown_run_is_an_error(self) -> None:
        with pytest.raises(InputError, match="dates: found run 'Z'; expected one of A"):
            timeline(matrix(A=A), {"A": date(2021, 2, 1), "Z": date(2021, 2, 1)})


class TestBaselines:
    def test_the_best_baseline_holds_first_whatever_the_order(self) -> None:
        found = timeline(matrix(F=F, A=A, B=B), {"F": date(2021, 1, 1)}, baselines=["A", "B"])
        assert [each.run for each in found.submissions] == ["B", "A", "F"]
        assert found.holders[0].run == "B"
        assert found.claims[0].holder == "B"
        assert found.sentence.endswith("by score alone the top changed hands once.")

    def test_a_run_that_came_before_the_baselines_holds_first(self) -> None:
        dates = {"A": date(2021, 1, 1), "B": date(2021, 1, 2), "C": date(2021, 1, 3)}
        found = timeline(matrix(A=A, B=B, C=C), dates, baselines=["B"])
        assert [(each.run, each.holder, each.leader) for each in found.submissions] == [
            ("A", "A", "A"),
            ("B", "A", "B"),
            ("C", "C", "C"),
        ]
        assert [(claim.run, claim.holder) for claim in found.claims] == [("C", "A")]

    def test_a_better_baseline_takes_the_rung_from_one_without_a_claim(self) -> None:
        dates = {"A": date(2021, 1, 1), "B": date(2021, 1, 2), "F": date(2021, 1, 3)}
        found = timeline(matrix(A=A, B=B, F=F), dates, baselines=["A", "B"])
        assert [each.holder for each in found.submissions] == ["A", "B", "F"]
        assert [(claim.run, claim.holder) for claim in found.claims] == [("F", "B")]
        assert [row[-1] for row in found.table.rows[:2]] == ["baseline, holds first", "baseline, takes it unclaimed"]

    def test_baselines_without_a_date_were_there_before_those_with_one(self) -> None:
        dates = {"A": date(2021, 1, 1), "F": date(2021, 1, 2)}
        found = timeline(matrix(A=A, B=B, F=F), dates, baselines=["B", "F"])
        assert [(each.run, each.holder) for each in found.submissions] == [("B", "B"), ("A", "B"), ("F", "F")]

    def test_baselines_make_no_claim_and_are_marked(self) -> None:
        found = timeline(matrix(A=A, B=B, C=C), baselines=["A", "B"])
        assert [claim.run for claim in found.claims] == ["C"]
        assert [row[0] for row in found.table.rows] == ["┄ B", "┄ A", "○ C"]

    def test_an_unknown_baseline_is_an_error(self) -> None:
        with pytest.raises(InputError, match="baselines: found run 'Z'; expected one of A"):
            timeline(matrix(A=A), baselines=["Z"])


class TestBadInput:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"rule": "best"}, "rule: found 'best'; expected one of score, significant, no_harm"),
            ({"facet": "mrr"}, "facet: found 'mrr'"),
            ({"facet_test": "sign"}, "facet_test: found 'sign'"),
            ({"alpha": 1.5}, "alpha: found 1.5"),
        ],
    )
    def test_unknown_settings_are_refused(self, options: dict[str, object], message: str) -> None:
        with pytest.raises(InputError, match=message):
            timeline(matrix(A=A), **options)  # type: ignore[arg-type]

    def test_an_empty_matrix_is_refused(self) -> None:
        empty = FirstRanks(query_ids=(), runs=("A",), values=np.zeros((0, 1), np.int32), cutoff=10)
        with pytest.raises(InputError, match="Found 0 queries and 1 runs"):
            timeline(empty)


boards = arrays(np.int32, st.tuples(st.integers(4, 25), st.integers(2, 7)), elements=st.integers(0, 5))


def board(values: Ranks) -> FirstRanks:
    names = tuple(f"R{i}" for i in range(values.shape[1]))
    return FirstRanks(query_ids=tuple(f"q{i:02d}" for i in range(len(values))), runs=names, values=values, cutoff=5)


class TestWhatAlwaysHolds:
    @given(boards)
    @settings(max_examples=60)
    def test_who_scores_above_all_makes_a_claim_and_holders_never_fall(self, values: Ranks) -> None:
        found = timeline(board(values), alpha=0.5)
        scores = {each.run: each.score for each in found.submissions}
        for before, each in zip(found.submissions, found.submissions[1:], strict=False):
            if each.leader != before.leader:
                assert each.claim is not None
            assert scores[each.holder] >= scores[before.holder]
            assert scores[each.leader] >= scores[each.holder]
            assert (each.claim is not None) == (each.score > scores[before.holder])
            assert (each.holder != before.holder) == (each.claim is not None and each.claim.is_supported)

    @given(boards)
    @settings(max_examples=40)
    def test_levels_are_those_of_online_fallback(self, values: Ranks) -> None:
        claims = timeline(board(values), alpha=0.5).claims
        expected = decide_in_turn([claim.p or 0.0 for claim in claims], OnlineTest(alpha=0.5))
        assert [claim.level for claim in claims] == pytest.approx([each.level for each in expected])
        assert [claim.is_supported for claim in claims] == [each.is_rejected for each in expected]

    @given(boards)
    @settings(max_examples=40)
    def test_what_makes_no_claim_changes_no_other(self, values: Ranks) -> None:
        found = timeline(board(values), alpha=0.5)
        kept = [each.run for each in found.submissions if each.claim is not None or each is found.submissions[0]]
        # As text, for a mean over no query is NaN, which equals nothing.
        assert repr(timeline(board(values).select(kept), alpha=0.5).claims) == repr(found.claims)

    @given(boards)
    @settings(max_examples=40)
    def test_by_score_the_holder_is_the_leader(self, values: Ranks) -> None:
        found = timeline(board(values), rule="score")
        assert all(each.holder == each.leader for each in found.submissions)
        assert len(found.claims) == len(found.leaders) - 1

    @given(boards, st.randoms(use_true_random=False))
    @settings(max_examples=15)
    def test_the_order_of_queries_changes_nothing(self, values: Ranks, random: object) -> None:
        ranks = board(values)
        order = list(range(len(values)))
        random.shuffle(order)  # type: ignore[attr-defined]
        shuffled = FirstRanks(
            query_ids=tuple(ranks.query_ids[i] for i in order), runs=ranks.runs, values=values[order], cutoff=5
        )
        assert render(timeline(shuffled), OutputFormat.JSON) == render(timeline(ranks), OutputFormat.JSON)

    @given(
        arrays(np.int32, (60, 2), elements=st.integers(0, 6)), st.sampled_from(["t", "wsr"]), st.sampled_from(LinRule)
    )
    @settings(max_examples=40)
    def test_the_evidence_is_that_of_the_comparison_of_many_pairs(
        self, values: Ranks, facet_test: Literal["t", "wsr"], rule: LinRule
    ) -> None:
        policy = ClaimPolicy(facet_test=facet_test, rule=rule)
        claim, _ = decide_claim(board(values), run="R1", holder="R0", state=OnlineTest(), policy=policy)
        pairs = pair_facets(values)
        ranking = pairs.t if facet_test == "t" else pairs.signed_rank
        answered = Facet.of(pairs.outcomes.p, pairs.outcomes.direction)
        is_constant = pairs.t.is_constant if facet_test == "t" else False
        p = with_least_p(ranking.p, is_constant, pairs.outcomes.both)
        sooner = Facet.of(p, -ranking.direction.astype(np.int64))
        plain = decide(answered, sooner).verdicts[0]
        assert claim.p == pytest.approx(claim_p(answered, sooner, rule=rule)[0])
        assert claim.is_supported == (claim.p is not None and claim.p <= 0.025)
        if claim.is_supported:
            assert (claim.verdict, plain) == (Verdict.B, Verdict.B)
        elif plain in (Verdict.A, Verdict.CONFLICT):
            assert claim.verdict == plain

    @given(arrays(np.int32, (60, 2), elements=st.integers(0, 6)))
    @settings(max_examples=20)
    def test_by_rr_the_larger_mean_is_the_better(self, values: Ranks) -> None:
        evidence = gather_evidence(values[:, 0], values[:, 1], ClaimPolicy(facet="rr"))
        both = (values > 0).all(axis=1)
        test = paired_t_test(1 / values[both, 0], 1 / values[both, 1])
        # Where every query differs by the same amount the t-test says 0: no verdict rests on that.
        p = 2.0 ** (1 - test.n) if test.is_constant else test.p
        assert (evidence.ranking_p, evidence.ranking_favours) == (p, test.direction)


class TestShown:
    def test_every_format_can_be_written(self) -> None:
        found = timeline(matrix(A=A, B=B, C=C, E=E), dict.fromkeys("ABCE", date(2021, 2, 1)))
        for output_format in OutputFormat:
            assert render(found, output_format).strip()
        said = json.loads(render(found, OutputFormat.JSON))
        assert said["holder"] == "B"
        assert said["submissions"][1]["date"] == "2021-02-01"
        assert said["provenance"]["ranks_digest"].startswith("sha256:")
        assert found.to_frame()["is_claim"].to_list() == [False, True, True, False]

    def test_a_difference_comes_with_its_interval(self) -> None:
        found = timeline(matrix(A=A, B=B))
        effect = found.effects["B"]
        assert effect.estimate == pytest.approx(0.4)
        assert 0 < effect.low < 0.4 < effect.high < 1
        assert effect.n == 20

    def test_words_that_hurt_are_not_used(self) -> None:
        text = str(timeline(matrix(A=A, B=B, C=C, D=D, F=F, E=E))).lower()
        for word in ("rejected", "failed", "sota", "insignificant", "outperform"):
            assert word not in text

    def test_latex_has_words_where_text_has_marks(self) -> None:
        body = render(timeline(matrix(A=A, B=B, C=C)), OutputFormat.LATEX).partition(r"\midrule")[2]
        assert "claim not supported" in body
        assert body.isascii()

    def test_gamma_is_said(self) -> None:
        for gamma, said in (
            (PowerLawGamma(exponent=1.5), "γ = t^(−1.5)"),
            (PlannedGamma(claims=4), "γ = even over 4 claims, then t^(−2)"),
        ):
            assert said in str(timeline(matrix(A=A, B=B), gamma=gamma))


@pytest.fixture(scope="module")
def found() -> Timeline:
    """The timeline of the reconstruction, in the order of its runs."""
    return timeline(read_ranks(RECONSTRUCTION, cutoff=100))


class TestReconstruction:
    def test_regression_who_held_the_top_rung(self, found: Timeline) -> None:
        # A regression value: nobody has published it. The matrix is synthetic, and pairs without R1 mean little.
        assert [each.run for each in found.holders] == ["R1", "R3", "R5"]
        assert found.sentence == (
            "R5 holds the top rung; of 12 claims 2 were supported: R3 and R5; "
            "by score alone the top changed hands 12 times."
        )

    def test_the_runs_were_numbered_by_score_so_each_makes_a_claim(self, found: Timeline) -> None:
        assert [claim.run for claim in found.claims] == [f"R{i}" for i in range(2, 14)]
        assert [each.leader for each in found.submissions] == [f"R{i}" for i in range(1, 14)]

    def test_claims_against_r1_have_the_verdicts_of_section_5(self, found: Timeline) -> None:
        by_run = {claim.run: claim for claim in found.claims if claim.holder == "R1"}
        assert {run: (claim.verdict, claim.grade) for run, claim in by_run.items()} == {
            "R2": (Verdict.CONFLICT, LinGrade.NONE),
            "R3": (Verdict.B, LinGrade.NO_HARM_RANKING),
        }

    def test_lost_alignment_is_suspected(self, found: Timeline) -> None:
        assert any("consistent with rows not aligned by query id" in note for note in found.notes)


class TestPublishedLeaderboards:
    @pytest.mark.parametrize(("name", "n_entries"), [("msmarco-doc.csv", 117), ("msmarco-passage.csv", 168)])
    def test_the_highest_score_rises_with_time(self, shared_data: Path, name: str, n_entries: int) -> None:
        found = score_timeline(read_leaderboard(shared_data / "leaderboard-history" / name))
        assert len(found.entries) == n_entries
        dates, scores = [each.date for each in found.leaders], [each.score for each in found.leaders]
        assert dates == sorted(dates)
        assert scores == sorted(set(scores))
        assert scores[-1] == max(each.score for each in found.entries)
        assert "from scores alone no test is possible" in found.sentence
        assert found.to_frame()["is_highest_so_far"].sum() == len(found.leaders)
        for output_format in OutputFormat:
            assert render(found, output_format).strip()


N_SUBMISSIONS = 60


def null_board(rng: np.random.Generator, n_queries: int = 100) -> FirstRanks:
    """Sixty runs of one quality: queries differ in how hard they are, runs by luck alone."""
    hardness = rng.gamma(2.0, 4.0, size=(n_queries, 1))
    ranks = 1 + np.floor(rng.exponential(hardness, size=(n_queries, N_SUBMISSIONS)))
    values = np.where(ranks <= 20, ranks, 0).astype(np.int32)
    return board(values)


def count_false_crowns(n_boards: int, seed: int) -> dict[str, int]:
    """On how many boards anyone but the first run ever held the top."""
    rng = np.random.default_rng(seed)
    crowned = dict.fromkeys(("score", "any p ≤ 0.05", "no_harm", "significant"), 0)
    for _ in range(n_boards):
        ranks = null_board(rng)
        crowned["score"] += len(timeline(ranks, rule="score").holders) > 1
        no_harm = timeline(ranks)
        crowned["no_harm"] += len(no_harm.holders) > 1
        crowned["significant"] += len(timeline(ranks, rule=LinRule.SIGNIFICANT).holders) > 1
        crowned["any p ≤ 0.05"] += any((claim.p or 0) <= 0.05 for claim in no_harm.claims)
    return crowned


def check_false_crowns(n_boards: int, seed: int) -> None:
    crowned = count_false_crowns(n_boards, seed)
    shares = ", ".join(f"{rule} {count / n_boards:.1%}" for rule, count in crowned.items())
    print(f"\nfalse crowns on {n_boards} null boards of {N_SUBMISSIONS} submissions: {shares}")
    assert crowned["score"] > 0.9 * n_boards
    assert crowned["no_harm"] <= 0.05 * n_boards
    assert crowned["significant"] <= 0.05 * n_boards


def test_on_null_boards_the_score_crowns_falsely_and_fallback_does_not() -> None:
    check_false_crowns(50, seed=1)


@pytest.mark.slow
def test_on_many_null_boards_the_score_crowns_falsely_and_fallback_does_not() -> None:
    check_false_crowns(1_000, seed=2)


def test_few_shared_answers_do_not_open_the_top_rung_to_chance() -> None:
    """Where runs share few answers, differences are often all the same, and a t-test without spread says p = 0."""
    crowned = 0
    for board in range(60):
        rng = np.random.default_rng(board)
        found = rng.random((20, 25)) < 0.3
        ranks = np.where(found, rng.integers(1, 4, found.shape), 0).astype(np.int32)
        names = tuple(f"r{i:02}" for i in range(25))
        ids = tuple(f"q{i:02}" for i in range(20))
        followed = timeline(FirstRanks(query_ids=ids, runs=names, values=ranks, cutoff=100))
        crowned += any(claim.is_supported for claim in followed.claims)
    print(f"false crowns on 60 null boards with few shared answers: {crowned}")
    assert crowned <= 3


class TestTags:
    def test_tags_stand_with_their_runs_and_change_no_claim(self) -> None:
        plain, tagged = timeline(matrix(A=A, B=B, C=C)), timeline(matrix(A=A, B=B, C=C), tags={"B": ["dense", "new"]})
        assert [each.tags for each in tagged.submissions] == [(), ("dense", "new"), ()]
        assert tagged.claims == plain.claims
        assert tagged.to_frame()["tags"].to_list() == ["", "dense, new", ""]

    def test_a_tag_of_an_unknown_run_is_an_error(self) -> None:
        with pytest.raises(InputError, match="tags: found run 'Z'; expected one of A"):
            timeline(matrix(A=A), tags={"Z": ["dense"]})
