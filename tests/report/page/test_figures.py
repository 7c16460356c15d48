from __future__ import annotations

from tests.report.reading_pages import Page

from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.legend import Entry
from toprung.report.charts.svg.setting import Address, ChartSetting, Subject
from toprung.report.page.figures import MOST_FOR_PHONES, as_image, write_figure


def bars(n_rows: int, *, title: str = "Bars", setting: ChartSetting | None = None) -> Figure:
    drawing = Drawing(width=100, height=10 * n_rows, setting=setting or ChartSetting())
    for row in range(n_rows):
        drawing.rect(0, 10 * row, 80, 10 * row + 8, fill="#00685f", facts={"run": "a"}, of=Subject("run", "a"))
    drawing.explain([Entry("a <run>", fill="#00685f")])
    return Figure(kind="bars", title=title, finding="All <are> 1.", caption="One a row.", drawing=drawing)


def test_a_figure_is_one_image_that_says_what_it_shows_with_its_legend_below() -> None:
    page = Page(write_figure(bars(2), "f"))
    assert page.open == []
    assert page.texts["title"][0] == "All <are> 1."
    assert ("role", "img") in page.attributes
    assert page.texts["figcaption"] == ["Bars. One a row."]
    assert page.texts["span"] == ["a <run>"]


def test_a_figure_whose_marks_lead_somewhere_is_a_group_of_links() -> None:
    setting = ChartSetting(address_of=lambda subject: Address(f"#{subject.key}", row=f"row-{subject.key}"))
    written = write_figure(bars(1, setting=setting), "f")
    assert '<a href="#a" data-row="row-a" aria-label="a"><rect ' in written
    assert 'role="group" aria-labelledby="f-finding"' in written


def test_a_title_that_asks_gets_no_full_stop() -> None:
    assert '<b id="f-title">Why?</b> One' in write_figure(bars(2, title="Why?"), "f")


def test_an_image_is_named_by_its_finding() -> None:
    assert as_image('<svg class="marks"><g/></svg>', "f", "So.") == (
        '<svg class="marks" role="img" aria-labelledby="f-finding"><title id="f-finding">So.</title><g/></svg>'
    )


def test_a_small_screen_has_a_drawing_of_its_own_unless_that_is_heavy() -> None:
    both = write_figure(bars(3), "f", bars(2))
    assert both.count('<svg class="marks" viewBox=') == 2
    assert 'class="plot wide-only"' in both
    assert 'class="plot narrow-only"' in both
    heavy = write_figure(bars(3), "f", bars(MOST_FOR_PHONES // 50))
    assert "narrow-only" not in heavy
    assert "wide-only" not in heavy
