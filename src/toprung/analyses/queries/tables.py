"""What do people read of it? The weightiest queries, what each run put first, and the slices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.analyses.queries.rows import FirstAnswer
from toprung.analyses.queries.slices import SliceRow
from toprung.analyses.queries.texts import DocumentText, QueryTexts
from toprung.boards.engine.words import say_verdict
from toprung.result import Cell, Table
from toprung.words.visible import in_one_line
from toprung.words.wording import fit, show_number, show_p, show_share

if TYPE_CHECKING:
    from toprung.analyses.queries.find import QueryDifferences

DECIMALS = 4
CLIPPED = 120
"""Characters of a text that a table shows; pages and JSON have all of it."""
CLIPPED_QUESTION = 60
MOST_UNTESTED = 10
"""Slices of too few queries that a table shows; JSON has all."""


def main_cells(found: QueryDifferences) -> tuple[Cell, ...]:
    """Query, scores, difference, weight; ranks and questions where there are any."""
    first = found.rows[0] if found.rows else None
    has_ranks = first is not None and first.answer_a is not None
    ranks = (
        Cell(f"rank in {found.a}", lambda row: say_rank(row.answer_a), is_number=True),
        Cell(f"rank in {found.b}", lambda row: say_rank(row.answer_b), is_number=True),
    )
    has_questions = any(row.question is not None for row in found.shown)
    return (
        Cell("query", lambda row: row.query_id),
        Cell(found.a, lambda row: show_number(row.score_a, DECIMALS), is_number=True),
        Cell(found.b, lambda row: show_number(row.score_b, DECIMALS), is_number=True),
        Cell("difference", lambda row: show_number(row.difference, DECIMALS, signed=True), is_number=True),
        Cell("weight", lambda row: show_share(row.weight), is_number=True),
        *(ranks if has_ranks else ()),
        *((Cell("question", lambda row: clip(row.question, CLIPPED_QUESTION)),) if has_questions else ()),
    )


def say_rank(answer: FirstAnswer | None) -> str:
    """Where the first relevant document stands, or how far it was looked for.

    >>> [say_rank(FirstAnswer(rank=0, depth=depth, is_within=False)) for depth in (1000, 0, None)]
    ['not in 1,000', 'no documents', 'not found']
    """
    if answer is None:
        return "–"
    if answer.rank:
        return f"{answer.rank:,}"
    if answer.depth is None:
        return "not found"
    return f"not in {answer.depth:,}" if answer.depth else "no documents"


def clip(text: str | None, width: int = CLIPPED) -> str:
    """The start of a text, on one line; empty where there is none."""
    return "" if text is None else fit(in_one_line(text[: 10 * width]), width)


def text_table(found: QueryDifferences) -> Table:
    """For each query its question, labelled answers, and what each run put first; one text a row."""
    rows = tuple(row for texts in found.texts for row in _text_rows(found, texts))
    return Table(header=("query", "what", "document", "text"), rows=rows)


def _text_rows(found: QueryDifferences, texts: QueryTexts) -> Iterator[tuple[str, str, str, str]]:
    yield texts.query_id, "question", "", clip(texts.question)
    for each in texts.answers:
        yield "", "labelled answer", f"{each.doc_id} ({say_label(each)})", clip(each.text)
    if more := texts.n_answers - len(texts.answers):
        yield "", "labelled answer", f"and {more:,} more", ""
    for run, first in ((found.a, texts.first_a), (found.b, texts.first_b)):
        if first is not None:
            yield "", f"first in {run}", f"{first.doc_id} ({say_label(first)})", clip(first.text)


def say_label(document: DocumentText) -> str:
    """What the labels say of a document.

    >>> say_label(DocumentText(doc_id="d1", grade=2)), say_label(DocumentText(doc_id="d2"))
    ('label 2', 'no label')
    """
    return "no label" if document.grade is None else f"label {document.grade}"


def slice_table(found: QueryDifferences) -> Table:
    """Every slice, those that were tested first."""

    def say(row: SliceRow) -> str:
        if row.verdict is None:
            return f"not tested: {row.test.differing:,} differ{'s' if row.test.differing == 1 else ''}"
        return say_verdict(row.verdict)

    cells = (
        Cell("attribute", lambda row: row.attribute),
        Cell("value", lambda row: row.value),
        Cell("queries", lambda row: f"{row.test.n:,}", is_number=True),
        Cell(found.a, lambda row: show_number(row.mean_a, DECIMALS), is_number=True),
        Cell(found.b, lambda row: show_number(row.mean_b, DECIMALS), is_number=True),
        Cell("difference", lambda row: show_number(row.test.mean, DECIMALS, signed=True), is_number=True),
        Cell("p", lambda row: "–" if row.p is None else show_p(row.p), is_number=True),
        Cell("p (BH)", lambda row: "–" if row.corrected is None else show_p(row.corrected), is_number=True),
        Cell("verdict", say),
    )
    tested = len(found.slices.tested)
    return Table.of(found.slices.rows[: tested + MOST_UNTESTED], cells)
