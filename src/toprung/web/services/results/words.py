"""How does a board speak of itself? Its rule, its release policy, its quota, in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.boards.lin2021.verdict import LinRule
from toprung.boards.release import FullRelease, Ladder, RoundedRelease
from toprung.boards.row import AgainstTop, Status
from toprung.stats.sequences.online import read_gamma, say_gamma
from toprung.web.core.models.boards import FACET_TESTS, Board
from toprung.web.core.store.rules import release_of
from toprung.words.wording import list_names, say_count, show_level, show_number

MOST_NAMED = 3
RULE_NAMES = {"score": "Highest score", LinRule.SIGNIFICANT: "Significantly better", LinRule.NO_HARM: "Do no harm"}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def say_higher_scores(found: Leaderboard, decimals: int) -> str:
    """Which runs score higher than the holder without holding the rung, and why; empty where there are none."""
    higher = found.higher_scores
    if not higher:
        return ""
    holder = found.holder
    names = list_names([row.run for row in higher], most=MOST_NAMED)
    leads = [show_number(abs(row.score - holder.score), decimals) for row in higher]
    by = list_names(leads) if len(higher) <= MOST_NAMED else f"up to {max(leads)}"
    none = {1: "its claim was not", 2: "neither claim was"}.get(len(higher), "no claim was")
    said = f"{names} {'scores' if len(higher) == 1 else 'score'} higher than {holder.run}, by {by}."
    if voided := [row.run for row in higher if row.status is Status.VOIDED]:
        whose = list_names(voided)
        return f"{said} The claim of {whose} was voided and no other was supported, so the rung stays where it is."
    if all(row.against_top is AgainstTop.TIED for row in higher):
        return (
            f"{said} Differences of this size often appear by chance between equally good runs, so {none} supported "
            "and the rung stays where it is."
        )
    return f"{said} {none[0].upper()}{none[1:]} supported at the level it was held to, so the rung stays where it is."


def say_rule(board: Board) -> str:
    """The rule for the top rung, short."""
    return RULE_NAMES[board.rule]


def say_level(board: Board) -> str:
    """How often a rung is taken by chance, over the life of the board."""
    return "not tested" if board.rule == "score" else f"{show_level(100 * board.alpha)}% overall"


def explain_rule(board: Board) -> str:
    """What a run must show to take the rung."""
    test = FACET_TESTS[board.facet_test]
    ranks = f"the rank of the answer where both runs find it ({test})"
    if board.facet == "rr":
        ranks = f"RR where both runs find the answer ({test})"
    facets = f"which queries are answered (exact binomial test) and {ranks}"
    half, full = show_level(board.alpha / 2), show_level(board.alpha)
    if board.rule == "score":
        return (
            f"The run with the highest mean {board.official_measure} holds the rung. Nothing is tested: a higher score "
            "may be the luck of these queries."
        )
    if board.rule == LinRule.SIGNIFICANT:
        return f"A run takes the rung if it does better beyond chance in both ways: {facets}."
    return (
        f"A run takes the rung if it does better beyond chance in one of two ways and does no harm in the other: "
        f"{facets}. As a pair, a gain is held to {half}, harm is seen at {full}."
    )


def explain_levels(board: Board) -> str:
    """What a claim is held to."""
    if board.rule == "score":
        return ""
    return (
        "Every official submission that scores above the holder is a claim. Claims keep coming on the same queries, so "
        f"each is held to a level of its own (online fallback, γ = {say_gamma(read_gamma(board.gamma))}): the chance "
        f"that any false claim is ever supported stays within {show_level(board.alpha)}. A claim that is supported "
        "hands its level on to the next."
    )


def explain_release(board: Board) -> str:
    """What everyone sees of scores on hidden labels."""
    release = release_of(board)
    decimals = say_count(release.decimals, "decimal")
    if isinstance(release, FullRelease):
        said = f"Every run is shown its score, to {decimals}."
    elif isinstance(release, RoundedRelease):
        said = f"Every run is shown its score, rounded to {decimals}."
    else:
        has_step = isinstance(release, Ladder)
        step = show_number(release.grid, release.decimals) if has_step else "its standard error"
        said = (
            f"Ladder: a run is shown its score only if it does better than its team’s best by more than {step}. A run "
            "that does not move its team’s public score shows no score, interval, rank or comparison."
        )
    return (
        f"{said} Shares of hidden labels are given to 0.1%, counts to the nearest ten, p-values to two digits; the "
        "organisers see everything."
    )


def explain_submissions(board: Board) -> str:
    """How often a team may submit, and what else it should know."""
    often = (
        f"A team may submit {say_count(board.quota, 'run')} in any {board.quota_days} days, and so may a person, with "
        "all their teams together"
    )
    duplicates = (
        " A run that is nearly the same as an earlier one of its team is refused."
        if board.refuses_near_duplicates
        else ""
    )
    embargo = (
        f" A run may stay anonymous for up to {say_count(board.embargo_months, 'month')}; then its name and team "
        "appear by themselves."
        if board.embargo_months
        else " Runs appear with the names of their teams."
    )
    return f"{often}; dry runs on the development labels are not counted.{duplicates}{embargo}"


def count_in_words(n: int) -> str:
    """Small numbers as words.

    >>> count_in_words(7), count_in_words(14)
    ('seven', '14')
    """
    return NUMBERS[n] if n < len(NUMBERS) else f"{n:,}"


def say_reigns(content: Mapping[str, Any]) -> tuple[str, str]:
    """Holders against leaders by score: what is bold, and what follows it."""
    holders, n_leaders = content["holders"], content["n_leaders"]
    if not content["is_tested"]:
        return content["sentence"], ""
    n, since = len(holders), holders[0]["since"]
    if n == 1:
        bold = f"{holders[0]['run']} has held the top rung since {since}."
    else:
        bold = f"{count_in_words(n).capitalize()} runs have held the top rung since {since}."
    leaders = (
        "as many leaders" if n_leaders == n else f"{count_in_words(n_leaders)} leader{'' if n_leaders == 1 else 's'}"
    )
    return bold, f"Sorted by score alone, this board would have named {leaders}."


def explain_pair(board: Board, challenger: str) -> str:
    """What B would need to show, by the rule of the board."""
    half, full = show_level(board.alpha / 2), show_level(board.alpha)
    if board.rule == LinRule.SIGNIFICANT:
        return (
            f"Under “significantly better”, {challenger} would need to answer more of the queries and to find the "
            f"answers sooner, each held to {full}."
        )
    return (
        f"Under “do no harm”, {challenger} would need to improve one of the two, each held to half the level ({half}), "
        f"without harming the other (the full {full})."
    )
