"""What can be wrong with a line of a run or of labels? The one table of messages.

Every reader, compiled or not, names a kind of problem and a line; the words come from here, so that the
same file gives the same message whichever way it was read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from toprung.errors import FormatError
from toprung.words.visible import quoted
from toprung.words.wording import say_count


class Kind(Enum):
    """A kind of problem; the value is its heading in a validation report. Errors refuse the file."""

    EMPTY = "empty file"
    UNREADABLE = "cannot be read"
    ENCODING = "not UTF-8"
    CONTROL = "control character"
    COLUMNS = "wrong number of columns"
    RANK = "rank is not a whole number"
    SCORE = "score is not a number"
    NOT_FINITE = "score is not finite"
    GRADE = "grade is not a whole number"
    DUPLICATE_DOCUMENT = "document twice in a query"
    DUPLICATE_RANK = "rank twice in a query"
    RANK_CONTRADICTS = "rank column contradicts scores"
    TIES = "equal scores"
    RANK_GAPS = "gaps in the ranks"
    TOO_FEW = "fewer documents than asked for"
    TOO_MANY = "more documents than are taken"
    MISSING_QUERY = "query missing"
    UNKNOWN_QUERY = "query unknown"
    SAME_DOCUMENT = "document on both sides"
    CHOICE = "choice is not one of the two"
    NO_CHOICE = "no choice"
    DUPLICATE_VOTE = "vote given twice"
    UNKNOWN_COLUMN = "column unknown"
    REJECTED = "rejected work"

    @property
    def is_error(self) -> bool:
        return self not in WARNINGS

    @property
    def severity(self) -> str:
        return "error" if self.is_error else "warning"


WARNINGS = frozenset(
    {
        Kind.RANK_CONTRADICTS,
        Kind.TIES,
        Kind.RANK_GAPS,
        Kind.TOO_FEW,
        Kind.MISSING_QUERY,
        Kind.UNKNOWN_QUERY,
        Kind.NO_CHOICE,
        Kind.DUPLICATE_VOTE,
        Kind.UNKNOWN_COLUMN,
        Kind.REJECTED,
    }
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """One thing wrong in a file: where, what was found, what was expected, what to do."""

    kind: Kind
    found: str
    expected: str
    advice: str = ""
    line: int | None = None
    first_line: int | None = None
    """Where the same was said before, of what may be said once."""

    def to_error(self, source: str) -> FormatError:
        return FormatError(source=source, line=self.line, found=self.found, expected=self.expected, advice=self.advice)


class ProblemLog:
    """The first problems of each kind, and how many there were: a bad file must not fill the memory."""

    def __init__(self, keep: int = 20) -> None:
        self.keep = keep
        self.counts: Counter[Kind] = Counter()
        self.first: dict[Kind, list[Problem]] = {}

    def add(self, problem: Problem) -> None:
        self.counts[problem.kind] += 1
        kept = self.first.setdefault(problem.kind, [])
        if len(kept) < self.keep:
            kept.append(problem)

    def add_many(self, problems: Sequence[Problem], count: int) -> None:
        """So many problems of one kind, of which these are the first."""
        for problem in problems:
            self.add(problem)
        if problems:
            self.counts[problems[0].kind] += count - len(problems)

    def update(self, later: ProblemLog) -> None:
        """Add what was found further on."""
        for kind, kept in later.first.items():
            self.add_many(kept, later.counts[kind])

    def sort(self) -> None:
        """Kinds in the order in which a reader meets them."""
        self.first = dict(sorted(self.first.items(), key=lambda item: item[1][0].line or 0))
        self.counts = Counter({kind: self.counts[kind] for kind in self.first})

    def __bool__(self) -> bool:
        return bool(self.counts)

    def earliest(self) -> Problem:
        """The problem a reader that stops at the first one would meet."""
        return min((kept[0] for kept in self.first.values()), key=lambda problem: problem.line or 0)


def empty_file() -> Problem:
    return Problem(
        kind=Kind.EMPTY,
        found="an empty file",
        expected="at least one line",
        advice="Check that the file was written completely.",
    )


def not_utf8(byte: int, position: int, line: int) -> Problem:
    return Problem(
        kind=Kind.ENCODING,
        line=line,
        found=f"byte 0x{byte:02x} at position {position} of the line",
        expected="text in UTF-8",
        advice="Save the file as UTF-8.",
    )


def control_character(code: int, line: int) -> Problem:
    return Problem(
        kind=Kind.CONTROL,
        line=line,
        found=f"control character U+{code:04X}",
        expected="printable text with columns parted by blanks or tabs",
        advice="Is this a text file? Remove the character.",
    )


def wrong_columns(text: str, n_found: int, names: tuple[str, ...], line: int) -> Problem:
    counted = "a blank line" if n_found == 0 else f"{say_count(n_found, 'column')}, {quoted(text)}"
    return Problem(
        kind=Kind.COLUMNS,
        line=line,
        found=counted,
        expected=f"{len(names)} columns: {' '.join(names)}",
        advice="Remove the line." if n_found == 0 else "Ids and tags must not contain blanks.",
    )


def bad_rank(text: str, line: int, *, from_one: bool) -> Problem:
    return Problem(
        kind=Kind.RANK,
        line=line,
        found=f"rank {quoted(text)}",
        expected="a whole number from 1 to 2147483647" if from_one else "a whole number of at most 18 digits",
        advice="This format is ordered by its rank column." if from_one else "",
    )


def bad_score(text: str, line: int) -> Problem:
    return Problem(kind=Kind.SCORE, line=line, found=f"score {quoted(text)}", expected="a number such as 12.5 or -3e-4")


def not_finite(text: str, line: int) -> Problem:
    return Problem(
        kind=Kind.NOT_FINITE,
        line=line,
        found=f"score {quoted(text)}",
        expected="a finite number",
        advice="NaN and infinity have no place in a ranking: give the document a score or leave it out.",
    )


def bad_grade(text: str, line: int) -> Problem:
    return Problem(
        kind=Kind.GRADE,
        line=line,
        found=f"grade {quoted(text)}",
        expected="a whole number of at most 9 digits",
    )


def no_header(line: bytes, names: tuple[str, ...]) -> Problem:
    return Problem(
        kind=Kind.COLUMNS,
        line=1,
        found=quoted(line.decode("utf-8", errors="replace")),
        expected=f"the header {' '.join(names)}",
    )


def duplicate_document(doc_id: str, query_id: str, line: int, first_line: int) -> Problem:
    return Problem(
        kind=Kind.DUPLICATE_DOCUMENT,
        line=line,
        first_line=first_line,
        found=f"document {quoted(doc_id)} of query {quoted(query_id)} again, first on line {first_line}",
        expected="each document at most once in a query",
        advice="Keep one of the two lines.",
    )


def duplicate_rank(rank: str, query_id: str, line: int, first_line: int) -> Problem:
    return Problem(
        kind=Kind.DUPLICATE_RANK,
        line=line,
        first_line=first_line,
        found=f"rank {quoted(rank)} of query {quoted(query_id)} again, first on line {first_line}",
        expected="each rank at most once in a query",
        advice="This format is ordered by its rank column: number the documents anew.",
    )


def same_document(doc_id: str, query_id: str, line: int | None) -> Problem:
    return Problem(
        kind=Kind.SAME_DOCUMENT,
        line=line,
        found=f"{quoted(doc_id)} on both sides of a pair of query {quoted(query_id)}",
        expected="two answers",
    )


def missing_id(column: str, line: int | None) -> Problem:
    return Problem(kind=Kind.COLUMNS, line=line, found=f"no {column}", expected="an id for the query and both answers")


def bad_choice(text: str, left: str, right: str, line: int | None) -> Problem:
    return Problem(
        kind=Kind.CHOICE,
        line=line,
        found=f"winner {quoted(text)}",
        expected=f"{quoted(left)} or {quoted(right)}, or the side that won",
    )


def no_choice(line: int | None) -> Problem:
    return Problem(
        kind=Kind.NO_CHOICE,
        line=line,
        found="a pair without an answer",
        expected="a choice",
        advice="It is left out.",
    )


def no_judgments(n_left_out: int) -> Problem:
    left_out = f" ({n_left_out:,} left out)" if n_left_out else ""
    return Problem(kind=Kind.EMPTY, found=f"no judgment that counts{left_out}", expected="at least one")


def duplicate_vote(assessor: str, line: int | None, first_line: int | None) -> Problem:
    first = "" if first_line is None else f", first on line {first_line}"
    return Problem(
        kind=Kind.DUPLICATE_VOTE,
        line=line,
        found=f"the same pair judged again by {quoted(assessor)}{first}",
        expected="one vote of an assessor on a pair",
        advice="The first counts, the others are left out.",
    )


def half_character(text: str, line: int | None) -> Problem:
    return Problem(
        kind=Kind.ENCODING,
        line=line,
        found=f"half a character in {quoted(text)}",
        expected="text that UTF-8 can hold",
    )


def unknown_column(name: str, line: int = 1, *, what: str = "column") -> Problem:
    return Problem(
        kind=Kind.UNKNOWN_COLUMN,
        line=line,
        found=f"{what} {quoted(name)}",
        expected="columns that judgments have",
        advice="It is not read.",
    )


def rejected_work(line: int) -> Problem:
    return Problem(
        kind=Kind.REJECTED, line=line, found="rejected work", expected="work that counts", advice="It is left out."
    )
