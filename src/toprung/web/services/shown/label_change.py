"""How is the change of the labels drawn? From the stored scores under both versions, with the names of today."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.urls import reverse

from toprung.analyses.relabel.tables import Relabelled, RelabelledRun
from toprung.report.charts.figure import Figure
from toprung.report.charts.kinds import two_label_sets
from toprung.report.charts.svg.setting import Address, ChartSetting, Subject
from toprung.stats.intervals.bootstrap import Effect
from toprung.web.core.access.namer import Identity

CONFIDENCE = 0.95


def draw_change(
    content: Mapping[str, Any],
    names: Mapping[str, Identity],
    finding: str,
    *,
    slug: str = "",
    width: float | None = None,
) -> Figure:
    """``names``: of the runs to draw; ``slug``: the board that marks lead to, of a file none."""

    def address_of(subject: Subject) -> Address | None:
        return Address(reverse("run", args=[slug, subject.key]), row=f"run-{subject.key}") if slug else None

    setting = ChartSetting(name_of=lambda run: names[run].name, address_of=address_of, width=width)
    rows = [_to_run(each) for each in content["rows"] if each["run"] in names]
    return replace(two_label_sets.draw(_to_result(content, rows), setting), finding=finding)


def _to_result(content: Mapping[str, Any], rows: list[RelabelledRun]) -> Relabelled:
    return Relabelled(
        measure=content["measure"],
        rows=tuple(rows),
        perfect_before=content["perfect_before"],
        perfect_after=content["perfect_after"],
        tau=_number(content["tau"]),
        tau_top=_number(content.get("tau_top")),
        top=content.get("top", 0),
        n_queries=content["n_queries"],
        n_without_new=0,
        n_only_new=0,
        sample=None,
        higher_is_better=True,
        seed=0,
        digests={},
        score_decimals=content["decimals"],
    )


def _to_run(row: Mapping[str, Any]) -> RelabelledRun:
    return RelabelledRun(
        run=row["run"],
        before=_to_effect(row, "before"),
        after=_to_effect(row, "after"),
        over_perfect=_to_effect(row, "over_perfect"),
        place_before=row["place_before"],
        place_after=row["place_after"],
    )


def _to_effect(row: Mapping[str, Any], name: str) -> Effect:
    estimate, low, high = (_number(row.get(f"{name}{end}")) for end in ("", "_low", "_high"))
    return Effect(estimate=estimate, low=low, high=high, confidence=CONFIDENCE, n=0)


def _number(value: float | None) -> float:
    """JSON has no NaN."""
    return math.nan if value is None else value
