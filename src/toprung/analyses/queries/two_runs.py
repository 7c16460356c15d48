"""What is known of two runs, query by query? Scores; ranks and labels where there are any; what each put first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from toprung.analyses.subject import (
    MeasureName,
    Source,
    check_source,
    evaluate_labels,
    read_scores_in_memory,
    to_matrix,
)
from toprung.data.matrices import FirstRanks, ScoreTable, to_scores
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.pools.pool import top_documents
from toprung.scoring.catalogue import find_if_known
from toprung.scoring.evaluation import Evaluation
from toprung.scoring.inputs import Reading, to_named_runs
from toprung.scoring.measure import Measure
from toprung.words.wording import say_count

type Firsts = Mapping[str, str]
"""The document that a run put first, by query."""
type Depths = Mapping[str, int]
"""How many documents a run has, by query."""


@dataclass(frozen=True, eq=False, kw_only=True)
class TwoRuns:
    """A and B on the same queries; what is not known is None."""

    matrix: FirstRanks | ScoreTable
    """Of A and B alone: what the pair is tested on."""
    ranks: FirstRanks | None = None
    """Of the first relevant document, as deep as the runs go."""
    depths: tuple[Depths, Depths] | None = None
    qrels: Qrels | None = None
    rel: int = 1
    """The lowest grade that is relevant."""
    firsts: tuple[Firsts, Firsts] | None = None

    @property
    def scores(self) -> ScoreTable:
        return to_scores(self.matrix)


def find_two_runs(
    source: Source,
    runs: Any,
    measure: MeasureName,
    *,
    a: str | None,
    b: str | None,
    float32_ties: bool = False,
    with_firsts: bool = False,
) -> TwoRuns:
    """From a matrix, an evaluation, or labels and runs, of which only the two are read."""
    check_source(source, runs)
    source, runs, measure = read_scores_in_memory(source, runs, measure)
    if isinstance(source, FirstRanks | ScoreTable):
        matrix = to_matrix(source, measure=measure)
        chosen = matrix.select(list(_choose(matrix.runs, a, b)))
        return TwoRuns(matrix=chosen, ranks=chosen if isinstance(chosen, FirstRanks) else None)
    if isinstance(source, Evaluation):
        return _of_evaluation(source, _choose([run.name for run in source.runs], a, b), measure)
    named = {each.name: each for each in to_named_runs(runs, Reading(float32_ties=float32_ties))}
    pair = _choose(list(named), a, b)
    if not with_firsts:
        return _of_labels(source, {name: named[name] for name in pair}, measure, float32_ties=float32_ties)
    loaded = {name: named[name].load() for name in pair}  # once: a pipe cannot be read again
    found = _of_labels(source, loaded, measure, float32_ties=float32_ties)
    first, second = (_first_documents(run, float32_ties=float32_ties) for run in loaded.values())
    return replace(found, firsts=(first, second))


def _of_labels(labels: Any, runs: Mapping[str, Any], measure: MeasureName, *, float32_ties: bool) -> TwoRuns:
    evaluation, remarks = evaluate_labels(labels, runs, measure, float32_ties=float32_ties)
    found = _of_evaluation(evaluation, _choose(list(runs), None, None), None)
    return replace(found, matrix=replace(found.matrix, remarks=(*remarks, *found.matrix.remarks)))


def _choose(runs: Sequence[str], a: str | None, b: str | None) -> tuple[str, str]:
    """The two that are named; where none is, there must be two."""
    if a is None and b is None and len(runs) == 2:
        return runs[0], runs[1]
    if a is None or b is None:
        named = "" if a is None and b is None else f" and only {'a' if b is None else 'b'}"
        raise InputError(f"Found {say_count(len(runs), 'run')}{named}; expected two, or the names of both: a and b.")
    if a == b:
        raise InputError(f"Found '{a}' as a and as b; expected two runs to compare.")
    for name in (a, b):
        if name not in runs:
            raise InputError(f"Found no run '{name}'; expected one of {', '.join(runs)}.")
    return a, b


def _of_evaluation(evaluation: Evaluation, pair: tuple[str, str], measure: MeasureName) -> TwoRuns:
    by_name = {run.name: run for run in evaluation.runs}
    only = replace(evaluation, runs=tuple(by_name[name] for name in pair))
    matrix = to_matrix(only, measure=measure)
    rel, mth = _what_counts(matrix.measure)
    has_any = bool((only.labels.count_relevant(rel) >= mth).any())
    counts = (only.labels.count_retrieved(run.placement).tolist() for run in only.runs)
    first, second = (dict(zip(only.query_ids, each, strict=True)) for each in counts)
    return TwoRuns(
        matrix=matrix,
        ranks=only.first_ranks(None, rel=rel, mth=mth) if has_any else None,
        depths=(first, second),
        qrels=only.labels.qrels,
        rel=rel,
    )


def _what_counts(measure: str) -> tuple[int, int]:
    """The lowest grade that is relevant under a measure, and which of such documents is looked for."""
    known = find_if_known(measure)
    parameters = dict(known.parameters) if isinstance(known, Measure) else {}
    return int(parameters.get("rel", 1)), int(parameters.get("mth", 1))


def _first_documents(run: Run, *, float32_ties: bool) -> dict[str, str]:
    """What stands first, by the same order that scores are computed in."""
    ordered = Run.from_ordered(run.to_ordered(float32_ties=True), name=run.name) if float32_ties else run
    return {query_id: docs[0] for query_id, docs in top_documents(ordered).items() if docs}
