"""Who stands where by the verdicts of Lin et al. 2021?"""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import toprung as tr
from toprung.analyses.standings.find import standings as standings_by
from toprung.analyses.standings.tiers import TierStandings
from toprung.analyses.standings.tiers import standings_by_tiers as standings
from toprung.boards.engine.verdict import Verdict
from toprung.boards.lin2021.breakdown import FacetName, FacetTest
from toprung.boards.lin2021.verdict import Facet, decide
from toprung.stats.tests.counts import mcnemar_test
from toprung.stats.tests.paired_t import paired_t_test
from toprung.stats.tests.signed_rank import signed_rank_test

DEMO = Path(__file__).parents[3] / "demo" / "lin2021_reconstruction.csv.gz"

# Ranks of A, B and C, and how many queries have them (STATISTICS.md, section 5): A > B > C > A.
CYCLE = [((3, 3, 3), 50), ((50, 0, 1), 12), ((0, 1, 50), 12), ((2, 0, 0), 66), ((0, 2, 0), 38), ((0, 0, 2), 45)]


def ranks_of(
    values: list[list[int]] | NDArray[np.int32], runs: str | tuple[str, ...], cutoff: int = 100
) -> tr.FirstRanks:
    matrix = np.array(values, dtype=np.int32).reshape(-1, len(runs))
    query_ids = tuple(f"q{row:05d}" for row in range(len(matrix)))
    return tr.FirstRanks(query_ids=query_ids, runs=tuple(runs), values=matrix, cutoff=cutoff)


@pytest.fixture
def cycle() -> tr.FirstRanks:
    return ranks_of([list(row) for row, count in CYCLE for _ in range(count)], "ABC")


@pytest.fixture(scope="module")
def reconstruction() -> tr.FirstRanks:
    return tr.read_ranks(DEMO, cutoff=100)


def verdict_of(ranks: tr.FirstRanks, a: int, b: int, facet: FacetName = "esl", facet_test: FacetTest = "t") -> str:
    """The verdict on one pair by the tests of one pair."""
    of_a, of_b = ranks.values[:, a], ranks.values[:, b]
    both = (of_a > 0) & (of_b > 0)
    only = mcnemar_test(int(((of_a > 0) & ~(of_b > 0)).sum()), int(((of_b > 0) & ~(of_a > 0)).sum()))
    x, y = (of_a[both], of_b[both]) if facet == "esl" else (1 / of_a[both], 1 / of_b[both])
    found = paired_t_test(x, y) if facet_test == "t" else signed_rank_test(x, y)
    favours = -found.direction if facet == "esl" else found.direction
    return str(decide(Facet.of(only.p, only.direction), Facet.of(found.p, favours)).verdicts[0])


def relation_in(found: TierStandings, a: str, b: str) -> str:
    row = found[a]
    if b in row.better_than:
        return Verdict.A
    if b in row.worse_than:
        return Verdict.B
    return Verdict.CONFLICT if b in row.in_conflict_with else Verdict.TIED


def assert_respects_every_verdict(found: TierStandings) -> None:
    tier_of = {row.run: row.tier for row in found.rows}
    for row in found.rows:
        for loser in row.better_than:
            assert tier_of[row.run] <= tier_of[loser]
            assert tier_of[row.run] < tier_of[loser] or row.is_cyclic


def test_runs_that_do_better_in_a_circle_share_one_tier(cycle: tr.FirstRanks) -> None:
    found = standings(cycle)
    assert len(found.tiers) == 1
    assert found.tiers[0].is_cyclic
    assert {(row.place, row.is_cyclic) for row in found.rows} == {(1, True)}
    assert (found["A"].better_than, found["B"].better_than, found["C"].better_than) == (("B",), ("C",), ("A",))
    assert found.sentence.endswith("share the first place: each does better than another of them, in a circle.")
    assert {row[0] for row in found.table.rows} == {"1 (circle)"}
    assert any(note.startswith("Circle: ") for note in found.notes)


def test_a_circle_below_the_top_shares_a_place_and_the_next_counts_on(cycle: tr.FirstRanks) -> None:
    first = np.ones((len(cycle.values), 1), dtype=np.int32)
    last = np.zeros_like(first)
    found = standings(ranks_of(np.hstack([last, cycle.values, first]), ("last", "A", "B", "C", "first")))
    assert [(row.run, row.place) for row in found.rows if not row.is_cyclic] == [("first", 1), ("last", 5)]
    assert {row.place for row in found.rows if row.is_cyclic} == {2}
    assert (
        found.sentence
        == "By Lin et al. 2021: first stands first by evidence and by RR@100: it does better than all 4 others."
    )


@pytest.mark.parametrize("facet_test", ["t", "wsr"])
@pytest.mark.parametrize("facet", ["esl", "rr"])
def test_the_reconstruction_respects_every_verdict_across_tiers(
    reconstruction: tr.FirstRanks, facet: FacetName, facet_test: FacetTest
) -> None:
    found = standings(reconstruction, facet=facet, facet_test=facet_test)
    assert_respects_every_verdict(found)
    for a, b in combinations(range(13), 2):
        names = reconstruction.runs[a], reconstruction.runs[b]
        assert relation_in(found, *names) == verdict_of(reconstruction, a, b, facet, facet_test), names


def test_the_reconstruction_has_the_listed_verdicts_on_r1(reconstruction: tr.FirstRanks) -> None:
    r1 = standings(reconstruction)["R1"]
    assert set(r1.in_conflict_with) == {"R2", "R4"}
    assert set(r1.worse_than) == {"R3", "R5", "R6", "R7", "R8", "R9", "R10", "R11", "R12", "R13"}


def test_the_older_runs_do_better_than_r13_by_t_and_cannot_be_told_apart_by_signed_ranks(
    reconstruction: tr.FirstRanks,
) -> None:
    assert set(standings(reconstruction)["R13"].worse_than) == {"R11", "R12"}
    by_ranks = standings(reconstruction, facet_test="wsr")
    assert {"R11", "R12"} <= set(by_ranks["R13"].cannot_be_told_apart_from)


def test_the_sentence_tells_that_evidence_and_score_disagree(reconstruction: tr.FirstRanks) -> None:
    found = standings(reconstruction)
    assert found.sentence == (
        "By Lin et al. 2021: R12 stands first by evidence, though R13's RR@100 is 0.0024 higher: it does better than 9 "
        "of 12 others, R13 among them; cannot be told apart from R11 and R6; is in conflict with R9."
    )
    assert str(found).startswith(found.sentence)
    assert all(len(line) <= 100 for line in found.table.to_text().splitlines())


def test_a_failed_alignment_audit_is_told_as_consistent_with_and_no_more(reconstruction: tr.FirstRanks) -> None:
    told = [note for note in standings(reconstruction).notes if note.startswith("Alignment")]
    assert len(told) == 1
    assert told[0].startswith("Alignment, in 75 of 78 pairs, at worst: strong warning")
    assert "consistent with rows not aligned by query id" in told[0]


def test_aligned_runs_get_no_alignment_note() -> None:
    column = np.arange(300, dtype=np.int32) % 7
    found = standings(ranks_of(np.column_stack([column, np.roll(column, 1) * 0 + column]), "AB"))
    assert not any(note.startswith("Alignment") for note in found.notes)


def test_a_row_has_score_answers_and_search_length() -> None:
    # A: ranks 1, 2, miss, miss; B: 4, miss, miss, miss; C: nothing
    found = standings(ranks_of([[1, 4, 0], [2, 0, 0], [0, 0, 0], [0, 0, 0]], "ABC"))
    assert [(row.run, row.score, row.answered) for row in found.rows] == [
        ("A", 0.375, 0.5),
        ("B", 0.0625, 0.25),
        ("C", 0.0, 0.0),
    ]
    assert [row.mean_esl for row in found.rows[:2]] == [1.5, 4.0]
    assert found.table.rows[2][3:6] == ("0.0000", "0.0%", "–")
    assert found.to_frame()["mean_esl"].to_list() == [1.5, 4.0, None]
    assert found.to_dict()["standings"][2]["mean_esl"] is None


def test_without_any_verdict_the_sentence_claims_nothing() -> None:
    found = standings(ranks_of([[1, 2], [3, 1], [0, 1]], "AB"))
    assert (
        found.sentence == "By Lin et al. 2021: no run does better than another beyond chance; B has the highest RR@100."
    )
    assert found["A"].cannot_be_told_apart_from == ("B",)


def test_runs_that_share_the_highest_score_are_both_named() -> None:
    found = standings(ranks_of([[1, 2, 0], [2, 1, 0]], "ABC"))
    assert (
        found.sentence
        == "By Lin et al. 2021: no run does better than another beyond chance; A and B share the highest RR@100."
    )


def test_answering_more_and_ranking_lower_is_a_conflict() -> None:
    rows = [[1, 5 + query % 3] for query in range(30)] + [[0, 9]] * 10
    found = standings(ranks_of(rows, "AB"))
    assert found["A"].in_conflict_with == ("B",)
    assert found["B"].in_conflict_with == ("A",)
    assert "conflict with" in found.table.header
    assert any(note.startswith("Conflict: in 1 pair one run answers more") for note in found.notes)


def test_runs_with_the_same_score_share_a_place_by_score() -> None:
    # the same ranks on other queries
    found = standings(ranks_of([[1, 3, 0], [2, 1, 0], [3, 2, 5]], "ABC"))
    assert {row.run: row.score_place for row in found.rows} == {"A": 1, "B": 1, "C": 3}


def test_runs_alike_stand_in_the_order_of_their_dates_then_names() -> None:
    alike = ranks_of([[1, 1, 1, 1], [2, 2, 2, 2]], "ABCD")
    assert [row.run for row in standings(alike).rows] == ["A", "B", "C", "D"]
    dates = {"A": date(2021, 3, 1), "C": date(2021, 1, 5), "D": datetime(2021, 1, 5, 9, tzinfo=UTC)}
    found = standings(alike, submitted_at=dates)
    assert [row.run for row in found.rows] == ["C", "D", "A", "B"]
    assert "answers, date, name" in found.notes[0]


@pytest.mark.parametrize("facet", ["esl", "rr"])
def test_shuffling_queries_or_runs_changes_nothing(reconstruction: tr.FirstRanks, facet: FacetName) -> None:
    rng = np.random.default_rng(5)
    part = reconstruction.select([f"R{number}" for number in (1, 4, 9, 11, 12, 13)])
    expected = standings(part, facet=facet).to_dict()
    queries, runs = rng.permutation(len(part.query_ids)), rng.permutation(len(part.runs))
    shuffled = tr.FirstRanks(
        query_ids=part.query_ids,  # the same names for other rows: summed in another order
        runs=tuple(part.runs[run] for run in runs),
        values=part.values[queries][:, runs],
        cutoff=100,
    )
    found = standings(shuffled, facet=facet).to_dict()
    found["provenance"]["ranks_digest"] = expected["provenance"]["ranks_digest"]  # of the renamed rows
    assert found == expected


@settings(max_examples=40)
@given(
    values=st.integers(2, 6).flatmap(
        lambda runs: st.lists(
            st.lists(st.sampled_from([0, 1, 2, 9]), min_size=runs, max_size=runs), min_size=1, max_size=25
        )
    )
)
def test_any_board_respects_every_verdict_and_every_pair_has_one_relation(values: list[list[int]]) -> None:
    runs = "ABCDEF"[: len(values[0])]
    found = standings(ranks_of(values, runs))
    assert_respects_every_verdict(found)
    for row in found.rows:
        related = (*row.better_than, *row.worse_than, *row.cannot_be_told_apart_from, *row.in_conflict_with)
        assert sorted((row.run, *related)) == sorted(runs)


def test_two_hundred_random_runs_take_seconds() -> None:
    rng = np.random.default_rng(3)
    depth = np.exp(rng.normal(1.5, 1.2, size=(1_000, 1)) + rng.normal(0, 0.8, size=(1_000, 200)))
    values = np.ceil(depth * np.exp(rng.normal(0, 0.2, size=200))).astype(np.int32)
    values[values > 100] = 0
    found = standings(ranks_of(values, tuple(f"run{run}" for run in range(200))))
    assert len(found.table.rows) == 200
    assert_respects_every_verdict(found)


def test_names_are_complete_in_frame_csv_and_json(reconstruction: tr.FirstRanks) -> None:
    found = standings(reconstruction)
    row = found.to_frame().row(4, named=True)
    assert row["run"] == "R9"
    assert len(row["in_conflict_with"]) == 9
    header, rows = found.tidy_rows()
    csv_row = dict(zip(header, next(iter(rows)), strict=True))
    assert csv_row["cannot_be_told_apart_from"] == "R11; R6"
    back = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert back["standings"][0]["cannot_be_told_apart_from"] == ["R11", "R6"]
    assert back["tiers"][0] == {"runs": ["R12"], "is_cyclic": False}
    assert back["provenance"] == {
        "measure": "RR@100",
        "ranks_digest": reconstruction.digest,
        "n_queries": 5793,
        "n_runs": 13,
        "rule": "lin2021",
        "tests": "exact binomial, t",
        "facet": "esl",
        "alpha": 0.05,
        "seed": 0,
        "toprung": tr.__version__,
    }


@pytest.mark.parametrize(
    ("values", "runs", "options", "message"),
    [
        ([[1]], "A", {}, "Found 1 run; expected at least two"),
        ([], "AB", {}, "Found no queries"),
        ([[1, 2]], "AB", {"facet": "ndcg"}, "facet: found 'ndcg'; expected one of esl, rr"),
        ([[1, 2]], "AB", {"facet_test": "sign"}, "facet_test: found 'sign'; expected one of t, wsr"),
        ([[1, 2]], "AB", {"alpha": 0}, "alpha: found 0"),
        ([[1, 2]], "AB", {"submitted_at": {"C": date(2021, 1, 1)}}, "submitted_at: found no run 'C'"),
    ],
)
def test_what_cannot_be_ordered_is_refused(
    values: list[list[int]], runs: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(tr.InputError, match=message):
        standings(ranks_of(values, runs), **options)


def test_an_unknown_run_is_refused(cycle: tr.FirstRanks) -> None:
    with pytest.raises(tr.InputError, match="Found no run 'D'; expected one of C, A, B"):
        standings(cycle)["D"]


def test_the_rule_of_the_standings_asks_for_it(cycle: tr.FirstRanks) -> None:
    found = standings_by(cycle, rule="lin2021", facet="rr", seed=3)
    assert isinstance(found, TierStandings)
    assert found.to_dict() == standings(cycle, facet="rr", seed=3).to_dict()


def test_scores_alone_have_no_such_verdicts(cycle: tr.FirstRanks) -> None:
    with pytest.raises(tr.InputError, match="rule: found 'lin2021' with scores of RR@100; expected first ranks"):
        standings_by(cycle.reciprocal(), rule="lin2021")
