from __future__ import annotations

import inspect
import re
from xml.etree import ElementTree

import pytest
from tests.every_result import make_results

import toprung as tr
from toprung.analysis import load
from toprung.report.charts.catalogue import FigureKind, all_kinds, figure_of, figures_of
from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.marks import TextMark
from toprung.report.charts.svg.setting import PHONE, Address, ChartSetting
from toprung.report.charts.tokens import TOKENS
from toprung.result import Result


@pytest.fixture(scope="module")
def every_result() -> list[Result]:
    """One small result of every kind."""
    return list(make_results().values())


@pytest.fixture(scope="module")
def every_figure(every_result: list[Result]) -> list[Figure]:
    return [figure for result in every_result for figure in figures_of(result)]


def test_names_of_figures_are_distinct() -> None:
    assert len({kind.name for kind in all_kinds()}) == len(all_kinds())


@pytest.mark.parametrize("kind", all_kinds(), ids=lambda kind: kind.name)
def test_each_module_draws_the_result_it_is_listed_with(kind: FigureKind) -> None:
    parameter, *_ = inspect.signature(load(kind.drawn_by)).parameters.values()
    assert kind.result in str(parameter.annotation)


def test_plot_gives_the_figure_of_the_first_kind(sure_late_never: tr.FirstRanks) -> None:
    result = tr.stability(sure_late_never.reciprocal(), trials=20)
    assert tr.plot(result).finding == result.sentence
    assert figures_of(result)[0].kind == "stability"


def test_an_unknown_kind_names_the_known_ones(sure_late_never: tr.FirstRanks) -> None:
    with pytest.raises(tr.InputError, match=r"found 'pie'; expected .*stability"):
        figure_of(tr.stability(sure_late_never.reciprocal(), trials=20), "pie")


def test_a_result_without_figures_says_so(sure_late_never: tr.FirstRanks) -> None:
    with pytest.raises(tr.InputError, match="Found a Plan with nothing to draw"):
        tr.plot(tr.plan(difference=0.01, sd=0.3))


def test_every_kind_can_be_drawn(every_figure: list[Figure]) -> None:
    assert {kind.name for kind in all_kinds()} - {figure.kind for figure in every_figure} == set()


def test_every_mark_of_a_run_is_a_link_where_there_are_addresses(every_result: list[Result]) -> None:
    setting = ChartSetting(address_of=lambda subject: Address(f"/{subject.kind}", row=subject.key))
    for figure in (figure for result in every_result for figure in figures_of(result, setting)):
        subjects = [mark for mark in figure.drawing.marks if mark.of is not None]
        links = list(ElementTree.fromstring(figure.to_inline_svg()).iter("a"))
        assert len(links) == len(subjects), figure.kind
        assert all(link.attrib["aria-label"] for link in links), figure.kind
        assert subjects or figure.kind in NO_SUBJECTS, figure.kind


NO_SUBJECTS = {"rank-differences", "miss-cost", "pool-sizes", "audit", "score-timeline"}
"""Histograms, curves and shares stand for no run and no query; entries of a published board have no page."""


def test_runs_are_called_as_the_page_calls_them(every_result: list[Result]) -> None:
    setting = ChartSetting(name_of=lambda run: f"called {run}")
    for result in every_result:
        for figure in figures_of(result, setting):
            runs = {mark.of.key for mark in figure.drawing.marks if mark.of is not None and mark.of.kind == "run"}
            written = {mark.text for mark in figure.drawing.marks if isinstance(mark, TextMark)}
            assert not runs & written or figure.kind in ("seeds", "private-scores"), figure.kind  # systems and columns


def test_a_small_screen_has_drawings_no_wider_than_it_is(every_result: list[Result]) -> None:
    for figure in (figure for result in every_result for figure in figures_of(result, ChartSetting(width=PHONE))):
        box = figure.drawing.box
        assert box.right - box.left <= PHONE + 0.01, figure.kind


def test_figures_are_drawn_in_the_colours_of_the_tokens_and_no_other(every_figure: list[Figure]) -> None:
    """A page turns each into its token, so any other would stay light in the dark."""
    tokens = {token.light for token in TOKENS.values()} | {"none", "transparent"}
    for figure in every_figure:
        drawn = set(re.findall(r'(?:fill|stroke)="([^"]+)"', figure.to_inline_svg()))
        assert drawn - tokens == set(), figure.kind


def test_figures_say_what_they_show_and_how_to_read_it(every_figure: list[Figure]) -> None:
    for figure in every_figure:
        assert figure.title, figure.kind
        assert figure.finding.endswith("."), figure.kind
        assert figure.caption.endswith("."), figure.kind
