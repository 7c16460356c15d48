"""How is it said which queries decide? The verdict in the words that every pair has, then how few queries carry it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.analyses.queries.tables import MOST_UNTESTED
from toprung.boards.engine.words import NOT_TOLD_APART, say_pair
from toprung.result import Explanation
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.tests.pair import smallest_p
from toprung.words.wording import say_count, say_queries, show_number

if TYPE_CHECKING:
    from toprung.analyses.queries.find import QueryDifferences
    from toprung.analyses.queries.rows import QueryCounts


def say_queries_decide(found: QueryDifferences) -> str:
    """The verdict, the queries behind it, and the slices if there are any."""
    verdict = say_pair(found.a, found.b, found.measure, found.parts, found.verdict)
    said = (verdict, _say_decisive(found), *_say_slices(found))
    return " ".join(said)


def _say_decisive(found: QueryDifferences) -> str:
    counts, favours = found.counts, found.parts.measure.favours
    if counts.ties == counts.queries:
        return f"They score the same on {_all(counts.queries)}."
    half = f"{say_queries(found.half)} make{'s' if found.half == 1 else ''} half of all differences"
    if not favours:
        better = f"{found.b} does better on {counts.wins:,} of {say_queries(counts.queries)}, {found.a} on"
        return f"{better} {counts.losses:,}; {half}."
    leader, more, fewer = (
        (found.b, counts.wins, counts.losses) if favours > 0 else (found.a, counts.losses, counts.wins)
    )
    better = f"{leader} does better on {more:,} of {say_queries(counts.queries)} and worse on {fewer:,}"
    if found.lead == counts.queries:
        return f"{better}; {half}."
    few = "the one that favours" if found.lead == 1 else f"the {found.lead:,} that favour"
    return f"{better}; {half}, and without {few} it most it would not lead."


def _all(n: int) -> str:
    return "the only query" if n == 1 else f"all {n:,} queries"


def _say_slices(found: QueryDifferences) -> Iterator[str]:
    tested = len(found.slices.tested)
    if not found.slices.rows:
        return
    if not tested:
        yield f"None of {say_count(len(found.slices.rows), 'slice')} has enough queries for a test."
        return
    better, worse = found.slices.count(1), found.slices.count(-1)
    slices = say_count(tested, "slice")
    if not better + worse:
        yield f"In {slices} tested the two {NOT_TOLD_APART}."
        return
    rate = f"false discovery rate {100 * found.alpha:g}%"
    yield f"{found.b} is better in {better:,} of {slices} tested and worse in {worse:,} ({rate})."


def say_query_notes(found: QueryDifferences) -> Iterator[str]:
    """What each figure means, and what not to do with it."""
    lower = "" if higher_is_better(found.measure) else f", for lower values of {found.measure} are better"
    mean = show_number(found.parts.measure.mean, 4, signed=True)
    yield (
        f"Difference: above 0 where {found.b} does better{lower}; the mean is {mean}. Weight: the share of a query in "
        "all differences, whichever run they favour."
    )
    if found.parts.measure.differing:
        yield (
            "In every pair some queries decide more than others: that is no reason to leave them out, and the verdict "
            "rests on all of them."
        )
    yield from _say_misses(found, found.counts)
    if len(found.rows) > len(found.shown):
        shown = "" if len(found.shown) == 1 else f"{len(found.shown):,} "
        yield f"Shown: the {shown}weightiest of {say_queries(len(found.rows))}; CSV and JSON have all."
    if found.texts and not any(each.first_a or each.first_b for each in found.texts):
        yield "What each run put first is not known here: give labels and runs."
    yield from _say_floor(found)
    yield from found.slices.remarks


def _say_misses(found: QueryDifferences, counts: QueryCounts) -> Iterator[str]:
    if counts.only_a is None or counts.only_b is None or counts.neither is None:
        return
    if not (counts.only_a or counts.only_b or counts.neither):
        yield f"Both find a relevant document on every query, as far as {found.measure} looks."
        return
    yield (
        f"A relevant document, as far as {found.measure} looks: found by {found.b} alone on "
        f"{say_queries(counts.only_b)}, by {found.a} alone on {counts.only_a:,}, by neither on {counts.neither:,}. "
        "Ranks are those in the whole run."
    )


def _say_floor(found: QueryDifferences) -> Iterator[str]:
    if not found.slices.rows:
        return
    floor, tested = found.slices.least, len(found.slices.tested)
    more = len(found.slices.rows) - tested - MOST_UNTESTED
    yield (
        f"Slices: tested where at least {say_queries(floor)} differ; of {floor - 1:,} no outcome has a p below "
        f"{smallest_p(floor - 1):.4g}. The verdict is on {found.b}, by p (BH): corrected by Benjamini and Hochberg "
        f"over {say_count(tested, 'slice')}.{f' JSON lists {more:,} more that were not tested.' if more > 0 else ''}"
    )
    if found.slices.count(1) + found.slices.count(-1) not in (0, tested):
        yield "That one slice tells the runs apart and another does not is no proof that the two slices differ."


def explain_queries(found: QueryDifferences) -> Explanation:
    """How the queries that decide are found."""
    compared = f"The two runs are compared query by query in {found.measure}, and queries stand by how much they differ"
    verdict = "The verdict is the one that every pair of runs is given, on all of its queries"
    sample = "The queries are a fair sample of those that the systems are for, drawn one by one."
    if not found.slices.rows:
        return Explanation(how=f"{compared}. {verdict}.", assumptions=(sample,))
    return Explanation(
        how=f"{compared}. {verdict}; a slice is tested in the same way on its own, all slices corrected together.",
        assumptions=(sample, "Slices were chosen before their scores were seen, and do not depend on them."),
    )
