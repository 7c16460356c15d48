"""How is an estimate told? Who may be best is said by the engine's words; here what a model's labels add and hide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.boards.engine.words import NOT_TOLD_APART, say_top_group
from toprung.result import Cell, Explanation, Table
from toprung.stats.intervals.bootstrap import Effect
from toprung.words.assumptions import FAIR_SAMPLE
from toprung.words.wording import (
    list_names,
    say_count,
    say_p,
    say_queries,
    show_confidence,
    show_interval,
    show_number,
    show_rank_range,
)

if TYPE_CHECKING:
    from toprung.analyses.estimate.result import Estimate
    from toprung.analyses.estimate.rows import EstimateRow

MOST_FAVOURED = 3
TRIED_FROM = 13
"""Queries judged by people, from which simulated boards showed how often intervals hold (docs/design/estimate.md)."""


def say_estimate(found: Estimate) -> str:
    """Who may be best, and what the model's labels are worth."""
    who = " ".join(say_top_group(found.top.members, n_runs=len(found.rows), n_queries=found.n_human)).strip()
    return f"{who} {_say_worth(found)}"


def _say_worth(found: Estimate) -> str:
    if not found.ways.scores.unjudged:
        return f"People judged all {found.n_queries:,} queries: the model's labels add nothing."
    worth = round(found.worth.estimate)
    reach = f"{max(0, round(found.worth.low)):,} to {round(found.worth.high):,}"
    as_good = f"{say_queries(found.n_human)} judged by people are as good as {worth:,} ({reach})"
    if worth <= found.n_human:
        return f"The model's labels of {found.n_queries:,} are not shown to help: with them, {as_good}."
    return f"With the model's labels of {found.n_queries:,}, {as_good}."


def estimate_table(found: Estimate) -> Table:
    """One row a run, the best corrected score first."""
    level = show_confidence(1 - found.alpha)
    return Table.of(
        found.rows,
        (
            Cell("run", lambda row: row.run),
            Cell(f"{found.measure} ({level})", lambda row: _show(row.corrected), is_number=True),
            Cell("rank", lambda row: show_rank_range(row.rank_low, row.rank_high), is_number=True),
            Cell("people alone", lambda row: _show(row.people), is_number=True),
            Cell("model alone", lambda row: show_number(row.model, 4), is_number=True),
            Cell("model less people", lambda row: _show(row.bias, signed=True), is_number=True),
        ),
    )


def _show(effect: Effect, *, signed: bool = False) -> str:
    number = show_number(effect.estimate, 4, signed=signed)
    return f"{number} ({show_interval(effect.low, effect.high, 4)})"


def say_notes(found: Estimate) -> Iterator[str]:
    """How far the model alone would mislead, whom it favours, and what was weighed."""
    if found.n_human < TRIED_FROM:
        yield (
            f"People judged {say_queries(found.n_human)}: how often the intervals hold was shown from {TRIED_FROM} on, "
            "and not for fewer."
        )
    if len(found.rows) > 1:
        yield _say_model_alone(found)
        yield from _say_favour(found)
    if found.ways.scores.unjudged:
        yield _say_weights(found)
    against = f"{say_p(found.sample.scores_p)} of their scores, {say_p(found.sample.order_p)} of their order"
    yield f"People's queries: {found.sample.known_by}. What could have shown that they are not: {against}."
    if found.n_without_relevant:
        yield (
            f"People found nothing relevant for {say_queries(found.n_without_relevant)}; these count for no run, and "
            "as many in a hundred are taken to be so among the rest."
        )
    if found.n_only_human:
        yield f"Left out: {say_queries(found.n_only_human)} that people judged and the model did not."


def _say_model_alone(found: Estimate) -> str:
    alone, n_runs = found.model_alone, len(found.rows)
    pairs = say_count(n_runs * (n_runs - 1) // 2, "pair")
    if not alone.different:
        return f"By the model's labels alone none of {pairs} would be told apart."
    said = [f"bear out {alone.borne_out:,}", f"{NOT_TOLD_APART} in {alone.not_told_apart:,}"]
    opposite = f", and say the opposite of {alone.contradicted:,}" if alone.contradicted else ""
    return (
        f"By the model's labels alone {alone.different:,} of {pairs} would be called different. The corrected scores "
        f"{said[0]} of them; the runs {said[1]}{opposite}."
    )


def _say_favour(found: Estimate) -> Iterator[str]:
    """The runs that the model gives more, or less, than it gives all runs in the mean, beyond chance."""
    sides = (
        ("favours", sorted((row for row in found.rows if row.is_favoured), key=lambda row: -row.favour.estimate)),
        ("is hard on", sorted((row for row in found.rows if row.is_disfavoured), key=lambda row: row.favour.estimate)),
    )
    for verb, rows in sides:
        if rows:
            named = [f"{row.run} ({_say_favoured_by(row)})" for row in rows]
            listed = list_names(named, most=MOST_FAVOURED)
            yield f"Beyond chance the model {verb} {listed}, against the mean of the runs."


def _say_favoured_by(row: EstimateRow) -> str:
    interval = show_interval(row.favour.low, row.favour.high, 4)
    return f"{show_number(row.favour.estimate, 4, signed=True)}, {interval}"


def _say_weights(found: Estimate) -> str:
    scores = found.ways.scores
    return (
        f"Weight of the model's scores: {show_number(scores.difference_weight, 2)} for differences of runs, "
        f"{show_number(scores.level_weight, 2)} for what queries give to all of them; 0 would leave people's labels "
        "alone."
    )


def explain_estimate(found: Estimate) -> Explanation:
    """How scores were corrected, and what must be so."""
    return Explanation(
        how=(
            f"The mean {found.measure} of {say_queries(found.n_human)} judged by people is moved by how far the mean "
            f"under the model's labels of all {found.n_queries:,} lies from that of the same queries, times a weight "
            "that people's scores show (prediction-powered inference, Angelopoulos et al. 2023). Intervals are "
            "Student's over the queries that people judged, each with its share of the others, and all runs are "
            "compared at once as on a board."
        ),
        assumptions=(
            "The queries that people judged are a random sample of those that the model judged.",
            FAIR_SAMPLE,
            "People's labels are what counts; how they were wrong, nothing here can tell.",
            "The model judged all queries in the same way, and saw no label of theirs.",
        ),
    )
