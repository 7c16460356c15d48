"""What is there to know of these runs? Every analysis that the inputs allow, in the order in which they tell most.

Each part asks one question; analyses register them. What the inputs do not allow becomes an omission that
says what to give, and so does an analysis that refuses these inputs: one refusal never costs the report.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from toprung.analyses.given import AskedOptions, GivenInputs
from toprung.boards.engine.rules import ClaimPolicy, Rule
from toprung.boards.similarity import DEPTH
from toprung.data.matrices import FirstRanks, to_scores
from toprung.data.run_metadata import Metadata
from toprung.errors import InputError, ToprungError
from toprung.report.overview.answers import count_splits
from toprung.report.overview.inputs import gather_inputs
from toprung.report.overview.material import ReportMaterial
from toprung.report.overview.parts import PartPlan, all_plans
from toprung.report.overview.tops import read_ahead
from toprung.report.overview.words import explain_overview, say_summary
from toprung.result import Explanation, Result, Table
from toprung.scoring.evaluate import ALL_CORES
from toprung.stats.inputs import check_share
from toprung.stats.ranks.mass import TRIALS
from toprung.version import __version__
from toprung.words.wording import list_names, say_count, say_queries
from toprung.workers import Workers

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


def overview(
    source: Any,
    runs: Any = None,
    *,
    measure: str | None = None,
    rule: Rule | None = None,
    cutoff: int | None = None,
    private: Any = None,
    labels: Any = None,
    metadata: Metadata | None = None,
    baselines: Collection[str] = (),
    title: str = "",
    trials: int = TRIALS,
    alpha: float = 0.05,
    confidence: float = 0.95,
    seed: int = 0,
    float32_ties: bool = False,
    workers: Workers = ALL_CORES,
    on_progress: Callable[[str], None] = lambda _: None,
) -> Overview:
    """Ask everything that can be asked of some runs.

    Parameters
    ----------
    source, runs
        Labels and runs, in any form that ``evaluate`` takes; or a matrix of first ranks or scores alone.
    measure, cutoff
        What the board ranks by: as the labels ask for unless a measure is named, or a cutoff, which asks for RR.
    rule
        What a claim must show; as the labels ask for unless given.
    private
        Labels of private queries, or a matrix where the public one is a matrix; several by name.
    labels
        Other labels of the same queries, or the folder of a judging effort (``toprung labels``).
    metadata
        What is known of the runs, from ``read_metadata``: dates, teams, tags, costs, seeds, baselines.
    baselines
        Runs that were there from the start, beside those that the metadata names.
    title
        Of the report; otherwise it says how many runs and queries there are.
    trials, alpha, confidence, seed
        Of the bootstrap trials, of tests, and of intervals.
    float32_ties, workers
        As in ``evaluate``.
    on_progress
        Called ``count_steps(...)`` times at most.

    Examples
    --------
    >>> import numpy as np
    >>> from toprung.data.matrices import FirstRanks
    >>> values = np.array([[3, 1], [4, 2], [9, 2], [0, 1], [7, 3], [5, 2]], dtype=np.int32)
    >>> found = overview(FirstRanks(query_ids=tuple("abcdef"), runs=("old", "new"), values=values, cutoff=10))
    >>> print(found.sentence)
    new does best, beyond chance.

    """
    _check(trials, alpha, confidence)
    inputs = gather_inputs(
        source,
        runs,
        measure=measure,
        cutoff=cutoff,
        private=private,
        labels=labels,
        metadata=metadata,
        baselines=baselines,
        float32_ties=float32_ties,
        workers=workers,
        on_progress=on_progress,
    )
    if rule is not None:
        has_ranks = isinstance(inputs.matrix, FirstRanks)
        ClaimPolicy(rule=rule, alpha=alpha).check(inputs.matrix.measure, has_ranks=has_ranks)
    options = AskedOptions(
        trials=trials, alpha=alpha, confidence=confidence, rule=rule, seed=seed, on_progress=on_progress
    )
    named = list(inputs.runs.values())
    with read_ahead(named, depth=DEPTH, workers=workers, on_progress=on_progress) as top_lists:
        answers = list(
            _answer_all(ReportMaterial(inputs=inputs, metadata=_known_of(inputs), options=options, top_lists=top_lists))
        )
    return Overview(
        title=title or _say_title(inputs),
        parts=tuple(each for each in answers if isinstance(each, AnsweredPart)),
        omitted=tuple(each for each in answers if isinstance(each, Omission)),
        inputs=inputs,
        options=options,
    )


def count_steps(n_runs: int, *, has_files: bool = False, n_private: int = 0) -> int:
    """How often progress is reported at most: for runs that are scored and read, splits, and parts."""
    of_runs = n_runs * (2 + n_private) if has_files else 0
    return of_runs + count_splits(n_runs) + len(all_plans())


def _check(trials: int, alpha: float, confidence: float) -> None:
    if trials < 1:
        raise InputError(f"trials: found {trials}; expected a whole number from 1.")
    check_share(alpha, name="alpha")
    check_share(confidence, name="confidence")


def _answer_all(material: ReportMaterial) -> Iterator[AnsweredPart | Omission]:
    for plan in all_plans():
        yield _answer(plan, material)
        material.options.on_progress(plan.question)


def _answer(plan: PartPlan, material: ReportMaterial) -> AnsweredPart | Omission:
    """The answer, or why there is none."""
    try:
        reason = plan.lacks(material)
        if reason is None:
            return AnsweredPart(key=plan.key, question=plan.question, result=plan.find(material))
    except ToprungError as refusal:
        return Omission(key=plan.key, question=plan.question, reason=str(refusal), is_fault=True)
    return Omission(key=plan.key, question=plan.question, reason=reason)


def _known_of(inputs: GivenInputs) -> Metadata | None:
    """What is known of these runs alone; None where that is nothing."""
    known = None if inputs.metadata is None else inputs.metadata.select(inputs.matrix.runs)
    return known if known and known.entries else None


def _say_title(inputs: GivenInputs) -> str:
    return f"{say_count(len(inputs.matrix.runs), 'run')} on {say_queries(len(inputs.matrix.query_ids))}"


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
    def _summary(self) -> tuple[list[str], list[str]]:
        values = to_scores(self.inputs.matrix).values
        span = float(np.nanmax(values) - np.nanmin(values))
        return say_summary({part.key: part.result for part in self.parts}, span=span)

    @property
    def sentence(self) -> str:
        """Who may be best, who was the last to prove it, and what casts most doubt on it."""
        return " ".join(self._summary[0])

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
        """What else to be careful about, and what the metadata does not fit."""
        return (*self._summary[1], *_say_metadata(self.inputs))

    @property
    def explanation(self) -> Explanation:
        return explain_overview(self.inputs.matrix.measure)

    @property
    def provenance(self) -> dict[str, object]:
        inputs, options = self.inputs, self.options
        labels = {"labels": inputs.qrels.source, "labels_digest": inputs.qrels.digest} if inputs.qrels else {}
        known = inputs.metadata
        return {
            "measure": inputs.matrix.measure,
            "matrix_digest": inputs.matrix.digest,
            **labels,
            "n_queries": len(inputs.matrix.query_ids),
            "n_runs": len(inputs.matrix.runs),
            **({"metadata": known.source, "metadata_digest": known.digest} if known else {}),
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
