"""What do the votes say so far?"""

from __future__ import annotations

import pytest
from tests.labels.builders import votes

from toprung.analyses.outcomes.find import report_outcomes
from toprung.data.judgments import AssessorKind, Choice, Judgment, Judgments
from toprung.labels.pools.pool import Pool
from toprung.report.render import OutputFormat, render

VOTES = votes("q a b left x\nq a b left y\nq a c left x\nq a c right y\nq b c tie x\np a b right x\np a b skip y")
PAIRS = Pool(query_id="q", items=("a", "b", "c", "d")).pairs()


def test_pairs_are_counted_by_their_votes() -> None:
    found = report_outcomes(VOTES, pairs=PAIRS)
    assert found.sentence == (
        "6 votes on 4 pairs of 2 queries: 2 decided; 2 split evenly, which ask for one more vote; "
        "3 more without a vote."
    )
    assert found.table.rows == (
        ("0", "3", "0", "0", "–"),
        ("1", "2", "1", "1", "50.0%"),
        ("2", "2", "1", "1", "50.0%"),
    )


def test_what_is_no_vote_is_counted() -> None:
    def more(number: str, **changes: object) -> Judgment:
        fields = {"query_id": "q", "left": "a", "right": "b", "choice": Choice.LEFT} | changes
        return Judgment(judgment_id=number, **fields)  # type: ignore[arg-type]  # the fields are given by name

    rows = [
        *VOTES.rows,
        more("gold", is_gold=True),
        more("model", kind=AssessorKind.LLM),
        more("again", supersedes="j0"),
        more("void", supersedes="j1", choice=Choice.SKIP),
    ]
    assert report_outcomes(Judgments.of(rows)).notes[1:] == (
        "Left out: 2 judgments, taken back.",
        "Left out: 1 skip, no vote.",
        "Left out: 1 test question, no vote.",
        "Left out: 1 judgment, of a kind that does not count here, such as a language model's.",
    )


def test_every_pair_is_in_the_frame() -> None:
    rows = report_outcomes(VOTES, pairs=PAIRS).to_frame().rows()
    assert rows[0] == ("p", "a", "b", 0.0, 1.0, 0, 1, "b")
    assert rows[-1] == ("q", "c", "d", 0.0, 0.0, 0, 0, None)
    assert len(rows) == 7


def test_without_votes_it_says_so() -> None:
    assert report_outcomes(Judgments.of([]), pairs=PAIRS).sentence == "No votes yet; 6 pairs to judge."


def test_weighted_votes_say_how_often_assessors_seem_right() -> None:
    found = report_outcomes(VOTES, policy="dawid-skene")
    assert set(found.accuracies) == {"x", "y"}
    assert found.notes[1].startswith("2 assessors, right in ")
    assert found.table.rows[1][-1] == "50.0%"  # unanimous is what they said, whatever it weighs


@pytest.mark.parametrize("output_format", OutputFormat)
def test_it_is_written_in_every_format(output_format: OutputFormat) -> None:
    assert render(report_outcomes(VOTES, pairs=PAIRS), output_format)


def test_votes_on_an_item_with_the_same_text_are_votes_on_the_one_that_stands_for_it() -> None:
    pool = Pool(query_id="q", items=("a", "c"), same_text={"b": "a"})
    made = votes("q b c left x\nq a c left y\nq a b left x")
    found = report_outcomes(made, pairs=pool.pairs(), pools=[pool])
    assert found.sentence == "2 votes on 1 pair of 1 query: 1 decided."
    assert found.notes[-1] == "Left out: 1 vote, between two items with the same text."
