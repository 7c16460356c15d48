"""Where an analysis gets its matrix from: labels and runs, a file of ranks, or a file of scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import click

from toprung.analyses.subject import to_matrix
from toprung.boards.engine.defaults import choose_defaults, default_rule
from toprung.boards.engine.rules import Rule, read_rule
from toprung.boards.engine.saturation import LEAST_DIFFERING, hardly_tells_apart, say_saturated
from toprung.cli.options.given import refuse_if_given, was_given
from toprung.cli.options.measures import one_measure_option
from toprung.cli.options.progress import progress
from toprung.data.formats.tables.matrix_files import read_ranks, read_scores
from toprung.data.matrices import FirstRanks, ScoreTable, to_scores
from toprung.data.qrels import Qrels
from toprung.errors import InputError
from toprung.scoring.evaluate import evaluate
from toprung.scoring.evaluation import Evaluation
from toprung.scoring.inputs import to_qrels
from toprung.scoring.other_measures import score_by

RANKS_CUTOFF = 100
"""Of a file of ranks, unless another is asked for."""
LABELS_CUTOFF = 10
"""Of labels and runs, where --rel or --mth ask for a rank and nothing says how far to look."""
OTHER_MEASURES = ("nDCG@10", "RR@100", "AP", "nDCG@100", "R@100")
"""Tried in turn where a measure hardly tells the best runs apart."""


@dataclass(frozen=True, kw_only=True)
class MatrixInputs:
    """What was given on the command line."""

    arguments: tuple[str, ...]
    ranks: str | None = None
    scores: str | None = None
    cutoff: int | None = None
    rel: int = 1
    mth: int = 1
    float32_ties: bool = False
    expects_other_queries: bool = False
    """Whether runs hold queries of other sets by design: then they are not remarked on."""
    names: tuple[str, ...] = ()
    """What to call the runs; left out, they are called by their files."""
    is_of_best_runs: bool = True
    """Whether the best of the runs are asked about: only then is it remarked that the measure tells them hardly apart.
    """

    def __post_init__(self) -> None:
        if self.ranks is not None and self.scores is not None:
            raise InputError("Found both --ranks and --scores; expected one of them.")
        if self.scores is not None:
            refuse_if_given("cutoff", "--scores", "none: the scores are computed already")
        if self.scores is not None or self.ranks is not None:
            refuse_if_given("float32_ties", "a matrix", "labels and runs, whose ties it breaks")
            for name in ("rel", "mth"):
                refuse_if_given(name, "a matrix", "labels and runs, which know the grades")

    @property
    def has_labels(self) -> bool:
        return self.scores is None and self.ranks is None

    @cached_property
    def qrels(self) -> Qrels:
        """The labels, read once."""
        if len(self.arguments) < 2:
            raise InputError("Found no runs; expected QRELS RUN..., or --ranks FILE, or --scores FILE.")
        return to_qrels(self.arguments[0])

    def read(self, measure: str | None = None) -> FirstRanks | ScoreTable:
        """The matrix: first ranks where the measure is of the first relevant document, else scores.

        Without a measure the labels choose one, and the matrix remarks on it.
        """
        if not self.has_labels:
            return self.read_ranks() if self.scores is None and measure is None else self.read_scores(measure)
        if measure is None and self._asks_for_ranks:
            found = self._evaluate("RR")
            ranks = self._first_ranks(found)
            said = f"Measure: {ranks.measure}, as --cutoff, --rel and --mth ask for."
            return self._remark(found, _add_remark(ranks, said))
        if measure is not None:
            return self._read_measure(measure)
        chosen = choose_defaults(self.qrels)
        why = f"{chosen.why}: {chosen.measure}" if was_given("rule") else chosen.said
        return self._read_measure(chosen.measure, f"Measure: {why}.")

    @property
    def is_sparse(self) -> bool:
        """Whether the labels have one answer, as far as is known: that is what first ranks in a file are of."""
        return choose_defaults(self.qrels).rule is Rule.NO_HARM if self.has_labels else self.ranks is not None

    def rule_for(self, matrix: FirstRanks | ScoreTable, rule: str | None = None) -> Rule:
        """What a claim must show: as asked for; else no harm for first ranks of sparse labels, and the measure else."""
        if rule is not None:
            return read_rule(rule)
        return default_rule(self.qrels if self.has_labels else None, has_ranks=isinstance(matrix, FirstRanks))

    def read_mth_ranks(self, *, mths: Sequence[int] = (1,)) -> list[FirstRanks]:
        """Rank matrices of the first, second, … document of a grade, from labels and runs."""
        if self.has_labels:
            evaluation = self._evaluate("RR")
            return [evaluation.first_ranks(self._cutoff, rel=self.rel, mth=mth) for mth in mths]
        return [self.read_ranks()]

    def read_ranks(self) -> FirstRanks:
        """The rank matrix: from --ranks (arguments name the runs wanted), or from labels and runs."""
        if self.scores is not None:
            raise InputError("Found --scores; expected ranks: give --ranks FILE, or labels and runs.")
        if self.ranks is not None:
            matrix = read_ranks(self.ranks, cutoff=self._cutoff)
            return matrix.select(list(self.arguments)) if self.arguments else matrix
        return self._first_ranks(self._evaluate("RR"))

    def read_scores(self, measure: str | None = None) -> ScoreTable:
        """The scores of a measure: from --scores, or computed; as the labels ask for unless one is named."""
        if self.scores is not None:
            table = read_scores(self.scores, measure=measure)
            return table.select(list(self.arguments)) if self.arguments else table
        if measure is not None and self.ranks is not None:
            raise InputError(f"Found --measure {measure} with --ranks; expected labels and runs: ranks give only RR.")
        return to_scores(self.read(measure))

    def read_tables(self, measures: Sequence[str], *, qrels: str | None = None) -> list[ScoreTable]:
        """The scores of several measures from labels (others, if named) and runs; the labels choose if none is."""
        own = self if qrels is None else replace(self, arguments=(qrels, *self.arguments[1:]))
        if len(measures) < 2:
            return [own.read_scores(measures[0] if measures else None)]
        found = own._evaluate(*measures)
        return [found.score_table(str(measure)) for measure in found.measures]

    def read_measures(self, measures: Sequence[str]) -> Evaluation | ScoreTable:
        """The scores of one measure or several, all of them over the same queries."""
        if self.has_labels:
            asked = [self.measure_asked_for(each) for each in measures or (None,)]
            return self._evaluate(*(each or choose_defaults(self.qrels).measure for each in asked))
        if len(measures) > 1:
            raise InputError(f"Found {len(measures)} measures with a matrix; expected one, or labels and runs.")
        return self.read_scores(*measures)

    def measure_asked_for(self, measure: str | None) -> str | None:
        """The measure that the options name: itself, or RR by --cutoff, --rel and --mth; None if the labels choose."""
        if measure is not None:
            self._refuse_beside(measure)
            return measure
        return f"RR(rel={self.rel}, mth={self.mth})@{self._cutoff}" if self._asks_for_ranks else None

    def settle_measure(self, measure: str | None) -> str | None:
        """The same for all sets of labels: as asked for, or what the first of them choose."""
        is_left_to_labels = self.has_labels and measure is None and not self._asks_for_ranks
        return choose_defaults(self.qrels).measure if is_left_to_labels else measure

    @property
    def _asks_for_ranks(self) -> bool:
        """Whether the options name a rank: then RR is meant."""
        return self.cutoff is not None or (self.rel, self.mth) != (1, 1) or was_given("rel") or was_given("mth")

    @property
    def _cutoff(self) -> int:
        return self.cutoff or (LABELS_CUTOFF if self.has_labels else RANKS_CUTOFF)

    def _first_ranks(self, found: Evaluation) -> FirstRanks:
        return found.first_ranks(self._cutoff, rel=self.rel, mth=self.mth)

    def _read_measure(self, text: str, *said: str) -> FirstRanks | ScoreTable:
        self._refuse_beside(text)
        found = self._evaluate(text)
        return self._remark(found, _add_remark(to_matrix(found), *said))

    def _refuse_beside(self, measure: str) -> None:
        refuse_if_given("cutoff", f"--measure {measure}", "the cutoff in the measure's name, such as RR@10")
        for name in ("rel", "mth"):
            refuse_if_given(name, f"--measure {measure}", f"it in the measure's name, such as RR({name}=2)@10")

    def _remark(self, found: Evaluation, matrix: FirstRanks | ScoreTable) -> FirstRanks | ScoreTable:
        """With a warning where the measure hardly tells the best runs apart, and one that does."""
        if not self.is_of_best_runs or len(matrix.query_ids) < LEAST_DIFFERING or not hardly_tells_apart(matrix):
            return matrix
        others = (score_by(found, each) for each in OTHER_MEASURES if each != matrix.measure)
        better = next((each.measure for each in others if not hardly_tells_apart(each)), "")
        return replace(matrix, remarks=(*matrix.remarks, say_saturated(matrix, better)))

    def _evaluate(self, *measures: str) -> Evaluation:
        labels, files = self.qrels, self.arguments[1:]
        runs = dict(zip(self.names, files, strict=True)) if self.names else files
        with progress(len(runs), "Scoring") as on_progress:
            found = evaluate(labels, runs, measures, float32_ties=self.float32_ties, on_progress=on_progress)
        return replace(found, expects_other_queries=self.expects_other_queries)


def _add_remark(matrix: FirstRanks | ScoreTable, *remarks: str) -> FirstRanks | ScoreTable:
    return replace(matrix, remarks=(*remarks, *matrix.remarks))


measure_option = one_measure_option(
    "Such as nDCG@10; chosen from the labels when left out. Names the scores of --scores."
)
rule_option = click.option(
    "--rule",
    type=click.Choice([rule.value for rule in Rule]),
    help="What a claim must show; no_harm for sparse labels, else measure, when left out.",
)


one_mth_option = click.option(
    "--mth", type=click.IntRange(min=1), default=1, show_default=True, help="Ask for the m-th such document."
)
several_mths_option = click.option(
    "--mth",
    type=click.IntRange(min=1),
    multiple=True,
    default=(1,),
    show_default=True,
    help="Ask for the m-th such document; repeat for several. Queries that have fewer are left out.",
)


def matrix_inputs[F: Callable[..., Any]](command: F) -> F:
    """The arguments and options that `MatrixInputs` is made of; hand them on with ``MatrixInputs(...)``."""
    return _decorate(command, one_mth_option)


def matrix_inputs_of_several_mths[F: Callable[..., Any]](command: F) -> F:
    """The same, but ``mth`` comes as a tuple."""
    return _decorate(command, several_mths_option)


def _decorate[F: Callable[..., Any]](command: F, mth_option: Callable[[F], F]) -> F:
    for decorate in (
        click.option(
            "--float32-ties", is_flag=True, help="Compare scores as 32-bit numbers, as trec_eval up to 9 does."
        ),
        mth_option,
        click.option(
            "--rel",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            help="The lowest grade that answers a query.",
        ),
        click.option(
            "--cutoff",
            type=click.IntRange(min=1),
            help="Up to which rank RR looks; 10 for labels, 100 for --ranks when left out.",
        ),
        click.option(
            "--scores",
            metavar="FILE",
            help="Scores instead of labels and runs: queries × runs, or as `evaluate --per-query` writes CSV and JSON.",
        ),
        click.option("--ranks", metavar="FILE", help="A CSV of first relevant ranks (0 = not found), instead."),
        click.argument("arguments", nargs=-1, metavar="[QRELS RUN...]"),
    ):
        command = decorate(command)
    return command
