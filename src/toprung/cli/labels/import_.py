"""``toprung labels import``: judgments that were made elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from toprung.cli.labels.options import state_option
from toprung.cli.options.common import max_bytes_option, output_format_option, output_option, show
from toprung.data.formats.content import Limits
from toprung.data.formats.judgments.files import read_judgments
from toprung.data.formats.judgments.rows import JudgmentFormat
from toprung.data.judgments import AssessorKind
from toprung.labels.effort.effort import Effort
from toprung.labels.votes.importing import import_judgments
from toprung.report.render import OutputFormat


@click.command("import")
@click.argument("file")
@state_option
@click.option(
    "--from",
    "file_format",
    type=click.Choice([each.value for each in JudgmentFormat], case_sensitive=False),
    help="Format of FILE; recognised when left out.",
)
@click.option(
    "--kind",
    type=click.Choice([each.value for each in AssessorKind], case_sensitive=False),
    default=AssessorKind.IMPORT.value,
    show_default=True,
    help="Who judged; a kind that JSONL says itself is kept.",
)
@click.option(
    "--assessor",
    default="",
    metavar="NAME",
    help="Whose judgments they are, such as the name of a model, where the file names nobody.",
)
@max_bytes_option
@output_format_option
@output_option
def import_(
    *,
    file: str,
    state: str,
    file_format: str | None,
    kind: str,
    assessor: str,
    max_bytes: int,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Add the judgments of a file to a judging effort.

    The folder --state is made if it is missing. A file again adds only what is new in it. Formats: JSONL,
    `topic a b winner` lines, crowd-kit, evalica, arena and MTurk CSV, Label Studio's JSON, and the TSV of Arabzadeh
    et al.
    """
    found = read_judgments(
        file, format=file_format, kind=AssessorKind(kind), assessor=assessor, limits=Limits(max_bytes=max_bytes)
    )
    show(import_judgments(Effort.open_or_create(state), found), output_format, output)
