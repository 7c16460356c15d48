"""Which measure and rule do these labels ask for?"""

from __future__ import annotations

from pathlib import Path

import pytest

from toprung.boards.engine.defaults import choose_defaults, default_rule
from toprung.boards.engine.rules import Rule
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.qrels import Qrels
from toprung.errors import InputError


@pytest.mark.parametrize(
    ("path", "measure", "rule", "why"),
    [
        (
            "msmarco-passage-dev215/qrels.dev215.txt",
            "RR@10",
            Rule.NO_HARM,
            "one relevant document in 92.6% of queries: RR@10, and a claim must do no harm",
        ),
        (
            "trec-covid-r1/qrels.covid-round1.txt",
            "nDCG@10",
            Rule.MEASURE,
            "71.5 relevant per query in 3 grades: nDCG@10, tested by its differences",
        ),
        (
            "text-dl19/qrels.dl19-passage.txt",
            "nDCG@10",
            Rule.MEASURE,
            "75 relevant per query in 4 grades: nDCG@10, tested by its differences",
        ),
        ("text-vaswani/qrels", "AP", Rule.MEASURE, "19 relevant per query in 1 grade: AP, tested by its differences"),
    ],
)
def test_real_labels_ask_for(shared_data: Path, path: str, measure: str, rule: Rule, why: str) -> None:
    found = choose_defaults(read_qrels(shared_data / path))
    assert (found.measure, found.rule, found.said) == (measure, rule, why)


def labels_of(*queries: dict[int, int]) -> Qrels:
    """For each query how many documents have which grade."""
    return Qrels.from_dict(
        {
            f"q{number}": {f"d{grade}-{each}": grade for grade, count in counts.items() for each in range(count)}
            for number, counts in enumerate(queries)
        }
    )


@pytest.mark.parametrize(
    ("queries", "measure", "rule"),
    [
        # four queries in five with one relevant document are sparse, three in four are not
        ([{1: 1}] * 4 + [{1: 30}], "RR@10", Rule.NO_HARM),
        ([{1: 1}] * 3 + [{1: 30}], "nDCG@10", Rule.MEASURE),
        ([{1: 1, 0: 50}] * 5, "RR@10", Rule.NO_HARM),
        ([{3: 1}, {1: 1}] * 3, "RR@10", Rule.NO_HARM),
        # queries without a relevant document do not count
        ([{1: 1}] * 4 + [{1: 30}] + [{0: 3}] * 20, "RR@10", Rule.NO_HARM),
        ([{1: 1}] * 3 + [{1: 30}] + [{0: 1}] * 20, "nDCG@10", Rule.MEASURE),
        # the second most frequent grade has a tenth, or less
        ([{1: 18, 2: 2}], "nDCG@10", Rule.MEASURE),
        ([{1: 19, 2: 1}], "AP", Rule.MEASURE),
        ([{0: 30, 1: 12}] * 3, "AP", Rule.MEASURE),  # grade 0 is not a positive grade
        # relevant from grade 2 on, where there is a grade 3
        ([{1: 1, 2: 95, 3: 4}], "AP(rel=2)", Rule.MEASURE),
        ([{1: 1, 2: 95}], "AP", Rule.MEASURE),
        # the median of relevant documents is 10, or less
        ([{1: 10}, {1: 10}, {1: 2}], "AP", Rule.MEASURE),
        ([{1: 9}, {1: 90}, {1: 2}], "nDCG@10", Rule.MEASURE),
        ([{1: 5}, {1: 4}], "nDCG@10", Rule.MEASURE),
    ],
)
def test_labels_made_by_hand_ask_for(queries: list[dict[int, int]], measure: str, rule: Rule) -> None:
    found = choose_defaults(labels_of(*queries))
    assert (found.measure, found.rule) == (measure, rule)
    assert measure in found.said


def test_a_measure_chosen_by_hand_takes_the_rule_of_the_labels_if_it_can() -> None:
    sparse, rich = labels_of({1: 1}), labels_of({1: 40})
    assert default_rule(sparse, has_ranks=True) is Rule.NO_HARM
    assert default_rule(sparse, has_ranks=False) is Rule.MEASURE
    assert default_rule(rich, has_ranks=True) is Rule.MEASURE


def test_labels_without_a_relevant_document_are_refused() -> None:
    with pytest.raises(InputError, match="found no document of grade 1 or more"):
        choose_defaults(labels_of({0: 3}))
