"""Is the assessor awake? Golds: pairs whose better answer is known, shown among the others.

A gold is a good answer to its query against one that is obviously about something else.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from toprung.data.formats.content import read_content
from toprung.data.formats.problems import Problem
from toprung.data.formats.runs.line_parser import iterate_lines, split_columns
from toprung.data.judgments import Pair
from toprung.errors import FormatError, InputError
from toprung.labels.pools.pool import Pool

COLUMNS = ("query_id", "good", "bad")
TRIES = 20
"""How many other labels are tried for one that is not in the pool; in real pools the first one is not."""


@dataclass(frozen=True, slots=True, order=True)
class Gold:
    """A query, an answer known to be good, and an answer that is obviously about something else."""

    query_id: str
    good: str
    bad: str

    def __post_init__(self) -> None:
        if self.good == self.bad:
            raise InputError(
                f"Found '{self.good}' as the good and the bad answer to query '{self.query_id}'; expected two answers."
            )

    @property
    def pair(self) -> Pair:
        return Pair.of(self.query_id, self.good, self.bad)

    def to_record(self) -> dict[str, Any]:
        """As a line of JSONL holds it."""
        return {"query_id": self.query_id, "good": self.good, "bad": self.bad}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """From a line of JSONL."""
        values = [record[name] for name in COLUMNS if isinstance(record.get(name), str)]
        if len(values) < len(COLUMNS):
            raise InputError(f"{str(record)[:200]}, which is no gold")
        return cls(*values)


def read_golds(path: str | os.PathLike[str]) -> list[Gold]:
    """Read golds from a file of three columns: query id, id of the good answer, id of the bad one."""
    source = os.fspath(path)
    golds = []
    for number, line in iterate_lines(read_content(path)):
        if not line.strip():
            continue
        columns = split_columns(line, number, COLUMNS)
        if isinstance(columns, Problem):
            raise columns.to_error(source)
        try:
            golds.append(Gold(*columns))
        except InputError as error:
            raise FormatError(source=source, line=number, found=str(error), expected="a gold") from None
    if not golds:
        raise FormatError(source=source, found="no golds", expected="lines of query id, good answer, bad answer")
    return golds


def draw_golds(pools: Iterable[Pool], *, seed: int = 0) -> list[Gold]:
    """A gold for every query with a label: the label against the label of another query, drawn at random.

    No label is drawn again before all were: whoever met a passage before would know that it is the bad one. Nobody
    looked at them: in a narrow collection the other label may be about the same thing.

    >>> pools = [Pool(query_id="q1", items=("d1",), label="d1"), Pool(query_id="q2", items=("d2", "d3"), label="d2")]
    >>> draw_golds(pools)
    [Gold(query_id='q1', good='d1', bad='d2'), Gold(query_id='q2', good='d2', bad='d1')]
    """
    labelled = sorted((pool for pool in pools if pool.label is not None), key=lambda pool: pool.query_id)
    labels = sorted({_label_of(pool) for pool in labelled})
    rng = np.random.default_rng([seed, 0])
    pile: list[str] = []
    golds = []
    for pool in labelled:
        bad = _take_unrelated(pool, pile)
        if bad is None:  # the pile has run out, or what is left of it does not fit
            pile += [labels[place] for place in rng.permutation(len(labels)).tolist()]
            bad = _take_unrelated(pool, pile)
        if bad is not None:
            golds.append(Gold(pool.query_id, _label_of(pool), bad))
    return golds


def _take_unrelated(pool: Pool, pile: list[str]) -> str | None:
    """From the top of the pile, a label that no run and no label put into this pool."""
    for place in range(len(pile) - 1, max(-1, len(pile) - 1 - TRIES), -1):
        if pile[place] not in pool.items and pile[place] not in pool.same_text:
            return pile.pop(place)
    return None


def _label_of(pool: Pool) -> str:
    label = pool.label or ""
    return pool.represent(label)
