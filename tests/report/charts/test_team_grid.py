from __future__ import annotations

from datetime import date
from typing import Any

from toprung.report.charts.figure import Figure
from toprung.report.charts.team_grid import BROKE, KEPT, PLACE, ROW, TeamDays, TeamGrid, say_more

MAY, JUNE = date(2021, 5, 3), date(2021, 6, 3)


def marks_of(grid: TeamGrid, *, counts_breaches: bool = True) -> list[tuple[str, str, str]]:
    """Team, kind and count of everything in the cells, from the left of each row."""
    rows = drawn(grid, counts_breaches=counts_breaches)
    cells = [row for row in rows if "kind" in row]
    return [(row["team"], row["kind"], row["text"]) for row in sorted(cells, key=lambda row: (row["down"], row["x"]))]


def drawn(grid: TeamGrid, *, counts_breaches: bool = True) -> list[dict[str, Any]]:
    chart = grid.draw(counts_breaches=counts_breaches)
    spec = Figure(kind="", title="", finding="", caption="", chart=chart).to_spec()
    return [row for rows in spec["datasets"].values() for row in rows]


def test_a_cell_holds_what_kept_then_places_then_what_broke() -> None:
    grid = TeamGrid.of([TeamDays(team="Halden", kept=(MAY, JUNE, JUNE), broke=(MAY,))], places=2)
    assert [kind for _, kind, _ in marks_of(grid)] == [KEPT, PLACE, BROKE, KEPT, KEPT]
    assert grid.has_places


def test_the_busiest_team_stands_first_and_its_totals_beside_it() -> None:
    grid = TeamGrid.of([TeamDays(team="Lacuna", kept=(MAY,)), TeamDays(team="Halden", kept=(MAY,), broke=(MAY, JUNE))])
    texts = {(row["text"], row["down"]) for row in drawn(grid) if "down" in row and "kind" not in row and "text" in row}
    first, second = ROW / 2, ROW * 1.5
    assert {("Halden", first), ("3", first), ("2", first), ("Lacuna", second), ("1", second), ("–", second)} <= texts


def test_many_submissions_in_a_month_are_counted() -> None:
    grid = TeamGrid.of([TeamDays(team="Halden", kept=(MAY,) * 12, broke=(MAY,))])
    assert [(kind, text) for _, kind, text in marks_of(grid)] == [(KEPT, ""), ("", "12"), (BROKE, "")]
    assert say_more(grid.teams, grid) == " A number behind a mark counts them."


def test_marks_of_a_cell_end_before_the_next_column_begins() -> None:
    grid = TeamGrid.of([TeamDays(team="a", kept=(MAY,) * 5), TeamDays(team="b", kept=(JUNE,))])
    cells = [row for row in drawn(grid) if "kind" in row]
    rightmost = max(row["x"] for row in cells if row["team"] == "a")
    (next_one,) = [row["x"] for row in cells if row["team"] == "b"]
    assert rightmost + 8 < next_one


def test_of_many_teams_those_that_broke_the_policy_are_kept_and_the_rest_counted() -> None:
    teams = [TeamDays(team=f"team {number:02d}", kept=(MAY, JUNE)) for number in range(45)]
    teams.append(TeamDays(team="once too often", kept=(), broke=(MAY,)))
    grid = TeamGrid.of(teams)
    assert (len(grid.teams), grid.teams[-1].team) == (40, "once too often")
    assert say_more(teams, grid) == " Not drawn: 6 teams with 12 submissions."


def test_places_are_left_out_where_there_are_too_many_cells() -> None:
    teams = [TeamDays(team=str(number), kept=(date(2019, 1, 1), date(2021, 12, 1))) for number in range(20)]
    assert not TeamGrid.of(teams, places=2).has_places


def test_a_first_year_that_is_too_narrow_leaves_its_room_to_the_next() -> None:
    grid = TeamGrid.of([TeamDays(team="a", kept=(date(2020, 12, 1), date(2021, 2, 1)))])
    words = {row["text"] for row in drawn(grid) if "text" in row}
    assert "2021" in words
    assert "2020" not in words
