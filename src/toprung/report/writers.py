"""How is a result written as text that programs and papers take? CSV, JSON and Markdown; LaTeX has its own module."""

from __future__ import annotations

import re

from toprung.report.csv_rows import write_rows
from toprung.result import Mark, Passage, PassageKind, Result, Table
from toprung.words.visible import HIDDEN, in_one_line

MARKS = re.compile(r"[\\`*\[\]|$~]|(?<!\w)_|_(?!\w)")
ENTITY = re.compile(r"&(?=#?\w+;)")
FIRST_MARK = re.compile(r"^(?:[#+\->=]|(\d+)(?=[.)]))")


def to_csv(result: Result) -> str:
    header, rows = result.tidy_rows()
    return write_rows([header]) + write_rows(rows)


def to_json(result: Result) -> str:
    """Letters of all scripts can be read; what nobody sees is escaped, and so is not lost."""
    import json  # only here: CSV needs none

    text = json.dumps(result.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)
    return HIDDEN.sub(lambda found: json.dumps(found[0])[1:-1], text) + "\n"


def to_markdown(result: Result) -> str:
    shown = [_to_markdown_table(heading, table) for heading, table in result.tables]
    sentence, *lines = map(_in_a_line_of_its_own, (result.sentence, *result.notes))
    notes = "\n".join(f"- {line}" for line in lines)
    passages = map(_to_markdown_passage, result.passages)
    return "\n\n".join(part for part in (sentence, *shown, *passages, notes) if part) + "\n"


def _to_markdown_table(heading: str, table: Table) -> str:
    rules = ["---:" if i in table.numeric else "---" for i in range(len(table.header))]
    rows = [
        [_marked(_escaped(cell), table.mark(number, i)) for i, cell in enumerate(row)]
        for number, row in enumerate(table.rows)
    ]
    lines = ["| " + " | ".join(row) + " |" for row in (map(_escaped, table.header), rules, *rows)]
    return "\n".join([*([f"{_in_a_line_of_its_own(heading)}:", ""] if heading else []), *lines])


def _marked(cell: str, mark: Mark) -> str:
    bold = f"**{cell}**" if mark.is_bold else cell
    return f"{bold}<sup>{_escaped(mark.raised)}</sup>" if mark.raised else bold


def _to_markdown_passage(passage: Passage) -> str:
    is_code = passage.kind is PassageKind.CODE
    text = f"```\n{passage.text}\n```" if is_code else _in_a_line_of_its_own(passage.text)
    return f"{_in_a_line_of_its_own(passage.heading)}:\n\n{text}"


def _escaped(text: str) -> str:
    """As Markdown shows it as it is: no tag, no mark, no entity."""
    marked = MARKS.sub(r"\\\g<0>", in_one_line(text))
    return ENTITY.sub("&amp;", marked).replace("<", "&lt;")


def _in_a_line_of_its_own(text: str) -> str:
    """What would make it a heading, a list or a quotation is escaped too."""
    return FIRST_MARK.sub(lambda found: f"{found[1]}\\" if found[1] else f"\\{found[0]}", _escaped(text))
