from __future__ import annotations

import json
import math
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import toprung as tr
from toprung.analyses.compare.find import Comparisons, all_pairs_of, compare, pairs_with
from toprung.analyses.compare.pair import PairComparison
from toprung.boards.engine.margins import Margins
from toprung.boards.engine.top_group import find_top_group
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError
from toprung.stats.finding import Scale

# The worked example of STATISTICS.md, section 5.
A = [1, 2, 0, 5, 10, 0, 3, 1, 100, 4]
B = [1, 1, 7, 0, 5, 0, 3, 2, 50, 2]


def ranks_of(columns: dict[str, list[int]], cutoff: int = 100) -> FirstRanks:
    values = np.array(list(columns.values()), dtype=np.int32).T
    ids = tuple(f"q{i:05}" for i in range(len(values)))
    return FirstRanks(query_ids=ids, runs=tuple(columns), values=values, cutoff=cutoff)


def pair_of(found: Comparisons) -> PairComparison:
    (pair,) = found.pairs
    return pair


@pytest.fixture(scope="module")
def worked() -> PairComparison:
    return pair_of(compare(ranks_of({"A": A, "B": B}), method="asymptotic"))


def test_the_worked_example_gives_its_means_and_outcomes(worked: PairComparison) -> None:
    assert worked.breakdown is not None
    assert worked.mean_a == pytest.approx(0.339333, abs=5e-7)
    assert worked.mean_b == pytest.approx(0.369619, abs=5e-7)
    outcomes = worked.breakdown.outcomes
    assert (outcomes.neither, outcomes.only_a, outcomes.only_b, outcomes.both) == (1, 1, 1, 7)
    # Both found it: B higher in queries 2, 5, 9 and 10, A in 8, the same rank in 1 and 7.
    assert (outcomes.b_higher, outcomes.a_higher, outcomes.same) == (4, 1, 2)
    assert worked.breakdown.esl.mean_a == pytest.approx(17.285714, abs=5e-7)
    assert worked.breakdown.esl.mean_b == pytest.approx(9.142857, abs=5e-7)
    assert worked.breakdown.rr.mean_a == pytest.approx(0.456190, abs=5e-7)
    assert worked.breakdown.rr.mean_b == pytest.approx(0.507619, abs=5e-7)


def test_the_worked_example_gives_its_p_values(worked: PairComparison) -> None:
    p = worked.p_values()
    expected = {"wrs_p": 0.820596, "wsr_p": 0.553404, "t_p": 0.724430, "sign_p": 0.453125, "case2_p": 1.0}
    expected |= {"esl_wsr_p": 0.104059, "esl_t_p": 0.289827}
    assert {name: p[name] for name in expected} == pytest.approx(expected, abs=5e-7)
    assert worked.naive.rank_sum.tie_corrected_p == pytest.approx(0.848638, abs=5e-7)


def test_two_runs_that_cannot_be_told_apart_are_said_to_be_just_that(worked: PairComparison) -> None:
    assert worked.reason.startswith("B and A cannot be told apart")
    assert "insignificant" not in worked.reason


def test_a_miss_that_costs_more_than_198_ranks_makes_b_the_cheaper_run() -> None:
    pair = pair_of(compare(ranks_of({"A": [1, 0], "B": [100, 99]})))
    assert pair.breakdown is not None
    assert pair.breakdown.break_even.cost.estimate == 198
    assert pair.breakdown.break_even.b_wins == "above"


CYCLE = [((3, 3, 3), 50), ((50, 0, 1), 12), ((0, 1, 50), 12), ((2, 0, 0), 66), ((0, 2, 0), 38), ((0, 0, 2), 45)]


def cycle_ranks() -> FirstRanks:
    rows = [row for row, count in CYCLE for _ in range(count)]
    return ranks_of({name: [row[i] for row in rows] for i, name in enumerate("ABC")})


@pytest.mark.parametrize(
    ("a", "b", "winner", "case2_p", "esl_t_p"),
    [("A", "B", "A", 0.01667, None), ("B", "C", "B", None, 3.09e-4), ("C", "A", "C", 0.471, 3.09e-4)],
)
def test_by_lin2021_three_runs_can_do_better_than_each_other_in_a_circle(
    a: str, b: str, winner: str, case2_p: float | None, esl_t_p: float | None
) -> None:
    found = compare(cycle_ranks(), pairs=[(a, b)])
    row = found.rows()[0]
    assert {"A": a, "B": b}[row["lin2021_verdict"]] == winner
    if case2_p is not None:
        assert row["case2_p"] == pytest.approx(case2_p, rel=2e-3)
    if esl_t_p is not None:
        assert row["esl_t_p"] == pytest.approx(esl_t_p, rel=2e-3)


def random_pair(seed: int, n: int = 80) -> dict[str, list[int]]:
    rng = np.random.default_rng(seed)
    return {name: rng.integers(0, 6, n).tolist() for name in ("first", "second")}


MIRRORED = {"B": "A", "A": "B", "conflict": "conflict", "tied": "tied"}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_swapping_the_runs_mirrors_every_output(seed: int) -> None:
    ranks = ranks_of(random_pair(seed))
    forward = compare(ranks, pairs=[("first", "second")]).rows()[0]
    backward = compare(ranks, pairs=[("second", "first")]).rows()[0]
    for verdict, grade in (("verdict", "grade"), ("lin2021_verdict", "lin2021_grade")):
        assert MIRRORED[forward[verdict]] == backward[verdict]
        assert forward[grade] == backward[grade]
    for name in ("measure_p", "answered_p", "ranking_p", "margin_ranking"):
        assert forward[name] == pytest.approx(backward[name], rel=1e-9), name
    for name in ("wrs_p", "wsr_p", "t_p", "sign_p", "case2_p", "esl_wsr_p", "esl_t_p", "rr_wsr_p", "rr_t_p", "phi"):
        assert forward[name] == pytest.approx(backward[name], rel=1e-9, nan_ok=True), name
    for name in ("delta", "answered_delta_pct", "esl_delta"):
        assert forward[name] == pytest.approx(-backward[name], abs=1e-12), name
        assert forward[f"{name}_low"] == pytest.approx(-backward[f"{name}_high"], abs=1e-9), name
    for ours, theirs in (("a_only", "b_only"), ("a_esl", "b_esl"), ("both_a_higher", "both_b_higher")):
        assert forward[ours] == pytest.approx(backward[theirs])


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_the_order_of_the_queries_changes_nothing(seed: int, random: object) -> None:
    ranks = ranks_of(random_pair(seed, n=60))
    order = np.random.default_rng(seed + 1).permutation(60)
    shuffled = FirstRanks(
        query_ids=tuple(ranks.query_ids[i] for i in order), runs=ranks.runs, values=ranks.values[order], cutoff=100
    )
    assert compare(shuffled).to_dict() == compare(ranks).to_dict()


def test_the_same_seed_gives_the_same_bytes_and_another_seed_other_intervals() -> None:
    ranks = ranks_of(random_pair(3))
    assert json.dumps(compare(ranks, seed=7).to_dict()) == json.dumps(compare(ranks, seed=7).to_dict())
    assert compare(ranks, seed=7).rows()[0]["delta_low"] != compare(ranks, seed=8).rows()[0]["delta_low"]


def test_intervals_hold_their_estimate_and_the_true_difference_most_of_the_time() -> None:
    row = compare(ranks_of(random_pair(5, n=400))).rows()[0]
    assert row["delta_low"] < row["delta"] < row["delta_high"]
    assert row["esl_delta_low"] < row["esl_delta"] < row["esl_delta_high"]
    assert row["answered_delta_pct_low"] < row["answered_delta_pct"] < row["answered_delta_pct_high"]


def test_corrected_p_values_are_those_of_the_family_in_the_report() -> None:
    ranks = ranks_of(random_pair(1) | {"third": random_pair(2)["first"]})
    rows = compare(ranks, pairs=all_pairs_of(ranks.runs), correction="bonferroni").rows()
    assert len(rows) == 3
    for row in rows:
        assert row["t_p_corrected"] == pytest.approx(min(1.0, 3 * row["t_p"]))


def test_a_claim_under_the_rule_of_both_parts_has_the_larger_p() -> None:
    # B answers 12 more of 40 and ranks 9 of the other 20 higher: exact p 2^-11 and 2^-8.
    ranks = ranks_of({"A": [0] * 12 + [2] * 20 + [0] * 8, "B": [5] * 12 + [1] * 9 + [2] * 11 + [0] * 8})
    rows = {rule: compare(ranks, rule=rule).rows()[0] for rule in ("both", "no_harm")}
    assert (rows["both"]["answered_p"], rows["both"]["ranking_p"]) == (2**-11, 2**-8)
    assert rows["both"]["claim_p"] == 2**-8
    assert rows["no_harm"]["claim_p"] == 2 * min(rows["both"]["measure_p"], 2**-11)


def test_under_the_rule_of_the_score_nothing_is_tested_but_the_pair() -> None:
    row = compare(ranks_of({"A": [0] * 12, "B": [1] * 12}), rule="score").rows()[0]
    assert (row["claim_p"], row["measure_p"], row["verdict"]) == (None, 2**-11, "B")


NDCG = ScoreTable(
    query_ids=tuple("abcdefgh"),
    runs=("old", "new"),
    values=np.array([[0.1, 0.5], [0.2, 0.5], [0.3, 0.9], [0.1, 0.4], [0.0, 0.3], [0.2, 0.6], [0.3, 0.5], [0.1, 0.2]]),
    measure="nDCG@10",
)


def test_scores_of_any_measure_get_a_verdict_without_parts() -> None:
    found = compare(NDCG)
    pair = pair_of(found)
    assert (pair.breakdown, pair.parts.answered, pair.found.grade) == (None, None, "better")
    # All eight queries are for new: of 2^8 exchanges two are as far, 2/256.
    assert found.sentence == "new is better than old (nDCG@10 +0.3250, p = 0.0078)."
    row = found.rows()[0]
    assert (row["verdict"], row["measure_p"], row["claim_p"]) == ("B", 2**-7, 2**-7)
    assert "harm_answered" not in row


def test_the_difference_in_a_sentence_is_that_of_the_run_named_first() -> None:
    assert compare(NDCG, pairs=[("new", "old")]).sentence == "new is better than old (nDCG@10 +0.3250, p = 0.0078)."


@pytest.mark.parametrize("rule", ["no_harm", "both", "lin2021"])
def test_scores_give_nothing_to_test_harm_or_both_parts_by(rule: str) -> None:
    with pytest.raises(InputError, match=f"rule: found '{rule}' with nDCG@10"):
        compare(NDCG, rule=rule)


def test_where_a_mean_of_an_ordinal_measure_decides_its_steps_are_assumed_equal() -> None:
    ranks = ranks_of({"A": A, "B": B})
    for rule, is_assumed in (("no_harm", True), ("lin2021", False)):
        explanation = compare(ranks, rule=rule).explanation
        assert any("A step of RR@100" in line for line in explanation.assumptions) is is_assumed


def test_no_test_that_decides_is_called_not_permitted() -> None:
    found = compare(ranks_of({"A": A, "B": B}))
    assert found.table.rows[0][0] == "RR@100 over all queries"
    assert found.table.rows[0][6:8] == ("exchanges, exact", "0.703")
    assert "not permitted" not in str(found)
    assert "not permitted" not in str(compare(NDCG, scale=Scale.ORDINAL))


def counted(*counts: tuple[int, int, int]) -> FirstRanks:
    """Ranks of A and B, each row so often."""
    rows = [(a, b) for a, b, n in counts for _ in range(n)]
    return ranks_of({"A": [a for a, _ in rows], "B": [b for _, b in rows]})


# The pairs i to vi of STATISTICS.md, section 5.
SIX_PAIRS = {
    "i": counted((2, 90, 4), (0, 3, 8), (0, 0, 22)),
    "ii": counted((2, 2, 200), (0, 10, 12), (0, 0, 88)),
    "iii": counted((2, 1, 60), (2, 2, 220), (2, 0, 20), (0, 0, 100)),
    "iv": counted((1, 2, 12), (4, 4, 188), (0, 5, 30), (0, 0, 70)),
    "v": counted((1, 0, 6), (0, 1, 20)),
    "vi": ranks_of({"A": A, "B": B}),
}


@pytest.mark.parametrize(
    ("name", "verdict", "grade", "figures"),
    [
        ("i", "tied", "", {"measure_p": 0.551758, "answered_p": 0.0078125, "ranking_p": 0.125, "claim_p": 1.0}),
        ("i", "tied", "", {"harm_ranking": -0.886129}),
        ("ii", "B", "no_harm", {"measure_p": 0.000488, "answered_p": 0.000488, "ranking_p": 1.0}),
        ("ii", "B", "no_harm", {"harm_answered": 0.019611, "harm_ranking": -0.011598, "claim_p": 0.000977}),
        ("iii", "B", "cost", {"measure_p": 6.151e-6, "answered_p": 1.907e-6, "harm_answered": -0.068571}),
        ("iv", "conflict", "", {"measure_p": 1.0, "answered_p": 1.863e-9, "ranking_p": 0.000488}),
        ("v", "B", "better", {"measure_p": 0.003761, "answered_p": 0.009355, "harm_ranking": -math.inf}),
        ("vi", "tied", "", {"measure_p": 0.703125, "ranking_p": 0.625}),
    ],
)
def test_the_six_pairs_have_their_verdicts_and_figures(
    name: str, verdict: str, grade: str, figures: dict[str, float]
) -> None:
    row = compare(SIX_PAIRS[name], resamples=10).rows()[0]
    assert (row["verdict"], row["grade"]) == (verdict, grade)
    for column, value in figures.items():
        digits = 5e-7 if abs(value) > 1e-4 else 5e-4 * abs(value)
        assert row[column] == pytest.approx(value, abs=digits), column


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("i", "B and A cannot be told apart by RR@100 (RR@100 +0.0209, p = 0.552); B answers more queries."),
        ("iii", "B is better than A (RR@100 +0.0500, p < 0.0001), at a cost: it answers fewer queries."),
        (
            "iv",
            "B and A cannot be told apart by RR@100 (RR@100 +0.0000, p = 1.000); B answers more queries, but finds the "
            "answers later.",
        ),
        (
            "v",
            "B is better than A (RR@100 +0.5385, p = 0.0038); harm up to any amount not excluded in RR where both "
            "answer.",
        ),
    ],
)
def test_a_pair_is_said_in_one_sentence(name: str, said: str) -> None:
    assert compare(SIX_PAIRS[name], resamples=10).sentence == said


def test_harm_bounds_margins_and_the_claim_are_shown() -> None:
    notes = compare(SIX_PAIRS["ii"], resamples=10).notes
    # 1/√300 = .0577, 1/√200 = .0707; L_a is above 0, L_r −.011598.
    assert notes[0] == (
        "B loses at most 0.0 points of queries answered (margin 5.8) and 1.2 points of RR where both answer "
        "(margin 7.1), each with 95% confidence: harm beyond the margins is excluded."
    )
    # The first level of steady:10 is .002221.
    assert notes[1].startswith("As the first claim of a board (rule no_harm: better beyond chance, doing no harm), B")
    assert "would pass its level (p = 0.0010, level 0.0022; could see gains of " in notes[1]


@pytest.mark.parametrize(("rule", "passes"), [("measure", "would pass"), ("no_harm", "would not pass")])
def test_a_cost_passes_by_the_measure_and_not_without_harm(rule: str, passes: str) -> None:
    found = compare(SIX_PAIRS["iii"], rule=rule, resamples=10)
    assert pair_of(found).claim.passed is (rule == "measure")
    assert passes in found.notes[1]


def test_margins_that_were_fixed_before_decide_whether_harm_is_excluded() -> None:
    row = compare(SIX_PAIRS["ii"], margins=Margins(ranking=0.011), resamples=10).rows()[0]
    assert (row["margin_ranking"], row["grade"]) == (0.011, "better")


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(4, 60))
def test_of_two_runs_the_verdict_is_what_a_board_of_the_two_says(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 6, n)
    ranks = ranks_of({"first": first.tolist(), "second": np.where(rng.random(n) < 0.4, 1, first).tolist()})
    found = compare(ranks, resamples=10)
    assert pair_of(found).found.side == find_top_group(ranks).relation("first", "second")
    assert pair_of(compare(ranks.reciprocal(), resamples=10)).found.side == pair_of(found).found.side


def test_the_paper_has_a_line_of_its_own_and_stands_alone_where_it_is_asked_for() -> None:
    ranks = SIX_PAIRS["i"]
    (line,) = [note for note in compare(ranks, resamples=10).notes if note.startswith("By Lin et al. 2021: ")]
    alone = compare(ranks, rule="lin2021", resamples=10)
    assert alone.sentence == line.removeprefix("By Lin et al. 2021: ")
    assert alone.sentence.startswith("B answers more questions (23.5% against 0.0% that the other misses, p = 0.0078)")
    assert not any("claim of a board" in note or "harm is" in note for note in alone.notes[:1])
    row = alone.rows()[0]
    assert row["claim_p"] == row["lin2021_claim_p"] == 2 * 0.0078125


def test_where_a_permitted_test_points_elsewhere_a_line_says_so() -> None:
    # iv: 30 queries for B against 12 for A, sign test p .0079; the mean is the same.
    (line,) = [note for note in compare(SIX_PAIRS["iv"], resamples=10).notes if "sign test" in note]
    assert line.startswith("By the sign test B is better (p = 0.0079): ")
    assert not any("sign test" in note for note in compare(SIX_PAIRS["ii"], resamples=10).notes)


def test_the_csv_begins_with_the_columns_of_the_published_tables() -> None:
    header, _ = compare(ranks_of({"A": A, "B": B})).tidy_rows()
    naive = ["a", "b", "delta", "wrs_p", "wsr_p", "t_p"]
    breakdown = ["neither_pct", "a_only_pct", "b_only_pct", "both_pct", "a_esl", "b_esl", "esl_wsr_p", "esl_t_p"]
    assert list(header[:18]) == [*naive, *breakdown, "a_rr", "b_rr", "rr_wsr_p", "rr_t_p"]
    assert {"case2_p", "claim_p", "verdict", "grade", "reason", "phi", "aligned"} <= set(header)
    assert {"lin2021_verdict", "lin2021_grade", "lin2021_claim_p", "margin_answered", "margin_ranking"} <= set(header)


def test_a_result_is_json_even_where_a_figure_is_infinite_or_missing() -> None:
    found = compare(ranks_of({"A": [0, 0, 0], "B": [1, 2, 0]}))
    row = json.loads(json.dumps(found.to_dict(), allow_nan=False))["pairs"][0]
    assert row["odds_ratio"] is None  # two against none
    assert row["a_esl"] is None  # no query is answered by both


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([("A", "Z")], "Found no run 'Z'; expected one of A, B."),
        ([("A", "A")], "Found 'A' compared with itself; expected two runs."),
    ],
)
def test_pairs_that_make_no_sense_are_refused(pairs: list[tuple[str, str]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        compare(ranks_of({"A": A, "B": B}), pairs=pairs)


def test_one_run_cannot_be_compared() -> None:
    with pytest.raises(InputError, match="Found 1 run; expected at least two to compare"):
        compare(ranks_of({"A": A}))


def test_a_measure_without_a_value_for_every_query_is_refused() -> None:
    table = ScoreTable(
        query_ids=("a", "b"), runs=("x", "y"), values=np.array([[1.0, 2.0], [np.nan, 3.0]]), measure="ESL@10"
    )
    with pytest.raises(InputError, match="Found queries without a value of ESL@10"):
        compare(table)


def test_pairs_with_a_baseline_leave_it_out_as_challenger() -> None:
    assert pairs_with("b", ["a", "b", "c"]) == [("b", "a"), ("b", "c")]


def test_real_runs_are_never_said_to_be_out_of_line(shared_data: Path) -> None:
    ranks = real_ranks(shared_data)
    found = compare(ranks, pairs=all_pairs_of(ranks.runs), resamples=10)
    assert all(row["aligned"] for row in found.rows())
    assert min(row["phi"] for row in found.rows()) >= 0.35


def real_ranks(shared_data: Path) -> FirstRanks:
    folder = shared_data / "msmarco-passage-dev215"
    runs = sorted(folder.glob("*.run.gz"))
    return tr.evaluate(folder / "qrels.dev215.txt", runs, "RR").first_ranks(100)


def test_shuffled_rows_of_real_runs_are_caught_four_times_out_of_five(shared_data: Path) -> None:
    from toprung.boards.alignment import audit_alignment

    ranks = real_ranks(shared_data)
    rng = np.random.default_rng(0)
    caught = 0
    for _ in range(200):
        a, b = rng.choice(len(ranks.runs), 2, replace=False)
        caught += not audit_alignment(ranks.values[:, a], rng.permutation(ranks.values[:, b])).is_aligned
    print(f"caught {caught} of 200 shuffles")
    assert caught >= 160


def test_a_difference_the_queries_could_not_show_is_named() -> None:
    pair = pair_of(compare(ranks_of(random_pair(1))))
    # (1.959964 + 0.841621) · sd / √n
    assert pair.detectable == pytest.approx(2.801585 * pair.naive.t.sd / math.sqrt(80), rel=1e-6)


def test_by_lin2021_a_difference_that_is_the_same_everywhere_gives_no_verdict_on_two_queries() -> None:
    # b is one rank higher on both queries: t is infinite, its p 0. Exchanging the runs gives 2^(1 - 2) = 0.5.
    found = compare(ranks_of({"a": [2, 3, 0, 0], "b": [1, 2, 0, 0]}))
    row = found.rows()[0]
    assert (row["esl_t_p"], row["esl_t_is_constant"], row["lin2021_verdict"]) == (0.0, True, "tied")
    assert row["lin2021_claim_p"] == 1.0  # min(1, 2 · 0.5)
    assert any("every query differs by the same amount" in note for note in found.notes)
    # On eight such queries 2^-7 = 0.0078 is evidence.
    many = compare(ranks_of({"a": [2] * 8, "b": [1] * 8})).rows()[0]
    assert (many["lin2021_verdict"], many["lin2021_claim_p"]) == ("B", pytest.approx(2 * 2**-7))


def test_the_break_even_is_told_with_its_set_or_called_undetermined() -> None:
    clear = compare(ranks_of({"A": [2] * 40 + [0] * 20, "B": [4, 5] * 20 + [3, 4] * 10}))
    assert any(
        note.startswith("On these queries B costs the user less in all if a miss costs more than")
        for note in clear.notes
    )
    unclear = compare(ranks_of({"A": [1, 2, 3, 0, 5], "B": [2, 1, 3, 4, 0]}))
    assert any("undetermined" in note for note in unclear.notes)


def test_swapping_the_runs_mirrors_the_side_on_which_a_miss_decides() -> None:
    ranks = ranks_of({"A": [3, 3, 0, 2], "B": [3, 3, 1, 1]})
    forward, backward = (compare(ranks, pairs=[pair]).rows()[0] for pair in (("A", "B"), ("B", "A")))
    assert (forward["b_wins_where_a_miss_costs"], backward["b_wins_where_a_miss_costs"]) == ("always", "never")


def test_the_facet_of_the_paper_is_the_one_that_is_shown() -> None:
    rows = compare(ranks_of(random_pair(1)), facet="rr", rule="lin2021").table.rows
    assert [row[0] for row in rows[:3]] == ["answered by one run only", *["RR where both answer"] * 2]
    assert not any("search length" in row[0] for row in rows)


def test_a_rule_that_is_not_known_is_refused() -> None:
    message = "rule: found 'strict'; expected one of measure, no_harm, both, score, lin2021"
    with pytest.raises(InputError, match=message):
        compare(cycle_ranks(), rule="strict")


@pytest.mark.parametrize(
    ("runs", "options", "message"),
    [
        ([], {}, "Found no matrix"),
        (ranks_of({"A": A, "B": B}), {"pairs": []}, "Found no pairs"),
        (ranks_of({"A": A, "B": B}), {"resamples": 0}, "resamples: found 0"),
        (ranks_of({"A": A, "B": B}), {"facet": "ndcg"}, "facet: found 'ndcg'"),
        (ranks_of({"A": A, "B": B}), {"alpha": 2}, "alpha: found 2"),
        (
            [ranks_of({"A": A, "B": B}), ranks_of({"A": A, "B": B}).reciprocal()],
            {},
            "Found first ranks and scores together",
        ),
    ],
)
def test_what_makes_no_report_is_refused(runs: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        compare(runs, **options)


@pytest.mark.parametrize("bad", [np.array([[1, -1]]), np.array([[1.5, 2.0]])])
def test_ranks_that_are_negative_or_fractional_are_refused(bad: np.ndarray) -> None:
    with pytest.raises(InputError, match="Found fractional or negative ranks"):
        FirstRanks(query_ids=("q",), runs=("A", "B"), values=bad, cutoff=None)


def test_many_pairs_have_the_intervals_that_each_has_alone() -> None:
    rng = np.random.default_rng(4)
    ranks = ranks_of({f"run{i}": rng.integers(0, 5, 30).tolist() for i in range(22)})
    together = compare(ranks, pairs=all_pairs_of(ranks.runs), resamples=200)  # 231 pairs: two parts
    alone = compare(ranks, pairs=[("run20", "run21")], resamples=200)
    found, expected = (astuple(each["run20", "run21"].difference) for each in (together, alone))
    assert found == pytest.approx(expected, rel=1e-12), "a matrix product rounds more columns at once in its own way"
