from __future__ import annotations

import importlib
import inspect

import pytest

import toprung as tr
from toprung.report.charts.catalogue import KINDS, figure_of, figures_of, plot


def test_names_of_figures_are_distinct() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_each_module_draws_the_result_it_is_listed_with(kind: object) -> None:
    module = importlib.import_module(f"toprung.report.charts.{kind.module}")
    (parameter,) = inspect.signature(module.draw).parameters.values()
    assert kind.result in str(parameter.annotation)


def test_plot_gives_the_altair_chart_of_the_first_kind(sure_late_never: tr.FirstRanks) -> None:
    result = tr.stability(sure_late_never.reciprocal(), trials=20)
    assert plot(result).to_dict()["description"] == result.sentence
    assert figures_of(result)[0].kind == "stability"


def test_an_unknown_kind_names_the_known_ones(sure_late_never: tr.FirstRanks) -> None:
    with pytest.raises(tr.InputError, match=r"found 'pie'; expected .*stability"):
        figure_of(tr.stability(sure_late_never.reciprocal(), trials=20), "pie")


def test_a_result_without_figures_says_so(sure_late_never: tr.FirstRanks) -> None:
    with pytest.raises(tr.InputError, match="Plan with nothing to draw"):
        plot(tr.plan(difference=0.01, sd=0.3))
