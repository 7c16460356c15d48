from __future__ import annotations

import inspect
import re

import altair as alt
import pytest
from altair.utils.schemapi import SchemaValidationError
from tests.every_result import make_results

import toprung as tr
from toprung.analysis import load
from toprung.report.charts.catalogue import FigureKind, all_kinds, figure_of, figures_of
from toprung.report.charts.figure import Figure
from toprung.report.charts.tokens import TOKENS


@pytest.fixture(scope="module")
def every_figure() -> list[Figure]:
    """Of one small result of every kind."""
    return [figure for result in make_results().values() for figure in figures_of(result)]


def test_names_of_figures_are_distinct() -> None:
    assert len({kind.name for kind in all_kinds()}) == len(all_kinds())


@pytest.mark.parametrize("kind", all_kinds(), ids=lambda kind: kind.name)
def test_each_module_draws_the_result_it_is_listed_with(kind: FigureKind) -> None:
    (parameter,) = inspect.signature(load(kind.drawn_by)).parameters.values()
    assert kind.result in str(parameter.annotation)


def test_plot_gives_the_altair_chart_of_the_first_kind(sure_late_never: tr.FirstRanks) -> None:
    result = tr.stability(sure_late_never.reciprocal(), trials=20)
    assert tr.plot(result).to_dict()["description"] == result.sentence
    assert figures_of(result)[0].kind == "stability"


def test_an_unknown_kind_names_the_known_ones(sure_late_never: tr.FirstRanks) -> None:
    with pytest.raises(tr.InputError, match=r"found 'pie'; expected .*stability"):
        figure_of(tr.stability(sure_late_never.reciprocal(), trials=20), "pie")


def test_a_result_without_figures_says_so(sure_late_never: tr.FirstRanks) -> None:
    with pytest.raises(tr.InputError, match="Found a Plan with nothing to draw"):
        tr.plot(tr.plan(difference=0.01, sd=0.3))


def test_every_kind_can_be_drawn(every_figure: list[Figure]) -> None:
    assert {kind.name for kind in all_kinds()} - {figure.kind for figure in every_figure} == set()


def test_every_figure_is_what_the_schema_asks_for(every_figure: list[Figure]) -> None:
    for figure in every_figure:
        assert figure.chart.to_dict(validate=True)["$schema"], figure.kind


def test_charts_of_others_are_still_checked_after_a_figure_was_drawn(every_figure: list[Figure]) -> None:
    assert every_figure
    with pytest.raises(SchemaValidationError):
        alt.Axis(labelAngle="steep")


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
