"""How are comparisons laid out for readers? One row a pair, or one row a question and test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from toprung.boards.engine.verdict import Grade, Verdict
from toprung.boards.lin2021.breakdown import Breakdown, FacetName
from toprung.result import Table
from toprung.stats.finding import Finding, Scale
from toprung.stats.tests.pair import MOST_FLIPPED, PairTest
from toprung.stats.tests.signed_rank import SignedRank
from toprung.words.wording import show_interval, show_level, show_number, show_p, show_share

if TYPE_CHECKING:
    from toprung.analyses.compare.pair import PairComparison

type PValues = dict[str, float]

VERDICTS = {
    Verdict.A: "A better",
    Verdict.B: "B better",
    Verdict.CONFLICT: "conflict",
    Verdict.TIED: "cannot be told apart",
}
AT_ONCE = {1: Verdict.B, -1: Verdict.A, 0: Verdict.TIED}
GRADES = {Grade.NO_HARM: "no harm", Grade.COST: "at a cost", Grade.BETTER: "", Grade.NONE: ""}

FACET_WORDS: dict[FacetName, tuple[str, int, str, Scale]] = {
    "esl": ("search length", 2, " ranks", Scale.RATIO),
    "rr": ("RR", 4, "", Scale.ORDINAL),
}


def overview(pairs: Sequence[PairComparison], corrected: Sequence[PValues]) -> Table:
    """One row for each pair."""
    if pairs[0].breakdown is None:
        return _overview_of_scores(pairs, corrected)
    # Which document is meant stands beside the names only where pairs differ in it.
    names_measure = len({pair.measure for pair in pairs}) > 1
    outcomes = ("neither", "only A", "only B", "both", "n", "ESL A", "ESL B", "p only", "p ranking", "claim p")
    header = ("A", "B", "Δ RR", "p", "corrected", *outcomes, "this pair alone")
    rows = tuple(
        _overview_row(pair, pair.breakdown, each["measure_p"])
        for pair, each in zip(pairs, corrected, strict=True)
        if pair.breakdown
    )
    table = _with_all_at_once(Table(header=header, rows=rows, numeric=frozenset(range(2, 15))), pairs)
    return table.with_column("measure", [pair.measure for pair in pairs]) if names_measure else table


def _overview_row(pair: PairComparison, breakdown: Breakdown, corrected: float) -> tuple[str, ...]:
    ranking = pair.parts.ranking
    p_ranking = breakdown.ranking_p if pair.is_by_paper or ranking is None else ranking.p
    return (
        pair.a,
        pair.b,
        show_number(pair.difference.estimate, 4, signed=True),
        show_p(pair.parts.measure.p),
        show_p(corrected),
        *map(show_share, outcome_shares(breakdown)),
        f"{pair.n:,}",
        show_number(breakdown.esl.mean_a, 2),
        show_number(breakdown.esl.mean_b, 2),
        show_p(breakdown.only_one.p),
        show_p(p_ranking),
        _show_claim_p(pair),
        say_verdict(pair),
    )


def outcome_shares(breakdown: Breakdown) -> tuple[float, ...]:
    counts = breakdown.outcomes
    return tuple(counts.share(each) for each in (counts.neither, counts.only_a, counts.only_b, counts.both))


def _show_claim_p(pair: PairComparison) -> str:
    return "–" if pair.claim_p is None else show_p(pair.claim_p)


def say_verdict(pair: PairComparison) -> str:
    """In a cell: who is better, and how."""
    if pair.is_by_paper and pair.breakdown is not None:
        verdict, grade = pair.breakdown.verdict, pair.breakdown.grade.replace("_", " ")
    else:
        verdict, grade = pair.found.verdict, GRADES[pair.found.grade]
    return VERDICTS[verdict] + (f" ({grade})" if grade else "")


def _overview_of_scores(pairs: Sequence[PairComparison], corrected: Sequence[PValues]) -> Table:
    tests = ("p", "corrected", "WRS p", "WSR p", "sign p", "claim p")
    header = ("A", "B", "mean A", "mean B", "B less A", "95%", *tests, "this pair alone")
    rows = tuple(
        (
            pair.a,
            pair.b,
            show_number(pair.mean_a, 4),
            show_number(pair.mean_b, 4),
            show_number(pair.difference.estimate, 4, signed=True),
            show_interval(pair.difference.low, pair.difference.high, 4),
            show_p(pair.parts.measure.p),
            show_p(each["measure_p"]),
            *(show_p(test.p) for test in (pair.naive.rank_sum, pair.naive.signed_rank, pair.naive.sign)),
            _show_claim_p(pair),
            say_verdict(pair),
        )
        for pair, each in zip(pairs, corrected, strict=True)
    )
    return _with_all_at_once(Table(header=header, rows=rows, numeric=frozenset(range(2, 12))), pairs)


def _with_all_at_once(table: Table, pairs: Sequence[PairComparison]) -> Table:
    """What goes first, where more than two runs were compared."""
    if pairs[0].at_once is None:
        return table
    return table.with_column("all at once", [VERDICTS[AT_ONCE[pair.at_once or 0]] for pair in pairs])


def evidence(pair: PairComparison) -> Table:
    """One row for each question and test of a pair, those that decide first."""
    header = ("question", "B", "A", "B less A", "95%", "n", "test", "p", "level", "scale")
    rows = (
        *(() if pair.is_by_paper else _deciding_rows(pair)),
        *(_facet_rows(pair, pair.breakdown) if pair.breakdown else ()),
        *_naive_rows(pair),
    )
    return Table(header=header, rows=rows, numeric=frozenset({1, 2, 3, 5, 7, 8}))


def name_of_test(found: PairTest) -> str:
    """How a pair was tested."""
    return "exchanges, exact" if found.differing <= MOST_FLIPPED else "paired t"


def _deciding_rows(pair: PairComparison) -> Iterator[tuple[str, ...]]:
    measure, breakdown = pair.parts.measure, pair.breakdown
    yield _measure_row(pair, name_of_test(measure), measure.p)
    if breakdown is None or pair.parts.answered is None or pair.parts.ranking is None:
        return
    levels = f"{show_level(pair.alpha / 2)}, {show_level(pair.alpha)}"
    yield _answered_row(breakdown, levels)
    ranking = pair.parts.ranking
    yield _both_row("rr", breakdown, name_of_test(ranking), ranking.p, levels)


def _facet_rows(pair: PairComparison, breakdown: Breakdown) -> Iterator[tuple[str, ...]]:
    """The two ways of being better as Lin et al. 2021 test them."""
    level = show_level(pair.alpha / 2)
    if pair.is_by_paper:
        yield _answered_row(breakdown, level)
    judged = breakdown.ranking
    for test, finding in (("paired t", judged.t), (_name_of(judged.signed_rank), judged.signed_rank)):
        yield _both_row(breakdown.facet, breakdown, test, finding.p, level)


def _answered_row(breakdown: Breakdown, level: str) -> tuple[str, ...]:
    counts, answered = breakdown.outcomes, breakdown.answered_difference
    return (
        "answered by one run only",
        show_share(counts.share(counts.only_b)),
        show_share(counts.share(counts.only_a)),
        show_number(100 * answered.estimate, 1, signed=True) + " points",
        show_interval(100 * answered.low, 100 * answered.high, 1),
        f"{counts.only_a + counts.only_b:,}",
        "binomial",
        show_p(breakdown.only_one.p),
        level,
        "counts",
    )


def _both_row(facet: FacetName, breakdown: Breakdown, test: str, p: float, level: str) -> tuple[str, ...]:
    name, decimals, unit, scale = FACET_WORDS[facet]
    judged, difference = breakdown.rr, breakdown.rr_difference
    if facet == "esl":
        judged, difference = breakdown.esl, breakdown.search_difference
    return (
        f"{name} where both answer",
        show_number(judged.mean_b, decimals),
        show_number(judged.mean_a, decimals),
        show_number(difference.estimate, decimals, signed=True) + unit,
        show_interval(difference.low, difference.high, decimals),
        f"{breakdown.outcomes.both:,}",
        test,
        show_p(p),
        level,
        scale.name.lower(),
    )


def _name_of(finding: SignedRank) -> str:
    return "signed rank" if finding.method == "asymptotic" else f"signed rank, {finding.method}"


def _naive_rows(pair: PairComparison) -> Iterator[tuple[str, ...]]:
    """The usual tests of the measure, but the one that decides above."""
    naive: tuple[tuple[str, Finding], ...] = (
        ("rank sum", pair.naive.rank_sum),
        (_name_of(pair.naive.signed_rank), pair.naive.signed_rank),
        ("paired t", pair.naive.t),
        ("sign", pair.naive.sign),
    )
    decides = "" if pair.is_by_paper else name_of_test(pair.parts.measure)
    yield from (_measure_row(pair, name, finding.p) for name, finding in naive if name != decides)


def _measure_row(pair: PairComparison, test: str, p: float) -> tuple[str, ...]:
    return (
        f"{pair.measure} over all queries",
        show_number(pair.mean_b, 4),
        show_number(pair.mean_a, 4),
        show_number(pair.difference.estimate, 4, signed=True),
        show_interval(pair.difference.low, pair.difference.high, 4),
        f"{pair.n:,}",
        test,
        show_p(p),
        show_level(pair.alpha),
        "" if pair.scale is None else pair.scale.name.lower(),
    )
