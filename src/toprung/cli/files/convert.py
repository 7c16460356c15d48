"""``toprung convert``: the same run in another format."""

from __future__ import annotations

from pathlib import Path

import click

from toprung.cli.options.common import max_bytes_option, run_format_option
from toprung.cli.options.output_file import check_output, refuse_if_named_elsewhere
from toprung.data.formats.content import Limits
from toprung.data.formats.runs.files import check_run_ending, format_for, read_run, write_run
from toprung.data.formats.runs.recognise import RunFormat
from toprung.data.formats.runs.writing import is_stream


class Converting(click.Command):
    """Knows that whoever types --format, which elsewhere is the output's, means --to."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if error.option_name != "--format":
                raise
            raise click.UsageError(f"{error.message} Did you mean '--to'?", ctx=ctx) from None


@click.command(cls=Converting)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--depth", type=click.IntRange(min=1), help="Keep only the first K ranks of each query.")
@click.option(
    "--to",
    type=click.Choice(list(RunFormat), case_sensitive=False),
    help="Format to write, whatever the ending says.",
)
@run_format_option
@max_bytes_option
def convert(
    *, source: str, target: str, depth: int | None, to: str | None, run_format: str | None, max_bytes: int
) -> None:
    """Write a run in another format, in ranking order.

    The ending of OUT decides: .parquet, .tsv (MS MARCO), and .run, .txt, .trec or none for TREC; .gz, .bz2 and .zst
    compress. Other endings need --to.
    """
    check_output(target)
    if to is None and not is_stream(target):
        check_run_ending(target)
    refuse_if_named_elsewhere(Path(target), [source], option="OUT")
    run = read_run(source, format=run_format, limits=Limits(max_bytes=max_bytes))
    if depth is not None:
        run = run.top(depth)
    write_run(run, target, format=to)
    if run.has_rank_gaps and (to or format_for(target)) == RunFormat.TREC:
        click.echo("Note: the ranks have gaps, which count in MS MARCO files; a TREC file has none.", err=True)
    written = f"{target}: {len(run):,} rows for {len(run.query_ids):,} queries."
    click.echo(written, err=is_stream(target))  # what reads the run from a pipe is to read nothing else
