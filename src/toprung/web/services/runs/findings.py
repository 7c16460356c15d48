"""What did the check find, as the page shows it? One finding for each kind of problem, with its first lines quoted.

Every message is about the file and the queries the board has altogether: none counts or names the queries of one label
set, for which of them are official and which private is not told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from toprung.data.formats.problems import Kind, Problem
from toprung.data.formats.runs.validate import Validation
from toprung.errors import FormatError, TooLargeError
from toprung.web.services.runs.quoting import QuotedLine
from toprung.words.wording import list_names, say_count, say_queries

WHOLE_FILE = "whole file"
NAMED_QUERIES = 3
QUOTED_LENGTH = 40


@dataclass(frozen=True, kw_only=True)
class FileFinding:
    """Where it is, what was found and expected, how to correct it or how it is read."""

    severity: Literal["error", "warning"]
    where: str
    what: str
    fix: str = ""
    quoted: list[QuotedLine] = field(default_factory=list)
    all: list[str] = field(default_factory=list)
    """Those of the kind that were kept, in short, where there are several."""
    all_label: str = ""


@dataclass(frozen=True, kw_only=True)
class Report:
    """All findings of a check, and what was found to be in order."""

    file_name: str
    findings: list[FileFinding]
    passed: list[str] = field(default_factory=list)
    format: str = ""
    rows: int = 0
    queries: int = 0
    compared_with: list[str] = field(default_factory=list)
    """Runs of the team that the file was compared with."""
    ranking: str = ""
    """The digest of its queries and documents in order, by which copies are found."""
    sketch: dict[str, list[str]] = field(default_factory=dict)
    """Of a few of its queries, by which runs are found that may be nearly the same."""
    compared_until: int = 0
    """The number of the latest run on the board when it was compared with those of other teams."""
    is_dry: bool = False
    """It has the dev queries alone: scored on them, and nothing to submit."""
    ended_reader: bool = False
    """Whatever read it died, or had to be ended for what it took."""

    @property
    def is_valid(self) -> bool:
        return not self.errors

    @property
    def errors(self) -> list[FileFinding]:
        return [each for each in self.findings if each.severity == "error"]

    @property
    def sentence(self) -> str:
        """How many errors and warnings, and what follows."""
        n_errors, n_warnings = len(self.errors), len(self.findings) - len(self.errors)
        warnings = say_count(n_warnings, "warning")
        if self.is_dry and not n_errors:
            return "A dry run, with the dev queries alone: scored on them, and nothing to submit"
        if n_errors:
            also = f", {warnings}" if n_warnings else ""
            return f"Cannot be scored yet: {say_count(n_errors, 'error')}{also}"
        return f"Accepted, with {warnings}" if n_warnings else "Accepted, with nothing to remark"

    def to_dict(self) -> dict[str, Any]:
        return {"is_valid": self.is_valid, "sentence": self.sentence} | asdict(self)


def find_faults(
    found: Validation, *, n_expected: int, quote: Callable[[Problem], list[QuotedLine]]
) -> Iterator[FileFinding]:
    """One finding for each kind, errors first."""
    counts = found.findings.counts
    if n_expected and counts[Kind.MISSING_QUERY] == n_expected and found.n_rows:
        yield FileFinding(
            severity="error",
            where=WHOLE_FILE,
            what=f"None of the {n_expected:,} queries of this board is in the file.",
            fix="Is it a run for another task? Query ids must be those of the board, letter by letter.",
        )
    for kind in sorted(found.findings.first, key=lambda kind: not kind.is_error):
        problems, count = found.findings.first[kind], counts[kind]
        what, fix = SENTENCES[kind](problems, count, n_expected) if kind in SENTENCES else _say(problems[0])
        yield FileFinding(
            severity="error" if kind.is_error else "warning",
            where=_say_where(problems[0], count),
            what=what,
            fix=fix,
            quoted=quote(problems[0]),
            all=[_say_short(each) for each in problems] if count > 1 else [],
            all_label=f"All {count:,}" if count == len(problems) else f"The first {len(problems)} of {count:,}",
        )


def find_passed(found: Validation, max_depth: int) -> Iterator[str]:
    """What was looked for and not found."""
    counts = found.findings.counts
    if not found.n_rows:
        return
    if not counts[Kind.COLUMNS]:
        columns = {"trec": ", six columns each", "msmarco": ", three columns each"}.get(found.format.value, "")
        yield f"{say_count(found.n_rows, 'line')} read{columns}"
    if not counts[Kind.SCORE] and not counts[Kind.NOT_FINITE] and found.format.value == "trec":
        yield "Every score is a finite number"
    if not counts[Kind.DUPLICATE_DOCUMENT]:
        yield "No document appears twice for a query"
    if not counts[Kind.TOO_MANY]:
        yield f"At most {max_depth:,} documents for each query"
    if not counts[Kind.MISSING_QUERY]:
        yield "Every query of the board is there"


def finding_of(error: FormatError) -> FileFinding:
    """A file that could not be read at all; caps are the server's, so nobody is told to raise them."""
    return FileFinding(
        severity="error",
        where=WHOLE_FILE if error.line is None else f"line {error.line:,}",
        what=f"Found {error.found}; expected {error.expected}.",
        fix="" if isinstance(error, TooLargeError) else error.advice,
    )


def to_text(report: dict[str, Any], file_name: str) -> str:
    """The report to take along."""
    lines = [f"{file_name}: {report['sentence']}."]
    for each in report["findings"]:
        lines += ["", f"{each['severity']}, {each['where']}: {each['what']}", *filter(None, [each["fix"]])]
        lines += [f"  {line['number']:>9,}  {line['before']}{line['fault']}{line['after']}" for line in each["quoted"]]
        lines += [f"  {one}" for one in each["all"]]
    return "\n".join([*lines, "", *report["passed"]]).rstrip() + "\n"


def _say_where(first: Problem, count: int) -> str:
    if first.line is None:
        return WHOLE_FILE
    return f"line {first.line:,}" if count == 1 else f"line {first.line:,} and {count - 1:,} more"


def _say(problem: Problem) -> tuple[str, str]:
    return f"Found {problem.found}; expected {problem.expected}.", problem.advice


def _say_short(problem: Problem) -> str:
    return problem.found if problem.line is None else f"line {problem.line:,}: {problem.found}"


def _say_missing(problems: Sequence[Problem], count: int, n_expected: int) -> tuple[str, str]:
    is_missing, counts = ("is missing", "It counts") if count == 1 else ("are missing", "They count")
    first = _first_queries(problems, count, "no row for query ")
    return f"{count:,} of {say_queries(n_expected)} {is_missing}.", f"{counts} as not answered. {first}"


def _say_unknown(problems: Sequence[Problem], count: int, _: int) -> tuple[str, str]:
    are, they_are = ("is", "It is") if count == 1 else ("are", "They are")
    first = _first_queries(problems, count, "query ")
    return f"{say_queries(count)} {are} not of this board.", f"{they_are} left out. {first}"


def _first_queries(problems: Sequence[Problem], count: int, before: str) -> str:
    names = [each.found.removeprefix(before).strip("'")[:QUOTED_LENGTH] for each in problems[:NAMED_QUERIES]]
    return f"{'First ones: ' if count > len(names) else ''}{list_names(names)}."


def _say_surplus(problems: Sequence[Problem], count: int, _: int) -> tuple[str, str]:
    cut, command = problems[0].advice.split(": ")
    also = f", and {say_queries(count - 1)} more" if count > 1 else ""
    what = f"Found {problems[0].found}{also}; expected {problems[0].expected} for each."
    return what, f"{cut}: `{command}`"


def _say_ties(problems: Sequence[Problem], count: int, _: int) -> tuple[str, str]:
    return f"Equal scores in {say_queries(count)}.", problems[0].advice


def _say_contradictions(problems: Sequence[Problem], count: int, _: int) -> tuple[str, str]:
    return f"The rank column contradicts the scores in {say_queries(count)}.", problems[0].advice


SENTENCES: dict[Kind, Callable[[Sequence[Problem], int, int], tuple[str, str]]] = {
    Kind.MISSING_QUERY: _say_missing,
    Kind.UNKNOWN_QUERY: _say_unknown,
    Kind.TOO_MANY: _say_surplus,
    Kind.TIES: _say_ties,
    Kind.RANK_CONTRADICTS: _say_contradictions,
}
"""Kinds that are counted; all others are said by their first problem."""
