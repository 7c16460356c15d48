from __future__ import annotations

from datetime import date

from toprung.report.charts.calendar_columns import CalendarColumns


def test_months_are_columns_while_they_are_few() -> None:
    columns = CalendarColumns.over([date(2021, 2, 28), date(2020, 11, 5)])
    assert [columns.label(place) for place in range(columns.n)] == ["Nov", "Dec", "Jan", "Feb"]
    assert [columns.year(place) for place in range(columns.n)] == ["2020", "", "2021", ""]
    assert [columns.place(day) for day in (date(2020, 11, 30), date(2020, 12, 1), date(2021, 2, 1))] == [0, 1, 3]


def test_three_years_are_months_and_a_day_more_are_quarters() -> None:
    assert (CalendarColumns.over([date(2020, 1, 1), date(2022, 12, 31)])).months == 1
    columns = CalendarColumns.over([date(2020, 1, 1), date(2023, 1, 1)])
    assert (columns.months, columns.n) == (3, 13)
    assert [columns.label(place) for place in range(5)] == ["Q1", "Q2", "Q3", "Q4", "Q1"]
    assert [columns.year(place) for place in range(5)] == ["2020", "", "", "", "2021"]


def test_beyond_that_columns_are_years() -> None:
    columns = CalendarColumns.over([date(1970, 1, 1), date(2026, 1, 1)])
    assert (columns.months, columns.n) == (12, 57)
    assert (columns.label(0), columns.label(56), columns.year(0)) == ("1970", "2026", "")


def test_however_long_a_time_is_its_columns_are_few() -> None:
    decades = CalendarColumns.over([date(1850, 3, 1), date(2026, 1, 1)])
    assert (decades.months, decades.n) == (120, 18)
    assert (decades.label(0), decades.full_name(0), decades.full_name(17)) == ("1850", "1850s", "2020s")
    centuries = CalendarColumns.over([date.min, date.max])
    assert (centuries.months, centuries.n) == (1200, 100)
    assert [centuries.place(day) for day in (date.min, date.max)] == [0, 99]
