"""What came of a run, in a few words? Where it stands and what it proved, as far as everyone may know it.

One wording for the page of a run, the list of one's own runs, badges, feeds and mails.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toprung.boards.engine.words import THAT_SHOWS
from toprung.words.wording import say_count

DOES_BEST, BEYOND_CHANCE, ONLY_RUN, MAY_BE_BEST = "does best", "beyond chance", "is the only run", "may be best"


def say_place(standing: Mapping[str, Any], board: Mapping[str, Any]) -> str:
    """Where a run stands, by its row and the board that the row is on; what follows its name.

    Where runs show no score it is said of the others alone, as in the sentence of the board.

    >>> row = {"top_group": True, "rank_low": 1, "rank_high": 5}
    >>> say_place(row, {"top_group": ["R1", "R2", "R3", "R4"], "n_runs": 9})
    'may be best, with 3 others'
    >>> say_place(row | {"top_group": False, "rank_low": 14, "rank_high": 22}, {"top_group": ["R1"], "n_runs": 30})
    'ranks 14th to 22nd'
    >>> say_place(row, {"top_group": ["R1"], "n_runs": 1, "n_not_shown": 2})
    'is the only run that shows a score'
    >>> say_place(row, {"top_group": ["R1"], "n_runs": 2, "n_not_shown": 10})
    'does best of the 2 runs shown, beyond chance'
    """
    among = f" of the {board['n_runs']:,} runs shown" if board.get("n_not_shown") else ""
    if not standing["top_group"]:
        return f"ranks {say_ranks(standing['rank_low'], standing['rank_high'])}{among}"
    others = len(board["top_group"]) - 1
    if others:
        return f"{MAY_BE_BEST}{among}, with {say_count(others, 'other')}"
    if board["n_runs"] > 1:
        return f"{DOES_BEST}{among}, {BEYOND_CHANCE}"
    return f"{ONLY_RUN} {THAT_SHOWS}" if board.get("n_not_shown") else ONLY_RUN


def say_ranks(low: int, high: int) -> str:
    """The ranks a run may have.

    >>> say_ranks(14, 22), say_ranks(3, 3)
    ('14th to 22nd', '3rd')
    """
    return ordinal(low) if low == high else f"{ordinal(low)} to {ordinal(high)}"


def ordinal(number: int) -> str:
    """A place in words.

    >>> [ordinal(number) for number in (1, 2, 3, 11, 22, 113)]
    ['1st', '2nd', '3rd', '11th', '22nd', '113th']
    """
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{'th' if 10 < number % 100 < 14 else ending}"


def say_proved_over(run: str, holder: str, *, is_tested: bool = True) -> str:
    """Of a claim that passed; where the rule tests nothing, it proved nothing.

    >>> say_proved_over("new", "old")
    'new proved an improvement over old'
    """
    return f"{run} proved an improvement over {holder}" if is_tested else f"{run} scores above {holder}"


def say_voided_over(run: str, holder: str) -> str:
    return f"The claim of {run} over {holder} was voided"
