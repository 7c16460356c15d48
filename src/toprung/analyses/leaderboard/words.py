"""How is a board said? Who holds the top, who cannot be told apart, and what each figure is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.boards.row import AgainstTop, BoardRow
from toprung.result import Explanation
from toprung.words.wording import list_names, say_count, say_queries, show_confidence, show_number

if TYPE_CHECKING:
    from toprung.analyses.leaderboard.find import Leaderboard

MOST_SAID = 3
QUERIES_ARE_A_SAMPLE = "The queries are a fair sample of those that the board is about, drawn one by one."
# What runs of the top group are to the holder: said of one, and of several.
TIES = (
    (AgainstTop.TIED, "cannot be told apart from it", "cannot be told apart from it"),
    (
        AgainstTop.CONFLICT,
        "does better than it in one way and worse in another",
        "do better than it in one way and worse in another",
    ),
    (
        AgainstTop.BETTER,
        "does better than it as a pair, but has no supported claim",
        "do better than it as a pair, but have no supported claim",
    ),
)


def say_verdict(board: Leaderboard) -> str:
    """Who holds the top, and who cannot be told apart from it."""
    holder, others = board.holder, board.rows[1:]
    if not others:
        return f"{holder.run} is the only run."
    if board.circle:
        return f"{list_names(list(board.circle))} share the top rung: each does better than another, in a circle."
    told = {relation: [row.run for row in others if row.against_top is relation] for relation in AgainstTop}
    if len(told[AgainstTop.TIED]) == len(others) and not board.has_claims:
        return f"No run can be told apart from {holder.run}, which has the best {board.measure}."
    top = "holds the top rung" if board.basis == "outcomes" else f"has the best {board.measure}"
    if len(told[AgainstTop.WORSE]) == len(others):
        whom = "the other run" if len(others) == 1 else f"each of the other {len(others):,} runs"
        return f"{holder.run} {top} and does better than {whom}."
    ties = [
        f"{list_names(names, most=MOST_SAID)} {one if len(names) == 1 else several}"
        for relation, one, several in TIES
        if (names := told[relation])
    ]
    return f"{'; '.join((f'{holder.run} {top}', *ties))}."


def say_because(board: Leaderboard) -> str:
    """Which scores are higher and do not hold the top, and why; empty where there are none."""
    higher = board.higher_scores
    if not higher:
        return ""
    leads = [show_number(abs(row.score - board.holder.score), 4) for row in higher]
    names = [row.run for row in higher]
    verb = "scores" if len(higher) == 1 else "score"
    if len(higher) <= MOST_SAID:
        said = f"{list_names(names)} {verb} higher than {board.holder.run}, by {list_names(leads)}"
    else:
        said = f"{list_names(names, most=MOST_SAID)} {verb} higher than {board.holder.run}, by up to {max(leads)}"
    return f"{said}, but {_say_why(board, higher)}."


def _say_why(board: Leaderboard, higher: tuple[BoardRow, ...]) -> str:
    n = len(higher)
    if board.has_claims:
        return {1: "its claim was not supported", 2: "neither claim was supported"}.get(n, "no claim was supported")
    if all(row.against_top is AgainstTop.WORSE for row in higher):
        return f"{board.holder.run} does better than {'it' if n == 1 else 'them'}, outcome by outcome"
    return f"other runs do better than {'it' if n == 1 else 'them'}, outcome by outcome"


def say_all(board: Leaderboard) -> str:
    """For whom the intervals of the ranks hold."""
    return "the one run" if len(board.rows) == 1 else f"all {len(board.rows):,} runs"


def say_notes(board: Leaderboard) -> Iterator[str]:
    """What each figure is, what was left out, what to be careful about."""
    sure = show_confidence(board.confidence)
    yield (
        f"Rank: the ranks these queries cannot rule out, for {say_all(board)} at once with {sure} "
        "confidence (Mogstad et al. 2024)."
    )
    yield (
        f"{board.measure}: mean over {say_queries(board.n_queries)} with its own {sure} interval (BCa bootstrap). "
        "Intervals that overlap do not show that runs are alike: runs are compared query by query."
    )
    yield from _say_groups(board)
    if board.basis == "outcomes":
        yield "Answered: share of queries. ESL: mean rank where the run answers; runs answer different queries."
    if board.n_unaligned:
        share = f"{board.n_unaligned:,} of {say_count(len(board.rows) * (len(board.rows) - 1) // 2, 'pair')}"
        yield f"Alignment, in {share}, at worst: {board.alignment_warning}."


def _say_groups(board: Leaderboard) -> Iterator[str]:
    if len(board.rows) < 2:
        return
    if board.basis == "scores":
        yield f"Groups: by {board.decided_by} at {board.alpha:g}, since only scores are compared; no claim is tested."
    else:
        claims = "the claims, in order of date, decide who holds it"
        how = claims if board.has_claims else "who stands first by evidence holds it, for no dates were given"
        yield f"Top rung: {how}. Groups: by the verdict on each pair by itself, at {board.alpha:g}."
    yield "The first run of a group does better than every run of the groups below; no other order is meant."
    if board.n_upset:
        verb = "stands" if board.n_upset == 1 else "stand"
        yield f"{say_count(board.n_upset, 'run')} {verb} above a run that does better: groups follow their first run."


def explain(board: Leaderboard) -> Explanation:
    """How the board was made."""
    sure = show_confidence(board.confidence)
    intervals = (
        f"Each score has a {sure} bootstrap interval of its own; the ranks have intervals that hold for all runs at "
        "once (Mogstad et al. 2024)."
    )
    if board.basis == "scores":
        how = f"Runs are compared on {board.measure}, query by query, by {board.decided_by}. {intervals}"
        return Explanation(how=how, assumptions=(QUERIES_ARE_A_SAMPLE, "The mean of the measure is what counts."))
    tested = "who takes the top rung must show it at the level that online fallback gives its claim"
    first = tested if board.has_claims else "who stands first by that holds the top rung"
    how = (
        "Runs are compared on which queries they answer, by an exact test, and on where they find the answer where "
        f"both do, by a paired test; {first}. {intervals}"
    )
    claims = ("The dates are those of submission, and every submission is here.",) if board.has_claims else ()
    pairs = "Groups follow from each pair by itself: among many pairs some verdicts may be chance."
    return Explanation(how=how, assumptions=(QUERIES_ARE_A_SAMPLE, *claims, pairs))
