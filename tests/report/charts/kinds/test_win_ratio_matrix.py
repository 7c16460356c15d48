from __future__ import annotations

from tests.report.charts.drawn import marks_of, told_by, words_of

from toprung.analyses.win_ratio.result import WinRatio, WinRatios
from toprung.report.charts.kinds.win_ratio_matrix import (
    COLOURS,
    EVEN,
    LOSES,
    LOSES_PERHAPS,
    OPEN,
    WINS,
    WINS_PERHAPS,
    draw,
)
from toprung.report.charts.svg.marks import RectMark, TextMark
from toprung.report.charts.svg.setting import PHONE, ChartSetting
from toprung.report.charts.tokens import INK, RAMP_HIGH_INK
from toprung.stats.intervals.proportions import wilson_share

PHONE_SETTING = ChartSetting(width=PHONE)
LARGEST_INLINE = 400_000


def ratio(run: str, other: str, wins: int, losses: int, corrected_p: float = 1.0) -> WinRatio:
    return WinRatio(
        run=run,
        other=other,
        wins=wins,
        losses=losses,
        ties=0,
        unjudged=0,
        same=0,
        interval=wilson_share(wins, wins + losses),
        p=corrected_p,
        corrected_p=corrected_p,
    )


def ratios(*pairs: WinRatio) -> WinRatios:
    runs = tuple(dict.fromkeys(name for pair in pairs for name in (pair.run, pair.other)))
    return WinRatios(runs=runs, pairs=pairs, n_queries=100, perfect=None, correction="bonferroni", alpha=0.05)


# a does better than b beyond chance, than c by a little; b and c win as often; d is judged against nobody.
FOUR = ratios(
    ratio("b", "a", 20, 80, 0.001),
    ratio("a", "c", 6, 5),
    ratio("b", "c", 4, 4),
    ratio("a", "d", 0, 0),
    ratio("b", "d", 0, 0),
    ratio("c", "d", 0, 0),
)


def test_colours_tell_who_wins_and_whether_beyond_chance() -> None:
    words = {colour: look for look, colour in COLOURS.items()}
    looks = {cell.facts["pair"]: words[cell.look.fill] for cell in told_by(draw(FOUR), RectMark)}
    assert looks["a against b"] == WINS
    assert looks["b against a"] == LOSES
    assert looks["a against c"] == WINS_PERHAPS
    assert looks["c against a"] == LOSES_PERHAPS
    assert looks["b against c"] == looks["c against b"] == EVEN
    assert looks["d against a"] == OPEN
    assert len(looks) == 12


def test_the_figure_in_a_cell_is_the_share_of_the_column() -> None:
    """Columns a, b, c, d: the first row is that of a, whom b wins against in 20 of 100."""
    texts = [mark for mark in marks_of(draw(FOUR), TextMark) if mark.align == "center" and mark.y > 0]
    cells = sorted(texts, key=lambda mark: (mark.y, mark.x))
    assert [cell.text for cell in cells[:6]] == ["20.0", "45.5", "–", "80.0", "50.0", "–"]
    assert [cell.look.fill for cell in cells[:2]] == [RAMP_HIGH_INK, INK]


def test_the_run_that_wins_against_most_stands_first() -> None:
    turned = ratios(ratio("worst", "best", 1, 9), ratio("worst", "mid", 2, 8), ratio("best", "mid", 6, 4))
    texts = words_of(draw(turned))
    assert [text for text in texts if text in ("best", "mid", "worst")][:3] == ["best", "mid", "worst"]
    assert [text for text in texts if text in ("0", "1", "2")] == ["2", "1", "0"]


def test_long_names_stand_at_the_rows_and_columns_are_numbered() -> None:
    texts = words_of(draw(ratios(ratio("a rather long name", "b", 3, 1))))
    assert {"1", "2", "1  a rather long name", "2  b"} <= set(texts)


def test_on_a_phone_names_stand_whole_over_their_cells() -> None:
    long = "meridian-distilled-cross-encoder-v2"
    figure = draw(ratios(ratio(long, "b", 3, 1), ratio(long, "c", 2, 2), ratio("b", "c", 1, 3)), PHONE_SETTING)
    assert figure.drawing.setting.is_narrow
    assert f"1  {long}" in words_of(figure)
    (name,) = [mark for mark in marks_of(figure, TextMark) if long in mark.text]
    first = min(cell.top for cell in told_by(figure, RectMark) if cell.top > name.y)
    assert 8 <= first - name.y <= 12, "a line over the first row of cells"
    assert figure.drawing.width <= 356
    assert [text for text in words_of(figure) if text.endswith(("win", "wins"))] == ["1 win", "1 win", "0 wins"]


def test_a_hundred_runs_fit_into_a_page() -> None:
    runs = [f"run {number}" for number in range(100)]
    pairs = [
        ratio(one, other, 10 + (7 * i + 3 * j) % 13, 16, 0.01 if (i + j) % 5 == 0 else 1.0)
        for i, one in enumerate(runs)
        for j, other in enumerate(runs)
        if i < j
    ]
    figure = draw(ratios(*pairs))
    assert len(figure.to_inline_svg()) <= LARGEST_INLINE


def test_the_caption_says_the_test_and_the_queries() -> None:
    caption = draw(FOUR).caption
    assert "over the 0 to 100 queries" in caption
    assert "exact binomial test with Bonferroni's correction over 6 pairs, at 0.05." in caption
