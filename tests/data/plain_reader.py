"""The plainest reading of a run: line by line with dicts of what was seen, which every other way is held equal to."""

from __future__ import annotations

from toprung.data.formats import problems
from toprung.data.formats.content import Content
from toprung.data.formats.runs.line_parser import Layout, ParsedRun, parse_lines


def read_plainly(data: Content, layout: Layout) -> ParsedRun:
    """The good lines, of which none repeats an earlier one, and every problem."""
    parsed, kept = parse_lines(data, layout), ParsedRun()
    kept.problems = parsed.problems
    line_of_doc: dict[tuple[str, str], int] = {}
    line_of_rank: dict[tuple[str, int], int] = {}
    for row, number in zip(parsed.rows, parsed.lines, strict=True):
        earlier = line_of_doc.setdefault((row.query_id, row.doc_id), number)
        if earlier != number:
            kept.problems.add(problems.duplicate_document(row.doc_id, row.query_id, number, earlier))
            continue
        earlier = line_of_rank.setdefault((row.query_id, row.rank), number) if layout is Layout.MSMARCO else number
        if earlier != number:
            kept.problems.add(problems.duplicate_rank(str(row.rank), row.query_id, number, earlier))
            continue
        kept.rows.append(row)
        kept.lines.append(number)
    if not kept.rows and not kept.problems:
        kept.problems.add(problems.empty_file())
    return kept
