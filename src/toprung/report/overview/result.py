"""What does a report say? Every question with its answer, what was left out, and what to be careful about."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from toprung.analyses.given import AskedOptions, GivenInputs
from toprung.data.matrices import to_scores
from toprung.errors import InputError
from toprung.report.overview.words import MOST_SENTENCES, explain_overview, find_concerns, say_summary
from toprung.result import Explanation, Result, Table
from toprung.result.base import NOTEBOOK_VIEW
from toprung.version import __version__
from toprung.words.wording import list_names, say_file

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, kw_only=True)
class AnsweredPart:
    """One question of the report, and its answer."""

    key: str
    question: str
    result: Result


@dataclass(frozen=True, kw_only=True)
class Omission:
    """A question that these inputs do not answer, and what to give."""

    key: str
    question: str
    reason: str
    is_fault: bool = False
    """Whether something was given for it that cannot be used."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Overview(Result):
    """Everything that was asked of some runs, and what could not be."""

    title: str
    parts: tuple[AnsweredPart, ...]
    omitted: tuple[Omission, ...]
    inputs: GivenInputs
    options: AskedOptions

    def __getitem__(self, key: str) -> Result:
        for part in self.parts:
            if part.key == key:
                return part.result
        for each in self.omitted:
            if each.key == key:
                raise InputError(f"Found no part '{key}' in this report. {each.reason}")
        raise InputError(f"Found no part '{key}'; expected one of {', '.join(part.key for part in self.parts)}.")

    @cached_property
    def _summary(self) -> list[str]:
        return say_summary(self._results)

    @cached_property
    def _concerns(self) -> list[str]:
        values = to_scores(self.inputs.matrix).values
        span = float(np.nanmax(values) - np.nanmin(values))
        return list(find_concerns(self._results, span=span))

    @property
    def _results(self) -> dict[str, Result]:
        return {part.key: part.result for part in self.parts}

    @property
    def sentence(self) -> str:
        """Who may be best, who was the last to prove it, and what casts most doubt on it."""
        return " ".join([*self._summary, *self._concerns[: self._room]])

    @property
    def _room(self) -> int:
        """How many of the concerns the sentence has room for."""
        return MOST_SENTENCES - len(self._summary)

    @property
    def cautions(self) -> tuple[str, ...]:
        """All there is to be careful about, the weightiest first: of what was found, and of what was given."""
        return (*self._concerns, *self._of_inputs)

    @property
    def _of_inputs(self) -> tuple[str, ...]:
        return (*self.inputs.matrix.remarks, *_say_metadata(self.inputs))

    @property
    def said_first(self) -> frozenset[str]:
        """Sentences and notes of parts that the whole says once."""
        return frozenset((*self.cautions, " ".join(self._summary), *self._summary))

    @property
    def table(self) -> Table:
        """Every question with its answer."""
        rows = tuple((part.question, part.result.sentence) for part in self.parts)
        return Table(header=("question", "answer"), rows=rows)

    @property
    def tables(self) -> tuple[tuple[str, Table], ...]:
        """The tables of all parts, under their questions."""
        return tuple(
            (f"{part.question} {heading}".strip(), table)
            for part in self.parts
            for heading, table in part.result.tables
        )

    def paper_tables(self) -> tuple[Table, ...]:
        return tuple(table for part in self.parts for table in part.result.paper_tables())

    @property
    def notes(self) -> tuple[str, ...]:
        """What else to be careful about, and what runs and metadata lack."""
        return (*self._concerns[self._room :], *self._of_inputs)

    @property
    def explanation(self) -> Explanation:
        return explain_overview(self.inputs.matrix.measure)

    @property
    def provenance(self) -> dict[str, object]:
        inputs, options = self.inputs, self.options
        labels = {"labels": say_file(inputs.qrels.source), "labels_digest": inputs.qrels.digest} if inputs.qrels else {}
        known = inputs.metadata
        return {
            "measure": inputs.matrix.measure,
            "matrix_digest": inputs.matrix.digest,
            **labels,
            "n_queries": len(inputs.matrix.query_ids),
            "n_runs": len(inputs.matrix.runs),
            **({"metadata": say_file(known.source), "metadata_digest": known.digest} if known else {}),
            "trials": options.trials,
            "rule": options.rule,
            "alpha": options.alpha,
            "confidence": options.confidence,
            "seed": options.seed,
            "toprung": __version__,
        }

    def to_frame(self) -> pl.DataFrame:
        """One row a question: its answer, or what to give for one."""
        from toprung.extras.frames import pl

        rows = [(part.key, part.question, part.result.sentence, None) for part in self.parts]
        missing = [(each.key, each.question, None, each.reason) for each in self.omitted]
        types = {"key": pl.String, "question": pl.String, "answer": pl.String, "omitted_because": pl.String}
        return pl.DataFrame([*rows, *missing], schema=types, orient="row")

    def to_dict(self) -> dict[str, Any]:
        """Everything of every part."""
        return {
            "title": self.title,
            "sentence": self.sentence,
            "notes": list(self.notes),
            "parts": [
                {"key": part.key, "question": part.question, "result": part.result.to_dict()} for part in self.parts
            ],
            "omitted": [{"key": each.key, "question": each.question, "reason": each.reason} for each in self.omitted],
            "provenance": self.provenance,
        }

    def _repr_html_(self) -> str:
        """In a notebook the answers; ``to_html()`` and ``save("report.html")`` give the whole page."""
        drawn: str = importlib.import_module(NOTEBOOK_VIEW).to_notebook(self, tables=(("", self.table),))
        return drawn

    def __repr__(self) -> str:
        return f"Overview({len(self.parts)} parts, {len(self.omitted)} omitted)"


def _say_metadata(inputs: GivenInputs) -> list[str]:
    """Whether the metadata and the runs name the same."""
    known = inputs.metadata
    if known is None:
        return []
    runs = inputs.matrix.runs
    missing = [run for run in runs if run not in known.by_run]
    unused = [run for run in known.by_run if run not in runs]
    said = []
    if missing:
        said.append(f"Nothing is known of {list_names(missing)}: not in {known.source or 'the metadata'}.")
    if unused:
        said.append(f"Left out: {list_names(unused)}, in {known.source or 'the metadata'} but not among the runs.")
    if known.ignored_columns:
        said.append(f"Columns left out: {list_names(list(known.ignored_columns))}.")
    return said
