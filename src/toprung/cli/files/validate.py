"""``toprung validate``: what is wrong with this run file?"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import click

from toprung.cli.options.common import max_bytes_option, output_format_option, output_option, run_format_option, show
from toprung.data.formats.content import Limits
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.formats.runs.validate import read_query_ids, validate_run
from toprung.errors import InputError
from toprung.report.render import OutputFormat


@click.command()
@click.argument("run")
@click.option("--qrels", help="Labels whose queries the run should have.")
@click.option("--queries", help="A file of queries, their ids in the first column.")
@click.option("--depth", type=click.IntRange(min=1), help="How many documents each query should have.")
@output_format_option
@output_option
@run_format_option
@max_bytes_option
@click.pass_context
def validate(
    ctx: click.Context,
    *,
    run: str,
    qrels: str | None,
    queries: str | None,
    depth: int | None,
    output_format: OutputFormat,
    output: Path | None,
    run_format: str | None,
    max_bytes: int,
) -> None:
    """Check a run file and report every fault, with line numbers.

    Errors refuse the file and exit with 2; warnings do not.
    """
    limits = Limits(max_bytes=max_bytes)
    validation = validate_run(
        run, query_ids=_wanted_queries(qrels, queries, limits), depth=depth, format=run_format, limits=limits
    )
    show(validation, output_format, output)
    if not validation.is_valid:
        ctx.exit(2)


def _wanted_queries(qrels: str | None, queries: str | None, limits: Limits) -> Collection[str] | None:
    if qrels and queries:
        raise InputError("Found both --qrels and --queries; expected one of them: both say which queries are wanted.")
    if qrels:
        return read_qrels(qrels, limits=limits).query_ids
    return read_query_ids(queries, limits=limits) if queries else None
