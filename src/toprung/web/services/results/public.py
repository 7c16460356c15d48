"""What does an audience see of a result? Organisers all of it, everyone what its analysis registers for them."""

from __future__ import annotations

from toprung.analyses.catalogue import find_analysis
from toprung.analysis import load
from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.disclosure.rounding import SCORE_DIGITS
from toprung.result import Result
from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience
from toprung.web.core.store.disclosing import disclosure_of


def decimals_for(board: Board, audience: Audience) -> int:
    """Of scores on the pages of an audience."""
    return disclosure_of(board).decimals if audience is Audience.PUBLIC else SCORE_DIGITS


def seen_by[Found: Result](audience: Audience, found: Found, release: Disclosure, *, key: str) -> Found:
    """The result of an analysis as an audience sees it; one that registers nothing for everyone is refused them."""
    if audience is not Audience.PUBLIC:
        return found
    analysis = find_analysis(key)
    if not analysis.in_public:
        raise LookupError(f"{key}: its results are for organisers alone")
    rounded: Found = load(analysis.in_public)(found, release)
    return rounded
