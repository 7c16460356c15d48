"""How are final standings cited? By title, day, version of the labels and digest: in one line, and as BibTeX."""

from __future__ import annotations

from django.conf import settings

from toprung.report.latex import escape
from toprung.web.core.addresses import address_of
from toprung.web.core.models.boards import Board
from toprung.web.core.models.endings import FinalStandings


def find_final(board: Board) -> FinalStandings | None:
    """None while the standings may change; no question is asked of the database then."""
    return FinalStandings.objects.select_related("board").filter(board=board).first() if board.is_final else None


def cite_in_words(final: FinalStandings) -> str:
    board = final.board
    where = f" {address_of('leaderboard', board.slug)}." if settings.ENVIRONMENT.public_url else ""
    return f"{board.title}: final standings of {final.made_at:%Y-%m-%d}, {_what(board)}.{where} {final.digest}"


def cite_as_bibtex(final: FinalStandings) -> str:
    board = final.board
    fields = {
        "title": f"{{{escape(f'{board.title}: final standings')}}}",
        "year": f"{{{final.made_at:%Y}}}",
        "month": f"{{{final.made_at:%m}}}",
        "note": f"{{{escape(f'{_what(board)}; {final.digest}')}}}",
    }
    if settings.ENVIRONMENT.public_url:  # a board that nobody else can reach gives none
        fields["howpublished"] = f"{{\\url{{{address_of('leaderboard', board.slug)}}}}}"
    inner = ",\n".join(f"  {name} = {value}" for name, value in fields.items())
    return f"@misc{{toprung-{board.slug},\n{inner}\n}}"


def _what(board: Board) -> str:
    return f"{board.official_measure}, labels v{board.shown_version}"
