from __future__ import annotations

from datetime import date

from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.marks import PointMark, TextMark
from toprung.report.charts.svg.setting import PLAIN
from toprung.report.charts.team_grid import BROKE, KEPT, PLACE, ROW, TeamDays, TeamGrid, say_more

MAY, JUNE = date(2021, 5, 3), date(2021, 6, 3)


def drawn(grid: TeamGrid) -> Drawing:
    return grid.draw(PLAIN, counts_breaches=True)


def points(grid: TeamGrid) -> list[PointMark]:
    """Everything in the cells, from the left of each row."""
    return sorted(
        (mark for mark in drawn(grid).marks if isinstance(mark, PointMark)), key=lambda mark: (mark.y, mark.x)
    )


def kind_of(point: PointMark) -> str:
    if point.shape == "cross":
        return BROKE
    return KEPT if point.look.fill else PLACE


def texts(grid: TeamGrid) -> set[tuple[str, float]]:
    return {(mark.text, mark.y) for mark in drawn(grid).marks if isinstance(mark, TextMark)}


def test_a_cell_holds_what_kept_then_places_then_what_broke() -> None:
    grid = TeamGrid.of([TeamDays(team="Halden", kept=(MAY, JUNE, JUNE), broke=(MAY,))], places=2)
    assert list(map(kind_of, points(grid))) == [KEPT, PLACE, BROKE, KEPT, KEPT]
    assert grid.has_places
    assert [point.facts for point in points(grid)][2] == {"team": "Halden", "when": "May 2021", "kind": BROKE}


def test_the_busiest_team_stands_first_and_its_totals_beside_it() -> None:
    grid = TeamGrid.of([TeamDays(team="Lacuna", kept=(MAY,)), TeamDays(team="Halden", kept=(MAY,), broke=(MAY, JUNE))])
    first, second = ROW / 2, ROW * 1.5
    expected = {("Halden", first), ("3", first), ("2", first), ("Lacuna", second), ("1", second), ("–", second)}
    assert expected <= texts(grid)


def test_many_submissions_in_a_month_are_counted() -> None:
    grid = TeamGrid.of([TeamDays(team="Halden", kept=(MAY,) * 12, broke=(MAY,))])
    assert list(map(kind_of, points(grid))) == [KEPT, BROKE]
    assert ("12", ROW / 2) in texts(grid)
    assert say_more(grid.teams, grid) == " A number behind a mark counts them."


def test_marks_of_a_cell_end_before_the_next_column_begins() -> None:
    grid = TeamGrid.of([TeamDays(team="a", kept=(MAY,) * 5), TeamDays(team="b", kept=(JUNE,))])
    rightmost = max(point.x for point in points(grid) if point.facts["team"] == "a")
    (next_one,) = [point.x for point in points(grid) if point.facts["team"] == "b"]
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
    words = {text for text, _ in texts(grid)}
    assert "2021" in words
    assert "2020" not in words
