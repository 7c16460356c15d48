"""What was asked, which answers are labelled, and what did each run put first? Texts of the queries that are shown."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from toprung.analyses.queries.rows import QueryRow
from toprung.analyses.queries.two_runs import TwoRuns
from toprung.data.formats.tables.text_files import Kind, read_texts
from toprung.data.qrels import Qrels
from toprung.errors import InputError
from toprung.words.wording import say_count, say_queries

MOST_ANSWERS = 3
"""Labelled documents of a query that are shown, the best grades first."""

type GivenTexts = str | os.PathLike[str] | Mapping[str, str]
"""A file (TSV, JSONL, ``irds:DATASET``), or texts by id."""


@dataclass(frozen=True, kw_only=True)
class DocumentText:
    """A document, the grade that its label has for the query, and what it says; None where that is not known."""

    doc_id: str
    grade: int | None = None
    text: str | None = None


@dataclass(frozen=True, kw_only=True)
class QueryTexts:
    """What there is to read of one query."""

    query_id: str
    question: str | None
    answers: tuple[DocumentText, ...]
    """The labelled documents that are relevant, those of the best grades."""
    n_answers: int
    """How many are labelled as relevant."""
    first_a: DocumentText | None
    first_b: DocumentText | None

    @property
    def documents(self) -> tuple[DocumentText, ...]:
        return (*self.answers, *(each for each in (self.first_a, self.first_b) if each is not None))


def read_wanted(given: GivenTexts, wanted: Collection[str], kind: Kind, *, name: str) -> dict[str, str]:
    """The texts of these ids; one without any of them is refused."""
    if isinstance(given, Mapping):
        found = {an_id: str(given[an_id]) for an_id in wanted if an_id in given}
    elif isinstance(given, str | os.PathLike):
        found = dict(read_texts(given, wanted=wanted, kind=kind))
        name = os.fspath(given)
    else:
        raise InputError(f"{name}: found {type(given).__name__}; expected a file, or texts by id.")
    if wanted and not found:
        raise InputError(
            f"{name}: found no text for any of {len(wanted):,} {kind}, '{min(wanted)}' among them; expected texts by "
            "the ids that labels and runs have."
        )
    return found


def gather_texts(two: TwoRuns, rows: Sequence[QueryRow], docs: GivenTexts | None) -> tuple[QueryTexts, ...]:
    """Of these queries; with ``docs`` what the documents say, of which only these are kept."""
    labels = {} if two.qrels is None else _labels_of(two.qrels, [row.query_id for row in rows])
    gathered = [_gather(row, labels.get(row.query_id, {}), two.rel) for row in rows]
    if docs is None:
        return tuple(gathered)
    wanted = {each.doc_id for texts in gathered for each in texts.documents}
    if not wanted:
        raise InputError("Found texts of documents with a matrix; expected labels and runs, which name documents.")
    said = read_wanted(docs, wanted, "documents", name="docs")
    return tuple(_with_texts(each, said) for each in gathered)


def _labels_of(qrels: Qrels, query_ids: Iterable[str]) -> dict[str, dict[str, int]]:
    place = {query_id: place for place, query_id in enumerate(qrels.query_ids)}
    found = {}
    for query_id in query_ids:
        start, end = qrels.starts[place[query_id] : place[query_id] + 2].tolist()
        found[query_id] = dict(zip(qrels.doc_ids[start:end], qrels.grades[start:end].tolist(), strict=True))
    return found


def _gather(row: QueryRow, labels: Mapping[str, int], rel: int) -> QueryTexts:
    relevant = sorted((doc_id for doc_id in labels if labels[doc_id] >= rel), key=lambda doc_id: -labels[doc_id])
    answers = tuple(DocumentText(doc_id=doc_id, grade=labels[doc_id]) for doc_id in relevant[:MOST_ANSWERS])
    first_a, first_b = (
        None if doc_id is None else DocumentText(doc_id=doc_id, grade=labels.get(doc_id))
        for doc_id in (row.first_a, row.first_b)
    )
    return QueryTexts(
        query_id=row.query_id,
        question=row.question,
        answers=answers,
        n_answers=len(relevant),
        first_a=first_a,
        first_b=first_b,
    )


def _with_texts(gathered: QueryTexts, said: Mapping[str, str]) -> QueryTexts:
    def told(each: DocumentText | None) -> DocumentText | None:
        return None if each is None else replace(each, text=said.get(each.doc_id))

    answers = tuple(replace(each, text=said.get(each.doc_id)) for each in gathered.answers)
    return replace(gathered, answers=answers, first_a=told(gathered.first_a), first_b=told(gathered.first_b))


def say_missing_texts(texts: Sequence[QueryTexts], rows: Sequence[QueryRow], *, has_docs: bool) -> tuple[str, ...]:
    """How many questions and documents have no text."""
    said = []
    without = sum(row.question is None for row in rows)
    if 0 < without < len(rows):
        said.append(f"No question was found for {say_queries(without)}.")
    documents = {each.doc_id: each.text for each in (doc for texts_of in texts for doc in texts_of.documents)}
    silent = sum(text is None for text in documents.values())
    if has_docs and silent:
        said.append(f"No text was found for {silent:,} of {say_count(len(documents), 'document')} shown.")
    return tuple(said)
