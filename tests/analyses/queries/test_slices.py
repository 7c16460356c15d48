"""Slices: tested as pairs are, corrected together, and left alone where no outcome could tell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from toprung.analyses.queries.find import queries
from toprung.analyses.queries.slices import Slices, find_slices
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError


def table(differences: np.ndarray) -> ScoreTable:
    values = np.column_stack([np.full(len(differences), 0.5), 0.5 + differences])
    ids = tuple(f"q{number:03}" for number in range(len(differences)))
    return ScoreTable(query_ids=ids, runs=("A", "B"), values=values, measure="nDCG@10")


def sliced(differences: np.ndarray, *attributes: list[str], alpha: float = 0.05) -> Slices:
    scores = table(differences)
    named = {
        f"attribute {number}": dict(zip(scores.query_ids, values, strict=True))
        for number, values in enumerate(attributes)
    }
    return find_slices(named, scores, differences, alpha=alpha)


def test_p_values_are_corrected_together() -> None:
    """All of 8, 7 and 6 queries one way: p = 1/128, 1/64, 1/32; times 4/1, 4/2, 4/3. Half of 8: p = 1."""
    differences = np.array([0.1] * 8 + [-0.1] * 7 + [0.1] * 6 + [0.1, -0.1] * 4)
    found = sliced(differences, ["eight"] * 8 + ["seven"] * 7 + ["six"] * 6 + ["even"] * 8)
    told = [(row.value, row.test.n, row.p, row.corrected) for row in found.rows]
    assert told == [
        ("eight", 8, 1 / 128, 1 / 32),
        ("seven", 7, 1 / 64, 1 / 32),
        ("six", 6, 1 / 32, pytest.approx(1 / 24)),
        ("even", 8, 1.0, 1.0),
    ]
    assert [row.verdict.side for row in found.rows if row.verdict] == [1, -1, 1, 0]
    assert (found.count(1), found.count(-1)) == (2, 1)


def test_slices_of_all_attributes_are_one_family() -> None:
    """1/32 among two slices is 2/32; where another attribute has it again, the second smallest of four is 4/2/32."""
    differences = np.array([0.1] * 6 + [0.1, -0.1] * 6)
    assert sliced(differences, ["x"] * 6 + ["y"] * 12).rows[0].corrected == pytest.approx(2 / 32)
    twice = sliced(differences, ["x"] * 6 + ["y"] * 12, ["u"] * 6 + ["v"] * 12)
    assert [row.corrected for row in twice.rows[:2]] == pytest.approx([4 / 2 / 32] * 2)


def test_a_slice_on_which_too_few_differ_is_listed_and_not_tested() -> None:
    """Five that differ have p = 1/16 at least; queries without a difference do not count."""
    differences = np.array([0.1] * 6 + [0.9] * 5 + [0.0] * 20)
    found = sliced(differences, ["enough"] * 6 + ["few"] * 25)
    assert found.least == 6
    few = found.rows[1]
    assert (few.value, few.test.n, few.test.differing) == ("few", 25, 5)
    assert (few.p, few.corrected, few.verdict) == (None, None, None)
    assert found.rows[0].corrected == 1 / 32  # a family of one


def test_the_floor_follows_from_the_level() -> None:
    differences = np.array([0.1] * 7)
    assert sliced(differences, ["x"] * 7, alpha=0.01).least == 8
    assert not sliced(differences, ["x"] * 7, alpha=0.01).tested
    assert sliced(differences, ["x"] * 7, alpha=0.1).least == 5


def test_contributions_of_an_attribute_add_up_to_the_mean() -> None:
    differences = np.random.default_rng(1).normal(size=30)
    found = sliced(differences, [str(number % 4) for number in range(30)])
    assert sum(row.contribution for row in found.rows) == pytest.approx(differences.mean())
    assert [row.mean_b - row.mean_a for row in found.rows] == pytest.approx([row.test.mean for row in found.rows])


def test_queries_without_a_value_are_in_no_slice_and_are_counted() -> None:
    scores = table(np.array([0.1, 0.2, 0.3, 0.4]))
    given = {"type": {"q000": "who", "q001": None, "q002": float("nan"), "q003": 7, "q999": "who", "q998": "why"}}
    answer = queries(scores, slices=given)
    assert sorted((row.value, row.test.n) for row in answer.slices.rows) == [("7", 1), ("who", 1)]
    assert "Slices: 2 queries that are not compared were left out." in answer.notes
    assert "Slices: 2 queries have no attribute, and are in no slice." in answer.notes


@pytest.mark.parametrize("make", [pl.DataFrame, pd.DataFrame])
def test_a_frame_gives_the_slices_that_its_columns_say(make: Callable[[object], pl.DataFrame]) -> None:
    scores = table(np.array([0.1, 0.2, 0.3, 0.4]))
    frame = make({"query_id": list(scores.query_ids), "type": ["who", "why", None, "who"], "hops": [1, 2, 2, 2]})
    found = queries(scores, slices=frame).slices.rows
    assert sorted((row.attribute, row.value, row.test.n) for row in found) == [
        ("hops", "1", 1),
        ("hops", "2", 3),
        ("type", "who", 2),
        ("type", "why", 1),
    ]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"type": {"1": "who"}}, "slices: found 1 query, '1' first, none of them among the 2 compared"),
        ({"type": {}}, "slices: found 0 queries, none of them among the 2 compared"),
        ({"type": "who"}, "slices: found dict; expected a CSV, a frame, or {attribute: {query_id: value}}."),
        (pl.DataFrame({"id": ["q000"], "type": ["who"]}), "slices: found 'id', 'type'; expected a column 'query_id'"),
        (pl.DataFrame({"query_id": ["q000"]}), "slices: found 'query_id'; expected a column 'query_id' and one for"),
        (pd.DataFrame({"qid": ["q1", "q1"], "type": ["a", "b"]}), "slices: found query 'q1' 2 times; expected each"),
    ],
)
def test_attributes_of_other_queries_are_refused(given: Any, said: str) -> None:
    with pytest.raises(InputError) as error:
        queries(table(np.array([0.1, 0.2])), slices=given)
    assert said in str(error.value)


def test_the_sentence_counts_slices_in_the_words_of_verdicts() -> None:
    scores = table(np.array([0.1] * 8 + [-0.1] * 7 + [0.1] * 3))
    values = ["eight"] * 8 + ["seven"] * 7 + ["three"] * 3
    answer = queries(scores, slices={"size": dict(zip(scores.query_ids, values, strict=True))})
    assert answer.sentence.endswith("B is better in 1 of 2 slices tested and worse in 1 (false discovery rate 5%).")
    heading, shown = answer.tables[-1]
    assert heading == "Slices"
    assert [row[-1] for row in shown.rows] == ["better", "worse", "not tested: 3 differ"]
    assert any(
        "tested where at least 6 queries differ; of 5 no outcome has a p below 0.0625" in note for note in answer.notes
    )


@pytest.mark.parametrize(
    ("differences", "said"),
    [
        ([0.1, -0.1] * 6, "In 1 slice tested the two cannot be told apart."),
        ([0.1] * 3, "None of 1 slice has enough queries for a test."),
    ],
)
def test_the_sentence_says_where_no_slice_tells(differences: list[float], said: str) -> None:
    scores = table(np.array(differences))
    assert queries(scores, slices={"all": dict.fromkeys(scores.query_ids, "yes")}).sentence.endswith(said)


def discovery_rate(years: int, *, planted: float = 0.0, seed: int = 3) -> tuple[float, float]:
    """Of simulated calls: the mean share of false discoveries, and how many of the planted ones were found.

    120 queries, three attributes that overlap, of 2, 4 and 8 values; a query differs by −1, 0 or 1, or by graded
    amounts. With ``planted`` the first value of the first attribute is better by so much.
    """
    rng = np.random.default_rng(seed)
    shares, hits = [], []
    for year in range(years):
        attributes = [[str(each) for each in rng.integers(0, n, size=120)] for n in (2, 4, 8)]
        spread = rng.integers(-1, 2, size=120).astype(float) if year % 2 else rng.normal(scale=0.3, size=120)
        truth = np.array([value == "0" for value in attributes[0]])
        found = sliced(spread + planted * truth, *attributes)
        claimed = [row for row in found.rows if row.verdict is not None and row.verdict.do_differ]
        is_true = [planted > 0 and (row.attribute, row.value) == ("attribute 0", "0") for row in claimed]
        is_null = [planted == 0 or (row.attribute == "attribute 0" and row.value != "0") for row in claimed]
        shares.append(sum(is_null) / max(1, len(claimed)))
        hits.append(any(is_true))
    return float(np.mean(shares)), float(np.mean(hits))


def test_false_discoveries_are_held_where_nothing_differs() -> None:
    """At most 5% of 150 calls, and three standard errors: 0.05 + 3 √(0.05 × 0.95 / 150)."""
    assert discovery_rate(150)[0] <= 0.103


def test_a_planted_slice_is_found_and_its_complement_rarely() -> None:
    false, found = discovery_rate(40, planted=0.5)
    assert found == 1
    assert false <= 0.15


@pytest.mark.slow
def test_false_discoveries_are_held_over_many_calls() -> None:
    false, _ = discovery_rate(2_000, seed=11)
    print(f"false discoveries over 2,000 calls: {false:.3f}")
    assert false <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2_000)


def test_real_attributes_of_real_queries(shared_data: Path) -> None:
    """The categories of 215 queries: each slice has the mean of its own queries, found with plain sums."""
    folder = shared_data / "msmarco-passage-dev215"
    lines = (folder / "queries_annotated.tsv").read_text().splitlines()[1:]
    category = {line.split("\t")[0]: line.split("\t")[2] for line in lines}
    runs = {name: folder / f"{name}.run.gz" for name in ("BM25", "bert_L4")}
    answer = queries(folder / "qrels.dev215.txt", runs, "RR@10", slices={"category": category})
    by_id = {row.query_id: row for row in answer.rows}
    assert len(answer.slices.tested) > 1
    for row in answer.slices.rows:
        members = [by_id[query_id] for query_id in category if category[query_id] == row.value and query_id in by_id]
        assert row.test.n == len(members)
        assert row.test.mean == pytest.approx(sum(each.difference for each in members) / len(members))
    ordered = [row.p for row in answer.slices.tested if row.p is not None]
    m = len(ordered)
    stepped = [min(ordered[later] * m / (later + 1) for later in range(place, m)) for place in range(m)]
    assert [row.corrected for row in answer.slices.tested] == pytest.approx(stepped)
