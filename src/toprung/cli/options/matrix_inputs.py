"""Where an analysis gets its matrix from: labels and runs, a file of ranks, or a file of scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import click
from click.core import ParameterSource

from toprung.cli.options.progress import progress
from toprung.data.formats.tables.matrix_files import read_ranks, read_scores
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError
from toprung.scoring.evaluate import evaluate
from toprung.scoring.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True)
class MatrixInputs:
    """What was given on the command line."""

    arguments: tuple[str, ...]
    ranks: str | None
    scores: str | None
    cutoff: int | None
    float32_ties: bool
    expects_other_queries: bool = False
    """Whether runs hold queries of other sets by design: then they are not remarked on."""

    def __post_init__(self) -> None:
        if self.ranks is not None and self.scores is not None:
            raise InputError("Found both --ranks and --scores; expected one of them.")
        if self.scores is not None:
            _refuse_if_given("cutoff", "--scores", "none: the scores are computed already")
        if self.scores is not None or self.ranks is not None:
            _refuse_if_given("float32_ties", "a matrix", "labels and runs, whose ties it breaks")

    @property
    def has_ranks(self) -> bool:
        """Whether first ranks can be had: not from a file of scores."""
        return self.scores is None

    def read_mth_ranks(self, *, rel: int = 1, mths: Sequence[int] = (1,)) -> list[FirstRanks]:
        """Rank matrices of the first, second, … document of a grade, from labels and runs."""
        if self.scores is None and self.ranks is None:
            evaluation = self._evaluate("RR")
            return [evaluation.first_ranks(self.cutoff, rel=rel, mth=mth) for mth in mths]
        if (rel, tuple(mths)) != (1, (1,)):
            raise InputError("Found --rel or --mth with a matrix; expected labels and runs, which know the grades.")
        return [self.read_ranks()]

    def read_ranks(self) -> FirstRanks:
        """The rank matrix: from --ranks (arguments name the runs wanted), or from labels and runs."""
        if self.scores is not None:
            raise InputError("Found --scores; expected ranks: give --ranks FILE, or labels and runs.")
        if self.ranks is not None:
            matrix = read_ranks(self.ranks, cutoff=self.cutoff)
            return matrix.select(list(self.arguments)) if self.arguments else matrix
        return self._evaluate("RR").first_ranks(self.cutoff)

    def read_scores(self, measure: str | None = None) -> ScoreTable:
        """The scores of a measure: from --scores, or computed; RR up to the cutoff unless another is named."""
        if self.scores is not None:
            table = read_scores(self.scores, measure=measure or "score")
            return table.select(list(self.arguments)) if self.arguments else table
        if self.ranks is None:
            return self.read_tables((measure,) if measure else ())[0]
        if measure is not None:
            raise InputError(f"Found --measure {measure} with --ranks; expected labels and runs: ranks give only RR.")
        return self.read_ranks().reciprocal()

    def read_tables(self, measures: Sequence[str], *, qrels: str | None = None) -> list[ScoreTable]:
        """The scores of several measures from labels (others, if named) and runs; RR up to the cutoff if none is."""
        if measures:
            _refuse_if_given("cutoff", f"--measure {measures[0]}", "the cutoff in the measure's name, such as RR@10")
        found = self._evaluate(*measures or ("RR",), qrels=qrels)
        if not measures:
            return [found.first_ranks(self.cutoff).reciprocal()]
        return [found.score_table(str(measure)) for measure in found.measures]

    def _evaluate(self, *measures: str, qrels: str | None = None) -> Evaluation:
        own_qrels, *runs = self.arguments or ("",)
        if not runs:
            raise InputError("Found no runs; expected QRELS RUN..., or --ranks FILE, or --scores FILE.")
        with progress(len(runs), "Scoring") as on_progress:
            found = evaluate(
                qrels or own_qrels, runs, measures, float32_ties=self.float32_ties, on_progress=on_progress
            )
        return replace(found, expects_other_queries=self.expects_other_queries)


def was_given(option: str) -> bool:
    """Whether an option stands on the command line, be it with its default."""
    context = click.get_current_context(silent=True)
    return context is not None and context.get_parameter_source(option) is ParameterSource.COMMANDLINE


def _refuse_if_given(option: str, beside: str, expected: str) -> None:
    """What would have no effect is an error, not silence."""
    if was_given(option):
        raise InputError(f"Found --{option.replace('_', '-')} with {beside}; expected {expected}.")


measure_option = click.option(
    "--measure", "-m", help="Such as nDCG@10; RR up to the cutoff when left out. Names the scores of --scores."
)


def matrix_inputs[F: Callable[..., Any]](command: F) -> F:
    """The arguments and options that `MatrixInputs` is made of; hand them on with ``MatrixInputs(...)``."""
    for decorate in (
        click.option(
            "--float32-ties", is_flag=True, help="Compare scores as 32-bit numbers, as trec_eval up to 9 does."
        ),
        click.option(
            "--cutoff",
            type=click.IntRange(min=1),
            default=100,
            show_default=True,
            help="A document below this rank counts as not found.",
        ),
        click.option("--scores", metavar="FILE", help="A CSV of scores, queries × runs, instead of labels and runs."),
        click.option("--ranks", metavar="FILE", help="A CSV of first relevant ranks (0 = not found), instead."),
        click.argument("arguments", nargs=-1, metavar="[QRELS RUN...]"),
    ):
        command = decorate(command)
    return command
