from __future__ import annotations

import json
import math

import numpy as np
import pytest
from tests.labels.builders import outcomes_of

from toprung.analyses.leave_one_out.find import leave_one_out
from toprung.analyses.leave_one_out.tables import LeaveOneOut
from toprung.analyses.relabel.find import rescore
from toprung.data.judgments import Pair
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.pools.pool import Pool, build_pools
from toprung.labels.votes.outcomes import PairOutcome
from toprung.report.render import OutputFormat, render


def run_of(*rankings: str, name: str = "run") -> Run:
    """The ranking of each query q0, q1, …, one letter a document."""
    docs = {f"q{i}": {doc: float(-rank) for rank, doc in enumerate(ranking)} for i, ranking in enumerate(rankings)}
    return Run.from_dict(docs, name=name)


def over_queries(*beats: str) -> dict[Pair, PairOutcome]:
    return {k: v for i, text in enumerate(beats) for k, v in outcomes_of(text.split(), query_id=f"q{i}").items()}


# q0: only "own" found the best answer A; without it the label L is best. q1: A is from both. q2: the label stays.
QRELS = Qrels.from_dict({"q0": {"L": 1}, "q1": {"L": 1}, "q2": {"L": 1}})
RUNS = {"own": run_of("ALB", "AL", "BL"), "other": run_of("BLA", "AL", "LB")}
OUTCOMES = over_queries("AL AB LB", "AL", "LB")
POOLS = build_pools(QRELS, RUNS)


@pytest.fixture(scope="module")
def found() -> LeaveOneOut:
    return leave_one_out(POOLS, OUTCOMES, RUNS, "RR")


def test_a_run_loses_what_only_its_own_answers_gave_it(found: LeaveOneOut) -> None:
    # with all: own 1, 1, 1/2; without A in q0 its label is L, at its rank 2
    row = found["own"]
    assert (row.n_items, row.n_labels_changed) == (2, 1)  # A of q0 and B of q2
    assert (row.score, row.score_without) == (pytest.approx(2.5 / 3), pytest.approx(2 / 3))
    assert row.change.estimate == pytest.approx(-0.5 / 3)


def test_the_others_move_too(found: LeaveOneOut) -> None:
    # other: 1/3, 1, 1 with all; in q0 the label L is at its rank 2
    row = found["own"]
    assert (row.most_moved, row.most_moved_by) == ("other", pytest.approx((1 / 2 - 1 / 3) / 3))
    # own leads by 2.5 to 7/3; without its answers 2 to 2.5
    assert (row.place, row.place_without) == (1, 2)
    assert row.tau == -1


def test_answers_that_are_not_best_change_nothing_when_left_out(found: LeaveOneOut) -> None:
    row = found["other"]
    assert (row.n_items, row.n_labels_changed) == (1, 0)  # B of q0
    assert (row.change.estimate, row.change.low, row.change.high) == (0, 0, 0)
    assert row.most_moved is None


def test_scores_are_those_of_the_labels_of_smaller_pools(found: LeaveOneOut) -> None:
    again = rescore(QRELS, Qrels.from_dict({"q0": {"L": 1}, "q1": {"A": 1}, "q2": {"L": 1}}), RUNS, "RR")
    frame = found.to_frame()
    for run in RUNS:
        [score] = frame.filter((frame["left_out"] == "own") & (frame["run"] == run))["score_without"].to_list()
        assert score == pytest.approx(again[run].after.estimate)


def test_the_sentence_names_the_run_that_moves_most(found: LeaveOneOut) -> None:
    assert found.sentence == (
        "Leaving out its own answers moves own the most: RR −0.1667, from 0.8333 to 0.6667 over 3 queries; it goes "
        "from place 1 to 2."
    )


def test_where_nothing_changes_that_is_said() -> None:
    runs = {"one": run_of("L"), "two": run_of("L")}
    found = leave_one_out(build_pools(Qrels.from_dict({"q0": {"L": 1}}), runs), {}, runs, "RR")
    assert found.sentence == (
        "In 1 query no label depends on one run alone; that is too few to say so of labels in general."
    )
    many = Qrels.from_dict({f"q{number}": {"L": 1} for number in range(20)})
    same = {name: Run.from_dict({query: {"L": 1.0} for query in many.query_ids}, name=name) for name in runs}
    assert leave_one_out(build_pools(many, same), {}, same, "RR").sentence == (
        "No label depends on one run alone: leaving out any run's own answers changes no RR over 20 queries."
    )


def test_an_answer_found_by_two_stays_when_either_is_left_out() -> None:
    runs = {"one": run_of("A"), "two": run_of("A")}
    found = leave_one_out(build_pools(Qrels.from_dict({"q0": {"L": 1}}), runs), over_queries("AL"), runs, "RR")
    assert {(row.n_items, row.score_without) for row in found.rows} == {(0, 1.0)}


def test_an_answer_whose_text_another_run_found_is_not_a_runs_own() -> None:
    runs = {"one": run_of("A"), "two": run_of("Z")}
    qrels = Qrels.from_dict({"q0": {"L": 1}})
    pools = build_pools(qrels, runs, texts={"A": "same", "Z": "same", "L": "label"})
    found = leave_one_out(pools, over_queries("AL"), runs, "RR")
    assert {(row.run, row.n_items, row.score) for row in found.rows} == {("one", 0, 1.0), ("two", 0, 1.0)}


def test_a_query_that_has_no_label_without_a_run_does_not_count_then() -> None:
    # without labels, q1 was pooled from one run alone, two deep
    runs = {"one": run_of("A", "AC"), "two": run_of("B")}
    pools = [
        Pool(query_id="q0", items=("A", "B"), sources={"A": ("one",), "B": ("two",)}),
        Pool(query_id="q1", items=("A", "C"), sources={"A": ("one",), "C": ("one",)}),
    ]
    row = leave_one_out(pools, over_queries("BA", "AC"), runs, "RR")["one"]
    assert (row.n_items, row.n_labels_changed, row.n_labels_lost, row.change.n) == (3, 0, 1, 1)
    assert row.score_without == 0.0  # over q0 alone, whose best answer is B


def test_undecided_queries_are_left_out_and_counted() -> None:
    outcomes = {pair: outcome for pair, outcome in OUTCOMES.items() if pair.query_id != "q2"}
    found = leave_one_out(POOLS, outcomes, RUNS, "RR")
    assert (found.n_queries, found.n_undecided) == (2, 1)
    assert "1 without a decided best answer are left out" in found.notes[0]


def test_a_run_that_was_not_pooled_is_scored_and_said_to_have_nothing_of_its_own() -> None:
    found = leave_one_out(POOLS, OUTCOMES, {**RUNS, "late": run_of("L", "A", "L")}, "RR")
    assert (found["late"].n_items, found["late"].score) == (0, pytest.approx(2 / 3))
    assert any("Nothing to leave out: late contributed no answer alone." in note for note in found.notes)


def test_the_order_of_runs_changes_nothing(found: LeaveOneOut) -> None:
    turned = leave_one_out(POOLS[::-1], OUTCOMES, dict(reversed(RUNS.items())), "RR")
    assert turned.to_dict() == found.to_dict()


def test_the_result_goes_into_json_and_fits_a_screen(found: LeaveOneOut) -> None:
    back = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert back["left_out"][0]["run"] == "own"
    assert len(back["scores"]) == 4
    assert not math.isnan(back["left_out"][0]["change_low"])
    assert all(len(line) <= 120 for line in found.table.to_text().splitlines())
    assert np.shape(found.scores) == (2, 2)


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_it_can_be_shown_in_every_format(found: LeaveOneOut, output_format: OutputFormat) -> None:
    assert "other" in render(found, output_format)


@pytest.mark.parametrize(
    ("pools", "outcomes", "runs", "message"),
    [
        (POOLS, {}, RUNS, "Found no decided query among 3"),
        (
            POOLS,
            OUTCOMES,
            {"late": run_of("L")},
            "no run that contributed .* among late; the pools know of other",
        ),
        ([Pool(query_id="q0", items=("A", "B"))], OUTCOMES, RUNS, "none, since nothing was pooled"),
    ],
)
def test_what_cannot_be_left_out_is_refused(
    pools: list[Pool], outcomes: dict[Pair, PairOutcome], runs: dict[str, Run], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        leave_one_out(pools, outcomes, runs)


def test_an_unknown_run_is_refused(found: LeaveOneOut) -> None:
    with pytest.raises(InputError, match="Found no run 'x'"):
        found["x"]


# Only r answers q0, so that q0 has no label without it; no score of q1 and q2 moves.
LOSING_RUNS = {"r": run_of("X", "ZA", "ZA"), "s": run_of("Y", "A", "A"), "t": run_of("YX", "B", "B")}
LOSING_POOLS = [
    Pool(query_id="q0", items=("X",), label="X", sources={"X": ("r",)}),
    *(Pool(query_id=q, items=("A", "B"), sources={"A": ("r", "s"), "B": ("s", "t")}) for q in ("q1", "q2")),
]


def test_with_and_without_are_compared_over_the_same_queries() -> None:
    found = leave_one_out(LOSING_POOLS, over_queries("", "AB", "AB"), LOSING_RUNS, "RR")
    row = found["r"]
    assert (row.n_labels_changed, row.n_labels_lost, row.change.n) == (0, 1, 2)
    assert (row.score, row.score_without, row.change.estimate) == (0.5, 0.5, 0)  # its 1 in q0 counts neither way
    assert (row.place, row.place_without, row.tau) == (2, 2, 1)
    assert (row.most_moved, row.most_moved_by) == (None, 0)
    frame = found.to_frame()
    assert frame["change"].to_list() == [0] * 9
    assert frame.filter(left_out="r")["score"].to_list() == [0.5, 1, 0]
    assert frame.filter(left_out="s", run="r")["score"].to_list() == [pytest.approx(2 / 3)]
    assert found.sentence == "Leaving out its own answers moves no run's RR on the queries that keep a label."
    assert "up to 1 query left out, which have none without r." in found.notes[-1]


def test_where_no_query_keeps_a_label_there_is_nothing_to_compare() -> None:
    found = leave_one_out(LOSING_POOLS[:1], {}, {"r": run_of("X"), "s": run_of("Y")}, "RR")
    assert (found["r"].n_labels_lost, found["r"].change.n) == (1, 0)
    assert "moves no run's RR" in found.sentence
    json.dumps(found.to_dict(), allow_nan=False)
