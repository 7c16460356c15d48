"""Which run's first answer do people prefer?"""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from tests.labels.builders import votes

from toprung.analyses.win_ratio.find import win_ratios
from toprung.analyses.win_ratio.result import count_won
from toprung.data.judgments import Pair
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome, resolve_pairs
from toprung.report.render import OutputFormat, render
from toprung.stats.intervals.proportions import wilson_share
from toprung.stats.tests.binomial import exact_binomial_p

Decided = dict[Pair, PairOutcome]


def run_of(**tops: str) -> Run:
    return Run.from_dict({query: {top: 2.0, "below": 1.0} for query, top in tops.items()})


RUNS = {
    "first": run_of(q1="a", q2="a", q3="a", q4="a", q5="a"),
    "second": run_of(q1="b", q2="b", q3="b", q4="a", q5="b"),
}
# first wins q1 and q2, loses q3; in q4 both say the same; q5 is not judged.
VOTES = votes("q1 a b left\nq2 a b left\nq3 a b right\nq4 a b right")
QRELS = Qrels.from_dict({"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}})


def test_wins_over_queries_whose_first_answers_differ_and_are_decided() -> None:
    found = win_ratios(resolve_pairs(VOTES), RUNS)["first", "second"]
    assert (found.wins, found.losses, found.n) == (2, 1, 3)
    assert (found.ties, found.unjudged, found.same) == (0, 1, 1)
    assert found.ratio == pytest.approx(2 / 3)
    assert found.p == binomtest(2, 3).pvalue


def test_from_the_other_side_it_is_the_complement() -> None:
    found = win_ratios(resolve_pairs(VOTES), RUNS)
    one, other = found["first", "second"], found["second", "first"]
    assert (other.wins, other.losses, other.n) == (1, 2, 3)
    assert one.ratio + other.ratio == pytest.approx(1)
    assert (other.interval.low, other.interval.high) == pytest.approx((1 - one.interval.high, 1 - one.interval.low))


def test_repeat_votes_never_inflate_n() -> None:
    many = votes("\n".join(["q1 a b left"] * 9 + ["q2 a b left", "q3 a b right"]))
    assert win_ratios(resolve_pairs(many), RUNS)["first", "second"].n == 3


def test_an_even_split_is_left_out_and_counted() -> None:
    found = win_ratios(resolve_pairs(votes("q1 a b left\nq2 a b tie")), RUNS)["first", "second"]
    assert (found.wins, found.n, found.ties) == (1, 1, 1)


def test_perfect_always_has_the_first_label_first() -> None:
    found = win_ratios(resolve_pairs(VOTES), RUNS, qrels=QRELS)
    assert found.runs == ("perfect", "first", "second")
    against_second = found["perfect", "second"]
    assert (against_second.wins, against_second.same, against_second.unjudged) == (1, 1, 1)
    assert found["perfect", "first"].losses == 1


def test_a_run_that_lacks_a_query_is_not_compared_on_it() -> None:
    runs = RUNS | {"short": run_of(q1="b")}
    found = win_ratios(resolve_pairs(VOTES), runs)["first", "short"]
    assert (found.n, found.unjudged, found.same) == (1, 0, 0)


def test_items_with_the_same_text_do_not_differ() -> None:
    pools = [Pool(query_id="q1", items=("a",), same_text={"b": "a"}), Pool(query_id="q2", items=("a", "b"))]
    found = win_ratios(resolve_pairs(VOTES), RUNS, pools=pools)["first", "second"]
    assert (found.same, found.wins, found.n) == (1, 1, 1)


def many_outcomes(wins: int, losses: int) -> tuple[Decided, dict[str, Run]]:
    queries = [f"q{number:03d}" for number in range(wins + losses)]
    text = "\n".join(f"{query} a b {'left' if number < wins else 'right'}" for number, query in enumerate(queries))
    runs = {name: Run.from_dict({query: {top: 1.0} for query in queries}) for name, top in (("A", "a"), ("B", "b"))}
    return resolve_pairs(votes(text)), runs


@pytest.mark.parametrize(("wins", "n"), [(235, 400), (262, 450), (289, 500)])
def test_least_significant_wins_by_bonferroni_over_66_pairs(wins: int, n: int) -> None:
    assert 66 * exact_binomial_p([wins], [n])[0] < 0.05
    assert 66 * exact_binomial_p([wins - 1], [n])[0] >= 0.05
    # The same through the analysis: with twelve runs, ten of which never differ from the first.
    for got, expected in ((wins, True), (wins - 1, False)):
        outcomes, runs = many_outcomes(got, n - got)
        twelve = {"A": runs["A"], "B": runs["B"]} | {f"twin{number}": runs["B"] for number in range(10)}
        found = win_ratios(outcomes, twelve)
        assert found.is_significant(found["A", "B"]) is expected
        assert found["A", "B"].corrected_p == pytest.approx(min(1, 66 * found["A", "B"].p))


def test_holm_is_never_weaker() -> None:
    outcomes, runs = many_outcomes(12, 3)
    runs |= {"C": runs["B"]}
    by = {name: win_ratios(outcomes, runs, correction=name)["A", "B"] for name in ("bonferroni", "holm", "raw")}
    assert by["raw"].corrected_p == by["raw"].p
    assert by["raw"].corrected_p <= by["holm"].corrected_p <= by["bonferroni"].corrected_p


def test_ties_and_missing_pairs_are_said() -> None:
    found = win_ratios(resolve_pairs(votes("q1 a b left\nq2 a b tie")), RUNS)
    assert found.sentence == (
        "Too few queries to say whose first answers are preferred: n is 1 a pair of runs, fewer than 20; 0 of 1 pair "
        "can be told apart."
    )
    assert "n is 1 in each pair: queries whose first answers differ" in found.notes[1]
    assert found.notes[3].startswith("In 1 pair of runs some first answers differ and were not judged, in up to 2")
    assert found.notes[4] == "1 even split left out, over all pairs of runs."


def test_a_pair_of_few_queries_is_not_counted_in_the_sentence() -> None:
    # first beats second on 20 of 20 queries, and third on 3 of 3
    queries = [f"q{number}" for number in range(23)]
    first, second = run_of(**dict.fromkeys(queries, "a")), run_of(**dict.fromkeys(queries[:20], "b"))
    third = run_of(**dict.fromkeys(queries[20:], "c"))
    won = "\n".join(f"{query} a {'b' if number < 20 else 'c'} left" for number, query in enumerate(queries))
    found = win_ratios(resolve_pairs(votes(won)), {"first": first, "second": second, "third": third})
    assert found.won["first"] == 2
    assert found.sentence.startswith("first wins more often than not against 1 of 2 others (n from 0 to 20); ")


def test_without_a_decided_pair_runs_cannot_be_told_apart() -> None:
    found = win_ratios({}, RUNS, qrels=QRELS)
    assert found.sentence == "No pair of first answers is decided: 3 runs cannot be told apart."
    assert json.loads(render(found, OutputFormat.JSON))["pairs"][0]["ratio"] is None


def test_the_matrix_shows_how_often_the_column_beats_the_row() -> None:
    table = win_ratios(resolve_pairs(VOTES), RUNS).table
    assert table.header == ("", "first", "second")
    assert table.rows == (("first", "", "33.3 of 3"), ("second", "66.7 of 3", ""), ("wins", "1", "0"))


@pytest.mark.parametrize("n_runs", [2, 8, 13, 18, 19])
@pytest.mark.parametrize("shows_pairs", [False, True])
def test_tables_fit_the_screen_however_many_runs_there_are(n_runs: int, shows_pairs: bool) -> None:
    from dataclasses import replace

    runs = {f"a rather long name of a run, number {number}": RUNS["first"] for number in range(n_runs - 1)}
    found = replace(win_ratios(resolve_pairs(VOTES), runs | {"second": RUNS["second"]}), shows_pairs=shows_pairs)
    lines = found.table.to_text().splitlines()
    assert max(map(len, lines)) <= 120
    assert len(lines) >= n_runs


@pytest.mark.parametrize("output_format", OutputFormat)
def test_it_is_written_in_every_format(output_format: OutputFormat) -> None:
    assert "first" in render(win_ratios(resolve_pairs(VOTES), RUNS, qrels=QRELS), output_format)


def test_inputs_that_cannot_be_compared_are_refused() -> None:
    with pytest.raises(InputError, match="Found 1 run; expected at least two"):
        win_ratios({}, {"first": RUNS["first"]})
    with pytest.raises(InputError, match="Found a run called 'perfect'"):
        win_ratios({}, {"perfect": RUNS["first"]}, qrels=QRELS)
    with pytest.raises(InputError, match="alpha: found 2"):
        win_ratios({}, RUNS, alpha=2)
    with pytest.raises(InputError, match="correction: found 'guess'"):
        win_ratios({}, RUNS, correction="guess")


@given(
    st.lists(st.tuples(*[st.sampled_from("abc")] * 3), min_size=1, max_size=12),
    st.lists(st.sampled_from(["left", "right", "tie", "skip"]), min_size=36, max_size=36),
)
def test_every_query_both_runs_have_is_counted_once(tops: list[tuple[str, str, str]], choices: list[str]) -> None:
    runs = {
        name: Run.from_dict({f"q{query}": {top[column]: 1.0} for query, top in enumerate(tops)})
        for column, name in enumerate("xyz")
    }
    drawn = iter(choices)
    lines = [f"q{query} {a} {b} {next(drawn)}" for query in range(len(tops)) for a, b in (*pairwise("abc"), ("a", "c"))]
    found = win_ratios(resolve_pairs(votes("\n".join(lines))), runs)
    for pair in found.pairs:
        assert pair.wins + pair.losses + pair.ties + pair.unjudged + pair.same == len(tops)
        by_hand = sum(
            choice_wins(lines, f"q{query}", top["xyz".index(pair.run)], top["xyz".index(pair.other)])
            for query, top in enumerate(tops)
        )
        assert pair.wins == by_hand


def choice_wins(lines: list[str], query: str, one: str, other: str) -> bool:
    for line in lines:
        found, left, right, choice = line.split()
        if found == query and {left, right} == {one, other}:
            return choice == ("left" if left == one else "right")
    return False


def test_bonferroni_is_the_default_and_differs_from_holm() -> None:
    # A wins 12 of 12 over B and 10 of 12 over C; B and C are not judged against each other
    lines = [f"q{i} a b left\nq{i} a c {'left' if i < 10 else 'right'}" for i in range(12)]
    runs = {name: Run.from_dict({f"q{i}": {name.lower(): 1.0} for i in range(12)}) for name in "ABC"}
    outcomes = resolve_pairs(votes("\n".join(lines)))
    raw = binomtest(10, 12).pvalue
    assert win_ratios(outcomes, runs)["A", "C"].corrected_p == pytest.approx(3 * raw)
    assert win_ratios(outcomes, runs, correction="holm")["A", "C"].corrected_p == pytest.approx(2 * raw)


def test_the_interval_has_the_confidence_asked_for() -> None:
    found = win_ratios(resolve_pairs(VOTES), RUNS, confidence=0.8)["first", "second"]
    assert found.interval == wilson_share(2, 3, confidence=0.8)


def test_half_of_the_queries_is_no_win() -> None:
    found = win_ratios(resolve_pairs(votes("q1 a b left\nq2 a b right")), RUNS)
    assert found.won == {"first": 0, "second": 0}
    assert count_won(np.array([[np.nan, 0.5], [0.5, np.nan]])).tolist() == [0, 0]


def test_a_run_that_is_called_perfect_is_a_run_like_others_without_labels() -> None:
    found = win_ratios(resolve_pairs(VOTES), {"perfect": RUNS["first"], "second": RUNS["second"]})
    assert found.perfect is None
    assert found.sentence.endswith("0 of 1 pair can be told apart.")
    assert not any("label" in note for note in found.notes)


def test_which_label_perfect_has_is_said() -> None:
    found = win_ratios(resolve_pairs(VOTES), RUNS, qrels=QRELS)
    assert found.notes[-1].startswith(
        "perfect: a ranking that always has the label first that was pooled, the first of the highest grade"
    )


def test_who_does_better_than_a_perfect_ranking_is_said() -> None:
    # "good" has the preferred answer of all 30 queries, "poor" has the label: 30 of 30 is beyond chance.
    queries = [f"q{number}" for number in range(30)]
    good, poor = run_of(**dict.fromkeys(queries, "a")), run_of(**dict.fromkeys(queries, "b"))
    decided = resolve_pairs(votes("\n".join(f"{query} a b left" for query in queries)))
    qrels = Qrels.from_dict({query: {"b": 1} for query in queries})
    assert win_ratios(decided, {"good": good}, qrels=qrels).sentence == (
        "good wins more often than not against the other run (n = 30); good does better than a perfect ranking under "
        "the labels beyond chance."
    )
    found = win_ratios(decided, {"poor": poor, "also poor": poor}, qrels=qrels)
    assert found.better_than("perfect") == []
    both = win_ratios(decided, {"good": good, "fine": good}, qrels=qrels)
    assert "good and fine do better than a perfect ranking" in both.sentence


def test_the_correction_is_named_in_words() -> None:
    notes = win_ratios(resolve_pairs(VOTES), RUNS).notes
    assert any("binomial test with Bonferroni's correction over 1 pair" in note for note in notes)
