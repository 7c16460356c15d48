"""What is found in a file that was sent? Told by a child process, from paths and plain values: no database, no Django.

Checked as ``toprung validate`` does, compared with earlier runs, scored on the public dev labels, kept as Parquet.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from toprung.boards.policy import SmallChanges
from toprung.data.formats.archives import refuse_archive
from toprung.data.formats.content import Limits, read_content
from toprung.data.formats.problems import Kind, Problem
from toprung.data.formats.runs.files import read_run, write_stored_run
from toprung.data.formats.runs.validate import Validation, validate_run
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import FormatError, NoOverlapError, TooLargeError
from toprung.scoring.evaluate import evaluate
from toprung.web.services.runs.findings import Report, find_faults, find_passed, finding_of
from toprung.web.services.runs.near_duplicates import (
    EarlierRun,
    compare_with_earlier,
    find_near_copy,
    ranking_digest,
    say_different,
    say_near_duplicate,
)
from toprung.web.services.runs.quoting import QuotedLine, count_lines, is_quoted, lines_to_quote, quote, read_lines
from toprung.web.services.runs.sketch import sketch_of
from toprung.words.wording import say_count


@dataclass(frozen=True, kw_only=True)
class DevLabels:
    """What the dry run is scored on."""

    labels: Qrels
    n_queries: int
    measures: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class CheckAsked:
    """A file, and all that its check needs to know of the board."""

    path: Path
    file_name: str
    query_ids: Sequence[str]
    optional_query_ids: Sequence[str]
    """Those of the dev labels, which may be there and need not."""
    depth: int
    most_lines: int
    limits: Limits
    earlier: Sequence[EarlierRun]
    """Runs of the same team."""
    of_others: Sequence[EarlierRun]
    """Runs of other teams, where a copy of one is refused."""
    sketched: Collection[str]
    """Queries by which runs are found that may be nearly the same."""
    rule: SmallChanges
    refuses_near_duplicates: bool
    dev: DevLabels | None
    stored_at: Path
    """Where the run is written as the board keeps it, if it is accepted."""


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What came of a check."""

    report: Report
    dev_scores: dict[str, Any] = field(default_factory=dict)
    near_copy_of: str = ""
    """The run of another team that it is nearly the same as: not for its sender."""


def check_file(asked: CheckAsked) -> Checked:
    """Check a file; where it is accepted, the run lies at ``stored_at`` then."""
    try:
        _look_at(asked)
        report = _validate(asked)
        if not report.is_valid:
            return Checked(report=report)
        run = read_run(asked.path, limits=asked.limits)
        if report.is_dry:
            return Checked(report=report, dev_scores=_score_on_dev(asked.dev, run))
    except FormatError as error:
        return Checked(report=Report(file_name=asked.file_name, findings=[finding_of(error)]))
    report = _compare(asked, run, report)
    if report.is_valid:
        write_stored_run(run, asked.stored_at)
    near = find_near_copy(run, asked.of_others, asked.rule, frozenset(asked.query_ids))
    return Checked(report=report, dev_scores=_score_on_dev(asked.dev, run), near_copy_of=near)


def find_near_copy_among(stored: Path, of_others: Sequence[EarlierRun], asked: CheckAsked) -> str:
    """The same of runs that were found to be alike once the file was read; it lies at ``stored``."""
    return find_near_copy(read_run(stored), of_others, asked.rule, frozenset(asked.query_ids))


def _look_at(asked: CheckAsked) -> None:
    """Before the lines are read one by one: is it a text, and not far longer than a run of this board can be?"""
    content = read_content(asked.path, asked.limits)
    refuse_archive(content, asked.file_name)
    n_lines = count_lines(content)
    if n_lines > asked.most_lines:
        raise TooLargeError(
            source=asked.file_name,
            found=say_count(n_lines, "line"),
            expected=f"at most {asked.most_lines:,}, which is many times what the queries of this board need",
        )


def _validate(asked: CheckAsked) -> Report:
    """Against all queries of the board; a file with the dev queries alone against those."""
    found = _validate_for(asked, asked.query_ids, asked.optional_query_ids)
    is_dry = _has_dev_alone(found, asked)
    expected = asked.optional_query_ids if is_dry else asked.query_ids
    found = _validate_for(asked, expected, ()) if is_dry else found
    quotes = _quote_all(found, asked)
    faults = find_faults(found, n_expected=len(expected), quote=lambda problem: quotes.get(problem, []))
    return Report(
        file_name=asked.file_name,
        findings=list(faults),
        passed=list(find_passed(found, asked.depth)),
        format=found.format.value,
        rows=found.n_rows,
        queries=found.n_queries,
        is_dry=is_dry,
    )


def _validate_for(asked: CheckAsked, query_ids: Sequence[str], optional_query_ids: Sequence[str]) -> Validation:
    return validate_run(
        asked.path,
        query_ids=query_ids,
        optional_query_ids=optional_query_ids,
        max_depth=asked.depth,
        limits=asked.limits,
    )


def _has_dev_alone(found: Validation, asked: CheckAsked) -> bool:
    counts = found.findings.counts
    has_none = counts[Kind.MISSING_QUERY] == len(asked.query_ids) and bool(found.n_queries)
    return has_none and bool(asked.optional_query_ids) and not counts[Kind.UNKNOWN_QUERY]


def _quote_all(found: Validation, asked: CheckAsked) -> dict[Problem, list[QuotedLine]]:
    """The lines of the first problem of each kind; the file is read again only where there are any."""
    problems = [kept[0] for kept in found.findings.first.values() if is_quoted(kept[0])]
    if not problems:
        return {}
    numbers = [number for problem in problems for number in lines_to_quote(problem)]
    lines = read_lines(read_content(asked.path, asked.limits), numbers)
    return {problem: quote(problem, lines, found.format.layout) for problem in problems}


def _compare(asked: CheckAsked, run: Run, report: Report) -> Report:
    """With the earlier runs of the team: near-duplicates are found, else what differs from the latest is said."""
    rule, refuses, query_ids = asked.rule, asked.refuses_near_duplicates, frozenset(asked.query_ids)
    compared = list(compare_with_earlier(run, asked.earlier, rule, query_ids))
    close = [say_near_duplicate(each, rule, is_refused=refuses) for each in compared if each.is_close]
    different = [say_different(each, rule) for each in compared[:1] if not each.is_close]
    return replace(
        report,
        findings=[*close, *report.findings],
        ranking=ranking_digest(run, query_ids),
        sketch=sketch_of(run, asked.sketched),
        passed=[*report.passed, *different],
        compared_with=[each.label for each in compared],
    )


def _score_on_dev(dev: DevLabels | None, run: Run) -> dict[str, Any]:
    """The dry run; empty where the board has no dev labels."""
    if dev is None:
        return {}
    try:
        found = evaluate(dev.labels, {"run": run}, dev.measures)
    except NoOverlapError:
        return {"n_queries": dev.n_queries, "scores": []}
    return {"n_queries": dev.n_queries, "scores": [[each, found.value("run", each)] for each in dev.measures]}
