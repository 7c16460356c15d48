"""What is there to report on? Labels and runs, or a matrix; and what else is known of the runs and the labels."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from toprung.analyses.given import GivenInputs
from toprung.analyses.subject import MeasureName, read_scores_in_memory, to_matrix
from toprung.boards.engine.defaults import choose_defaults
from toprung.data.joined_labels import JoinedLabels
from toprung.data.matrices import FirstRanks, ScoreTable, to_scores
from toprung.data.qrels import Qrels
from toprung.data.run_metadata import Metadata
from toprung.errors import InputError, NoOverlapError
from toprung.labels.effort.effort import Effort
from toprung.report.overview.tops import Top, keep_top
from toprung.scoring.catalogue import find_measure, first_rank_of
from toprung.scoring.evaluate import ALL_CORES, DEFAULT_MEASURES, evaluate
from toprung.scoring.evaluation import Evaluation
from toprung.scoring.inputs import NamedRun, Reading, to_named_runs, to_qrels
from toprung.workers import Workers

OTHER_MEASURES = (*DEFAULT_MEASURES, "Judged@10")
"""Computed beside the measure of the report: what they say, and how many of the first documents have labels."""
PRIVATE = "private"


def gather_inputs(
    source: Any,
    runs: Any = None,
    *,
    measure: MeasureName = None,
    cutoff: int | None = None,
    private: Any = None,
    labels: Any = None,
    metadata: Metadata | None = None,
    baselines: Collection[str] = (),
    float32_ties: bool = False,
    workers: Workers = ALL_CORES,
    on_progress: Callable[[str], None] = lambda _: None,
) -> GivenInputs:
    """Read and score what was given; see ``overview``."""
    new_labels, effort = _to_labels(labels)
    source, runs, measure = read_scores_in_memory(source, runs, measure)
    if isinstance(source, FirstRanks | ScoreTable):
        found = _of_matrix(source, runs, measure, private)
    elif isinstance(source, Evaluation):
        found = _of_evaluation(source, runs, measure, private)
    elif runs is None:
        raise InputError("Found labels without runs; expected both, what `evaluate` gave, or a matrix.")
    else:
        qrels = to_qrels(source)
        chosen = _choose_measure(qrels, measure, cutoff)
        scoring = _Scoring(
            name=chosen.measure,
            why=chosen.why,
            float32_ties=float32_ties,
            workers=workers,
            on_progress=on_progress,
        )
        found = _of_runs(qrels, runs, scoring, private, new_labels, has_effort=effort is not None)
    names = found.matrix.runs
    named = () if metadata is None else (run for run in metadata.baselines() if run in names)
    return replace(
        found,
        new_labels=new_labels,
        effort=effort,
        metadata=metadata,
        baselines=tuple(dict.fromkeys((*_known(baselines, names), *named))),
    )


def _known(baselines: Collection[str], names: Collection[str]) -> Collection[str]:
    unknown = [run for run in baselines if run not in names]
    if unknown:
        raise InputError(f"baselines: found no run '{unknown[0]}'; expected one of {', '.join(names)}.")
    return baselines


def _to_labels(labels: Any) -> tuple[Qrels | None, Effort | None]:
    """Other labels, or the folder of a judging effort that makes some."""
    if labels is None:
        return None, None
    if isinstance(labels, Effort):
        return None, labels
    if isinstance(labels, str | os.PathLike) and os.path.isdir(labels):
        return None, Effort.open(labels)
    return to_qrels(labels), None


def _of_evaluation(source: Evaluation, runs: Any, measure: MeasureName, private: Any) -> GivenInputs:
    """Ranked by its first measure unless another is named; which documents were found it does not say."""
    first = source.measures[0]
    matrix = to_matrix(source, runs, str(first) if measure is None else measure)
    if measure is None and len(source.measures) > 1:
        why = f"Measure: {first}, the first of {len(source.measures)} that were evaluated."
        matrix = replace(matrix, remarks=(why, *matrix.remarks))
    found = _of_matrix(matrix, None, None, private)
    return replace(found, qrels=source.labels.qrels, evaluation=source)


def _of_matrix(source: FirstRanks | ScoreTable, runs: Any, measure: MeasureName, private: Any) -> GivenInputs:
    if runs is not None or measure is not None:
        raise InputError("Found runs or a measure with a matrix; expected labels and runs, or a matrix alone.")
    private, _, _ = read_scores_in_memory(private, None, source.measure)
    named = {PRIVATE: private} if isinstance(private, FirstRanks | ScoreTable) else private or {}
    if isinstance(named, Mapping):
        named = {name: read_scores_in_memory(each, None, source.measure)[0] for name, each in named.items()}
    if not all(isinstance(each, FirstRanks | ScoreTable) for each in _values(named)):
        raise InputError("private: found something else than a matrix; expected one, as the public scores are one.")
    return GivenInputs(matrix=source, private={name: to_scores(each) for name, each in named.items()})


def _values(named: Any) -> Collection[Any]:
    return named.values() if isinstance(named, Mapping) else [named]


@dataclass(frozen=True, kw_only=True)
class _ChosenMeasure:
    """The measure of the report, and why, if the labels chose it."""

    measure: str
    why: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class _Scoring:
    """How runs are scored: by one measure that the report is about, and some beside it."""

    name: str
    """The measure, spelled out."""
    why: str
    """Where the labels chose it."""
    float32_ties: bool
    workers: Workers
    on_progress: Callable[[str], None]

    def evaluate(self, qrels: Any, runs: Mapping[str, NamedRun], *others: str) -> Evaluation:
        return evaluate(
            qrels,
            runs,
            [self.name, *others],
            float32_ties=self.float32_ties,
            workers=self.workers,
            on_progress=self.on_progress,
        )

    def to_matrix(self, found: Evaluation) -> FirstRanks | ScoreTable:
        """First ranks if they give the measure, for they tell more than its scores."""
        asked = first_rank_of(self.name)
        if asked is None:
            return found.score_table(self.name)
        return found.first_ranks(asked.cutoff, rel=asked.rel, mth=asked.mth)


def _choose_measure(qrels: Qrels, measure: MeasureName, cutoff: int | None) -> _ChosenMeasure:
    if measure is not None:
        return _ChosenMeasure(measure=str(find_measure(measure)))
    if cutoff is not None:
        return _ChosenMeasure(measure=f"RR@{cutoff}")
    chosen = choose_defaults(qrels)
    return _ChosenMeasure(measure=chosen.measure, why=chosen.said)


def _of_runs(
    qrels: Qrels, runs: Any, scoring: _Scoring, private: Any, new_labels: Qrels | None, *, has_effort: bool
) -> GivenInputs:
    private_labels = _name_private(private)
    joined = JoinedLabels.of([qrels, *private_labels.values(), *([] if new_labels is None else [new_labels])])
    tops: dict[str, Top] = {}
    given = to_named_runs(runs, Reading(float32_ties=scoring.float32_ties))
    kept = given if scoring.float32_ties else [keep_top(run, tops, with_ids=has_effort) for run in given]
    named = {run.name: replace(run, place=joined.place_once(run.place)) for run in kept}
    found = scoring.evaluate(qrels, named, *OTHER_MEASURES)
    if private_labels:
        found = replace(found, expects_other_queries=True)  # a run holds those of all sets
    held_out = {name: _score_private(labels, named, scoring) for name, labels in private_labels.items()}
    matrix = scoring.to_matrix(found)
    if scoring.why:
        matrix = replace(matrix, remarks=(f"Measure: {scoring.why}.", *matrix.remarks))
    return GivenInputs(
        matrix=matrix,
        qrels=qrels,
        runs=named,
        tops=tops,
        evaluation=found,
        private={name: each for name, each in held_out.items() if isinstance(each, ScoreTable)},
        not_private={name: each for name, each in held_out.items() if isinstance(each, NoOverlapError)},
    )


def _name_private(private: Any) -> dict[str, Qrels]:
    """The private labels by name. A mapping of names to labels is one; a mapping of queries is labels itself."""
    if private is None:
        return {}
    if isinstance(private, Mapping) and all(isinstance(each, Qrels | str | os.PathLike) for each in private.values()):
        return {str(name): to_qrels(each) for name, each in private.items()}
    return {PRIVATE: to_qrels(private)}


def _score_private(labels: Qrels, runs: Mapping[str, NamedRun], scoring: _Scoring) -> ScoreTable | NoOverlapError:
    """The scores of those runs that have a query of the private set: `holdout` says which do not.

    Where none has, the fault: the rest of the report does not need them.
    """
    try:
        found = scoring.evaluate(labels, runs)
    except NoOverlapError as fault:
        known = {name: run for name, run in runs.items() if _has_labelled_query(run, labels)}
        if not known:
            return fault
        found = scoring.evaluate(labels, known)
    return to_scores(scoring.to_matrix(replace(found, expects_other_queries=True)))


def _has_labelled_query(run: NamedRun, labels: Qrels) -> bool:
    return bool(run.place(labels).retrieved.any())
