"""How well does each run do? Scores runs against labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Literal

from toprung.data.formats.content import DEFAULT_LIMITS, Limits
from toprung.data.place import place_run
from toprung.data.placement import Placement
from toprung.errors import InputError, NoOverlapError, check_choice
from toprung.scoring.catalogue import AnyMeasure, GivenMeasure, find_measure
from toprung.scoring.evaluation import Evaluation
from toprung.scoring.external import ExternalMeasure, score_external
from toprung.scoring.inputs import NamedRun, Reading, count_runs, to_named_runs, to_qrels
from toprung.scoring.measure import Measure
from toprung.scoring.names import is_ir_measure, split_names
from toprung.scoring.ranked_labels import LabelledQueries
from toprung.scoring.score_run import Row, score_run
from toprung.scoring.scored_run import Policies, RunScores
from toprung.workers import THREADING, Workers

DEFAULT_MEASURES = ("RR@10", "nDCG@10", "AP", "R@1000")
ALL_CORES = Workers(count=0, backend=THREADING)
DENOMINATORS, NAMES_FROM = ("qrels", "run"), ("file", "tag")


def evaluate(
    qrels: Any,
    runs: Any,
    measures: GivenMeasure | Iterable[GivenMeasure] = DEFAULT_MEASURES,
    *,
    denominator: Literal["qrels", "run"] = "qrels",
    float32_ties: bool = False,
    format: str | None = None,  # noqa: A002 - the word users know
    name_from: Literal["file", "tag"] = "file",
    limits: Limits = DEFAULT_LIMITS,
    with_digests: bool = False,
    workers: Workers = ALL_CORES,
    on_progress: Callable[[str], None] = lambda _: None,
) -> Evaluation:
    """Score runs against labels.

    Parameters
    ----------
    qrels
        A label file, ``irds:DATASET``, :class:`Qrels`, ``{query: {doc: grade}}`` or a frame; or what was made of one
        before, so that it need not be made for each of many calls.
    runs
        One run or several: files, :class:`Run`, ``{query: {doc: score}}``, frames, or ``{name: run}``.
    measures
        Names as in ir_measures, such as ``"nDCG@10"``, or of trec_eval, such as ``"ndcg_cut_10"``; several in one text
        parted by commas; or objects of ir_measures.
    denominator
        ``"qrels"``: means are over all labelled queries, a query missing from a run scores 0. ``"run"``: over
        the queries the run has, for comparison with tools that average so; never rank on it.
    float32_ties
        Compare scores as 32-bit numbers, as trec_eval up to version 9 does.
    format, name_from, limits
        How run files are read and named.
    with_digests
        Note the SHA-256 of each run file.
    workers
        Who reads and scores the runs: threads on all cores unless told, since reading is compiled code that runs
        beside Python. Threads that are left over read parts of a large file.
    on_progress
        Called with a run's name when it is done.

    Returns
    -------
    Evaluation

    Examples
    --------
    >>> print(evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 0.3, "d2": 0.9}}, "RR").sentence)
    run1 has RR 0.5000 over 1 query.

    """
    check_choice(denominator, DENOMINATORS, name="denominator")
    check_choice(name_from, NAMES_FROM, name="name_from")
    chosen = to_measures(measures)
    labels = qrels if isinstance(qrels, LabelledQueries) else LabelledQueries.of(to_qrels(qrels, limits))
    if not len(labels):
        raise InputError(
            f"{labels.qrels.source}: found no document of grade 1 or more; expected labels with a relevant document."
        )
    threads = workers.threads_for_each(count_runs(runs))
    reading = Reading(format=format, float32_ties=float32_ties, limits=limits, threads=threads)
    named = to_named_runs(runs, reading, name_from=name_from)
    names = iter([run.name for run in named])  # results come in this order
    score = partial(_score, measures=chosen, labels=labels, reading=reading)
    scored = workers.map(score, named, on_progress=lambda _: on_progress(next(names)))
    return Evaluation(
        measures=tuple(chosen),
        labels=labels,
        runs=tuple(scored),
        policies=Policies(denominator=denominator, float32_ties=float32_ties),
        digests={run.name: run.digest for run in named} if with_digests else {},
    )


def to_measures(measures: GivenMeasure | Iterable[GivenMeasure]) -> list[AnyMeasure]:
    is_many = isinstance(measures, Iterable) and not isinstance(measures, str) and not is_ir_measure(measures)
    several = list(measures) if isinstance(measures, Iterable) and is_many else [measures]
    named = [name for each in several for name in (split_names([each]) if isinstance(each, str) else [each])]
    chosen = {str(measure): measure for measure in map(find_measure, named)}
    return list(chosen.values()) or to_measures(DEFAULT_MEASURES)


def _score(run: NamedRun, measures: Sequence[AnyMeasure], labels: LabelledQueries, reading: Reading) -> RunScores:
    external = [measure for measure in measures if isinstance(measure, ExternalMeasure)]
    rows: dict[str, Row] = {}
    in_32_bits: dict[str, Row] = {}
    if external:
        loaded = run.load()
        placement = place_run(loaded, labels.qrels, float32_ties=reading.float32_ties)
        ordered = loaded.to_ordered(float32_ties=reading.float32_ties)
        rows |= zip(map(str, external), score_external(external, ordered, labels), strict=True)
        if placement.rank_32_bit is not None:
            tied = loaded.to_ordered(float32_ties=True)
            in_32_bits |= zip(map(str, external), score_external(external, tied, labels), strict=True)
    else:
        placement = run.place(labels.qrels)
    _refuse_no_overlap(run, placement, labels)
    native = [measure for measure in measures if isinstance(measure, Measure)]
    rows |= zip(map(str, native), score_run(native, placement, labels), strict=True)
    return RunScores(
        name=run.name,
        placement=placement,
        rows=tuple(rows[str(measure)] for measure in measures),
        labels=labels,
        native=tuple(native),
        external_32_bit=in_32_bits,
    )


def _refuse_no_overlap(run: NamedRun, placement: Placement, labels: LabelledQueries) -> None:
    if not placement.has_known_queries:
        raise NoOverlapError(
            f"{run.path or run.name}: found {placement.n_unknown_queries} queries, none of them in the labels "
            f"({labels.qrels.source}); expected at least one in common. Are these the right labels for the run?"
        )
