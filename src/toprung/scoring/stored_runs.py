"""What does a stored run score? Told by the index of the file that a board keeps, a million rows in milliseconds.

For files that ``write_stored_run`` wrote, which were checked before they were written. Scores are exactly those of
``evaluate(labels, {name: read_run(path)}, measures)``. That holds for Parquet files without an index and for text runs
too: they are read and checked as ``read_run`` does, and take longer. What 32-bit scores would give instead is not told:
a stored run's scores are not read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Self

from toprung.data.formats.content import DEFAULT_LIMITS, Limits, read_content
from toprung.data.formats.runs.files import read_run
from toprung.data.formats.runs.recognise import RunFormat, recognise_run
from toprung.data.formats.runs.stored_index import StoredIndex, find_index
from toprung.data.formats.runs.stored_place import WantedHashes, place_stored
from toprung.data.place import place_run
from toprung.data.placement import Placement
from toprung.data.qrels import Qrels
from toprung.errors import FormatError
from toprung.scoring.catalogue import AnyMeasure
from toprung.scoring.evaluate import DEFAULT_MEASURES, evaluate
from toprung.scoring.evaluation import Evaluation
from toprung.scoring.inputs import NamedRun
from toprung.scoring.ranked_labels import LabelledQueries

SETS_KEPT_READY = 8
"""Sets of labels that are not made ready again for the next run: a board has about so many."""

type Source = str | os.PathLike[str]
type Measures = str | AnyMeasure | Iterable[str | AnyMeasure]


def score_stored(
    path: Source,
    labels: Qrels,
    measures: Measures = DEFAULT_MEASURES,
    *,
    name: str,
    float32_ties: bool = False,
) -> Evaluation:
    """Score a stored run on one set of labels.

    Give the same ``Qrels`` object for many runs: what is made ready of it serves them all. A run without any query of
    the labels raises NoOverlapError, as in ``evaluate``. For several sets of labels ``StoredRun`` reads the file once.
    """
    return StoredRun.read(path, name=name, float32_ties=float32_ties).score(labels, measures)


@dataclass(frozen=True, eq=False, kw_only=True)
class StoredRun:
    """A stored run, read once, to be scored on as many sets of labels as a board has.

    >>> import tempfile
    >>> from toprung.data.formats.runs.files import write_stored_run
    >>> from toprung.data.run import Run
    >>> with tempfile.NamedTemporaryFile(suffix=".parquet") as file:
    ...     write_stored_run(Run.from_dict({"q1": {"d1": 2.0, "d2": 1.0}}), file.name)
    ...     stored = StoredRun.read(file.name, name="R1")
    >>> [stored.score(Qrels.from_dict({"q1": {doc: 1}}), "RR").value("R1", "RR") for doc in ("d1", "d2")]
    [1.0, 0.5]
    """

    name: str
    path: str
    place: Callable[[Qrels], Placement]
    limits: Limits
    float32_ties: bool

    @classmethod
    def read(cls, path: Source, *, name: str, limits: Limits = DEFAULT_LIMITS, float32_ties: bool = False) -> Self:
        """Read the file; only measures of ir_measures read it again, for they need the whole run.

        With ``float32_ties`` other rows tie than the file says, so that it is read as any other file.
        """
        source = os.fspath(path)
        index = None if float32_ties else _find_index(source, limits)
        place: Callable[[Qrels], Placement]
        if index is not None:
            place = partial(_place, index, name, source)
        else:
            run = read_run(path, name=name, limits=limits)
            place = partial(place_run, run, float32_ties=float32_ties)
        return cls(name=name, path=source, place=place, limits=limits, float32_ties=float32_ties)

    def score(self, labels: Qrels, measures: Measures = DEFAULT_MEASURES) -> Evaluation:
        """What ``evaluate`` says of this run."""
        load = partial(read_run, self.path, name=self.name, limits=self.limits)
        run = NamedRun(self.name, place=self.place, load=load)
        return evaluate(_made_ready(labels), run, measures, float32_ties=self.float32_ties)


@lru_cache(maxsize=SETS_KEPT_READY)
def _made_ready(labels: Qrels) -> LabelledQueries:
    return LabelledQueries.of(labels)


@lru_cache(maxsize=SETS_KEPT_READY)
def _hashed(labels: Qrels) -> WantedHashes:
    return WantedHashes.of(labels)


def _find_index(source: str, limits: Limits) -> StoredIndex | None:
    content = read_content(source, limits)
    return find_index(content) if recognise_run(content, source) is RunFormat.PARQUET else None


def _place(index: StoredIndex, name: str, source: str, labels: Qrels) -> Placement:
    try:
        return place_stored(index, _hashed(labels), name=name)
    except ValueError as error:
        found, expected = f"an index that cannot be used ({error})", "a file as a board wrote it"
        raise FormatError(source=source, found=found, expected=expected) from error
