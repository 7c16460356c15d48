"""The rules of a board: how often, how small a change, how long a name may be kept back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.boards.policy import Embargo, SmallChanges, Window
from toprung.boards.similarity import Similarity
from toprung.errors import InputError

DAYS = st.lists(st.dates(date(2020, 1, 1), date(2020, 6, 30)), max_size=8)


def may(day: int) -> date:
    return date(2021, 5, day)


class TestWindow:
    def test_a_third_run_waits_until_the_first_is_thirty_days_old(self) -> None:
        window = Window(limit=2, days=30)
        assert window.next_date([may(1), may(20)], today=may(21)) == may(31)
        assert window.count([may(1), may(20)], on=may(30)) == 2
        assert window.count([may(1), may(20)], on=may(31)) == 1

    def test_whoever_has_room_may_submit_today(self) -> None:
        window = Window(limit=2, days=30)
        assert window.next_date([], today=may(3)) == may(3)
        assert window.next_date([may(3)], today=may(3)) == may(3)
        assert window.next_date([may(1), may(2)], today=date(2021, 8, 1)) == date(2021, 8, 1)

    def test_the_order_of_submissions_does_not_matter(self) -> None:
        assert Window().next_date([may(20), may(1)], today=may(21)) == may(31)

    @given(earlier=DAYS, today=st.dates(date(2020, 6, 30), date(2020, 8, 30)), limit=st.integers(1, 3))
    def test_the_next_date_is_the_first_that_has_room(self, earlier: list[date], today: date, limit: int) -> None:
        window = Window(limit=limit, days=30)
        following = window.next_date(earlier, today)
        assert window.count(earlier, following) < limit
        for days in range((following - today).days):
            assert window.count(earlier, today + timedelta(days=days)) >= limit

    def test_a_window_may_reach_beyond_the_calendar(self) -> None:
        assert Window(limit=1, days=10**12).count([date.min, may(1)], on=may(1)) == 2
        assert Window(limit=1, days=10**12).next_date([may(1)], today=may(2)) == date.max
        assert Window(limit=1, days=30).count([], on=date.min) == 0


class TestEmbargo:
    def test_an_embargo_may_reach_beyond_the_calendar(self) -> None:
        assert Embargo(months=100_000).latest_end(may(1)) == date.max
        assert Embargo().latest_end(date(9999, 12, 1)) == date.max
        assert Embargo(months=11).latest_end(date(9999, 1, 31)) == date(9999, 12, 31)

    @pytest.mark.parametrize(
        ("submitted", "latest"),
        [
            (date(2021, 5, 31), date(2022, 2, 28)),
            (date(2023, 5, 31), date(2024, 2, 29)),  # a leap year
            (date(2021, 5, 28), date(2022, 2, 28)),
            (date(2021, 1, 31), date(2021, 10, 31)),
            (date(2021, 3, 31), date(2021, 12, 31)),
            (date(2021, 4, 1), date(2022, 1, 1)),
            (date(2020, 2, 29), date(2020, 11, 29)),
            (date(2021, 8, 31), date(2022, 5, 31)),
        ],
    )
    def test_nine_calendar_months(self, submitted: date, latest: date) -> None:
        assert Embargo().latest_end(submitted) == latest
        assert Embargo().allows(submitted, latest)
        assert not Embargo().allows(submitted, latest + timedelta(days=1))

    def test_without_an_embargo_there_is_nothing_to_allow(self) -> None:
        assert Embargo(months=0).allows(may(1), None)
        assert Embargo(months=0).latest_end(may(1)) == may(1)
        assert Embargo(months=24).latest_end(may(31)) == date(2023, 5, 31)


class TestSmallChanges:
    @pytest.mark.parametrize(
        ("rbo", "identical", "is_close"), [(0.85, 0, True), (0.84, 0.24, False), (0.5, 0.25, True), (1, 1, True)]
    )
    def test_runs_are_close_by_overlap_or_by_identical_lists(
        self, rbo: float, identical: float, is_close: bool
    ) -> None:
        assert SmallChanges().are_close(Similarity(rbo=rbo, identical=identical, n_queries=9)) == is_close


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Window(limit=0), "found 0 submissions within 30 days"),
        (lambda: Window(days=0), "found 2 submissions within 0 days"),
        (lambda: Embargo(months=-1), "months: found -1"),
        (lambda: SmallChanges(rbo=0), "rbo: found 0"),
        (lambda: SmallChanges(identical=1.5), "identical: found 1.5"),
        (lambda: SmallChanges(limit=0), "found limit 0"),
        (lambda: SmallChanges(p=1), "p: found 1"),
    ],
)
def test_rules_that_make_no_sense_are_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()
