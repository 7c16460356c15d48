"""Read and write preference judgments: which format a file is in is told by its content."""

from __future__ import annotations

import hashlib
import os

from toprung.data.formats import problems
from toprung.data.formats.content import DEFAULT_LIMITS, Content, Limits, read_content
from toprung.data.formats.judgments.delimited import LAYOUTS, parse_csv
from toprung.data.formats.judgments.label_studio import parse_label_studio
from toprung.data.formats.judgments.lines import ARABZADEH_COLUMNS, parse_arabzadeh, parse_jsonl, parse_waterloo
from toprung.data.formats.judgments.mturk import parse_mturk
from toprung.data.formats.judgments.rows import JudgmentFile, JudgmentFormat, JudgmentRows
from toprung.data.formats.runs.recognise import first_line_of, to_format
from toprung.data.judgments import AssessorKind
from toprung.errors import FormatError
from toprung.words.visible import quoted

EXPECTED = (
    "judgments: JSONL, `topic a b winner` (Waterloo), a CSV with left,right,winner (evalica), worker,left,right,label "
    "(crowd-kit), model_a,model_b,winner (arena) or Input.* and Answer.* (MTurk), the TSV of Arabzadeh et al., "
    "or Label Studio's JSON"
)


def read_judgments(
    path: str | os.PathLike[str],
    *,
    format: str | JudgmentFormat | None = None,  # noqa: A002 - the word users know
    kind: AssessorKind = AssessorKind.IMPORT,
    assessor: str = "",
    limits: Limits = DEFAULT_LIMITS,
) -> JudgmentFile:
    """Read preference judgments from a file, plain or compressed.

    The format is recognised unless it is named. ``kind`` and ``assessor`` say who judged, where the file does not. A
    fault raises a FormatError with its line; what is left out without harm (a vote given twice, work that was rejected,
    a column nobody knows) is counted in ``warnings``.
    """
    source = os.fspath(path)
    content = read_content(path, limits)
    if not bytes(content[:4096]).strip() and not bytes(content).strip():
        raise problems.empty_file().to_error(source)
    found = recognise_judgments(content, source) if format is None else to_format(JudgmentFormat, format)
    rows = JudgmentRows(source, f"sha256:{hashlib.sha256(content).hexdigest()}", found, kind, assessor)
    _parse(content, rows)
    return rows.finish()


def _parse(content: Content, rows: JudgmentRows) -> None:
    if rows.format is JudgmentFormat.JSONL:
        parse_jsonl(content, rows)
    elif rows.format is JudgmentFormat.WATERLOO:
        parse_waterloo(content, rows)
    elif rows.format is JudgmentFormat.ARABZADEH:
        parse_arabzadeh(content, rows)
    elif rows.format is JudgmentFormat.LABEL_STUDIO:
        parse_label_studio(bytes(content), rows)
    elif rows.format is JudgmentFormat.MTURK:
        parse_mturk(bytes(content), rows)
    else:
        parse_csv(bytes(content), rows)


def recognise_judgments(content: Content, source: str) -> JudgmentFormat:
    """The format of judgments, by their first line."""
    line = first_line_of(content).strip().decode("utf-8", errors="replace")
    if line.startswith(("[", "{")):
        return JudgmentFormat.LABEL_STUDIO if line.startswith("[") else JudgmentFormat.JSONL
    if line.count("\t") == len(ARABZADEH_COLUMNS) - 1:
        return JudgmentFormat.ARABZADEH
    names = {name.strip().strip('"').lower() for name in line.split(",")}
    if any(name.startswith(("input.", "answer.")) for name in names):
        return JudgmentFormat.MTURK
    for known, layout in LAYOUTS.items():
        if {layout.left, layout.right, layout.winner} <= names:
            return known
    if len(line.split()) in (3, 4):
        return JudgmentFormat.WATERLOO
    raise FormatError(source=source, line=1, found=quoted(line), expected=EXPECTED)
