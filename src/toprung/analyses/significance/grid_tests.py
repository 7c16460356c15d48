"""Which tests can a grid hold? Each by its short name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from toprung.stats.pairs.results import PairedTs, PairTests, RankSums, SignedRanks, WinCounts


@dataclass(frozen=True, kw_only=True)
class GridTest:
    """A test of the grid: what it is called, and where its results are."""

    name: str
    of: Callable[[PairTests], RankSums | SignedRanks | PairedTs | WinCounts]


TESTS: dict[str, GridTest] = {
    "wrs": GridTest(name="rank-sum test", of=lambda found: found.rank_sum),
    "wsr": GridTest(name="signed-rank test", of=lambda found: found.signed_rank),
    "t": GridTest(name="paired t-test", of=lambda found: found.t),
    "sign": GridTest(name="sign test", of=lambda found: found.sign),
}
