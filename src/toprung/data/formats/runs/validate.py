"""What is wrong with this run file? Finds every fault and everything worth a second look."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from toprung.data.formats.archives import refuse_archive
from toprung.data.formats.content import (
    DEFAULT_LIMITS,
    Content,
    Limits,
    looks_like_parquet,
    read_content,
    say_source,
)
from toprung.data.formats.problems import Kind, Problem, ProblemLog, empty_file, not_utf8
from toprung.data.formats.runs.checked_queries import check_queries
from toprung.data.formats.runs.line_parser import iterate_lines
from toprung.data.formats.runs.parquet import read_parquet_run
from toprung.data.formats.runs.query_facts import QueryFacts, facts_of_rows, facts_of_text, join_facts
from toprung.data.formats.runs.recognise import RunFormat, to_format
from toprung.data.ordered import OrderedRows, order_rows
from toprung.errors import FormatError
from toprung.result import Cell, Column, Result, Rows, columns, tell
from toprung.words.visible import in_one_line, quoted
from toprung.words.wording import say_count

if TYPE_CHECKING:
    import polars as pl

Lines = NDArray[np.int64]
GUESSED_FROM = 1 << 16
"""Bytes of a file that its format is guessed from."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Validation(Result):
    """What was found in a run file: errors, which refuse it, and warnings, which do not."""

    FIGURES = (
        "source format is_valid rows=n_rows queries=n_queries counts=findings.counts",
        Rows(
            "findings",
            of="kept()",
            columns=(
                *columns(str, "severity=kind.severity kind"),
                Column("line", int),
                *columns(str, "found expected advice"),
            ),
        ),
    )
    MADE_FROM = ("run=source",)

    source: str
    format: RunFormat
    n_rows: int
    n_queries: int
    findings: ProblemLog

    @property
    def is_valid(self) -> bool:
        return not any(kind.is_error for kind in self.findings.counts)

    def _count(self, *, errors: bool) -> int:
        return sum(count for kind, count in self.findings.counts.items() if kind.is_error == errors)

    @property
    def sentence(self) -> str:
        n_warnings = self._count(errors=False)
        warnings = say_count(n_warnings, "warning")
        if not self.is_valid:
            return f"{self.source} cannot be used: {say_count(self._count(errors=True), 'error')}, {warnings}."
        return (
            f"{self.source} is a valid {self.format.value} run with {self.n_rows:,} rows for "
            f"{self.n_queries:,} queries; {warnings if n_warnings else 'nothing to remark'}."
        )

    def cells(self) -> Sequence[Cell]:
        return (
            Cell("severity", lambda problem: problem.kind.severity),
            Cell("line", lambda problem: str(problem.line or ""), is_number=True),
            Cell("found", lambda problem: problem.found),
            Cell("expected", lambda problem: problem.expected),
            Cell("advice", lambda problem: problem.advice),
        )

    def kept(self) -> Iterator[Problem]:
        """The first findings of each kind, errors before warnings."""
        for kind in sorted(self.findings.first, key=lambda kind: not kind.is_error):
            yield from self.findings.first[kind]

    def to_dict(self) -> dict[str, Any]:
        return {"sentence": self.sentence, **tell(self, self.FIGURES)}

    def to_text(self, *, width: int | None = None) -> str:  # noqa: ARG002 - there is no table to fit
        """The sentence, then each kind with its first findings and how many more there are."""
        lines = [in_one_line(self.sentence)]
        for kind in sorted(self.findings.first, key=lambda kind: not kind.is_error):
            kept, count = self.findings.first[kind], self.findings.counts[kind]
            lines += ["", f"{kind.severity}: {kind.value} ({count:,})"]
            lines += [f"  {_place(problem)}{in_one_line(_say(problem))}" for problem in kept]
            lines += [f"  … and {count - len(kept):,} more"] if count > len(kept) else []
            lines += [f"  {kept[0].advice}"] if kept[0].advice else []
        return "\n".join(lines)


def _say(problem: Problem) -> str:
    return f"found {problem.found}; expected {problem.expected}."


def _place(problem: Problem) -> str:
    return "" if problem.line is None else f"line {problem.line}: "


def validate_run(
    path: str | os.PathLike[str],
    *,
    query_ids: Collection[str] | None = None,
    optional_query_ids: Collection[str] = (),
    depth: int | None = None,
    max_depth: int | None = None,
    format: str | RunFormat | None = None,  # noqa: A002 - the word users know
    limits: Limits = DEFAULT_LIMITS,
) -> Validation:
    """Check a run file and report all that is wrong, not only the first fault.

    ``query_ids``: the queries the run should have; ``optional_query_ids``: others that it may have. ``depth``: how
    many documents it should have for each; ``max_depth``: how many it may have.
    """
    source = say_source(path)
    findings = ProblemLog()
    content = read_content(path, limits)
    refuse_archive(content, source)
    run_format = _guess_format(content) if format is None else to_format(RunFormat, format)
    facts = None if run_format is RunFormat.PARQUET else facts_of_text(content, run_format.layout)
    if facts is None or (max_depth is not None and (facts.n_docs > max_depth).any()):
        facts = _find_faults(content, source, run_format, findings, max_depth=max_depth, limits=limits)
    if facts is not None:
        for warning in _warnings(facts, depth):
            findings.add(warning)
        if query_ids is not None:
            for warning in _query_warnings(facts, query_ids, optional_query_ids):
                findings.add(warning)
    return Validation(
        source=source,
        format=run_format,
        n_rows=0 if facts is None else int(facts.n_docs.sum()),
        n_queries=0 if facts is None else len(facts.names),
        findings=findings,
    )


def read_query_ids(path: str | os.PathLike[str], *, limits: Limits = DEFAULT_LIMITS) -> list[str]:
    """The first column of a file of queries."""
    query_ids = []
    for number, line in iterate_lines(read_content(path, limits)):
        try:
            query_ids += line.decode("utf-8").split(None, 1)[:1]
        except UnicodeDecodeError as error:
            raise not_utf8(line[error.start], error.start + 1, number).to_error(os.fspath(path)) from None
    if not query_ids:
        raise empty_file().to_error(os.fspath(path))
    return query_ids


def _guess_format(content: Content) -> RunFormat:
    """The format most of the first lines have: a fault in the first line must not hide the others."""
    if looks_like_parquet(content):
        return RunFormat.PARQUET
    counts = Counter(len(line.split()) for line in bytes(content[:GUESSED_FROM]).split(b"\n")[:100])
    return RunFormat.MSMARCO if counts[3] > counts[6] else RunFormat.TREC


def _find_faults(
    content: Content,
    source: str,
    run_format: RunFormat,
    findings: ProblemLog,
    *,
    max_depth: int | None,
    limits: Limits,
) -> QueryFacts | None:
    """Read all rows, and name what is wrong with each; None where there is not one that is good."""

    def tell_of(ordered: OrderedRows, lines: Lines | None) -> tuple[QueryFacts, ProblemLog]:
        surplus = ProblemLog()
        for each in () if max_depth is None else _surplus(ordered, lines, max_depth):
            surplus.add(each)
        return facts_of_rows(ordered, lines), surplus

    if run_format is RunFormat.PARQUET:
        ordered = _check_parquet(content, source, findings, limits)
        told = [] if ordered is None else [tell_of(ordered, None)]
    else:
        told, problems = check_queries(content, run_format.layout, lambda frame: tell_of(*_in_order(frame)))
        findings.update(problems)
    for _, surplus in told:
        findings.update(surplus)
    return join_facts([facts for facts, _ in told]) if told else None


def _check_parquet(content: Content, source: str, findings: ProblemLog, limits: Limits) -> OrderedRows | None:
    try:
        return read_parquet_run(content, name="run", source=source, limits=limits).to_ordered()
    except FormatError as error:
        findings.add(Problem(kind=Kind.UNREADABLE, found=error.found, expected=error.expected, advice=error.advice))
        return None


def _in_order(frame: pl.DataFrame) -> tuple[OrderedRows, Lines]:
    """Rows as they rank, and the line of each."""
    ordered = order_rows(frame)
    return ordered, ordered.frame["line"].to_numpy().astype(np.int64)


def _warnings(facts: QueryFacts, depth: int | None) -> Iterator[Problem]:
    def about(query: int | np.integer[Any], kind: Kind, found: str, expected: str, advice: str = "") -> Problem:
        line = None if facts.first_line is None else int(facts.first_line[query])
        found = f"query {quoted(facts.names[query])} with {found}"
        return Problem(kind=kind, line=line, found=found, expected=expected, advice=advice)

    for query in np.flatnonzero(facts.contradicts):
        yield about(
            query,
            Kind.RANK_CONTRADICTS,
            "a rank column that contradicts its scores",
            "ranks that rise as scores fall",
            "The scores decide; the rank column is not used.",
        )
    for query in np.flatnonzero(facts.n_tied):
        yield about(
            query,
            Kind.TIES,
            f"{facts.n_tied[query]:,} documents that share their score with another",
            "a score of its own for each",
            "Ties are broken by doc_id, descending, whatever order the file has.",
        )
    if facts.last_rank is not None:
        for query in np.flatnonzero(facts.last_rank != facts.n_docs):
            yield about(
                query,
                Kind.RANK_GAPS,
                f"{facts.n_docs[query]:,} documents and ranks up to {facts.last_rank[query]:,}",
                "ranks from 1 without gaps",
                "Ranks count as they are written.",
            )
    if depth is not None:
        for query in np.flatnonzero(facts.n_docs < depth):
            yield about(query, Kind.TOO_FEW, say_count(facts.n_docs[query], "document"), say_count(depth, "document"))


def _surplus(rows: OrderedRows, lines: Lines | None, max_depth: int) -> Iterator[Problem]:
    """Queries with more documents than are taken, at the first document over."""
    sizes = np.diff(rows.starts)
    for query in np.flatnonzero(sizes > max_depth):
        yield Problem(
            kind=Kind.TOO_MANY,
            line=None if lines is None else int(lines[rows.starts[query] + max_depth]),
            found=f"query {quoted(rows.query_ids[int(query)])} with {say_count(sizes[query], 'document')}",
            expected=f"at most {max_depth:,}",
            advice=f"Cut each query to its first {max_depth:,}: toprung convert IN OUT --depth {max_depth}",
        )


def _query_warnings(facts: QueryFacts, query_ids: Collection[str], optional: Collection[str]) -> Iterator[Problem]:
    present, known = set(facts.names), {*query_ids, *optional}
    for query_id in dict.fromkeys(query_ids):
        if query_id not in present:
            yield Problem(
                kind=Kind.MISSING_QUERY,
                found=f"no row for query {quoted(query_id)}",
                expected="documents for every query",
                advice="A missing query scores 0.",
            )
    for index, name in enumerate(facts.names):
        if name not in known:
            yield Problem(
                kind=Kind.UNKNOWN_QUERY,
                line=None if facts.first_line is None else int(facts.first_line[index]),
                found=f"query {quoted(name)}",
                expected="only the queries asked for",
                advice="Unknown queries are ignored.",
            )
