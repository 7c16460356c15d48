"""Figures that are rounded for people still say what is true."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toprung.words.wording import show_p_and_level

SHARES = st.floats(min_value=1e-12, max_value=1)


@given(SHARES, SHARES | st.none(), st.sampled_from([2, 4]))
def test_the_figures_shown_say_whether_a_claim_passed(level: float, p: float | None, digits: int) -> None:
    p = level * 1.001 if p is None else p
    shown_p, shown_level = show_p_and_level(p, level, digits=digits)
    if shown_p.startswith("<"):
        assert p <= level
        assert float(shown_p.removeprefix("< ")) <= float(shown_level)
    else:
        assert (float(shown_p) <= float(shown_level)) == (p <= level)


def test_a_level_in_a_paper_has_four_digits() -> None:
    """By steady:10 the first share of 0.05 is 0.0022211; to two digits it would be lower than a p of 0.00222."""
    assert show_p_and_level(0.00222, 0.0022211017991) == ("0.0022", "0.0022")
    assert show_p_and_level(0.00222, 0.0022211017991, digits=4) == ("0.0022", "0.002221")
    assert show_p_and_level(0.000974, 0.0009756) == ("0.000974", "0.000976")
