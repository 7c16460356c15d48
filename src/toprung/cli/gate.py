"""``toprung gate``: may this change be merged?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from toprung.analyses.gate.find import gate as ask_gate
from toprung.analyses.gate.names import name_pair
from toprung.analyses.gate.state import GateState
from toprung.analyses.gate.state_file import read_gate_state, write_gate_state
from toprung.cli.options.common import alpha_option, output_format_option, output_option, show
from toprung.cli.options.margins import MARGIN
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs, measure_option
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError
from toprung.report.render import OutputFormat


@click.command()
@matrix_inputs
@measure_option
@click.option(
    "--margin", type=MARGIN, help="The loss that is small enough to bear; 0.01 to 0.1, by their number, if left out."
)
@click.option(
    "--state",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the level over many changes in this file, which is made when it is not there.",
)
@alpha_option
@output_format_option
@output_option
@click.pass_context
def gate(
    ctx: click.Context,
    *,
    arguments: tuple[str, ...],
    ranks: str | None,
    scores: str | None,
    cutoff: int | None,
    rel: int,
    mth: int,
    float32_ties: bool,
    measure: str | None,
    margin: float | None,
    state: Path | None,
    alpha: float,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Say whether a change made a run worse: a check for every pull request.

    QRELS BASELINE NEW: the labels, the run before the change, and the run after it.

    Exit code 0: nothing changed, the new run is better, or a loss beyond the margin is excluded. 1: a loss was shown.
    3: these queries cannot tell, and it is said how many would. 2: something is wrong with what was given.

    With --state a loss must pass the level of a sequence: over all changes together, a false alarm has a chance below
    --alpha. The file is of one measure and one set of labels. Write --format markdown for a comment.
    """
    inputs = MatrixInputs(
        arguments=arguments,
        ranks=ranks,
        scores=scores,
        cutoff=cutoff,
        rel=rel,
        mth=mth,
        float32_ties=float32_ties,
        is_of_best_runs=False,
    )
    _check_arguments(inputs, state)
    inputs = replace(inputs, names=name_pair(arguments[1:]) if inputs.has_labels else ())
    held = None if state is None else _read_state(state, inputs)
    matrix = inputs.read(inputs.settle_measure(measure))
    sequence = None if state is None else held or _begin(inputs, matrix, alpha)
    result = ask_gate(matrix, margin=margin, alpha=alpha, state=sequence)
    if state is not None and result.state is not None and result.state != held:
        write_gate_state(state, result.state)
    show(result, output_format, output)
    ctx.exit(result.exit_code)


def _check_arguments(inputs: MatrixInputs, state: Path | None) -> None:
    if inputs.has_labels and len(inputs.arguments) != 3:
        found = "nothing" if not inputs.arguments else " ".join(inputs.arguments)
        raise InputError(f"Found {found}; expected three files: QRELS BASELINE NEW.")
    if state is not None and not inputs.has_labels:
        raise InputError("Found --state with a matrix; expected labels and runs, for a state is of one set of labels.")


def _read_state(path: Path, inputs: MatrixInputs) -> GateState | None:
    """The state as it was kept, if it is of these labels, which the matrix does not know; None where there is none."""
    held = read_gate_state(path)
    if held is not None:
        held.check(labels=inputs.qrels.digest)
    return held


def _begin(inputs: MatrixInputs, matrix: FirstRanks | ScoreTable, alpha: float) -> GateState:
    return GateState(measure=matrix.measure, labels=inputs.qrels.digest, alpha=alpha)
