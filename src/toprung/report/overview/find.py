"""What is there to know of these runs? Every analysis that the inputs allow, in the order in which they tell most.

Each part asks one question; analyses register them. What the inputs do not allow becomes an omission that
says what to give, and so does an analysis that refuses these inputs: one refusal never costs the report.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from typing import Any

from toprung.analyses.given import AskedOptions, GivenInputs
from toprung.analyses.subject import MeasureName, Source
from toprung.boards.engine.rules import ClaimPolicy, Rule, read_rule
from toprung.data.formats.tables.metadata_files import read_metadata
from toprung.data.matrices import FirstRanks
from toprung.data.run_metadata import Metadata
from toprung.errors import InputError, ToprungError
from toprung.report.overview.answers import count_splits
from toprung.report.overview.inputs import gather_inputs
from toprung.report.overview.material import ReportMaterial
from toprung.report.overview.parts import PartPlan, all_plans
from toprung.report.overview.result import AnsweredPart, Omission, Overview
from toprung.report.overview.tops import read_ahead
from toprung.scoring.evaluate import ALL_CORES
from toprung.stats.inputs import check_share
from toprung.stats.ranks.mass import TRIALS
from toprung.words.wording import say_count, say_queries
from toprung.workers import Workers


def report(
    source: Source,
    runs: Any = None,
    measure: MeasureName = None,
    *,
    rule: Rule | str | None = None,
    cutoff: int | None = None,
    private: Any = None,
    labels: Any = None,
    metadata: Metadata | str | os.PathLike[str] | None = None,
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
    """Ask everything that can be asked of some runs, for one page: ``report(...).save("report.html")``.

    Parameters
    ----------
    source, runs
        Labels and runs, in any form that ``evaluate`` takes; what ``evaluate`` gave; or a matrix of first ranks or
        scores. Labels and runs allow most, for the others do not say which documents were found.
    measure, cutoff
        What the board ranks by: as the labels ask for unless a measure is named, or a cutoff, which asks for RR. Of an
        evaluation the first measure.
    rule
        What a claim must show; as the labels ask for unless given.
    private
        Labels of private queries, or a matrix where the public one is a matrix; several by name.
    labels
        Other labels of the same queries, or the folder of a judging effort (``toprung labels``).
    metadata
        What is known of the runs, a file or from ``read_metadata``: dates, teams, tags, costs, seeds, baselines.
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
    >>> found = report(FirstRanks(query_ids=tuple("abcdef"), runs=("old", "new"), values=values, cutoff=10))
    >>> print(found.sentence)
    new does best, beyond chance.

    """
    _check(trials, alpha, confidence)
    asked_rule = read_rule(rule) if isinstance(rule, str) and not isinstance(rule, Rule) else rule
    known = read_metadata(metadata) if isinstance(metadata, str | os.PathLike) else metadata
    inputs = gather_inputs(
        source,
        runs,
        measure=measure,
        cutoff=cutoff,
        private=private,
        labels=labels,
        metadata=known,
        baselines=baselines,
        float32_ties=float32_ties,
        workers=workers,
        on_progress=on_progress,
    )
    if asked_rule is not None:
        has_ranks = isinstance(inputs.matrix, FirstRanks)
        ClaimPolicy(rule=asked_rule, alpha=alpha).check(inputs.matrix.measure, has_ranks=has_ranks)
    options = AskedOptions(
        trials=trials, alpha=alpha, confidence=confidence, rule=asked_rule, seed=seed, on_progress=on_progress
    )
    named = list(inputs.runs.values())
    has_effort = inputs.effort is not None
    with read_ahead(
        named, tops=inputs.tops, with_ids=has_effort, workers=workers, on_progress=on_progress
    ) as top_lists:
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
