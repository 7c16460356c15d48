from __future__ import annotations

import json

import pytest

from toprung.analyses.sample_check.find import SampleCheck, check_sample_order
from toprung.data.qrels import Qrels
from toprung.errors import InputError

QRELS = Qrels.from_dict({query: {"d": 1} for query in ("q1", "q2", "q3", "q4")})


def ranks(*of_queries: int) -> dict[str, dict[str, float]]:
    """The rank of the relevant document in q1, q2, …."""
    return {
        f"q{number}": {**{f"x{i}": float(-i) for i in range(1, rank)}, "d": float(-rank)}
        for number, rank in enumerate(of_queries, start=1)
    }


RUNS = {"best": ranks(1, 1, 2, 1), "middle": ranks(2, 2, 1, 2), "last": ranks(4, 4, 4, 4)}


def check(*query_ids: str) -> SampleCheck:
    return check_sample_order(QRELS, RUNS, query_ids, "RR@10")


def test_the_same_order_is_said() -> None:
    found = check("q1", "q2")
    assert found.is_same_order
    assert found.swapped == ()
    assert found.tau == 1
    assert found.sentence == "On the 2 sampled queries the 3 runs stand in the same order by RR@10 as on all 4."


def test_another_order_is_said_with_the_runs_that_swap() -> None:
    found = check("q3")
    assert not found.is_same_order
    assert found.swapped == (("best", "middle"),)
    assert found.sentence == (
        "On the 1 sampled query the 3 runs stand in another order by RR@10 than on all 4: 1 of 3 pairs differs "
        "(Kendall's τ = 0.33)."
    )
    assert found.notes[0] == "Order differs: best and middle."
    # means 3.5/4 and 2.5/4
    assert found.notes[1] == "The nearest two runs on all queries are 0.2500 apart."
    assert found.table.rows[0] == ("best", "0.8750", "1", "0.5000", "2")


def test_runs_that_are_equal_on_the_sample_alone_differ_in_order() -> None:
    found = check("q1", "q3")  # best 1 + 1/2, middle 1/2 + 1
    assert found.swapped == (("best", "middle"),)
    assert found.sample_places.tolist() == [1, 3, 1]  # best, last, middle


def test_a_short_search_is_good() -> None:
    found = check_sample_order(QRELS, RUNS, ["q1"], "ESL")
    assert [row[0] for row in found.table.rows] == ["best", "middle", "last"]
    assert found.is_same_order


def test_the_result_goes_into_json_and_frames() -> None:
    found = check("q1", "q2")
    back = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert back["is_same_order"] is True
    assert back["runs"][0] == {"run": "best", "score": 0.875, "place": 1, "sample_score": 1.0, "sample_place": 1}
    assert back["provenance"]["n_sampled"] == 2


@pytest.mark.parametrize(
    ("runs", "query_ids", "message"),
    [
        (RUNS, ["q9"], "Found 1 sampled query without labels, 'q9' first"),
        (RUNS, [], "sample: found 0 queries"),
        ({"one": RUNS["best"]}, ["q1"], "Found 1 run; expected at least two"),
    ],
)
def test_what_cannot_be_compared_is_refused(runs: dict[str, object], query_ids: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_sample_order(QRELS, runs, query_ids)
