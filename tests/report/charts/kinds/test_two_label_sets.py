from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import pytest
from tests.report.charts.drawn import rows_with

from toprung.analyses.relabel.tables import Relabelled, RelabelledRun
from toprung.report.charts.figure import Figure
from toprung.report.charts.kinds.two_label_sets import FIRST, OTHER, draw
from toprung.report.charts.label_placement import LABEL_HEIGHT, Box, text_width
from toprung.stats.intervals.bootstrap import Effect


def effect(estimate: float) -> Effect:
    return Effect(estimate=estimate, low=estimate - 0.02, high=estimate + 0.02, confidence=0.95, n=500)


def relabelled(*rows: tuple[str, float, int, float, int], tau: float = 0.65, tau_top: float = math.nan) -> Relabelled:
    """Rows of run, score and place before, score and place after."""
    return Relabelled(
        measure="RR@10",
        rows=tuple(
            RelabelledRun(
                run=run,
                before=effect(before),
                after=effect(after),
                over_perfect=effect(after - 0.332),
                place_before=place_before,
                place_after=place_after,
            )
            for run, before, place_before, after, place_after in rows
        ),
        perfect_before=1.0,
        perfect_after=0.332,
        tau=tau,
        tau_top=tau_top,
        top=10,
        n_queries=500,
        n_without_new=0,
        n_only_new=0,
        sample=None,
        higher_is_better=True,
        seed=0,
        digests={},
    )


# As at the top of figure 6 of the source: C rises from the third place to the first, A falls to the third.
THREE = relabelled(("C", 0.40, 3, 0.36, 1), ("B", 0.41, 2, 0.35, 2), ("A", 0.42, 1, 0.34, 3))


def test_every_run_is_a_mark_with_its_score_before_and_after() -> None:
    marks = {row["run"]: (row["x"], row["y"], row["kind"]) for row in rows_with(draw(THREE), "kind")}
    assert marks == {"A": (0.42, 0.34, FIRST), "B": (0.41, 0.35, OTHER), "C": (0.40, 0.36, FIRST)}


def test_names_tell_how_far_runs_move() -> None:
    assert {row["name"] for row in rows_with(draw(THREE), "name")} == {"C +2", "B", "A −2"}


def test_tau_is_said_in_the_figure_and_that_of_the_first_beside_it() -> None:
    notes = {row["note"] for rows in draw(THREE).to_spec()["datasets"].values() for row in rows if "note" in row}
    assert notes == {"Kendall's τ = 0.65", "perfect by the original labels: 0.3320"}
    assert rows_with_note(relabelled(("a", 0.4, 1, 0.3, 1), tau_top=0.2)) == (
        "Kendall's τ = 0.65, 0.20 among the first 10 before"
    )


def rows_with_note(found: Relabelled) -> str:
    sets = draw(found).to_spec()["datasets"].values()
    return next(row["note"] for rows in sets for row in rows if "note" in row and "τ" in row["note"])


def test_the_line_of_the_perfect_ranking_lies_inside_the_plot() -> None:
    far = relabelled(("a", 0.4, 1, 0.1, 1), ("b", 0.3, 2, 0.09, 2))
    low, high = next(
        layer["encoding"]["y"]["scale"]["domain"]
        for layer in draw(far).to_spec()["layer"]
        if "domain" in layer["encoding"]["y"].get("scale", {})
    )
    assert low < 0.332 < high


def test_intervals_are_those_under_the_new_labels() -> None:
    hairs = rows_with(draw(THREE), "x", "y", "y2")
    assert [(row["x"], row["y"], row["y2"]) for row in hairs] == [
        pytest.approx((0.40, 0.34, 0.38)),
        pytest.approx((0.41, 0.33, 0.37)),
        pytest.approx((0.42, 0.32, 0.36)),
    ]


def test_of_many_runs_those_first_and_those_that_move_most_are_named() -> None:
    rows = [(f"run {place}", 1 - place / 200, place, 0.5 - place / 400, place) for place in range(1, 101)]
    rows[49], rows[89] = ("up", 0.55, 90, 0.375, 50), ("down", 0.75, 50, 0.275, 90)
    figure = draw(relabelled(*rows))
    names = {row["name"] for row in rows_with(figure, "name")}
    assert {"run 1", "up +40", "down −40"} <= names
    assert len(names) == 9
    assert "Hairlines" not in figure.caption
    figure.chart.to_dict()  # held to the schema of Vega-Lite


def test_one_run_has_no_order_to_compare() -> None:
    figure = draw(relabelled(("alone", 0.4, 1, 0.3, 1), tau=math.nan))
    assert "τ" not in figure.to_json()
    assert figure.finding == "alone has RR@10 0.3000 under the new labels, 0.4000 before."


@pytest.mark.parametrize("perfect", [0.28, 0.30, 0.332, 0.34, 0.36, 0.372, 0.38, 0.39, 0.40, 0.45, 0.65])
def test_no_two_texts_lie_on_each_other_wherever_the_perfect_ranking_lands(perfect: float) -> None:
    found = replace(THREE, perfect_after=perfect, tau_top=0.33)
    boxes = boxes_of_texts(draw(found))
    assert len(boxes) == 5  # τ, the dashed line and three runs
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]


def boxes_of_texts(figure: Figure) -> list[Box]:
    """Where notes and names lie, in points."""
    spec = figure.to_spec()
    scales = next(
        (layer["encoding"]["x"]["scale"]["domain"], layer["encoding"]["y"]["scale"]["domain"])
        for layer in spec["layer"]
        if "fill" in layer["encoding"]
    )
    boxes = []
    for layer in spec["layer"]:
        if layer["mark"]["type"] != "text":
            continue
        for row in spec["datasets"][layer["data"]["name"]]:
            if "note" in row:
                left, middle = layer["encoding"]["x"]["value"], layer["encoding"]["y"]["value"]
                wide = text_width(row["note"])
            else:
                (x_low, x_high), (y_low, y_high) = scales
                across = spec["width"] * (row["x"] - x_low) / (x_high - x_low)
                middle = spec["height"] * (y_high - row["y"]) / (y_high - y_low)
                wide = text_width(row["name"])
                left = across - wide * {"left": 0, "center": 0.5, "right": 1}[row["align"]]
            boxes.append(Box(left, middle - LABEL_HEIGHT / 2, left + wide, middle + LABEL_HEIGHT / 2))
    return boxes
