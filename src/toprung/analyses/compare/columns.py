"""How are comparisons laid out for papers and programs? The published tables, and every figure by its column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from toprung.analyses.compare.tables import AT_ONCE, PValues, outcome_shares
from toprung.boards.engine.claims import TestedClaim
from toprung.boards.lin2021.breakdown import Breakdown
from toprung.result import Table
from toprung.words.wording import show_number

if TYPE_CHECKING:
    from toprung.analyses.compare.pair import PairComparison


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
        *(f"{100 * share:.0f}%" for share in outcome_shares(breakdown)),
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
    corrections = {f"{name}_corrected": p for name, p in corrected.items()}
    return published | naive | _verdict_columns(pair) | more | corrections | {"reason": pair.reason}


def _verdict_columns(pair: PairComparison) -> dict[str, Any]:
    """What the engine says, and how much B may lose, where there are ranks."""
    parts, found = pair.parts, pair.found
    said: dict[str, Any] = {
        "measure_p": parts.measure.p,
        "verdict": found.verdict.value,
        "grade": found.grade.value,
        "all_at_once": None if pair.at_once is None else AT_ONCE[pair.at_once].value,
        "claim_p": pair.claim_p,
        **_claim_columns(pair.claim),
    }
    if parts.answered is None or parts.ranking is None or parts.answered_harm is None or parts.ranking_harm is None:
        return said
    return said | {
        "answered_p": parts.answered.p,
        "ranking_p": parts.ranking.p,
        "harm_answered": parts.answered_harm.low,
        "harm_ranking": parts.ranking_harm.low,
        "harm_answered_of_a": -parts.answered_harm.high,
        "harm_ranking_of_a": -parts.ranking_harm.high,
        "margin_answered": parts.answered_harm.margin,
        "margin_ranking": parts.ranking_harm.margin,
    }


def _claim_columns(claim: TestedClaim | None) -> dict[str, Any]:
    """What the pair would be as the first claim of a board."""
    if claim is None:
        return {}
    return {
        "claim_rule": claim.rule.value,
        "claim_level": claim.level,
        "claim_would_pass": claim.passed,
        "claim_smallest_gain": claim.smallest_gain,
    }


def _published_breakdown(breakdown: Breakdown) -> dict[str, Any]:
    esl, rr = breakdown.esl, breakdown.rr
    shares = (100 * share for share in outcome_shares(breakdown))
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
        "better": breakdown.is_better,
        "lin2021_verdict": breakdown.verdict.value,
        "lin2021_grade": breakdown.grade.value,
        "lin2021_claim_p": breakdown.claim_p,
        "phi": breakdown.alignment.phi,
        "rr_correlation": breakdown.alignment.correlation,
        "aligned": breakdown.alignment.is_aligned,
    }
