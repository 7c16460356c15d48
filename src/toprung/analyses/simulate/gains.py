"""What would an attacker gain on this board? Looked up in a table of attacks that were simulated beforehand.

A release that is not in the table is taken for a weaker one that is, so that what is said is rather too much. Between
two numbers of queries it is interpolated over their logarithm; beyond the table its end holds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from toprung.analyses.simulate.gains_table import ACCOUNTS, GAINS, QUERIES
from toprung.boards.disclosure.release import BoardLadder, Ladder, ParameterFreeLadder, Release, RoundedRelease
from toprung.words.wording import list_names, say_count

SUBMISSIONS = 1_000
WEAKEST = "full"


@dataclass(frozen=True, kw_only=True)
class KnownGains:
    """In RR, by the number of accounts; ``simulated_as`` is the release of the table."""

    simulated_as: str
    by_accounts: dict[int, float]

    @property
    def words(self) -> str:
        said = [f"{_show(gain)} with {say_count(each, 'account')}" for each, gain in self.by_accounts.items()]
        return f"By {SUBMISSIONS:,} submissions an attacker gains about {list_names(said)} in RR."


def known_gains(release: Release, queries: int) -> KnownGains:
    """What was simulated for such a release on so many hidden queries.

    >>> known_gains(RoundedRelease(digits=3), 200).by_accounts[1] > 0.2
    True
    """
    if release.is_closed:
        return KnownGains(simulated_as=release.spelling, by_accounts=dict.fromkeys(ACCOUNTS, 0.0))
    name = _find_row(release, queries)
    gains = [_interpolate(name, column, queries) for column in range(len(ACCOUNTS))]
    return KnownGains(simulated_as=name, by_accounts=dict(zip(ACCOUNTS, gains, strict=True)))


def _find_row(release: Release, queries: int) -> str:
    """Itself, or the nearest that shows more."""
    if release.spelling in GAINS:
        return release.spelling
    if isinstance(release, RoundedRelease):
        return next((name for name in ("rounded:2", "rounded:3") if int(name[-1]) >= release.digits), WEAKEST)
    if isinstance(release, ParameterFreeLadder) or not isinstance(release, Ladder):
        return WEAKEST
    kind = "board-ladder" if isinstance(release, BoardLadder) else "ladder"
    step = release.on_hidden(queries).grid
    steps = {name: _step_of(name) for name in GAINS if name.startswith(f"{kind}:") and _step_of(name) <= step}
    return max(steps, key=steps.__getitem__, default=WEAKEST)


def _step_of(name: str) -> float:
    text = name.partition(":")[2]
    return float(text) if text[0].isdigit() else math.inf


def _interpolate(name: str, column: int, queries: int) -> float:
    row = GAINS[name]
    if queries <= QUERIES[0] or queries >= QUERIES[-1]:
        return row[QUERIES[0] if queries <= QUERIES[0] else QUERIES[-1]][column]
    low, high = next(pair for pair in pairwise(QUERIES) if pair[0] <= queries <= pair[1])
    share = math.log(queries / low) / math.log(high / low)
    return row[low][column] + share * (row[high][column] - row[low][column])


def _show(gain: float) -> str:
    return "less than 0.001" if gain < 0.001 else f"{gain:.3f}"
