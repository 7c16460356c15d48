"""What do the queries and documents say? Their texts, from TSV, JSONL or ``irds:DATASET``."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Literal, NamedTuple

from toprung.data.formats import problems
from toprung.data.formats.content import DEFAULT_LIMITS, Limits, stream_content
from toprung.data.formats.runs.files import Source, is_irds
from toprung.data.formats.runs.line_parser import iterate_lines
from toprung.data.utf8 import is_text
from toprung.errors import FormatError, InputError
from toprung.words.visible import quoted

ID_KEYS = ("_id", "id", "doc_id", "docid", "docno", "query_id", "qid", "pid")
OF_DOCUMENTS = ("text", "contents", "body", "passage", "abstract")
OF_QUERIES = ("query", "question", "raw_utterance", "title", "description")
TEXT_KEYS = (*OF_DOCUMENTS, *OF_QUERIES)
"""The first that a record has is its text: those of exports of ir_datasets among them."""
Kind = Literal["documents", "queries"]
LANGUAGE = re.compile(r"(?=.{2,20}\Z)[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
"""A tag such as de or pt-BR; what is none says nothing of the language."""


class TextLine(NamedTuple):
    """One text of a file."""

    number: int
    """Of the line."""
    an_id: str
    text: str
    lang: str = ""
    """As its file says, in ``lang``; empty where it does not."""


def read_texts(
    path: Source,
    *,
    wanted: Collection[str] | None = None,
    kind: Kind = "documents",
    limits: Limits = DEFAULT_LIMITS,
) -> Mapping[str, str]:
    """Read the texts of queries or documents by id.

    ``path`` is a TSV (id, tab, text), a JSONL file (``_id`` or ``id``, ``text`` or ``contents``; a title stands before
    the text), plain or compressed, or ``irds:DATASET``, where ``kind`` says which texts are meant. With ``wanted`` only
    these ids are kept: a collection may be far larger than the memory.
    """
    if is_irds(path):
        from toprung.data.formats.irds import read_irds_texts

        return read_irds_texts(os.fspath(path), kind=kind, wanted=wanted)
    source = os.fspath(path)
    keep = None if wanted is None else frozenset(wanted)
    texts: dict[str, str] = {}
    line_of: dict[str, int] = {}
    is_empty = True
    for number, an_id, text, _ in iterate_texts(path, limits):
        is_empty = False
        if keep is not None and an_id not in keep:
            continue
        if texts.setdefault(an_id, text) != text:
            found = f"{quoted(an_id)} again with another text, first on line {line_of[an_id]}"
            raise FormatError(source=source, line=number, found=found, expected="one text for each id")
        line_of.setdefault(an_id, number)
    if is_empty:
        raise problems.empty_file().to_error(source)
    return texts


def iterate_texts(path: Source, limits: Limits = DEFAULT_LIMITS) -> Iterator[TextLine]:
    """The texts of a TSV or JSONL file, one after the other."""
    return _parse(_lines(path, limits), os.fspath(path))


def _lines(path: Source, limits: Limits) -> Iterator[tuple[int, bytes]]:
    """Those that are not blank, with their numbers."""
    before = number = 0
    for piece in stream_content(path, limits):
        for number, line in iterate_lines(piece):
            if line.strip():
                yield before + number, line
        before, number = before + number, 0


def _parse(lines: Iterator[tuple[int, bytes]], source: str) -> Iterator[TextLine]:
    is_json = None
    for number, line in lines:
        is_json = line[:1] == b"{" if is_json is None else is_json
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise problems.not_utf8(line[error.start], error.start + 1, number).to_error(source) from None
        try:
            found = _from_json(text) if is_json else _from_tsv(text)
        except InputError as error:
            expected = "a JSON object with an id and a text" if is_json else "an id, a tab and a text"
            raise FormatError(source=source, line=number, found=str(error), expected=expected) from None
        yield TextLine(number, *found)


def _from_tsv(line: str) -> tuple[str, str]:
    an_id, tab, text = line.partition("\t")
    if not tab or not an_id.strip():
        raise InputError(quoted(line))
    return an_id.strip(), text.strip()


def _from_json(line: str) -> tuple[str, str, str]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise InputError(quoted(line))
    an_id, text = _first(record, ID_KEYS), _first(record, TEXT_KEYS)
    an_id = str(an_id) if type(an_id) is int else an_id
    if not is_text(an_id) or not an_id or not is_text(text):
        raise InputError(f"an object with the keys {quoted(', '.join(record)) if record else '(none)'}")
    title = record.get("title")
    has_title = isinstance(title, str) and is_text(title) and title.strip() and title != text
    said = f"{str(title).strip()}\n{text.strip()}" if has_title else text.strip()
    lang = record.get("lang")
    return an_id, said, lang if isinstance(lang, str) and LANGUAGE.fullmatch(lang) else ""


def _first(record: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((record[key] for key in keys if key in record), None)
