"""How does a page tell two runs query by query? The weightiest in a table, and under each what there is to read."""

from __future__ import annotations

from collections.abc import Iterator

from toprung.analyses.queries.find import QueryDifferences
from toprung.analyses.queries.rows import FirstAnswer, QueryRow
from toprung.analyses.queries.tables import clip, say_label, say_rank, slice_table
from toprung.analyses.queries.texts import DocumentText, QueryTexts
from toprung.report.page.tables import write_table
from toprung.report.page.words import words
from toprung.words.wording import show_number, show_share

QUESTION_IN_SUMMARY = 110


def write_queries(result: QueryDifferences) -> str:
    """The table of the weightiest queries, each of them to be unfolded, and the slices."""
    slices = write_table(slice_table(result), "Slices") if result.slices.rows else ""
    return f"{write_table(result.table)}{_write_texts(result)}{slices}"


def _write_texts(result: QueryDifferences) -> str:
    if not result.texts:
        return ""
    rows = {row.query_id: row for row in result.shown}
    each = "".join(_write_query(result, rows[texts.query_id], texts) for texts in result.texts)
    return f'<div class="queries"><h3>What they put first</h3>\n{each}</div>\n'


def _write_query(result: QueryDifferences, row: QueryRow, texts: QueryTexts) -> str:
    asked = clip(texts.question, QUESTION_IN_SUMMARY) or f"query {row.query_id}"
    difference = show_number(row.difference, 4, signed=True)
    columns = "".join(f"<div>{column}</div>" for column in _columns(result, row, texts))
    is_whole = texts.question is None or texts.question == asked
    question = "" if is_whole else f'<p class="asked" dir="auto">{words(texts.question or "")}</p>'
    return (
        f'<details class="query"><summary><span class="q-asked" dir="auto">{words(asked)}</span> '
        f'<span class="q-by">{words(row.query_id)}: {difference}, {show_share(row.weight)} of all differences</span>'
        f'</summary>{question}<div class="q-texts">{columns}</div></details>\n'
    )


def _columns(result: QueryDifferences, row: QueryRow, texts: QueryTexts) -> Iterator[str]:
    more = texts.n_answers - len(texts.answers)
    left = f'<p class="small muted">and {more:,} more with a label</p>' if more else ""
    answers = "".join(map(_write_document, texts.answers)) or '<p class="small muted">none is known</p>'
    yield f"<h4>Labelled answer{'s' if texts.n_answers > 1 else ''}</h4>{answers}{left}"
    runs = (
        (result.a, row.score_a, row.answer_a, texts.first_a),
        (result.b, row.score_b, row.answer_b, texts.first_b),
    )
    for run, score, answer, first in runs:
        put = _write_document(first) if first is not None else '<p class="small muted">not known</p>'
        scored = f"{result.measure} {show_number(score, 4)}{_say_rank(answer)}"
        yield f'<h4>First in {words(run)}</h4><p class="small muted">{words(scored)}</p>{put}'


def _say_rank(answer: FirstAnswer | None) -> str:
    if answer is None:
        return ""
    return f"; a relevant one {'at rank ' if answer.rank else ''}{say_rank(answer)}"


def _write_document(document: DocumentText) -> str:
    said = "" if document.text is None else f'<p class="q-text" dir="auto">{words(document.text)}</p>'
    return f'<p class="small"><b>{words(document.doc_id)}</b> ({say_label(document)})</p>{said}'
