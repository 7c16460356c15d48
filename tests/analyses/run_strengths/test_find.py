from __future__ import annotations

import json

import numpy as np
import pytest
from tests.labels.builders import outcomes_of

from toprung.analyses.run_strengths import find as module
from toprung.analyses.run_strengths.find import run_strengths
from toprung.data.judgments import Pair
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome
from toprung.stats.intervals.bootstrap import draw_weights
from toprung.stats.models.bradley_terry import fit_strengths


def runs_of(**tops: str) -> dict[str, Run]:
    """For each run the first document of q0, q1, …, one letter each."""
    return {name: Run.from_dict({f"q{i}": {doc: 1.0} for i, doc in enumerate(docs)}) for name, docs in tops.items()}


def outcomes_over(*beats: str) -> dict[Pair, PairOutcome]:
    """For q0, q1, … the pairs won, parted by blanks."""
    return {k: v for i, text in enumerate(beats) for k, v in outcomes_of(text.split(), query_id=f"q{i}").items()}


def test_strengths_are_those_of_the_wins_between_first_answers() -> None:
    # one and two differ in q0 and q1 (a win each), both lose to three in q2; in q3 all have the same
    runs = runs_of(one="AAAA", two="BBAA", three="AACA")
    found = run_strengths(outcomes_over("AB", "BA", "CA", ""), runs, resamples=50)
    # wins of row over column: one–two 1:1, one–three 0:1, two–three q0 0:1, q1 1:0, q2 0:1
    wins = np.array([[0, 1, 0], [1, 0, 1], [1, 2, 0]])
    expected = fit_strengths(wins, penalty=0.4).values[0]
    assert [found[name].strength for name in ("one", "two", "three")] == pytest.approx(list(expected))
    assert found.rows[0].run == "three"
    assert {row.run: row.n_comparisons for row in found.rows} == {"one": 3, "two": 5, "three": 4}
    assert found.n_queries == 3


def test_repeat_votes_do_not_inflate_a_query() -> None:
    runs = runs_of(one="AA", two="BB")
    pair = Pair("q0", "A", "B")
    once = {pair: PairOutcome(pair=pair, wins_a=1, wins_b=0, ties=0, n=1)}
    often = {pair: PairOutcome(pair=pair, wins_a=9, wins_b=2, ties=1, n=12)}
    assert run_strengths(once, runs).to_dict() == run_strengths(often, runs).to_dict()


def test_the_perfect_ranking_is_one_more_run() -> None:
    qrels = Qrels.from_dict({"q0": {"A": 1}, "q1": {"A": 1}})
    found = run_strengths(outcomes_over("BA", "BA"), runs_of(one="BB"), qrels=qrels)
    assert [row.run for row in found.rows] == ["one", "perfect"]


def test_an_item_with_the_same_text_stands_for_its_class() -> None:
    pools = [Pool(query_id="q0", items=("A", "B"), same_text={"Z": "A"})]
    found = run_strengths(outcomes_over("AB"), runs_of(one="Z", two="B"), pools=pools)
    assert found["one"].strength > found["two"].strength


def test_ranks_span_what_resampled_queries_give() -> None:
    # one wins all 30 queries over three; two wins 16 of 30 over one
    runs = runs_of(one="A" * 30, two="B" * 30, three="C" * 30)
    beats = [("AB" if i >= 16 else "BA") + " AC BC" for i in range(30)]
    found = run_strengths(outcomes_over(*beats), runs, seed=1)
    assert (found["three"].rank_low, found["three"].rank_high) == (3, 3)
    assert (found["one"].rank_low, found["one"].rank_high) == (1, 2)
    assert "its ranks overlap with those of one when queries are drawn again" in found.sentence
    assert found["two"].low < found["two"].strength < found["two"].high


def test_a_clear_winner_is_said_to_be_one() -> None:
    runs = runs_of(one="A" * 20, two="B" * 20)
    found = run_strengths(outcomes_over(*["AB"] * 20), runs)
    assert found.sentence == (
        "one has the strongest first answers over 20 queries: its ranks in 95% of resamples of the queries overlap "
        "with no other's."
    )
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["runs"][0]["rank_high"] == 1
    assert found.to_frame().height == 2


def test_the_order_of_runs_and_outcomes_changes_nothing() -> None:
    runs = runs_of(one="AABB", two="BAAC", three="CCAB")
    outcomes = outcomes_over("AB AC", "AC", "AB", "BC")
    found = run_strengths(outcomes, runs, seed=4)
    turned = run_strengths(dict(reversed(outcomes.items())), dict(reversed(runs.items())), seed=4)
    assert turned.to_dict() == found.to_dict()


@pytest.mark.parametrize(
    ("names", "beats", "message"),
    [
        ({"one": "A"}, "AB", "Found 1 run; expected at least two"),
        ({"one": "A", "two": "A"}, "AB", "Found no judged pair of first answers"),
    ],
)
def test_what_cannot_be_compared_is_refused(names: dict[str, str], beats: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        run_strengths(outcomes_over(beats), runs_of(**names))


def test_a_run_called_perfect_is_refused_beside_labels() -> None:
    with pytest.raises(InputError, match="Found a run called 'perfect'"):
        run_strengths({}, runs_of(perfect="A", two="B"), qrels=Qrels.from_dict({"q0": {"A": 1}}))


def test_an_even_split_is_half_a_win_each() -> None:
    found = run_strengths(outcomes_of([], query_id="q0", ties=["AB"]), runs_of(one="A", two="B"), resamples=20)
    assert [row.strength for row in found.rows] == pytest.approx([0, 0])
    assert [row.n_comparisons for row in found.rows] == [1, 1]


def test_the_interval_leaves_out_half_of_the_rest_at_either_end() -> None:
    # A wins 14 of 20 queries
    found = run_strengths(outcomes_over(*["AB"] * 14, *["BA"] * 6), runs_of(one="A" * 20, two="B" * 20), seed=3)
    wins = draw_weights(20, 1_000, np.random.default_rng(3)) @ np.array([1] * 14 + [0] * 6)
    drawn = fit_strengths([[[0, won], [20 - won, 0]] for won in wins], penalty=0.4).values[:, 0]
    row = found["one"]
    assert (row.low, row.high) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])))


def test_fitting_a_few_resamples_at_a_time_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    runs, outcomes = runs_of(one="AABB", two="BAAC", three="CCAB"), outcomes_over("AB AC", "AC", "AB", "BC")
    at_once = run_strengths(outcomes, runs, resamples=50)
    monkeypatch.setattr(module, "CELLS_PER_CHUNK", 9 * 7)
    assert run_strengths(outcomes, runs, resamples=50).rows == at_once.rows


def test_queries_outside_the_pools_are_left_out_as_in_win_ratios() -> None:
    pools = [Pool(query_id="q0", items=("A", "B"))]
    found = run_strengths(outcomes_over("AB", "BA"), runs_of(one="AA", two="BB"), pools=pools)
    assert found.n_queries == 1
