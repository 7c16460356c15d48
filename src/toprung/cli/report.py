"""``toprung report``: one page with everything there is to know of some runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import click

from toprung.boards.engine.rules import read_rule
from toprung.cli.options.common import alpha_option, confidence_option, reading_workers_options, seed_option
from toprung.cli.options.matrix_inputs import MatrixInputs, matrix_inputs, measure_option, rule_option
from toprung.cli.options.named_files import read_named
from toprung.cli.options.output_file import OutputOption
from toprung.cli.options.progress import progress
from toprung.data.formats.runs.writing import is_stream, replacing
from toprung.data.formats.tables.metadata_files import read_metadata
from toprung.data.formats.whole_files import check_folder
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError
from toprung.report.overview.find import count_steps
from toprung.report.overview.find import report as make_report
from toprung.report.overview.parts import all_plans
from toprung.report.overview.result import Overview
from toprung.report.writers import to_json
from toprung.stats.ranks.mass import TRIALS
from toprung.words.visible import in_one_line
from toprung.words.wording import say_count
from toprung.workers import Workers


class ReportFormat(StrEnum):
    """What a report can be written as."""

    HTML = "html"
    JSON = "json"


@click.command()
@matrix_inputs
@click.option(
    "--output",
    "-o",
    cls=OutputOption,
    endings=[f".{each.value}" for each in ReportFormat],
    default=Path("report.html"),
    show_default=True,
    help="Where the report goes.",
)
@click.option(
    "--private-qrels",
    "--private",
    "private_files",
    multiple=True,
    metavar="[NAME=]FILE",
    help="Labels of private queries, or a CSV of scores or ranks where the public ones are one; repeat for several.",
)
@click.option(
    "--labels", metavar="QRELS|DIR", help="Other labels of the same queries, or the folder of `toprung labels`."
)
@click.option(
    "--dates",
    "metadata_file",
    metavar="FILE",
    help="What is known of the runs, a CSV or JSON with the column run: date, team, tags, cost, latency, system, seed, "
    "is_baseline.",
)
@click.option("--baseline", "baselines", multiple=True, metavar="RUN", help="A run that was there from the start.")
@measure_option
@rule_option
@click.option(
    "--trials", type=click.IntRange(min=1), default=TRIALS, show_default=True, help="How often queries are drawn."
)
@alpha_option
@confidence_option
@seed_option("the trials, and of the resamples behind the intervals")
@click.option("--title", default="", help="Of the report.")
@click.option(
    "--format",
    "-f",
    "report_format",
    type=click.Choice(list(ReportFormat), case_sensitive=False),
    show_default="as the ending of FILE",
    help="A page, or all figures behind it.",
)
@reading_workers_options
def report(
    *,
    arguments: tuple[str, ...],
    ranks: str | None,
    scores: str | None,
    cutoff: int | None,
    rel: int,
    mth: int,
    float32_ties: bool,
    output: Path,
    private_files: tuple[str, ...],
    labels: str | None,
    metadata_file: str | None,
    baselines: tuple[str, ...],
    measure: str | None,
    rule: str | None,
    trials: int,
    alpha: float,
    confidence: float,
    seed: int,
    title: str,
    report_format: ReportFormat | None,
    jobs: int,
    backend: str,
) -> None:
    """Write one page with everything there is to know of some runs.

    The summary comes first, then the leaderboard with intervals and the runs that may be best, then every analysis
    that the inputs allow. What they do not allow is named, with what to give for it.

    Give labels and runs, or --ranks FILE or --scores FILE and, if not all are wanted, the names of runs. The page
    needs no network: it can be sent, printed and kept.
    """
    _check_place(output)
    inputs = MatrixInputs(
        arguments=arguments, ranks=ranks, scores=scores, cutoff=cutoff, rel=rel, mth=mth, float32_ties=float32_ties
    )
    metadata = None if metadata_file is None else read_metadata(metadata_file)
    subject = ReportSubject.of(inputs, measure, read_named("--private-qrels", private_files))
    with progress(subject.count_steps() + len(all_plans()), "Reporting") as on_progress:
        found = make_report(
            subject.source,
            subject.runs,
            subject.measure,
            rule=None if rule is None else read_rule(rule),
            private=subject.private,
            labels=labels,
            metadata=metadata,
            baselines=baselines,
            title=title,
            trials=trials,
            alpha=alpha,
            confidence=confidence,
            seed=seed,
            float32_ties=float32_ties,
            workers=Workers(count=jobs, backend=backend),
            on_progress=on_progress,
        )
        written_as = report_format or _format_of(output)
        text = _to_text(found, written_as, lambda question: on_progress(f"drawing, {question}"))
    with replacing(output) as target:
        target.write_text(text, encoding="utf-8")
    for warning in _warnings(found):
        click.echo(f"toprung: {in_one_line(warning)}", err=True)
    parts = say_count(len(found.parts), "part")
    written = f"{in_one_line(found.sentence)}\n\n{output}: {parts}, {say_bytes(len(text.encode()))}"
    click.echo(written, err=is_stream(output))


def _warnings(found: Overview) -> Iterator[str]:
    """What was given and could not be used: the report goes without it."""
    for each in found.omitted:
        if each.is_fault:
            yield f"left out “{each.question}”: {each.reason}"
    if found.inputs.private:  # others of the private sets could be used
        for name, fault in found.inputs.not_private.items():
            yield f"left out the private set {name}: {fault}"


@dataclass(frozen=True, eq=False, kw_only=True)
class ReportSubject:
    """What the report is about, as `overview` takes it: files, or matrices that were read."""

    source: str | FirstRanks | ScoreTable
    runs: list[str] | None
    measure: str | None
    private: dict[str, str] | dict[str, FirstRanks | ScoreTable]

    @classmethod
    def of(cls, inputs: MatrixInputs, measure: str | None, private: dict[str, str]) -> ReportSubject:
        if inputs.ranks is None and inputs.scores is None:
            qrels, *runs = inputs.arguments or ("",)
            if not runs:
                raise InputError("Found no runs; expected QRELS RUN..., or --ranks FILE, or --scores FILE.")
            return cls(source=qrels, runs=runs, measure=inputs.measure_asked_for(measure), private=private)
        matrices = {name: _in_place_of(inputs, path).read(measure) for name, path in private.items()}
        return cls(source=inputs.read(measure), runs=None, measure=None, private=matrices)

    def count_steps(self) -> int:
        if isinstance(self.source, FirstRanks | ScoreTable):
            return count_steps(len(self.source.runs))
        return count_steps(len(self.runs or ()), has_files=True, n_private=len(self.private))


def _in_place_of(inputs: MatrixInputs, path: str) -> MatrixInputs:
    """The same with another matrix; all of its runs, for it may lack some."""
    if inputs.scores is not None:
        return replace(inputs, arguments=(), scores=path)
    return replace(inputs, arguments=(), ranks=path)


def _check_place(output: Path) -> None:
    """Before anything is computed: minutes of work are not to be lost for want of a place to write."""
    check_folder(output)
    if not is_stream(output) and not os.access(output.parent, os.W_OK):
        raise InputError(f"{output}: found a folder that cannot be written to; name another.")


def _format_of(output: Path) -> ReportFormat:
    return ReportFormat.JSON if output.suffix.lower() == ".json" else ReportFormat.HTML


def _to_text(found: Overview, report_format: ReportFormat, on_progress: Callable[[str], None]) -> str:
    if report_format is ReportFormat.JSON:
        return to_json(found)
    from toprung.report.page.report import to_report_page  # only here: it draws, and imports what draws

    return to_report_page(found, on_progress=on_progress)


def say_bytes(n: int) -> str:
    """A size in the unit that people know.

    >>> say_bytes(812_345), say_bytes(2_500_000), say_bytes(500)
    ('812 kB', '2.5 MB', '500 bytes')
    """
    if n < 1_000:
        return f"{n} bytes"
    return f"{n / 1_000:.0f} kB" if n < 1_000_000 else f"{n / 1_000_000:.1f} MB"
