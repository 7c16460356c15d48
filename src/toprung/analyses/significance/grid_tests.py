"""Which tests can a grid hold? Each by its short name, with the scale that it needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from toprung.stats.finding import Scale
from toprung.stats.pairs.results import PairedTs, PairTests, RankSums, SignedRanks, WinCounts
from toprung.stats.tests.counts import WinCount
from toprung.stats.tests.paired_t import PairedT
from toprung.stats.tests.rank_sum import RankSum
from toprung.stats.tests.signed_rank import SignedRank


@dataclass(frozen=True, kw_only=True)
class GridTest:
    """A test of the grid: what it is called, the scale it needs, and where its results are."""

    name: str
    needs: Scale
    of: Callable[[PairTests], RankSums | SignedRanks | PairedTs | WinCounts]


TESTS: dict[str, GridTest] = {
    "wrs": GridTest(name="rank-sum test", needs=RankSum.needs, of=lambda found: found.rank_sum),
    "wsr": GridTest(name="signed-rank test", needs=SignedRank.needs, of=lambda found: found.signed_rank),
    "t": GridTest(name="paired t-test", needs=PairedT.needs, of=lambda found: found.t),
    "sign": GridTest(name="sign test", needs=WinCount.needs, of=lambda found: found.sign),
}
