"""How is the stability of an order said? The sentence, and what each figure is and is not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from toprung.analyses.stability.board import BoardStability
from toprung.result import Explanation
from toprung.words.assumptions import FAIR_SAMPLE
from toprung.words.wording import list_names, say_count, say_queries, show_confidence, show_number, show_share


def say_stability(boards: Sequence[BoardStability], *, trials: int) -> str:
    return say_run(boards, boards[0].runs[0]) if len(boards) > 1 else _say_board(boards[0], trials)


def say_top(tau: int) -> str:
    """What the runs of the top set may be."""
    return "may be best" if tau == 1 else f"may be in best {tau}"


def _say_board(board: BoardStability, trials: int) -> str:
    if board.is_constant:
        return f"All {len(board.runs):,} runs have the same {board.measure} on every query: nothing tells them apart."
    if board.n_queries == 1:
        return "One query cannot show how stable an order is: every trial draws the same one."
    return f"{_say_first(board, trials)}; {_say_top_set(board)}."


def _say_first(board: BoardStability, trials: int) -> str:
    often, shares = board.most_often_first, board.mass[:, 0]
    drawn = f"of {say_count(trials, 'bootstrap trial')}"
    leaders = np.flatnonzero(board.places == 1).tolist()
    if len(leaders) > 1:
        names = list_names([board.runs[row] for row in leaders])
        together = f"together stand first in {show_share(shares[leaders].sum())} {drawn}"
        told = f"{names} share the best {board.measure} and {together}"
    elif often == 0:
        told = f"{board.runs[0]} stands first in {show_share(shares[0])} {drawn}"
    else:
        only = f"stands first in only {show_share(shares[0])} {drawn}"
        told = f"{board.runs[0]} has the best {board.measure} but {only}"
    return told if often in leaders else f"{told}, {board.runs[often]} in {show_share(shares[often])}"


def _say_top_set(board: BoardStability) -> str:
    names, n_runs, tau = board.may_be_top, len(board.runs), board.tau
    best = "best" if tau == 1 else f"among the best {tau}"
    sure = f"at {show_confidence(board.intervals.confidence)} confidence"
    if len(names) == n_runs:
        return f"{sure} every one of the {n_runs:,} runs may be {best}"
    listed = list_names(list(names))
    if len(names) == tau:
        return f"{sure} only {listed} may be {best}"
    return f"{sure} {len(names):,} of {n_runs:,} runs may be {best}: {listed}"


def say_run(boards: Sequence[BoardStability], run: str) -> str:
    """Follows a run through all conditions."""
    rows = [board.row(run) for board in boards]
    first = sum(int(board.places[row]) == 1 for board, row in zip(boards, rows, strict=True))
    expected = np.array([board.expected_ranks[row] for board, row in zip(boards, rows, strict=True)])
    least, most = int(expected.argmin()), int(expected.argmax())
    low, high = show_number(float(expected[least]), 2), show_number(float(expected[most]), 2)
    told = f"{low} at best ({boards[least].name}) and {high} at worst ({boards[most].name})"
    place = int(boards[0].places[rows[0]])
    n_alike = int(np.count_nonzero(boards[0].places == place))
    at = "first" if place == 1 else f"at no. {place}"
    stands = f"{at if n_alike == 1 else f'one of {n_alike} {at}'} by {boards[0].name}"
    return (
        f"{run}, {stands}, has the best score under {first} of {len(boards)} conditions; "
        f"its expected rank is {f'{low} under all' if low == high else told}."
    )


def say_notes(
    boards: Sequence[BoardStability], followed: Sequence[str], left_out: Sequence[str], *, trials: int, top: int
) -> Iterator[str]:
    """What each figure is, what was left out, what to be careful about."""
    yield from _say_figures(boards, trials=trials, top=top)
    if followed and len(followed) < len(boards[0].runs):
        yield f"Shown: {len(followed)} of {len(boards[0].runs):,} runs; CSV and JSON have all."
    if left_out:
        yield f"Left out, not in all conditions: {len(left_out):,}, {list_names(list(left_out))}."
    for board in boards:
        if len(boards) > 1:
            yield _say_condition(board)
        yield from _say_cautions(board)
    yield from dict.fromkeys(remark for board in boards for remark in board.remarks)


def _say_figures(boards: Sequence[BoardStability], *, trials: int, top: int) -> Iterator[str]:
    found = boards[0].intervals
    ranks = "Rank 1" if top == 1 else f"Rank 1 to {top}"
    queries = say_count(boards[0].n_queries, "query", "queries") if len(boards) == 1 else "as many queries"
    yield (
        f"{ranks}: share of {say_count(trials, 'trial')} at that rank; each draws {queries} with replacement; "
        "equal scores share ranks."
    )
    yield "Expected: mean rank over the trials. Shares tell how stable an order is; they are no confidence interval."
    level = show_confidence(found.confidence)
    yield (
        f"{level} interval: ranks a run may truly have, for all runs at once (Mogstad et al. 2024, "
        f"{found.resamples:,} resamples)."
    )
    if len(boards) == 1:
        tau = boards[0].tau
        better = "no run is better" if tau == 1 else f"fewer than {tau} runs are better"
        yield f"{say_top(tau).capitalize()}: {better}, all runs compared at once as on the leaderboard."


def _say_condition(board: BoardStability) -> str:
    """Of one among several: what the table does not show."""
    queries = say_count(board.n_queries, "query", "queries")
    return f"{board.name}: {queries}; {_say_top_set(board)}."


def _say_cautions(board: BoardStability) -> Iterator[str]:
    found, where = board.intervals, f"{board.name}: " if board.name else ""
    if board.n_queries == 1:
        yield f"{where}From one query no interval can be known: every run may have every rank."
    elif found.n_judged < found.n_pairs:
        few = f"{found.n_pairs - found.n_judged:,} of {say_count(found.n_pairs, 'pair')}"
        least = say_count(found.least_differing, "query", "queries")
        yield f"{where}{few} differ on fewer than {least}, too few for the intervals to tell them apart."
    if (1 - found.confidence) * (found.resamples + 1) < 1:
        sure = f"{show_confidence(found.confidence)} confidence"
        yield f"{where}{found.resamples:,} resamples are too few for {sure}: every run may have every rank."
    if not found.is_studentised:
        yield f"{where}For so many values the intervals rest on the observed standard errors, widened as Student's t."
    if board.has_gaps:
        yield f"{where}Queries without a value of {board.measure} are left out of a run's mean."


def explain_stability(boards: Sequence[BoardStability], *, trials: int) -> Explanation:
    """How trials and intervals came about."""
    found = boards[0].intervals
    drawn = say_queries(boards[0].n_queries) if len(boards) == 1 else "as many queries as there are"
    by = f"by {boards[0].measure}" if len(boards) == 1 else f"under each of {len(boards)} conditions"
    return Explanation(
        how=(
            f"Each of {say_count(trials, 'trial')} draws {drawn} with replacement and ranks all runs again {by} "
            "(Craswell et al. 2021). Beside the shares of trials, which are no confidence intervals, stand "
            f"{show_confidence(found.confidence)} intervals of the ranks, which hold for all runs at once (Mogstad et "
            f"al. 2024, {found.resamples:,} resamples)."
        ),
        assumptions=(
            FAIR_SAMPLE,
            "These queries show what the runs can do: gains so rare that none of them is here cannot be seen.",
            "Labels and runs stay as they are: only the draw of queries is varied.",
        ),
    )
