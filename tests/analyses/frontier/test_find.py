"""Score against cost: who is worth it, who is dominated, and what the queries leave open.

Three runs on twelve queries, by hand: z is above x and y on every one (by .625 and .575 in the mean), so that p of
exchanging runs is 2/2^12, far below .05 even times the three pairs. y less x is .1, 0, −.1, .2, three times over: mean
.05, sd .11677, t 1.48, p .166.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import toprung as tr
from toprung.analyses.frontier.find import Frontier, frontier
from toprung.analyses.frontier.rows import FrontierRow, Worth
from toprung.boards.engine.top_group import find_top_group
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
X, Y, Z = [0.1, 0.3, 0.2, 0.2] * 3, [0.2, 0.3, 0.1, 0.4] * 3, [0.9, 0.8, 0.9, 0.7] * 3


def table_of(measure: str = "P@10", **columns: list[float]) -> ScoreTable:
    values = np.array(list(columns.values())).T
    query_ids = tuple(str(number) for number in range(len(values)))
    return ScoreTable(query_ids=query_ids, runs=tuple(columns), values=values, measure=measure)


def judged(found: Frontier) -> dict[str, tuple[str, str | None]]:
    return {row.run: (str(row.worth), row.rival) for row in found.rows}


def row_of(found: Frontier, run: str) -> FrontierRow:
    return found.row_of(run)


class TestWorth:
    def test_a_run_that_does_better_than_every_cheaper_one_is_worth_it_and_one_below_a_cheaper_is_dominated(
        self,
    ) -> None:
        found = frontier(table_of(x=X, y=Y, z=Z), costs={"x": 1.0, "y": 5.0, "z": 2.0})
        assert judged(found) == {"x": ("cheapest", None), "z": ("shown", "x"), "y": ("dominated", "z")}
        assert [row.run for row in found.front] == ["x", "z"]

    def test_a_higher_score_alone_does_not_show_that_a_run_is_worth_it(self) -> None:
        found = frontier(table_of(x=X, y=Y, z=Z), costs={"x": 1.0, "y": 2.0, "z": 5.0})
        assert judged(found) == {"x": ("cheapest", None), "y": ("not_shown", "x"), "z": ("shown", "y")}

    def test_a_lower_score_alone_does_not_dominate(self) -> None:
        found = frontier(table_of(x=X, y=Y, z=Z), costs={"y": 1.0, "x": 2.0, "z": 3.0})
        assert judged(found)["x"] == ("undecided", "y")
        assert not row_of(found, "x").worth.is_on_front

    def test_at_the_same_cost_the_lower_score_is_off_the_front(self) -> None:
        found = frontier(table_of(x=X, y=Y, z=Z), costs={"x": 2.0, "y": 2.0, "z": 5.0})
        assert judged(found)["y"] == ("cheapest", None)
        assert judged(found)["x"] == ("undecided", "y")

    def test_the_same_score_for_less_leaves_the_dearer_run_off_the_front(self) -> None:
        found = frontier(table_of(x=X, twin=X, z=Z), costs={"x": 1.0, "twin": 2.0, "z": 5.0})
        assert judged(found)["twin"] == ("undecided", "x")

    def test_the_same_score_at_the_same_cost_is_on_the_front_twice(self) -> None:
        found = frontier(table_of(x=X, twin=X), costs={"x": 1.0, "twin": 1.0})
        assert judged(found) == {"twin": ("cheapest", None), "x": ("cheapest", None)}

    def test_where_less_is_better_the_front_turns_round(self) -> None:
        found = frontier(table_of("ESL@10", x=X, y=Y, z=Z), costs={"x": 2.0, "y": 2.0, "z": 1.0})
        assert judged(found) == {"z": ("cheapest", None), "x": ("shown", "z"), "y": ("undecided", "x")}
        assert "ESL@10: less is better." in found.notes

    @pytest.mark.parametrize(("n", "worth"), [(5, Worth.NOT_SHOWN), (6, Worth.SHOWN)])
    def test_a_constant_difference_shows_something_from_six_queries_on(self, n: int, worth: Worth) -> None:
        """Exchanging two runs gives p = 2^(1−n) at the least: .0625 on five queries, .03125 on six."""
        found = frontier(table_of(a=[0.1] * n, b=[0.2] * n), costs={"a": 1.0, "b": 2.0})
        assert row_of(found, "b").worth is worth

    def test_one_query_shows_nothing(self) -> None:
        found = frontier(table_of(a=[0.1], b=[0.9]), costs={"a": 1.0, "b": 2.0})
        assert row_of(found, "b").worth is Worth.NOT_SHOWN
        assert math.isnan(row_of(found, "b").score.low)

    def test_the_order_of_runs_does_not_matter(self) -> None:
        costs = {"x": 1.0, "y": 5.0, "z": 2.0}
        assert (
            frontier(table_of(z=Z, x=X, y=Y), costs=costs).rows == frontier(table_of(x=X, y=Y, z=Z), costs=costs).rows
        )


class TestFigures:
    def test_differences_have_the_t_interval_of_their_pair(self) -> None:
        row = row_of(frontier(table_of(x=X, y=Y, z=Z), costs={"x": 1.0, "y": 5.0, "z": 2.0}), "y")
        assert row.delta is not None
        assert row.delta.estimate == pytest.approx(-0.575)
        # 2.20099 is the t of 11 degrees of freedom for 95%; squares of deviations add up to .4425, √(.4425 / 11 / 12)
        assert row.delta.low == pytest.approx(-0.575 - 2.20099 * 0.0578988, abs=1e-5)
        assert row.delta.high == pytest.approx(-0.575 + 2.20099 * 0.0578988, abs=1e-5)

    def test_a_row_counts_the_cheaper_runs_and_those_it_does_better_than(self) -> None:
        found = frontier(table_of(x=X, y=Y, z=Z), costs={"x": 1.0, "y": 2.0, "z": 5.0})
        counts = {row.run: (row.n_cheaper_below, row.n_cheaper) for row in found.rows}
        assert counts == {"x": (0, 0), "y": (0, 1), "z": (2, 2)}

    def test_the_cheapest_run_like_the_best_is_named(self) -> None:
        found = frontier(table_of(x=X, y=Y), costs={"x": 1.0, "y": 4.0})
        assert (found.best.run, found.cheapest_like_best) == ("y", "x")
        told = "y has the best P@10, at a cost of 4; x, at 1, is the cheapest run that cannot be told apart from it."
        assert found.sentence == told

    def test_a_cheap_run_below_the_best_is_not_like_it(self) -> None:
        found = frontier(table_of(x=X, z=Z), costs={"x": 1.0, "z": 1234.5}, by="latency")
        assert found.cheapest_like_best == "z"
        told = "z has the best P@10, at a latency of 1,234 ms, and does better than every faster run beyond chance."
        assert found.sentence == told

    def test_the_best_may_be_the_cheapest(self) -> None:
        found = frontier(table_of(x=X, z=Z), costs={"x": 2.0, "z": 1.0})
        assert found.sentence == (
            "z has the best P@10 of 2 runs and is the cheapest; x is dominated: a run that costs no more does better "
            "beyond chance."
        )

    def test_tables_and_json_hold_every_run(self) -> None:
        found = frontier(table_of(x=X, y=Y, z=Z), costs={"x": 1.0, "y": 5.0, "z": 2.0})
        assert [row[1] for row in found.table.rows] == ["x", "z", "y"]
        assert found.to_frame()["worth"].to_list() == ["cheapest", "shown", "dominated"]
        assert found.to_frame()["rival"].to_list() == [None, "x", "z"]
        parsed = json.loads(json.dumps(found.to_dict(), allow_nan=False))
        assert [row["run"] for row in parsed["runs"]] == ["x", "z", "y"]
        assert parsed["runs"][0]["delta"] is None

    def test_it_is_explained_in_two_sentences(self) -> None:
        explanation = frontier(table_of(x=X, y=Y), costs={"x": 1.0, "y": 4.0}, by="latency").explanation
        assert explanation.how.count(". ") == 1
        assert "latency" in explanation.how
        assert any("same machine" in each for each in explanation.assumptions)

    def test_no_scale_forbids_what_decides(self) -> None:
        found = frontier(table_of("RR", x=X, y=Y), costs={"x": 1.0, "y": 4.0})
        assert "ordinal" not in str(found)


class TestRelation:
    """Who is better than whom is that of the board."""

    def test_it_may_be_handed_in_and_then_decides(self) -> None:
        table, costs = table_of(x=X, y=Y, z=Z), {"x": 1.0, "y": 5.0, "z": 2.0}
        known = find_top_group(table)
        nobody = replace(known, intervals=replace(known.intervals, is_better=np.zeros((3, 3), dtype=bool)))
        assert frontier(table, costs=costs, top=known).rows == frontier(table, costs=costs).rows
        assert judged(frontier(table, costs=costs, top=nobody)) == {
            "x": ("cheapest", None),
            "z": ("not_shown", "x"),
            "y": ("undecided", "z"),
        }

    def test_runs_without_a_cost_are_compared_too(self) -> None:
        """Constant by .1 on six queries: told apart as the only pair, .03125, but not as one of three, 3 · .03125."""
        pair = {"a": [0.1] * 6, "b": [0.2] * 6}
        alone = frontier(table_of(**pair), costs={"a": 1.0, "b": 2.0})
        among = frontier(table_of(**pair, c=[0.3] * 6), costs={"a": 1.0, "b": 2.0})
        assert (row_of(alone, "b").worth, row_of(among, "b").worth) == (Worth.SHOWN, Worth.NOT_SHOWN)
        assert "Better beyond chance: all 3 runs compared at once as on the leaderboard, at 0.05." in among.notes

    def test_of_a_real_board_every_row_follows_from_the_relation(self) -> None:
        known = tr.read_metadata(EXAMPLES / "systems.csv")
        scores = tr.read_ranks(EXAMPLES / "systems-ranks.csv", cutoff=100).reciprocal()
        found, top = frontier(scores, costs=known.costs()), find_top_group(scores)
        for row in found.rows:
            assert row.n_cheaper_below == sum(found.row_of(run).cost < row.cost for run in top.better_than(row.run))
            no_dearer = [run for run in top.worse_than(row.run) if found.row_of(run).cost <= row.cost]
            assert (row.worth is Worth.DOMINATED) == bool(no_dearer)
        assert top.relation(found.cheapest_like_best, found.best.run) == 0


class TestInputs:
    def test_runs_without_a_cost_are_left_out_and_named(self) -> None:
        found = frontier(table_of(x=X, y=Y, z=Z), costs={"x": 1.0, "y": 4.0, "other": 2.0})
        assert found.without_cost == ("z",)
        assert "Left out: 1 run without a cost, z." in found.notes
        assert "Not used: the cost of 1 run without scores here." in found.notes

    def test_a_single_run_with_a_cost_is_refused_and_the_others_named(self) -> None:
        with pytest.raises(InputError, match="Found 1 run with a cost: y and z have none; expected at least two"):
            frontier(table_of(x=X, y=Y, z=Z), costs={"x": 1.0})

    @pytest.mark.parametrize("cost", [0.0, -1.0, 1e300, math.inf, math.nan])
    def test_a_cost_must_be_a_positive_number(self, cost: float) -> None:
        with pytest.raises(InputError, match=r"costs: found .* for run 'x'; expected a positive number"):
            frontier(table_of(x=X, y=Y), costs={"x": cost, "y": 1.0})

    def test_queries_without_a_value_are_refused(self) -> None:
        with pytest.raises(InputError, match="Found queries without a value of P@10"):
            frontier(table_of(x=X, y=[math.nan, *Y[1:]]), costs={"x": 1.0, "y": 2.0})

    def test_unknown_names_are_refused(self) -> None:
        with pytest.raises(InputError, match="by: found 'price'"):
            frontier(table_of(x=X, y=Y), costs={"x": 1.0, "y": 2.0}, by="price")  # type: ignore[arg-type] # refused at run time
