"""What does agreement mean? How many votes are wrong, and how many a pair needs, in plain words."""

from __future__ import annotations

from toprung.labels.votes.error_estimate import error_behind_agreement, votes_needed
from toprung.stats.intervals.proportions import Share
from toprung.words.floors import FEWEST

SURE = 0.9
NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MUCH = 0.2
"""If more than this share of votes is wrong, judging was noisy, whatever else is fine."""
NO_MORE = 0.45
"""From here on wrong votes are as many as right ones, as far as anyone can say."""
FEW = 0.05


def say_agreement(share: Share) -> str:
    """Of how often two people agree; nothing if too few pairs of votes tell.

    >>> from toprung.stats.intervals.proportions import wilson_share
    >>> print(say_agreement(wilson_share(41, 50)))
    two people agree on 82% of pairs (n = 50): about one vote in ten is wrong; at this rate a pair needs 1 vote for 90%
    """
    if share.trials < FEWEST:
        return ""
    error = error_behind_agreement(share.estimate)
    agree = f"two people agree on {100 * share.estimate:.0f}% of pairs (n = {share.trials:,})"
    needed = votes_needed(error, SURE)
    if error >= NO_MORE or needed is None:
        return f"{agree}, as coins nearly do: votes hardly tell which answer is better, however many there are"
    votes = "1 vote" if needed == 1 else f"{needed} votes"
    return f"{agree}: {_say_error(error)} wrong; at this rate a pair needs {votes} for {100 * SURE:.0f}%"


def _say_error(error: float) -> str:
    if error < FEW:
        return "few votes are"
    nearest = min(range(2, round(1 / FEW) + 1), key=lambda n: abs(1 / n - error))
    return f"about one vote in {NUMBERS[nearest - 2] if nearest <= 10 else nearest} is"


def is_noisy(share: Share) -> bool:
    """Whether so many votes are wrong that nobody may say that nothing speaks against them."""
    return share.trials >= FEWEST and error_behind_agreement(share.estimate) > MUCH
