"""Commands of registered analyses that read as all do: made of the inputs and options that an analysis registers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, get_args, get_origin

import click

from toprung.analyses.asking import ask
from toprung.analyses.given import GivenInputs
from toprung.analyses.material import Material
from toprung.analysis import Analysis, Input, Option, load
from toprung.cli.options.common import output_format_option, output_option, show, workers_options
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs, measure_option
from toprung.cli.options.metadata import dates_option, metadata_option, read_known
from toprung.cli.options.numbers import NumberRange
from toprung.cli.options.progress import progress
from toprung.data.formats.tables.metadata_files import read_dated_metadata
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.data.run_metadata import Metadata
from toprung.workers import Workers

type Decorator = Callable[[Any], Any]

OPTIONS_OF: dict[Input, Decorator] = {
    Input.MATRIX: measure_option,
    Input.SCORES: measure_option,
    Input.COSTS: metadata_option("run and cost or latency"),
    Input.SYSTEMS: metadata_option("run and system, and seed if you like"),
    Input.DATES: dates_option,
}
"""Beside those that every matrix is read by."""
READ_BY = ("arguments", "ranks", "scores", "cutoff", "rel", "mth", "float32_ties")
"""The parameters of ``MatrixInputs`` that every command has."""


def make_command(analysis: Analysis) -> click.Command:
    """The command: labels and runs or a matrix, what else the inputs need, the options, and how to show the result."""

    def command(**given: Any) -> None:
        show(_answer(analysis, given), given["output_format"], given["output"])

    for decorate in reversed([*_decorators(analysis)]):
        command = decorate(command)
    return click.command(name=analysis.key, help=analysis.help)(command)


def _decorators(analysis: Analysis) -> Iterator[Decorator]:
    yield matrix_inputs
    yield from (OPTIONS_OF[each] for each in reversed([*analysis.inputs.values()]) if each in OPTIONS_OF)
    parameters = inspect.signature(analysis.load_answer(), eval_str=True).parameters
    yield from (_to_option(option, parameters[option.name]) for option in analysis.options)
    yield from (output_format_option, output_option)


def _to_option(option: Option, parameter: inspect.Parameter) -> Decorator:
    if parameter.annotation is Workers:
        return workers_options
    return click.option(
        f"--{option.spelling or option.name.replace('_', '-')}",
        option.name,
        type=_to_type(option, parameter.annotation),
        multiple=get_origin(parameter.annotation) is Sequence,
        default=parameter.default,
        show_default=True,
        help=option.help,
    )


def _to_type(option: Option, annotation: Any) -> click.ParamType[Any]:
    if option.choices:
        return click.Choice(list(load(option.choices)))
    if option.is_share:
        return NumberRange(0, 1, min_open=True, max_open=True)
    if option.least is not None:
        return click.IntRange(min=option.least)
    listed = get_args(getattr(annotation, "__value__", annotation))  # of a type such as Literal["cost", "latency"]
    return click.Choice(listed) if listed else click.types.convert_type(annotation)


def _answer(analysis: Analysis, given: Mapping[str, Any]) -> Any:
    inputs = MatrixInputs(**{name: given[name] for name in READ_BY})
    options = {option.name: _value(option, given) for option in analysis.options}
    known = _read_known(analysis, given, options)
    material = Material(inputs=GivenInputs(matrix=_read_matrix(analysis, inputs, given)), metadata=known)
    with _progress(analysis, material, options) as told:
        return ask(analysis, material, options | told)


def _read_matrix(analysis: Analysis, inputs: MatrixInputs, given: Mapping[str, Any]) -> FirstRanks | ScoreTable:
    wanted = analysis.inputs.values()
    if Input.RANKS in wanted:
        return inputs.read_ranks()
    return inputs.read(given["measure"]) if Input.MATRIX in wanted else inputs.read_scores(given["measure"])


def _value(option: Option, given: Mapping[str, Any]) -> Any:
    if option.name == "workers":
        return Workers(count=given["jobs"], backend=given["backend"])
    return given[option.name]


def _read_known(analysis: Analysis, given: Mapping[str, Any], options: Mapping[str, Any]) -> Metadata | None:
    """What is known of runs: read before they are scored, so that a fault in it is told at once."""
    wanted = analysis.inputs.values()
    if Input.COSTS in wanted:
        return read_known(given["metadata"], column=options["by"])
    if Input.SYSTEMS in wanted:
        return read_known(given["metadata"], column="system")
    return read_dated_metadata(given["dates"]) if given.get("dates") is not None else None


@contextmanager
def _progress(analysis: Analysis, material: Material, options: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What the function is to tell its progress to, if it registers that it does."""
    if analysis.progress is None:
        yield {}
        return
    steps = analysis.progress.steps
    total = options[steps] if steps in options else load(steps)(len(material.runs))
    with progress(total, analysis.progress.doing) as on_progress:
        yield {"on_progress": on_progress}
