from __future__ import annotations

import json
import math

import pytest
from tests.labels.builders import outcomes_of

from toprung.analyses.order_agreement.find import order_agreement
from toprung.data.run import Run
from toprung.errors import InputError


def run_of(**rankings: str) -> Run:
    """For each query its documents from the top, one letter each."""
    return Run.from_dict({query: {doc: -rank for rank, doc in enumerate(docs)} for query, docs in rankings.items()})


def test_pairs_are_counted_that_the_run_orders_as_preferred() -> None:
    # q: A>B as the run has it, C>A not, B>C as it has it; r: B>A not
    outcomes = outcomes_of(["AB", "CA", "BC"]) | outcomes_of(["BA"], query_id="r")
    found = order_agreement({"mine": run_of(q="ABC", r="AB")}, outcomes)["mine"]
    assert (found.share.successes, found.share.trials, found.n_queries) == (2, 4, 2)
    assert found.share.low < 0.5 < found.share.high


def test_both_answers_must_be_in_the_top_ranks() -> None:
    outcomes = outcomes_of(["AB", "AD", "AX"])
    run = run_of(q="ABCD")
    assert order_agreement({"mine": run}, outcomes, depth=3)["mine"].share.trials == 1
    assert order_agreement({"mine": run}, outcomes, depth=4)["mine"].share.trials == 2


def test_even_splits_and_queries_the_run_lacks_do_not_count() -> None:
    outcomes = outcomes_of(["AB"], ties=["BC"]) | outcomes_of(["AB"], query_id="r")
    found = order_agreement({"mine": run_of(q="ABC")}, outcomes)
    assert found["mine"].share.trials == 1
    assert found.n_decided == 2


def test_the_run_that_agrees_most_stands_first_and_one_without_pairs_last() -> None:
    outcomes = outcomes_of(["AB", "BC"])
    found = order_agreement({"none": run_of(q="X"), "half": run_of(q="BAC"), "all": run_of(q="ABC")}, outcomes)
    assert [row.run for row in found.rows] == ["all", "half", "none"]
    assert found.sentence == "all orders 2 of 2 decided pairs in its top 10 as preferred (100.0%, the highest share)."
    assert found.table.rows[2] == ("none", "–", "–", "0", "0")
    assert found.to_frame()["share"].to_list() == [1.0, 0.5, None]
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["runs"][2]["low"] is None
    assert math.isnan(found["none"].share.estimate)


def test_pairs_of_one_query_are_less_sure_than_pairs_of_many() -> None:
    # four pairs of one query and four of four, all ordered as preferred but one
    one = order_agreement(
        {"r": run_of(q="ABCDE", r="BA")}, outcomes_of(["AB", "AC", "AD", "AE"]) | outcomes_of(["AB"], query_id="r")
    )
    many_runs = run_of(**{f"q{i}": "AB" for i in range(4)}, r="BA")
    many_outcomes = {k: v for i in range(4) for k, v in outcomes_of(["AB"], query_id=f"q{i}").items()}
    many = order_agreement({"r": many_runs}, many_outcomes | outcomes_of(["AB"], query_id="r"))
    assert one["r"].share.estimate == many["r"].share.estimate == 0.8
    assert one["r"].share.low < many["r"].share.low


def test_nothing_to_compare_is_said() -> None:
    assert order_agreement({"mine": run_of(q="X")}, {}).sentence == (
        "No run has two answers of a decided pair in its top 10."
    )


@pytest.mark.parametrize(
    ("runs", "options", "message"),
    [
        ({}, {}, "Found no run"),
        ({"r": "AB"}, {"depth": 1}, "depth: found 1"),
        ({"r": "AB"}, {"confidence": 1}, "found 1"),
    ],
)
def test_what_cannot_be_compared_is_refused(runs: dict[str, str], options: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        order_agreement({name: run_of(q=docs) for name, docs in runs.items()}, {}, **options)  # type: ignore[arg-type] # parametrised
