"""What does a reader see first? The verdict, who may be best, and what to be careful about, on one screen."""

from __future__ import annotations

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.report.overview.result import Overview
from toprung.report.page.top_figure import write_top_figure
from toprung.report.page.words import prose, words

CAREFUL = "What to be careful about"


def write_opening(overview: Overview) -> str:
    """What a reader takes away who reads no further."""
    board = _find_board(overview)
    verdict, because = (board.verdict, board.because) if board else (overview.sentence, "")
    facts = "".join(f"<div><dt>{words(name)}</dt><dd>{words(said)}</dd></div>" for name, said in _facts(board))
    figure = write_top_figure(board) if board else ""
    return (
        f'<div class="opening"><h1>{words(overview.title)}</h1>\n'
        f"{f'<dl class="facts">{facts}</dl>' if facts else ''}\n"
        f'<p class="sentence"><b>{words(verdict)}</b></p>\n'
        f"{f'<p class="because">{words(because)}</p>' if because else ''}\n"
        f'<div class="at-a-glance">{figure}{_write_careful(overview)}</div></div>\n'
    )


def _write_careful(overview: Overview) -> str:
    cautions = "".join(f"<li>{prose(each)}</li>" for each in overview.cautions)
    if not cautions:
        return ""
    return (
        f'<section class="careful" aria-labelledby="careful-title"><h2 id="careful-title">{CAREFUL}</h2>'
        f"<ul>{cautions}</ul></section>\n"
    )


def _find_board(overview: Overview) -> Leaderboard | None:
    return next((part.result for part in overview.parts if isinstance(part.result, Leaderboard)), None)


def _facts(board: Leaderboard | None) -> list[tuple[str, str]]:
    if board is None:
        return []
    return [
        ("Runs", f"{len(board.rows):,}"),
        ("Queries", f"{board.n_queries:,}"),
        ("Measure", f"{board.measure}, mean"),
    ]
