"""What should be judged next?"""

from __future__ import annotations

import pytest
from tests.labels.builders import outcomes_of

from toprung.analyses.next_pairs.find import report_next_pairs
from toprung.data.judgments import Pair
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome
from toprung.report.render import OutputFormat, render

POOLS = [
    Pool(query_id="clear", items=("A", "B")),
    Pool(query_id="even", items=("A", "B")),
    Pool(query_id="lone", items=("A",)),
    Pool(query_id="once", items=("A", "B")),
]
CLEAR = Pair("clear", "A", "B")
OUTCOMES = {
    CLEAR: PairOutcome(pair=CLEAR, wins_a=9, wins_b=0, ties=0, n=9),
    **outcomes_of([], ties=["AB"], query_id="even"),
    **outcomes_of(["AB"], query_id="once"),
}


def test_the_least_sure_query_is_asked_first_and_a_clear_one_not() -> None:
    found = report_next_pairs(POOLS, OUTCOMES, 5)
    assert [(each.pair.query_id, found.votes[each.pair]) for each in found.rows] == [("even", 1), ("once", 1)]
    assert found.rows[0].confidence < found.rows[1].confidence < 0.9
    assert found.sentence == "2 pairs to judge next: in 2 of 3 queries the best answer is less than 90% sure."


def test_only_as_many_as_wanted_are_listed_and_all_unsure_are_counted() -> None:
    found = report_next_pairs(POOLS, OUTCOMES, 1)
    assert (len(found.rows), found.n_unsure) == (1, 2)


def test_nothing_to_ask_is_said() -> None:
    assert report_next_pairs(POOLS[:1], OUTCOMES, 1).sentence == (
        "Nothing to ask: in 1 of 1 query the best answer is 90% sure or more."
    )


@pytest.mark.parametrize("output_format", OutputFormat)
def test_it_is_written_in_every_format(output_format: OutputFormat) -> None:
    assert "even" in render(report_next_pairs(POOLS, OUTCOMES, 5), output_format)
