"""How does one answer stand in a page? Question, sentence, figures, tables, how it was found, what to take along."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.analyses.queries.find import QueryDifferences
from toprung.report.charts.catalogue import figures_of
from toprung.report.charts.svg.setting import PHONE, Address, ChartSetting, Subject
from toprung.report.latex import to_latex
from toprung.report.page.board import write_board
from toprung.report.page.exports import files_of, write_exports
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
    question: str
    finding: str
    """Empty where the page has said it before."""
    result: Result
    evidence: str

    @cached_property
    def latex(self) -> str:
        """Its tables, as they are copied: a page is written twice, for what it has room for shows at the first."""
        return to_latex(self.result)

    @property
    def files(self) -> dict[str, str]:
        """What it has to be carried for its buttons."""
        return files_of(self.key, self.result, self.latex)

    def close(self, carried: Mapping[str, str]) -> str:
        """The whole part; ``carried`` are the files that the page has room for. The leaderboard is open."""
        content = f"{self.evidence}{write_exports(self.key, self.latex, carried)}"
        is_open = isinstance(self.result, Leaderboard)
        return write_folded(self.key, self.question, content, finding=self.finding, is_open=is_open)


def write_folded(key: str, question: str, content: str, *, finding: str = "", is_open: bool = False) -> str:
    """A question with its answer in a sentence; what stands behind it unfolds.

    The key is that of what is folded away, for browsers unfold whatever a link leads into.
    """
    said = f'<span class="finding">{words(finding)}</span>' if finding else ""
    return (
        f'<details class="part"{" open" if is_open else ""}><summary><h2 id="{key}-question">{words(question)}</h2>'
        f'{said}</summary>\n<section id="{key}" aria-labelledby="{key}-question">\n{content}</section></details>\n'
    )


def write_part(
    key: str,
    question: str,
    result: Result,
    *,
    said_before: Collection[str] = (),
    places: Mapping[str, str] = MappingProxyType({}),
) -> WrittenPart:
    """The answer to one question, under its key; a sentence or a note that the page has said before is left out.

    ``places``: by run, where on the page its row is, for marks of figures to lead to.
    """
    notes = tuple(note for note in result.notes if note not in said_before)
    return WrittenPart(
        key=key,
        question=question,
        finding="" if result.sentence in said_before else result.sentence,
        result=result,
        evidence=write_evidence(result, _write_figures(result, key, places), notes),
    )


def _write_figures(result: Result, key: str, places: Mapping[str, str]) -> list[str]:
    """None of a leaderboard, whose rows hold the intervals that its figure would show again."""
    if isinstance(result, Leaderboard):
        return []

    def address_of(subject: Subject) -> Address | None:
        place = places.get(subject.key) if subject.kind == "run" else None
        return None if place is None else Address(href=f"#{place}")

    wide, narrow = (ChartSetting(address_of=address_of, width=width) for width in (None, PHONE))
    drawn = zip(figures_of(result, wide), figures_of(result, narrow), strict=True)
    return [
        write_figure(figure, f"{key}-figure-{number}", small) for number, (figure, small) in enumerate(drawn, start=1)
    ]


def write_evidence(result: Result, figures: Sequence[str], notes: tuple[str, ...]) -> str:
    """Figures, tables, and how it was found beside them where there is room; a board is drawn, and comes first."""
    drawn = f'<div class="figures">{"".join(figures)}</div>\n' if figures else ""
    said = "".join(f"<div>{column}</div>" for column in (*_explain(result.explanation), *_note(notes)))
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
