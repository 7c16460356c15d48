from __future__ import annotations

import pytest
from tests.report.charts.drawn import facts_of, marks_of, told_by, words_of

from toprung.labels.votes.audit_report import Audit, CategoryCount
from toprung.report.charts.figure import Figure
from toprung.report.charts.kinds.audit_shares import draw
from toprung.report.charts.svg.marks import RectMark, RuleMark
from toprung.report.charts.tokens import ONLY_OTHER, ONLY_THIS


def audited(*, agreed: tuple[int, int], differing: tuple[int, int]) -> Audit:
    """How often the label and how often the other item was preferred."""
    a, b = (
        CategoryCount(n_queries=label + other, label_wins=label, other_wins=other, n_even=0)
        for label, other in (agreed, differing)
    )
    return Audit(run="duobert", agreed=a, differing=b, left_out={}, alpha=0.05, qrels_digest="", judgments_digest="")


@pytest.fixture(scope="module")
def source() -> Figure:
    """Table 2 of Arabzadeh et al. (2021)."""
    figure = draw(audited(agreed=(1228, 640), differing=(2116, 2996)))
    assert figure is not None
    return figure


def test_the_four_parts_of_the_source(source: Figure) -> None:
    """Figure 2: 42.92%, 30.32%, 17.59% and 9.17%."""
    shares = [row["share"].partition("%")[0] for row in facts_of(source)]
    assert shares == ["42.9", "30.3", "17.6", "9.2"]
    # The axis goes to 50%: the next step of 10% after the highest interval.
    widths = [f"{100 * 0.5 * bar.right / source.drawing.width:.2f}" for bar in told_by(source, RectMark)]
    assert widths == ["42.92", "30.32", "17.59", "9.17"]


def test_bars_stand_on_zero_with_their_interval_across_the_end(source: Figure) -> None:
    bars = told_by(source, RectMark)
    lines = [rule for rule in marks_of(source, RuleMark) if rule.look.width == 1.5]
    assert {bar.left for bar in bars} == {0}
    assert all(line.x < bar.right < line.x2 for bar, line in zip(bars, lines, strict=True))


def test_where_they_differ_blue_is_the_run_and_orange_the_label(source: Figure) -> None:
    assert [bar.look.fill for bar in told_by(source, RectMark)][:2] == [ONLY_THIS, ONLY_OTHER]


def test_the_groups_tell_their_preference_with_interval_and_p(source: Figure) -> None:
    """Wilson's interval of 1,228 of 1,868 is 1 less that of 640, 32.14 to 36.44."""
    texts = words_of(source)
    assert "of these, that item is preferred to the run's second in 65.7% (63.6 to 67.9; p < 0.0001)" in texts
    assert "Run and label differ: 5,112 queries" in texts
    assert source.finding.startswith("duobert is better than perfect")


def test_a_category_without_decisions_says_so() -> None:
    figure = draw(audited(agreed=(0, 0), differing=(2, 3)))
    assert figure is not None
    assert "none is decided" in words_of(figure)


def test_before_anything_is_decided_there_is_nothing_to_draw() -> None:
    assert draw(audited(agreed=(0, 0), differing=(0, 0))) is None
