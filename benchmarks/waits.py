"""Where did people wait at first, what was to be reached, how long do they wait now? The first table of the results."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from benchmarks.figures import Figure
from benchmarks.results import markdown_table, seconds

LINES, LINES_PEER, LINES_PEER_AT_FIRST = "text of 6.98M lines", "pytrec_eval", 6.62
"""By this peer on this input the machine of the first figures is compared with the one that is here."""
HEADINGS = ("work", "at first", "limit in C", "to reach", "now", "peers, now", "by")


def say_seconds(figure: Figure) -> str:
    return seconds(figure.cpu_seconds)


def say_memory(figure: Figure) -> str:
    memory = "" if figure.peak_bytes is None else f", {figure.peak_bytes / 1e6:.0f} MB"
    return seconds(figure.cpu_seconds) + memory


def say_rate(figure: Figure) -> str:
    rate = 1 / figure.cpu_seconds
    return f"{rate:.1f}" if rate < 10 else f"{rate:.0f}"


@dataclass(frozen=True, kw_only=True)
class Row:
    """Of one figure, or of several that belong together."""

    work: str
    at_first: str
    limit: str = ""
    to_reach: str
    names: tuple[str, ...]
    by: str
    say: Callable[[Figure], str] = say_seconds


ROWS = (
    Row(work="one run more on a board of 100", at_first="5.4", to_reach="1", names=("100 + 1",), by="board_growth"),
    Row(work="of 300", at_first="30", to_reach="2", names=("300 + 1",), by="board_growth"),
    Row(work="of 1,000", at_first="362", to_reach="5", names=("1,000 + 1",), by="board_growth"),
    Row(work="of 10,000", at_first="–", to_reach="10", names=("10,000 + 1",), by="board_growth"),
    Row(
        work="simultaneous rank intervals, 1,000 runs × 1,000 queries × 1,000 resamples; of 250 runs",
        at_first="79; 4.9",
        limit="one pass 0.17",
        to_reach="3",
        names=("intervals of 1,000", "intervals of 250"),
        by="bootstrap",
    ),
    Row(
        work="4,950 pairs × 4 tests, 5,793 queries: RR; many levels",
        at_first="0.41; 1.27",
        limit="0.16; 0.35",
        to_reach="0.2; 0.45",
        names=("tests, RR", "tests, many levels"),
        by="statistics",
    ),
    Row(
        work="499,500 pairs: RR; many levels",
        at_first="51; 119",
        limit="16; 35",
        to_reach="22; 45",
        names=("tests of 1,000 runs, RR", "tests of 1,000 runs, many levels"),
        by="statistics",
    ),
    Row(
        work="split-half, 100 splits × 4,950 pairs × 4 tests: RR; many levels",
        at_first="41; 79",
        limit="16; 35",
        to_reach="20; 45",
        names=("split-half, RR", "split-half, many levels"),
        by="agreement",
    ),
    Row(
        work="bootstrap, 10,000 trials × 100 runs × 5,793 queries: alone; beside busy processes",
        at_first="0.54; 2.9",
        limit="0.44",
        to_reach="0.6",
        names=("bootstrap", "bootstrap beside others"),
        by="bootstrap",
    ),
    Row(work="6.98M lines of TREC text", at_first="0.74", limit="0.34", to_reach="0.5", names=(LINES,), by="run"),
    Row(
        work="the same as Parquet",
        at_first="7.9, 1.3 GB",
        limit="0.70",
        to_reach="0.8, 500 MB",
        names=("Parquet",),
        by="formats",
        say=say_memory,
    ),
    Row(
        work="the same as .zst; as .gz",
        at_first="1.56; 1.71",
        limit="0.9; 1.4",
        to_reach="1.1; 1.6",
        names=("zst", "gz"),
        by="formats",
    ),
    Row(
        work="`convert`, text to Parquet: the 6.98M lines; 579,300",
        at_first="12.2",
        to_reach="3",
        names=("convert to Parquet", "convert 579,300 lines"),
        by="formats",
    ),
    Row(
        work="13 runs × 5,793 × 100: means; every query as CSV",
        at_first="0.88; 1.94",
        limit="0.41",
        to_reach="0.6; 0.8",
        names=("13 runs, means", "13 runs, every query"),
        by="run",
    ),
    Row(
        work="queries not together in the file, 579k lines; together",
        at_first="1.23; 0.33",
        to_reach="0.45",
        names=("queries mixed", "queries together"),
        by="formats",
    ),
    Row(
        work="50 × 1,000 lines, the whole command",
        at_first="0.24",
        limit="Python 0.02",
        to_reach="0.15",
        names=("50 × 1,000 lines",),
        by="start",
    ),
    Row(
        work="report of 13; of 100 runs of 5,793 × 100, packed",
        at_first="7.6; 66",
        to_reach="3; 12",
        names=("report of 13", "report of 100"),
        by="report",
    ),
    Row(
        work="report of 63 runs as at TREC, 50 × 1,000; of 5,793 × 100, packed",
        at_first="12.5",
        to_reach="5",
        names=("report of trec-63", "report of 63"),
        by="report",
    ),
    Row(
        work="152,079 judgments to labels with P(best), win ratios, rescoring",
        at_first="7.1",
        to_reach="2",
        names=("judgments to labels",),
        by="labels",
    ),
    Row(work="leave-one-out of 40 runs", at_first="7", to_reach="1", names=("leave-one-out",), by="labels"),
    Row(
        work="re-scoring stored runs 1,000 deep, runs a CPU second",
        at_first="5",
        to_reach="30",
        names=("stored runs 1,000 deep",),
        by="rescoring",
        say=say_rate,
    ),
)


def without_figures(figures: dict[str, Figure], parts: Collection[str]) -> list[str]:
    """What these parts should have measured and did not."""
    return [name for row in ROWS if row.by in parts for name in row.names if name not in figures]


def say_waits(figures: dict[str, Figure]) -> str:
    table = markdown_table(HEADINGS, [list(cells(row, figures)) for row in ROWS])
    return "\n\n".join(["## Where people waited, and how long they wait now", "\n".join(notes(figures)), table])


def notes(figures: dict[str, Figure]) -> Iterator[str]:
    yield "- CPU seconds unless said: user and system, all threads, the least of the rounds that the part below tells"
    yield "- now: Toprung in this run of `make bench`; behind a peer how many times as much it took, in turns with it"
    lines = figures.get(LINES)
    if lines is not None and LINES_PEER in lines.peers:
        here = lines.peers[LINES_PEER]
        yield (
            f"- at first, and limit in C: of the first version that did all of this, on another machine. There "
            f"{LINES_PEER} took {LINES_PEER_AT_FIRST} s of the 6.98 million lines, here {here:.2f}: what the machine "
            f"gains is about × {LINES_PEER_AT_FIRST / here:.1f}"
        )


def cells(row: Row, figures: dict[str, Figure]) -> Iterator[str]:
    found = [figures.get(name) for name in row.names]
    yield from (row.work, row.at_first, row.limit, row.to_reach)
    yield "; ".join("not measured" if figure is None else row.say(figure) for figure in found)
    yield "; ".join(say_peers(figure, row.say) for figure in found if figure is not None and figure.peers)
    yield f"`{row.by}`"


def say_peers(figure: Figure, say: Callable[[Figure], str]) -> str:
    return ", ".join(
        f"{name} {say(Figure(cpu_seconds=taken))} (× {ratio(taken / figure.cpu_seconds)})"
        for name, taken in figure.peers.items()
    )


def ratio(value: float) -> str:
    return f"{value:.1f}" if value < 10 else f"{value:,.0f}"
