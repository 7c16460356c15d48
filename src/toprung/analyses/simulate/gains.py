"""What would an attacker gain on this board? Looked up in a table of attacks that were simulated beforehand.

A release that is not in the table is taken for a weaker one that is, so that what is said is rather too much. Between
two numbers of queries it is interpolated over their logarithm; beyond the table its end holds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from toprung.analyses.simulate.gains_table import ACCOUNTS, GAINS, QUERIES
from toprung.boards.disclosure.luck import HALF, spread_of
from toprung.boards.disclosure.release import BoardLadder, Ladder, ParameterFreeLadder, Release, RoundedRelease
from toprung.words.wording import list_names, say_count

SUBMISSIONS = 1_000
ALTERNATIVES = f"{', '.join(map(str, ACCOUNTS[:-1]))} or {ACCOUNTS[-1]}"
WEAKEST = "full"
RELEASES = tuple(GAINS[HALF])


@dataclass(frozen=True, kw_only=True)
class KnownGains:
    """In the measure, by the number of accounts, from wherever the board stands.

    ``simulated_as`` is the release of the table.
    """

    simulated_as: str
    measure: str
    by_accounts: dict[int, float]

    @property
    def words(self) -> str:
        said = [f"{_show(gain)} with {say_count(each, 'account')}" for each, gain in self.by_accounts.items()]
        if len(set(self.by_accounts.values())) == 1:
            said = [f"{_show(self.by_accounts[1])} with {ALTERNATIVES} accounts"]
        return f"By {SUBMISSIONS:,} submissions an attacker gains about {list_names(said)} in {self.measure}."


def known_gains(release: Release, queries: int, *, measure: str) -> KnownGains:
    """What was simulated for such a release and such a measure on so many hidden queries.

    >>> known_gains(RoundedRelease(digits=3), 200, measure="RR@10").by_accounts[1] > 0.2
    True
    """
    if release.is_closed:
        none = dict.fromkeys(ACCOUNTS, 0.0)
        return KnownGains(simulated_as=release.spelling, measure=measure, by_accounts=none)
    name = _find_row(release, queries)
    row = GAINS[spread_of(measure)][name]
    gains = [_interpolate(row, column, queries) for column in range(len(ACCOUNTS))]
    return KnownGains(simulated_as=name, measure=measure, by_accounts=dict(zip(ACCOUNTS, gains, strict=True)))


def _find_row(release: Release, queries: int) -> str:
    """Itself, or the nearest that shows more."""
    if release.spelling in RELEASES:
        return release.spelling
    if isinstance(release, RoundedRelease):
        return next((name for name in ("rounded:2", "rounded:3") if int(name[-1]) >= release.digits), WEAKEST)
    if isinstance(release, ParameterFreeLadder) or not isinstance(release, Ladder):
        return WEAKEST
    kind = "board-ladder" if isinstance(release, BoardLadder) else "ladder"
    step = release.on_hidden(queries).grid
    steps = {name: _step_of(name) for name in RELEASES if name.startswith(f"{kind}:") and _step_of(name) <= step}
    return max(steps, key=steps.__getitem__, default=WEAKEST)


def _step_of(name: str) -> float:
    text = name.partition(":")[2]
    return float(text) if text[0].isdigit() else math.inf


def _interpolate(row: Mapping[int, tuple[float, ...]], column: int, queries: int) -> float:
    if queries <= QUERIES[0] or queries >= QUERIES[-1]:
        return row[QUERIES[0] if queries <= QUERIES[0] else QUERIES[-1]][column]
    low, high = next(pair for pair in pairwise(QUERIES) if pair[0] <= queries <= pair[1])
    share = math.log(queries / low) / math.log(high / low)
    return row[low][column] + share * (row[high][column] - row[low][column])


def _show(gain: float) -> str:
    return "less than 0.001" if gain < 0.001 else f"{gain:.3f}"
