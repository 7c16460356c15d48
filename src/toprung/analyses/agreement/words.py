"""How is the agreement of halves said? Its sentence, its tables and its notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.analyses.significance.grid_tests import TESTS
from toprung.result import Explanation, Table
from toprung.stats.pairs.split_half import COLUMNS, Aggregate, TestName
from toprung.stats.tests.signed_rank import ENOUGH_QUERIES
from toprung.words.assumptions import FAIR_SAMPLE, SAME_QUERIES
from toprung.words.wording import list_names, say_count, show_share

if TYPE_CHECKING:
    from toprung.analyses.agreement.find import Agreement

ROWS = {"agree": "agree", "partial": "part. agree", "disagree": "disagree", "significant": "perc. signif."}
SHORT_TESTS: dict[TestName, str] = {"sign": "sign", "wrs": "rank sum", "wsr": "signed rank", "t": "paired t"}
PUBLISHED_HEADER = ("", "Sign T.", "WX RS", "WX SR", "t-test", "Sign T. Med.", "WX RS Med", "WX SR Med")
SPREAD = "5th–95th pct."
MANY_EQUAL = 0.05
NUMBERS = frozenset(range(1, 1 + len(COLUMNS)))
AGREE = "Agree: both halves favour the same run, and the difference is significant in both or in neither."
DEFINITIONS = {
    "text": f"{AGREE} In part: the same run, significant in one half; or different runs, significant in neither. "
    "Disagree: different runs, significant in at least one half.",
    "table4ab": f"Read as the published tables 4a and 4b count, not as their text defines. {AGREE} In part: different "
    "runs, significant or not. Disagree: the same run, significant in one half.",
}


def say_agreement(found: Agreement) -> str:
    """What a person would say: agreement by mean and by median, and the most disagreement."""
    over = f"Over {say_count(found.n_splits, 'random split')} of {found.n_queries:,} queries"
    if all(found.tie_rate(aggregate) == 1 for aggregate in ("mean", "median")):
        return f"{over}, no half tells any two runs apart: all have the same {found.measure}."
    cases = "splits" if found.n_pairs == 1 else f"{found.n_pairs:,} pairs of runs"
    worst = max(found.rates(*column).disagree for column in COLUMNS)
    return (
        f"{over}, the halves agree on {_say_range(found, 'mean')} of {cases} by the mean, and on "
        f"{_say_range(found, 'median')} by the median; they disagree on at most {show_share(worst)}."
    )


def _say_range(found: Agreement, aggregate: Aggregate) -> str:
    """The least and the most agreement of the tests, each with its test."""
    agree = [(found.rates(test, by).agree, SHORT_TESTS[test]) for test, by in COLUMNS if by == aggregate]
    (low, least), (high, most) = min(agree), max(agree)
    if show_share(low) == show_share(high):
        return show_share(low)
    return f"{show_share(low)} ({least}) to {show_share(high)} ({most})"


def published_table(found: Agreement) -> Table:
    """Four rows of rates by the seven columns of Craswell et al.'s table 4."""
    rows = tuple((label, *_rates(found, name)) for name, label in ROWS.items())
    return Table(header=PUBLISHED_HEADER, rows=rows, numeric=NUMBERS)


def spread_table(found: Agreement) -> Table:
    """The same with the spread over splits, and how often aggregates are equal."""
    rows: list[tuple[str, ...]] = []
    for name, label in ROWS.items():
        rows.append((label, *_rates(found, name)))
        if found.n_splits > 1:
            rows.append((f"  {SPREAD}", *_spreads(found, name)))
    names = [SHORT_TESTS[test] + (" med." if aggregate == "median" else "") for test, aggregate in COLUMNS]
    return Table(header=(found.measure, *names), rows=(*rows, _equal_row(found)), numeric=NUMBERS)


def rest_table(found: Agreement) -> Table:
    """What the published table leaves out, under the published names of the tests."""
    names = ROWS if found.n_splits > 1 else {}
    spreads = ((f"{label}, {SPREAD}", *_spreads(found, name)) for name, label in names.items())
    return Table(header=PUBLISHED_HEADER, rows=(*spreads, _equal_row(found)), numeric=NUMBERS)


def _equal_row(found: Agreement) -> tuple[str, ...]:
    return ("equal in a half", *(show_share(found.tie_rate(aggregate)) for _, aggregate in COLUMNS))


def _rates(found: Agreement, name: str) -> Iterator[str]:
    for column in COLUMNS:
        yield show_share(getattr(found.rates(*column), name))


def _spreads(found: Agreement, name: str) -> Iterator[str]:
    for column in COLUMNS:
        low, high = (100 * getattr(bound, name) for bound in found.spread(*column))
        yield f"{low:.1f}–{high:.1f}"


def say_agreement_notes(found: Agreement) -> Iterator[str]:
    """How to read the table, and what to be careful about."""
    yield DEFINITIONS[found.reading]
    yield (
        f"Perc. signif.: significant in at least one half, at {found.alpha:g}, pair by pair without correction. A test "
        "that finds little agrees with itself easily, so read both rows together."
    )
    if found.n_splits > 1:
        yield (
            f"{SPREAD}: how far the rate varies from split to split. The splits share their queries, so it is no "
            "confidence interval."
        )
    yield (
        "Equal in a half: the share of pairs × halves in which both runs have the same mean, or median (med.). Neither "
        f"is favoured then, which counts as a direction of its own{_say_many_equal(found)}."
    )
    yield "The t-test, a test of means, stands with the mean only, as published."
    yield _say_method(found)


def _say_many_equal(found: Agreement) -> str:
    if found.tie_rate("median") < MANY_EQUAL:
        return ""
    return ": many equal medians make halves disagree that do not contradict each other"


def _say_method(found: Agreement) -> str:
    half = found.n_queries // 2
    if half >= ENOUGH_QUERIES:
        return "Signed ranks: by the normal approximation."
    if found.method == "asymptotic":
        return (
            f"Signed ranks: by the normal approximation, as published, though a half has only {half} queries; "
            "--method auto takes exact and permuted p-values."
        )
    return f"Signed ranks of {half} queries: exact, or by permutation where differences tie or are zero."


def explain_agreement(found: Agreement) -> Explanation:
    """How halves were made and compared."""
    tests = list_names([TESTS[test].name for test in SHORT_TESTS])
    reading = {"text": "as their text defines it", "table4ab": "as their tables 4a and 4b count it"}
    return Explanation(
        how=(
            f"The queries are split into halves at random, {say_count(found.n_splits, 'time')}, and in each half every "
            f"pair of runs is tested by the {tests} at {found.alpha:g} (Craswell et al. 2021, section 4.3). Halves are "
            "compared in which run they favour, by mean or by median, and in whether the difference is significant, "
            f"{reading[found.reading]}."
        ),
        assumptions=(
            FAIR_SAMPLE,
            SAME_QUERIES,
            "Rates are read as those of half the queries: on all of them each test would find more.",
            "Splits are not taken for so many samples: they share their queries.",
        ),
    )
