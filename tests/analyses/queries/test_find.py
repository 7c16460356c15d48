"""Which queries decide: by hand, and on real runs against sums and ranks found otherwise."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import toprung as tr
from toprung.analyses.compare.find import compare
from toprung.analyses.queries.find import queries
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError

LABELS = {f"q{n}": {f"d{n}": 1} for n in range(1, 6)}
OLD: dict[str, dict[str, float]] = {
    "q1": {"d1": 9, "x": 8},  # 1
    "q2": {"x": 9, "d2": 8},  # 1/2
    "q3": {"x": 9, "y": 8, "z": 7, "d3": 6},  # 1/4
    "q4": {"x": 9, "y": 8},  # not found
}  # q5 is missing
NEW: dict[str, dict[str, float]] = {
    "q1": {"x": 9, "d1": 8},  # 1/2
    "q2": {"x": 9, "d2": 8},  # 1/2
    "q3": {"d3": 9},  # 1
    "q4": {"d4": 9},  # 1
    "q5": {"x": 9},  # not found
}


def found(**options: Any) -> tr.QueryDifferences:
    return queries(LABELS, {"old": OLD, "new": NEW}, "RR@10", **options)


def table(differences: list[float], *, measure: str = "nDCG@10") -> ScoreTable:
    values = np.column_stack([np.zeros(len(differences)), differences])
    ids = tuple(f"q{number}" for number in range(len(differences)))
    return ScoreTable(query_ids=ids, runs=("A", "B"), values=values, measure=measure)


def test_the_weightiest_query_stands_first() -> None:
    """Differences −1/2, 0, 3/4, 1 and 0: 9/4 in all, a mean of 1/4."""
    rows = found().rows
    assert [row.query_id for row in rows] == ["q4", "q3", "q1", "q2", "q5"]
    assert [row.difference for row in rows] == [1, 0.75, -0.5, 0, 0]
    assert [row.weight for row in rows] == pytest.approx([4 / 9, 3 / 9, 2 / 9, 0, 0])
    assert sum(row.contribution for row in rows) == pytest.approx(0.25)
    assert [str(row.outcome) for row in rows] == ["win", "win", "loss", "tie", "tie"]


def test_ranks_say_where_an_answer_stands_and_how_far_was_looked() -> None:
    answers = {row.query_id: (row.answer_a, row.answer_b) for row in found().rows}
    ranks = {query_id: [each and each.rank for each in both] for query_id, both in answers.items()}
    assert [ranks[query_id] for query_id in ("q1", "q3", "q4", "q5")] == [[1, 2], [4, 1], [0, 1], [0, 0]]
    shown = {row[0]: row[5:] for row in found().table.rows}
    assert shown["q4"] == ("not in 2", "1")
    assert shown["q5"] == ("no documents", "not in 1")


def test_what_is_found_beyond_the_cutoff_is_a_miss_of_the_measure_and_keeps_its_rank() -> None:
    rows = queries(LABELS, {"old": OLD, "new": NEW}, "nDCG@3").rows
    third = next(row for row in rows if row.query_id == "q3")
    assert third.found_by == "b"
    assert third.answer_a is not None
    assert third.answer_a.rank == 4
    counts = queries(LABELS, {"old": OLD, "new": NEW}, "nDCG@3").counts
    assert (counts.wins, counts.losses, counts.ties) == (2, 1, 2)
    assert (counts.only_a, counts.only_b, counts.neither) == (0, 2, 1)


def test_the_sentence_begins_with_the_verdict_of_the_pair() -> None:
    answer = found()
    pair = compare(tr.evaluate(LABELS, {"old": OLD, "new": NEW}, "RR@10"), pairs=[("old", "new")])
    verdict = pair.sentence.split(". ")[0]
    assert answer.sentence.startswith(verdict.removesuffix("."))
    assert answer.sentence.endswith(
        "new does better on 2 of 5 queries and worse on 1; 2 queries make half of all differences, and without the 2 "
        "that favour it most it would not lead."
    )


@pytest.mark.parametrize(
    ("differences", "said"),
    [
        ([0.0, 0.0], "They score the same on all 2 queries."),
        ([0.0], "They score the same on the only query."),
        ([0.5, -0.5], "B does better on 1 of 2 queries, A on 1; 1 query makes half of all differences."),
        (
            [-0.9, 0.1, 0.1],
            "A does better on 1 of 3 queries and worse on 2; 1 query makes half of all differences, and without the "
            "one that favours it most it would not lead.",
        ),
        ([0.5, 0.5], "B does better on 2 of 2 queries and worse on 0; 1 query makes half of all differences."),
    ],
)
def test_the_sentence_says_how_few_queries_carry_it(differences: list[float], said: str) -> None:
    assert queries(table(differences)).sentence.endswith(said)


def test_lower_is_better_turns_the_difference_round() -> None:
    answer = queries(table([2.0, -6.0], measure="ESL@10"))
    assert [row.difference for row in answer.rows] == [6, -2]
    assert "above 0 where B does better, for lower values of ESL@10 are better; the mean is +2.0000" in answer.notes[0]


def test_an_evaluation_labels_and_a_matrix_say_the_same() -> None:
    evaluation = tr.evaluate(LABELS, {"old": OLD, "other": OLD, "new": NEW}, ["RR@10", "AP"])
    by_evaluation = queries(evaluation, measure="RR@10", a="old", b="new")
    by_ranks = queries(evaluation.first_ranks(10), a="old", b="new")
    for each in (by_evaluation, by_ranks):
        assert each.sentence == found().sentence
        assert [(row.query_id, row.difference) for row in each.rows] == [
            (row.query_id, row.difference) for row in found().rows
        ]
    assert by_ranks.rows[0].answer_a is not None
    assert by_ranks.rows[0].answer_a.depth == 10


def test_scores_alone_have_no_ranks() -> None:
    answer = queries(table([0.5, -0.1]))
    assert answer.table.header == ("query", "A", "B", "difference", "weight")
    assert answer.counts.only_a is None
    assert answer.to_frame()["rank_a"].to_list() == [None, None]


def test_top_is_what_is_shown_and_the_frame_has_all() -> None:
    answer = found(top=2)
    assert [row[0] for row in answer.table.rows] == ["q4", "q3"]
    assert len(answer.to_frame()) == len(answer.to_dict()["queries"]) == 5
    assert "Shown: the 2 weightiest of 5 queries; CSV and JSON have all." in answer.notes


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"a": "old"}, "Found 3 runs and only a; expected two, or the names of both: a and b."),
        ({}, "Found 3 runs; expected two"),
        ({"a": "old", "b": "newer"}, "Found no run 'newer'; expected one of old, new, third."),
        ({"a": "old", "b": "old"}, "Found 'old' as a and as b; expected two runs to compare."),
        ({"a": "old", "b": "new", "top": 0}, "top: found 0; expected a whole number from 1."),
        ({"a": "old", "b": "new", "alpha": 2}, "alpha"),
        ({"a": "old", "b": "new", "slices": 7}, "slices: found int; expected a CSV"),
        ({"a": "old", "b": "new", "docs": 7}, "docs: found int; expected a file, or texts by id."),
    ],
)
def test_what_cannot_be_asked_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as error:
        queries(LABELS, {"old": OLD, "new": NEW, "third": OLD}, "RR@10", **options)
    assert said in str(error.value)


def test_a_grade_that_nobody_has_leaves_ranks_out() -> None:
    answer = queries(LABELS, {"old": OLD, "new": NEW}, "P(rel=2)@5")
    assert answer.rows[0].answer_a is None
    assert answer.sentence.endswith("They score the same on all 5 queries.")


def test_32_bit_ties_decide_what_stands_first() -> None:
    """Equal as 32-bit numbers, so the greater id stands first."""
    close = {"q1": {"a": 1.00000002, "d1": 1.0}}
    for float32_ties, first in ((False, "a"), (True, "d1")):
        answer = queries(
            {"q1": {"d1": 1}},
            {"old": close, "new": {"q1": {"d1": 1.0}}},
            "RR@10",
            queries={"q1": "who?"},
            float32_ties=float32_ties,
        )
        assert answer.rows[0].first_a == first
        assert answer.mean_a == (1.0 if float32_ties else 0.5)


def test_real_contributions_add_up_and_ranks_are_those_of_the_files(shared_data: Path) -> None:
    """6,980 queries of MS MARCO: ranks found by reading the files line by line."""
    folder = shared_data / "msmarco-passage-ans_small"
    names = ("bm25", "monot5")
    paths = {name: folder / f"run.{name}.ans_small.dev.tsv.gz" for name in names}
    answer = queries(folder / "qrels.dev.small.tsv", paths, "RR@10")
    scores = tr.evaluate(folder / "qrels.dev.small.tsv", paths, "RR@10")
    gained = scores.value("monot5", "RR@10") - scores.value("bm25", "RR@10")
    assert sum(row.contribution for row in answer.rows) == pytest.approx(gained, abs=1e-12)
    assert sum(row.weight for row in answer.rows) == pytest.approx(1)
    labels: dict[str, set[str]] = {}
    for line in (folder / "qrels.dev.small.tsv").read_text().splitlines():
        query_id, _, doc_id, _ = line.split()
        labels.setdefault(query_id, set()).add(doc_id)
    for name, column in (("bm25", "rank_a"), ("monot5", "rank_b")):
        first: dict[str, int] = {}
        with gzip.open(paths[name], "rt") as lines:
            for line in lines:
                query_id, doc_id, rank = line.split()
                if doc_id in labels.get(query_id, ()):
                    first[query_id] = min(int(rank), first.get(query_id, 10**9))
        told = dict(zip(*(answer.to_frame()[each].to_list() for each in ("query_id", column)), strict=True))
        assert told == {query_id: first.get(query_id, 0) for query_id in labels}


def test_first_ranks_are_enough() -> None:
    ranks = FirstRanks(
        query_ids=("a", "b"), runs=("A", "B"), values=np.array([[0, 1], [2, 1]], dtype=np.int32), cutoff=None
    )
    assert [row[5:] for row in queries(ranks).table.rows] == [("not found", "1"), ("2", "1")]


def test_json_holds_what_was_found() -> None:
    told = json.loads(found().to_json())
    assert (told["difference"], told["queries_to_half"], told["queries_behind_lead"]) == (0.25, 2, 2)
    assert told["counts"] == {
        "queries": 5,
        "wins": 2,
        "losses": 1,
        "ties": 2,
        "only_a": 0,
        "only_b": 1,
        "neither": 1,
    }
    assert told["queries"][0]["query_id"] == "q4"
    assert (told["queries"][0]["rank_a"], told["queries"][0]["depth_a"]) == (0, 2)
