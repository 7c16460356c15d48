"""How are comparisons laid out? One row a pair, one row a question, the published tables, and CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from toprung.boards.engine.verdict import Verdict
from toprung.boards.lin2021.breakdown import Breakdown
from toprung.result import Table
from toprung.stats.finding import Finding, Scale
from toprung.stats.tests.signed_rank import SignedRank
from toprung.words.wording import show_interval, show_level, show_number, show_p, show_share

if TYPE_CHECKING:
    from toprung.analyses.compare.find import PairComparison

type PValues = dict[str, float]

VERDICTS = {
    Verdict.A: "A better",
    Verdict.B: "B better",
    Verdict.CONFLICT: "conflict",
    Verdict.TIED: "cannot be told apart",
}


FACET_WORDS = {
    "esl": ("search length", 2, " ranks", Scale.RATIO),
    "rr": ("RR", 4, "", Scale.ORDINAL),
}


def overview(pairs: Sequence[PairComparison], corrected: Sequence[PValues]) -> Table:
    """One row for each pair."""
    if pairs[0].breakdown is None:
        return _naive_overview(pairs, corrected)
    # Which document is meant stands beside the names only where pairs differ in it.
    names_measure = len({pair.measure for pair in pairs}) > 1
    header = ("A", "B", "Δ RR", "neither", "only A", "only B", "both", "n", "ESL A", "ESL B", "p only", "p ranking")
    rows = tuple(
        (*_overview_row(pair, pair.breakdown), show_p(each["claim_p"]), _say_verdict(pair.breakdown))
        for pair, each in zip(pairs, corrected, strict=True)
        if pair.breakdown
    )
    table = Table(header=(*header, "claim p", "corrected", "verdict"), rows=rows, numeric=frozenset(range(2, 14)))
    return table.with_column("measure", [pair.measure for pair in pairs]) if names_measure else table


def _overview_row(pair: PairComparison, breakdown: Breakdown) -> tuple[str, ...]:
    return (
        pair.a,
        pair.b,
        show_number(pair.difference.estimate, 4, signed=True),
        *map(show_share, _outcome_shares(breakdown)),
        f"{pair.n:,}",
        show_number(breakdown.esl.mean_a, 2),
        show_number(breakdown.esl.mean_b, 2),
        show_p(breakdown.only_one.p),
        show_p(breakdown.ranking_p),
        show_p(breakdown.claim_p),
    )


def _outcome_shares(breakdown: Breakdown) -> tuple[float, ...]:
    counts = breakdown.outcomes
    return tuple(counts.share(each) for each in (counts.neither, counts.only_a, counts.only_b, counts.both))


def _say_verdict(breakdown: Breakdown) -> str:
    grade = f" ({breakdown.grade.replace('_', ' ')})" if breakdown.grade else ""
    return VERDICTS[breakdown.verdict] + grade


def _naive_overview(pairs: Sequence[PairComparison], corrected: Sequence[PValues]) -> Table:
    header = ("A", "B", "mean A", "mean B", "B less A", "95%", "WRS p", "WSR p", "t p", "sign p", "t corrected")
    rows = tuple(
        (
            pair.a,
            pair.b,
            show_number(pair.mean_a, 4),
            show_number(pair.mean_b, 4),
            show_number(pair.difference.estimate, 4, signed=True),
            show_interval(pair.difference.low, pair.difference.high, 4),
            *map(show_p, pair.p_values().values()),
            show_p(each["t_p"]),
        )
        for pair, each in zip(pairs, corrected, strict=True)
    )
    return Table(header=header, rows=rows, numeric=frozenset(range(2, 11)))


def evidence(pair: PairComparison) -> Table:
    """One row for each question and test of a pair."""
    header = ("question", "B", "A", "B less A", "95%", "n", "test", "p", "level", "scale")
    rows = (*(_facet_rows(pair.breakdown, pair.alpha) if pair.breakdown else ()), *_naive_rows(pair))
    return Table(header=header, rows=rows, numeric=frozenset({1, 2, 3, 5, 7, 8}))


def _facet_rows(breakdown: Breakdown, alpha: float) -> Iterator[tuple[str, ...]]:
    counts, answered = breakdown.outcomes, breakdown.answered_difference
    level = show_level(alpha / 2)
    yield (
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
    judged, difference = breakdown.ranking, breakdown.ranking_difference
    name, decimals, unit, scale = FACET_WORDS[breakdown.facet]
    for test, finding in (("paired t", judged.t), (_name_of(judged.signed_rank), judged.signed_rank)):
        yield (
            f"{name} where both answer",
            show_number(judged.mean_b, decimals),
            show_number(judged.mean_a, decimals),
            show_number(difference.estimate, decimals, signed=True) + unit,
            show_interval(difference.low, difference.high, decimals),
            f"{counts.both:,}",
            test,
            show_p(finding.p),
            level,
            _say_scale(scale, finding),
        )


def _name_of(finding: SignedRank) -> str:
    return "signed rank" if finding.method == "asymptotic" else f"signed rank, {finding.method}"


def _naive_rows(pair: PairComparison) -> Iterator[tuple[str, ...]]:
    naive: tuple[tuple[str, Finding], ...] = (
        ("rank sum", pair.naive.rank_sum),
        (_name_of(pair.naive.signed_rank), pair.naive.signed_rank),
        ("paired t", pair.naive.t),
        ("sign", pair.naive.sign),
    )
    for name, finding in naive:
        yield (
            f"{pair.measure} over all queries",
            show_number(pair.mean_b, 4),
            show_number(pair.mean_a, 4),
            show_number(pair.difference.estimate, 4, signed=True),
            show_interval(pair.difference.low, pair.difference.high, 4),
            f"{pair.n:,}",
            name,
            show_p(finding.p),
            show_level(pair.alpha),
            _say_scale(pair.scale, finding),
        )


def _say_scale(scale: Scale | None, finding: Finding) -> str:
    if scale is None:
        return ""
    name = scale.name.lower()
    article = "an" if name[0] in "aeiou" else "a"
    return name if scale.permits(finding.needs) else f"not permitted on {article} {name} scale"


def paper_tables(pairs: Sequence[PairComparison]) -> tuple[Table, ...]:
    """As Lin et al. 2021 print them: the naive tests and, where there are ranks, the breakdown."""
    naive = Table(
        header=("A", "B", "Δ", "WRS p", "WSR p", "t p"),
        rows=tuple(_naive_paper_row(pair) for pair in pairs),
        numeric=frozenset(range(2, 6)),
    )
    broken_down = tuple(_breakdown_paper_row(pair, pair.breakdown) for pair in pairs if pair.breakdown)
    if not broken_down:
        return (naive,)
    outcomes = ("(1) all", "(2) A wins", "(2) B wins", "(3) all")
    facets = ("A ESL", "B ESL", "WSR p", "t p", "A RR", "B RR", "WSR p", "t p")
    header = ("A", "B", "Δ", *outcomes, *facets)
    return naive, Table(header=header, rows=broken_down, numeric=frozenset(range(2, len(header))))


def _naive_paper_row(pair: PairComparison) -> tuple[str, ...]:
    p_values = (pair.naive.rank_sum.p, pair.naive.signed_rank.p, pair.naive.t.p)
    return (pair.a, pair.b, show_number(pair.difference.estimate, 4), *map(_paper_p, p_values))


def _breakdown_paper_row(pair: PairComparison, breakdown: Breakdown) -> tuple[str, ...]:
    esl, rr = breakdown.esl, breakdown.rr
    return (
        pair.a,
        pair.b,
        show_number(pair.difference.estimate, 4),
        *(f"{100 * share:.0f}%" for share in _outcome_shares(breakdown)),
        *(show_number(mean, 2) for mean in (esl.mean_a, esl.mean_b)),
        *map(_paper_p, (esl.signed_rank.p, esl.t.p)),
        *(show_number(mean, 4) for mean in (rr.mean_a, rr.mean_b)),
        *map(_paper_p, (rr.signed_rank.p, rr.t.p)),
    )


def _paper_p(p: float) -> str:
    """As printed there: six decimals, or an exponent where those would show too little."""
    return f"{p:.6f}" if p >= 1e-4 else f"{p:.2E}"


def csv_row(pair: PairComparison, corrected: PValues) -> dict[str, Any]:
    """Every figure of a pair by its column, those of the published tables first."""
    p = pair.p_values()
    published = {"a": pair.a, "b": pair.b, "delta": pair.difference.estimate}
    published |= {name: p[name] for name in ("wrs_p", "wsr_p", "t_p")}
    if pair.breakdown:
        published |= _published_breakdown(pair.breakdown)
    naive = {
        "measure": pair.measure,
        "n": pair.n,
        "a_mean": pair.mean_a,
        "b_mean": pair.mean_b,
        "delta_low": pair.difference.low,
        "delta_high": pair.difference.high,
        "wrs_tie_corrected_p": pair.naive.rank_sum.tie_corrected_p,
        "sign_p": p["sign_p"],
        "cohens_dz": pair.cohens_dz,
        "cliffs_delta": pair.cliffs_delta,
        "detectable": pair.detectable,
    }
    more = _more_of_breakdown(pair.breakdown) if pair.breakdown else {}
    return (
        published | naive | more | {f"{name}_corrected": p for name, p in corrected.items()} | {"reason": pair.reason}
    )


def _published_breakdown(breakdown: Breakdown) -> dict[str, Any]:
    esl, rr = breakdown.esl, breakdown.rr
    shares = (100 * share for share in _outcome_shares(breakdown))
    return {
        **dict(zip(("neither_pct", "a_only_pct", "b_only_pct", "both_pct"), shares, strict=True)),
        "a_esl": esl.mean_a,
        "b_esl": esl.mean_b,
        "esl_wsr_p": esl.signed_rank.p,
        "esl_t_p": esl.t.p,
        "a_rr": rr.mean_a,
        "b_rr": rr.mean_b,
        "rr_wsr_p": rr.signed_rank.p,
        "rr_t_p": rr.t.p,
    }


def _more_of_breakdown(breakdown: Breakdown) -> dict[str, Any]:
    counts, cost = breakdown.outcomes, breakdown.break_even.cost
    answered, search = breakdown.answered_difference, breakdown.search_difference
    return {
        "neither": counts.neither,
        "a_only": counts.only_a,
        "b_only": counts.only_b,
        "both": counts.both,
        "both_a_higher": counts.a_higher,
        "both_same": counts.same,
        "both_b_higher": counts.b_higher,
        "answered_delta_pct": 100 * answered.estimate,
        "answered_delta_pct_low": 100 * answered.low,
        "answered_delta_pct_high": 100 * answered.high,
        "esl_delta": search.estimate,
        "esl_delta_low": search.low,
        "esl_delta_high": search.high,
        "rr_delta": breakdown.rr_difference.estimate,
        "rr_delta_low": breakdown.rr_difference.low,
        "rr_delta_high": breakdown.rr_difference.high,
        "esl_t_is_constant": breakdown.esl.t.is_constant,
        "odds_ratio": breakdown.odds.estimate,
        "odds_ratio_low": breakdown.odds.low,
        "odds_ratio_high": breakdown.odds.high,
        "break_even_cost": cost.estimate,
        "break_even_set": cost.kind,
        "break_even_low": cost.low,
        "break_even_high": cost.high,
        "b_wins_where_a_miss_costs": breakdown.break_even.b_wins,
        "case2_p": breakdown.only_one.p,
        "claim_p": breakdown.claim_p,
        "better": breakdown.is_better,
        "verdict": breakdown.verdict.value,
        "grade": breakdown.grade.value,
        "phi": breakdown.alignment.phi,
        "rr_correlation": breakdown.alignment.correlation,
        "aligned": breakdown.alignment.is_aligned,
    }
