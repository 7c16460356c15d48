"""On which kinds of queries do the runs differ? Each value of an attribute is a slice, and all are tested together.

A slice on which too few queries differ is not tested: whatever they said, p could not reach the level. That rests on
the sizes of differences, never on their signs, so that leaving such slices out favours neither run.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from toprung.boards.engine.parts import PairParts
from toprung.boards.engine.verdict import PairVerdict, judge_pair
from toprung.data.formats.tables.csv_table import list_columns
from toprung.data.formats.tables.slice_files import EXPECTED, QUERY_COLUMNS, Attributes, read_slices
from toprung.data.frames import is_frame
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError
from toprung.stats.inputs import Bools, Floats
from toprung.stats.tests.corrections import correct_benjamini_hochberg
from toprung.stats.tests.pair import PairTest, least_differing, pair_test
from toprung.words.wording import say_queries

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

type GivenSlices = str | os.PathLike[str] | Mapping[str, Mapping[str, object]] | pl.DataFrame | pd.DataFrame
"""A file, a frame with ``query_id`` and a column an attribute, or ``{attribute: {query_id: value}}``."""


@dataclass(frozen=True, kw_only=True)
class SliceRow:
    """A and B on the queries that share a value of an attribute."""

    attribute: str
    value: str
    mean_a: float
    mean_b: float
    test: PairTest
    contribution: float
    """To the mean difference over all queries."""
    corrected: float | None = None
    """p among all slices, by Benjamini and Hochberg; None where too few queries differ for a test."""
    verdict: PairVerdict | None = None

    @property
    def is_tested(self) -> bool:
        return self.corrected is not None

    @property
    def p(self) -> float | None:
        return self.test.p if self.is_tested else None


@dataclass(frozen=True, kw_only=True)
class Slices:
    """All slices of a call, those that were tested first, the smallest p first."""

    rows: tuple[SliceRow, ...] = ()
    least: int = 0
    """So many queries must differ for a test."""
    remarks: tuple[str, ...] = ()

    @property
    def tested(self) -> tuple[SliceRow, ...]:
        return tuple(row for row in self.rows if row.is_tested)

    def count(self, side: int) -> int:
        """In how many B is better (+1), or A (−1)."""
        return sum(row.verdict is not None and row.verdict.side == side for row in self.rows)


def find_slices(given: GivenSlices | None, scores: ScoreTable, differences: Floats, *, alpha: float) -> Slices:
    """Test each slice; the false discovery rate over all of them is held at ``alpha``."""
    if given is None:
        return Slices()
    attributes, name = _read(given)
    remarks = _check(attributes, scores.query_ids, name=name)
    made = [_make(*each, scores, differences) for each in _members(attributes, scores.query_ids)]
    least = least_differing(alpha)
    tested = [row for row in made if row.test.differing >= least]
    others = [row for row in made if row.test.differing < least]
    corrected = correct_benjamini_hochberg([row.test.p for row in tested]).tolist()
    judged = [_judge(row, p, alpha) for row, p in zip(tested, corrected, strict=True)]
    judged.sort(key=lambda row: (row.corrected, row.test.p, row.attribute, row.value))
    others.sort(key=lambda row: (-row.test.n, row.attribute, row.value))
    return Slices(rows=(*judged, *others), least=least, remarks=remarks)


def _read(given: GivenSlices) -> tuple[Attributes, str]:
    """The attributes and what they are called; a query without a value (None, NaN) is in no slice of an attribute."""
    if isinstance(given, str | os.PathLike):
        return read_slices(given), os.fspath(given)
    given = _of_frame(given) if is_frame(given) else given
    if not isinstance(given, Mapping) or not all(isinstance(values, Mapping) for values in given.values()):
        found = type(given).__name__
        raise InputError(f"slices: found {found}; expected a CSV, a frame, or {{attribute: {{query_id: value}}}}.")
    return {
        str(attribute): {query_id: str(value) for query_id, value in values.items() if not _is_missing(value)}
        for attribute, values in given.items()
    }, "slices"


def _of_frame(frame: Any) -> dict[str, dict[str, object]]:
    """By attribute and query, as pandas and Polars give their columns."""
    query = next((name for name in QUERY_COLUMNS if name in frame.columns), None)
    attributes = [name for name in frame.columns if name != query]
    if query is None or not attributes:
        raise InputError(f"slices: found {list_columns([str(name) for name in frame.columns])}; expected {EXPECTED}.")
    whole = frame.astype(object).where(frame.notna(), None) if hasattr(frame, "notna") else frame
    query_ids = [str(query_id) for query_id in whole[query].to_list()]
    query_id, times = Counter(query_ids).most_common(1)[0] if query_ids else ("", 0)
    if times > 1:
        raise InputError(f"slices: found query '{query_id}' {times} times; expected each query once.")
    return {str(name): dict(zip(query_ids, whole[name].to_list(), strict=True)) for name in attributes}


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _members(attributes: Attributes, query_ids: tuple[str, ...]) -> list[tuple[str, str, Bools]]:
    """Every attribute, each of its values, and whose it is among the queries."""
    found = []
    for attribute, values in attributes.items():
        of_query = [values.get(query_id) for query_id in query_ids]
        named = dict.fromkeys(each for each in of_query if each is not None)
        found += [(attribute, value, np.array([each == value for each in of_query])) for value in named]
    return found


def _make(attribute: str, value: str, members: Bools, scores: ScoreTable, differences: Floats) -> SliceRow:
    inside = differences[members]
    mean_a, mean_b = scores.values[members].mean(axis=0).tolist()
    test = pair_test(inside)
    return SliceRow(
        attribute=attribute,
        value=value,
        mean_a=mean_a,
        mean_b=mean_b,
        test=test,
        contribution=test.mean * test.n / len(differences),
    )


def _judge(row: SliceRow, corrected: float, alpha: float) -> SliceRow:
    parts = PairParts(measure=replace(row.test, p=corrected))
    return replace(row, corrected=corrected, verdict=judge_pair(parts, alpha=alpha))


def _check(attributes: Attributes, query_ids: tuple[str, ...], *, name: str) -> tuple[str, ...]:
    """Refuse what names none of the queries; say how many it does not know, and how many are not here."""
    listed = dict.fromkeys(query_id for values in attributes.values() for query_id in values)
    known = set(query_ids)
    here = sum(query_id in known for query_id in listed)
    if not here:
        first = f", '{next(iter(listed))}' first" if listed else ""
        raise InputError(
            f"{name}: found {say_queries(len(listed))}{first}, none of them among the {len(query_ids):,} compared; "
            "expected attributes of these. Are the ids those of the labels?"
        )
    counts = (
        (len(listed) - here, "that are not compared were left out"),
        (len(query_ids) - here, "have no attribute, and are in no slice"),
    )
    return tuple(f"Slices: {say_queries(count)} {said}." for count, said in counts if count)
