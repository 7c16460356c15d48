"""How does a board speak of itself? Its rule, its release policy, its quota, in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.disclosure.release import (
    AutomaticBoardLadder,
    BoardLadder,
    Closed,
    FullRelease,
    Ladder,
    Release,
    RoundedRelease,
    TooFewQueries,
)
from toprung.boards.disclosure.resolution import LEAST_HIDDEN
from toprung.boards.engine.rules import Rule
from toprung.boards.engine.words import NOT_TOLD_APART, say_points
from toprung.stats.sequences.online import read_gamma, say_gamma
from toprung.web.core.models.boards import RULES, Admission, Board
from toprung.web.core.store.disclosing import disclosure_of
from toprung.words.wording import list_names, say_count, show_level, show_number

NOT_TESTED = "not tested"
ALMOST_ALWAYS = 0.995
WHO = {
    Admission.ANYONE: "anyone with an account",
    Admission.APPROVED: "teams that the organisers approved; ask them on the page of submissions",
    Admission.INVITED: "whom the organisers invited, each with one team",
}
USUAL_MARGIN = "1/√n of the n queries looked at, from 1 to 10 points"
"""Of harm, where the organisers set none."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def say_rule(board: Board) -> str:
    """What a claim must show, short."""
    words = RULES[board.rule].removesuffix(f", {NOT_TESTED}")  # which stands beside it
    return f"{words[:1].upper()}{words[1:]}"


def say_level(board: Board) -> str:
    """How often a claim passes by chance, over the life of the board."""
    return NOT_TESTED if board.rule == Rule.SCORE else f"{show_level(100 * board.alpha)}% overall"


def explain_rule(board: Board) -> str:
    """What a claim must show."""
    measure, level = board.official_measure, "the level of the claim"
    if board.rule == Rule.SCORE:
        return (
            f"The run with the highest mean {measure} holds the rung. Nothing is tested: a higher score may be the "
            "luck of these queries."
        )
    if board.rule == Rule.BOTH:
        return (
            "A claim passes if the run answers more queries than the holder (exact binomial test) and ranks the "
            f"answers higher where both find them (RR, paired t-test; exact where few queries differ), both within "
            f"{level}."
        )
    by_measure = (
        f"its mean {measure} is higher than the holder’s beyond chance, query by query (paired t-test; exact where few "
        "queries differ)"
    )
    if board.rule == Rule.MEASURE:
        return f"A claim passes if {by_measure}, within {level}."
    return (
        f"A claim passes if {by_measure}, or if it answers more queries beyond chance (exact binomial test), each "
        f"within half of {level}; and if harm is excluded with 95% confidence: {_say_margins(board)}."
    )


def _say_margins(board: Board) -> str:
    answered, ranking = (
        USUAL_MARGIN if margin is None else say_points(margin)
        for margin in (board.answered_margin, board.ranking_margin)
    )
    if answered == ranking:
        return f"neither the queries answered nor RR where both answer may fall by more than {answered}"
    return f"queries answered may fall by no more than {answered}, RR where both answer by no more than {ranking}"


def explain_levels(board: Board) -> str:
    """What a claim is held to."""
    if board.rule == Rule.SCORE:
        return ""
    return (
        "Every official submission that scores above the holder is a claim, if its score is released. Claims keep "
        "coming on the same queries, so each is held to a level of its own (online fallback, γ = "
        f"{say_gamma(read_gamma(board.gamma))}): the chance that any false claim ever passes is to stay within "
        f"{show_level(board.alpha)}. A claim that passes hands its level on to the next. Each claim shows the smallest "
        "gain it could see."
    )


def explain_release(board: Board) -> str:
    """What everyone sees of scores on hidden labels."""
    return f"{_say_scores(disclosure_of(board).way)} {_say_resolution(disclosure_of(board))}"


def _say_scores(release: Release) -> str:
    decimals = say_count(release.decimals, "decimal")
    if isinstance(release, TooFewQueries):
        return "Nothing is shown of any run: a score on so few hidden queries would have fewer than five steps."
    if isinstance(release, Closed):
        return f"Nothing is shown of any run before {release.until.isoformat()}; from then on every run has its score."
    if isinstance(release, FullRelease):
        return f"Every run is shown its score, to {decimals}."
    if isinstance(release, RoundedRelease):
        return f"Every run is shown its score, rounded to {decimals}."
    if isinstance(release, BoardLadder):
        step = show_number(release.needed, max(release.decimals, 3))
        lot = ""
        if isinstance(release, AutomaticBoardLadder):
            lot = (
                f" Before it is compared a lot is added, drawn from its file: {show_number(release.lot_size, 3)} up or "
                "down is usual. So luck alone is shown seldom, and a run that is better by two steps nearly always."
            )
        return (
            f"Ladder of the board: a run is shown its score only if it does better than the best run of the board by "
            f"more than {step}, whoever sends it.{lot} Any other run shows no score, interval, rank or comparison, and "
            "makes no claim."
        )
    step = show_number(release.grid, release.decimals) if isinstance(release, Ladder) else "its standard error"
    return (
        f"Ladder: a run is shown its score only if it does better than its team’s best by more than {step}. A run "
        "that does not move its team’s public score shows no score, interval, rank or comparison, and makes no claim."
    )


def _say_resolution(told: Disclosure) -> str:
    if not told.is_hidden:
        return "The labels are public; shares are given to 0.1%, p-values to two digits."
    scores = show_number(told.grid, told.decimals)
    return (
        f"The labels of {told.n_hidden:,} queries are hidden, and no figure is finer than ten of them: scores in steps "
        f"of {scores}, shares in steps of {told.share_step_said}, counts to the nearest ten, p-values to two digits. A "
        f"figure over fewer than {LEAST_HIDDEN} queries is left out, and a p that decides is told as a bound. The "
        "organisers see everything."
    )


def say_quota(board: Board) -> str:
    """How often a team may submit, short."""
    runs = say_count(board.quota, "run")
    return f"{runs} in {board.quota_days} days for each team; checking a file and dry runs are not counted."


def say_taking_part(board: Board) -> str:
    """Whether runs are taken, and how often a team may submit one."""
    if board.is_closed:
        return "The board is closed; it takes no runs."
    if board.is_ahead:
        return f"The board opens on {board.opens_at:%Y-%m-%d %H:%M} UTC. Then: {say_quota(board)}"
    return say_quota(board)


def explain_submissions(board: Board) -> str:
    """How often a team may submit, and what else it should know."""
    often = (
        f"A team may submit {say_count(board.quota, 'run')} in any {board.quota_days} days, and so may a person, with "
        "all their teams together"
    )
    all_teams = (
        ""
        if board.board_quota is None
        else f" All teams together may submit {say_count(board.board_quota, 'run')} then."
    )
    who = f" Submitting is for {WHO[Admission(board.who_may_submit)]}."
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
    return f"{often}; checking a file and dry runs are not counted.{all_teams}{who}{duplicates}{embargo}"


def count_in_words(n: int) -> str:
    """Small numbers as words.

    >>> count_in_words(7), count_in_words(14)
    ('seven', '14')
    """
    return NUMBERS[n] if n < len(NUMBERS) else f"{n:,}"


def say_reigns(content: Mapping[str, Any], last: str = "", when: date | None = None) -> tuple[str, str]:
    """Claims that passed against leaders by score: what is bold, and what follows it.

    ``last`` is the name of the run whose claim passed last, and ``when`` the day that it came.
    """
    if not content["is_tested"]:
        return content["sentence"], ""
    n_leaders = content["n_leaders"]
    leaders = f"{count_in_words(n_leaders)} leader{'' if n_leaders == 1 else 's'}"
    return _say_proved(content, last, when), f"By score alone the board would have named {leaders}."


def _say_proved(content: Mapping[str, Any], last: str, when: date | None) -> str:
    n_passed = content["n_passed"]
    if not content["n_claims"]:
        return "No run has claimed an improvement yet."
    if not n_passed:
        return "No claim has passed yet."
    on = "" if when is None else f", on {when:%Y-%m-%d}"
    if n_passed == 1:
        return f"One submission proved an improvement when it came{f': {last}{on}' if last else ''}."
    named = f"; the last is {last}{on}" if last else ""
    return f"{count_in_words(n_passed).capitalize()} submissions proved an improvement when they came{named}."


def say_often_first(shares: Sequence[tuple[str, float]], *, in_steps: bool = False) -> str:
    """Who would come first on other queries; names with their shares of samples, the largest first.

    ``in_steps``: of hidden labels, so that all of them may be nearly all.

    >>> say_often_first([("a", 0.648), ("b", 0.221), ("c", 0.13)])
    'On other queries like these, a would come first 65 times in 100, b 22 and c 13.'
    >>> say_often_first([("a", 0.991)])
    'On other queries like these, a would come first 99 times in 100.'
    >>> say_often_first([("a", 0.8), ("b", 0.2)], in_steps=True)
    'On other queries like these, a would come first about 80 times in 100, b 20.'
    """
    (first, share), *others = shares
    if share == 1:
        return f"On other queries like these, {first} would come first {'nearly ' if in_steps else ''}every time."
    about = "about " if in_steps else ""
    often = "more than 99" if share > ALMOST_ALWAYS else f"{about}{100 * share:.0f}"
    named = list_names([f"{name} {max(1, round(100 * each))}" for name, each in others]) if others else ""
    return f"On other queries like these, {first} would come first {often} times in 100{f', {named}' if named else ''}."


def say_pairs(n_pairs: int, n_different: int) -> str:
    """How many pairs of runs differ.

    >>> say_pairs(780, 597)
    'Of 780 pairs of runs, 597 differ beyond chance (77%); 183 cannot be told apart.'
    """
    if n_different == n_pairs:
        return f"All {n_pairs:,} pairs of runs differ beyond chance."
    if not n_different:
        return f"None of {n_pairs:,} pairs of runs differs beyond chance: they {NOT_TOLD_APART}."
    verb = "differs" if n_different == 1 else "differ"
    share = f"{100 * n_different / n_pairs:.0f}%"
    return (
        f"Of {n_pairs:,} pairs of runs, {n_different:,} {verb} beyond chance ({share}); "
        f"{n_pairs - n_different:,} {NOT_TOLD_APART}."
    )
