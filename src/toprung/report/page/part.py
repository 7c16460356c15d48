"""How does one answer stand in a page? Question, sentence, figures, tables, how it was found, what to take along."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.analyses.queries.find import QueryDifferences
from toprung.report.charts.catalogue import figures_of
from toprung.report.page.board import write_board
from toprung.report.page.exports import write_exports
from toprung.report.page.figures import write_figure
from toprung.report.page.passages import write_passages
from toprung.report.page.queries import write_queries
from toprung.report.page.tables import write_table
from toprung.report.page.words import prose, words
from toprung.result import Explanation, Result


@dataclass(frozen=True, kw_only=True)
class WrittenPart:
    """A part of a page, still without what a reader can take along."""

    key: str
    result: Result
    head: str
    can_be_explored: bool

    def close(self, carried: Mapping[str, str]) -> str:
        """The whole part; ``carried`` are the files that the page has room for."""
        return (
            f'<section class="part" id="{self.key}" aria-labelledby="{self.key}-question">\n{self.head}'
            f"{write_exports(self.key, self.result, carried)}</section>\n"
        )


def write_part(key: str, question: str, result: Result, *, is_said: bool = False) -> WrittenPart:
    """The answer to one question, under its key; its sentence is left out where the page has said it before."""
    figures = [
        write_figure(figure, f"{key}-figure-{number}", is_interactive=True)
        for number, figure in enumerate(figures_of(result), start=1)
    ]
    head = (
        f'<h2 id="{key}-question">{words(question)}</h2>\n'
        f"{'' if is_said else f'<p class="finding">{words(result.sentence)}</p>'}\n"
        f"{write_evidence(result, [figure.markup for figure in figures])}"
    )
    can_be_explored = any(figure.can_be_explored for figure in figures)
    return WrittenPart(key=key, result=result, head=head, can_be_explored=can_be_explored)


def write_evidence(result: Result, figures: Sequence[str]) -> str:
    """Figures, tables, and how it was found beside them where there is room; a board is drawn, and comes first."""
    drawn = f'<div class="figures">{"".join(figures)}</div>\n' if figures else ""
    said = "".join(f"<div>{column}</div>" for column in (*_explain(result.explanation), *_note(result.notes)))
    method = f'<div class="method">{said}</div>\n' if said else ""
    if isinstance(result, Leaderboard):
        return f"{write_board(result)}{drawn}{method}"
    tables = _write_tables(result)
    taken = write_passages(result)
    return f'{drawn}<div class="evidence"><div class="tables">{tables}{taken}</div>\n{method}</div>\n'


def _write_tables(result: Result) -> str:
    if isinstance(result, QueryDifferences):
        return write_queries(result)
    return "".join(write_table(table, heading) for heading, table in result.tables)


def _explain(explanation: Explanation | None) -> Iterator[str]:
    if explanation is None:
        return
    held = "".join(f"<li>{prose(each)}</li>" for each in explanation.assumptions)
    assumed = f"<p>This holds if:</p><ul>{held}</ul>" if held else ""
    yield f"<h3>How this was found</h3><p>{prose(explanation.how)}</p>{assumed}"


def _note(notes: tuple[str, ...]) -> Iterator[str]:
    if notes:
        yield f'<h3>Notes</h3><ul class="notes">{"".join(f"<li>{prose(note)}</li>" for note in notes)}</ul>'
