"""Systems over their seeds: means, intervals, and who differs beyond chance.

Two systems with two seeds each on three queries are compared by hand in
tests/stats/intervals/test_seeds_and_queries.py: a has the means .3 and .4, b .7 and .8; the difference is .4 with
p .0401.
"""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from toprung.analyses.seeds.find import SeedSpread, seeds
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError

COLUMNS = {
    "a1": [0.1, 0.5, 0.3],
    "a2": [0.3, 0.5, 0.4],
    "b1": [0.6, 0.6, 0.9],
    "b2": [0.7, 0.8, 0.9],
    "c1": [0.2, 0.4, 0.3],
}
A, B = {"a": ["a1", "a2"]}, {"b": ["b1", "b2"]}


def table_of(*runs: str, measure: str = "P@10", **more: list[float]) -> ScoreTable:
    columns = {**{run: COLUMNS[run] for run in runs}, **more}
    return ScoreTable(
        query_ids=("1", "2", "3"), runs=tuple(columns), values=np.array(list(columns.values())).T, measure=measure
    )


@pytest.fixture
def two() -> SeedSpread:
    return seeds(table_of("a1", "a2", "b1", "b2"), systems={**A, **B})


class TestSystems:
    def test_the_mean_over_seeds_has_an_interval_by_t(self, two: SeedSpread) -> None:
        best, other = two.systems
        assert (best.system, other.system) == ("b", "a")
        assert best.scores == pytest.approx((0.7, 0.8))
        # sd .0707107; 12.7062 is the t of one degree of freedom for 95%
        assert best.mean.estimate == pytest.approx(0.75)
        assert best.mean.low == pytest.approx(0.75 - 12.7062 * 0.05, abs=1e-4)

    def test_where_less_is_better_the_lowest_mean_stands_first(self) -> None:
        found = seeds(table_of("a1", "a2", "b1", "b2", measure="ESL@10"), systems={**A, **B})
        assert [each.system for each in found.systems] == ["a", "b"]
        assert found.pairs[0].better == "a"
        assert "ESL@10: less is better." in found.notes

    def test_one_seed_has_no_interval_and_is_not_compared(self) -> None:
        found = seeds(table_of("a1", "a2", "c1"), systems={**A, "c": ["c1"]})
        assert found.pairs == ()
        assert found.table.rows[1][:4] == ("c", "1", "0.3000", "–")
        assert any(note.startswith("c: one seed has no interval") for note in found.notes)
        assert found.sentence.endswith("; c has one seed and is not compared.")

    def test_a_single_run_says_that_nothing_is_known_of_other_seeds(self) -> None:
        found = seeds(table_of("c1"), systems={"c": ["c1"]})
        assert found.sentence == ("c has one seed, with P@10 0.3000: how far another would fall from it is not known.")

    def test_a_single_system_says_how_far_its_seeds_reach(self) -> None:
        found = seeds(table_of("a1", "a2"), systems=A)
        assert found.sentence == (
            "a has a mean P@10 of 0.3500 (95% −0.2853 to 0.9853, 2 seeds); its seeds reach from 0.3000 to 0.4000."
        )

    def test_seeds_that_are_the_same_run_are_asked_about(self) -> None:
        found = seeds(table_of("a1", twin=COLUMNS["a1"]), systems={"a": ["a1", "twin"]})
        assert "a: a1 and twin score the same on every query; are they two seeds?" in found.notes


class TestPairs:
    def test_a_difference_has_interval_and_p(self, two: SeedSpread) -> None:
        (pair,) = two.pairs
        assert (pair.a, pair.b, pair.better) == ("a", "b", "b")
        assert pair.found.delta == pytest.approx(0.4)
        assert pair.p_corrected == pytest.approx(0.04012, abs=1e-5)
        assert two.sentence == (
            "Over seeds and queries, b does better than a in P@10 beyond chance: 0.7500 against 0.3500, a difference "
            "of +0.4000 (95% 0.0311 to 0.7689), p = 0.040."
        )

    def test_the_later_system_is_b_whoever_is_better(self) -> None:
        found = seeds(table_of("a1", "a2", "b1", "b2"), systems={**B, **A})
        assert (found.pairs[0].a, found.pairs[0].b, found.pairs[0].better) == ("b", "a", "b")
        assert found.pairs[0].found.delta == pytest.approx(-0.4)
        assert found.sentence.startswith("Over seeds and queries, b does better than a in P@10 beyond chance")
        assert "of +0.4000 (95% 0.0311 to 0.7689)" in found.sentence

    def test_p_is_corrected_for_all_pairs(self) -> None:
        """System a against its own copy has p = 1; b against either .0401, by Holm three times that."""
        table = table_of("a1", "a2", "b1", "b2", d1=COLUMNS["a1"], d2=COLUMNS["a2"])
        found = seeds(table, systems={**A, **B, "d": ["d1", "d2"]})
        assert sorted(pair.p_corrected for pair in found.pairs) == pytest.approx([0.12036, 0.12036, 1.0], abs=1e-5)
        assert all(pair.better is None for pair in found.pairs)
        assert found.sentence.endswith("; over seeds and queries it cannot be told apart from a and d.")

    def test_a_pair_without_spread_is_not_tested(self) -> None:
        flat = {"e1": [0.2] * 3, "e2": [0.2] * 3, "f1": [0.5] * 3, "f2": [0.5] * 3}
        found = seeds(table_of(**flat), systems={"e": ["e1", "e2"], "f": ["f1", "f2"]})
        assert math.isnan(found.pairs[0].p_corrected)
        assert dict(found.tables)["Differences, B less A"].rows[0][-1] == "not tested: no spread"

    def test_of_very_many_pairs_those_of_the_best_system_are_shown(self) -> None:
        rng = np.random.default_rng(0)
        columns = {f"s{number}-{seed}": rng.random(3).tolist() for number in range(7) for seed in range(2)}
        found = seeds(
            table_of(**columns), systems={f"s{number}": [f"s{number}-0", f"s{number}-1"] for number in range(7)}
        )
        shown = dict(found.tables)["Differences, B less A"]
        assert (len(found.pairs), len(shown.rows)) == (21, 6)
        assert all(found.systems[0].system in row[:2] for row in shown.rows)
        assert "Of 21 pairs, those of the first system that has seeds are shown; JSON has all." in found.notes


class TestInputs:
    def test_what_has_no_system_or_no_scores_is_named(self) -> None:
        found = seeds(table_of("a1", "a2", c1=[math.nan] * 3), systems={"a": ["a1", "a2", "a3"]})
        assert "Left out: 1 run of no system, c1." in found.notes
        assert "Not here: 1 run without scores, a3." in found.notes

    def test_a_run_is_one_seed_of_one_system(self) -> None:
        with pytest.raises(InputError, match="Found run 'a1' in systems 'a' and 'b'; expected each run to be one seed"):
            seeds(table_of("a1"), systems={"a": ["a1"], "b": ["a1"]})
        with pytest.raises(InputError, match="Found run 'a1' in system 'a' twice"):
            seeds(table_of("a1"), systems={"a": ["a1", "a1"]})

    def test_systems_without_any_scores_are_refused(self) -> None:
        with pytest.raises(InputError, match="Found no run of a system among the scores"):
            seeds(table_of("a1"), systems=B)


def test_json_and_frame_hold_every_system(two: SeedSpread) -> None:
    parsed = json.loads(json.dumps(two.to_dict(), allow_nan=False))
    assert [seed["run"] for seed in parsed["systems"][0]["seeds"]] == ["b1", "b2"]
    assert parsed["pairs"][0]["better"] == "b"
    assert two.to_frame()["n_seeds"].to_list() == [2, 2]


def test_it_is_explained_in_two_sentences(two: SeedSpread) -> None:
    assert two.explanation.how.count(". ") == 1
    assert len(two.explanation.assumptions) == 3
