"""How do my runs stand, in one sentence?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toprung.web.services.mine.own_runs import OwnRun, OwnState
from toprung.web.services.results.words import count_in_words
from toprung.words.wording import list_names

NAMED_BOARDS = 3
NO_RUN, NONE_SCORED = "You have no run yet.", "none of your runs is on a board yet"
WENT_WRONG = (
    (OwnState.REFUSED, "file was refused", "files were refused"),
    (OwnState.OUR_FAULT, "run could not be scored", "runs could not be scored"),
    (OwnState.CHECKED, "file is checked and not submitted", "files are checked and not submitted"),
)


def say_own_runs(runs: Sequence[OwnRun], judged: Sequence[str] = (), organised: Sequence[str] = ()) -> str:
    """What is good first, then what went wrong and is open, then what is on its way; without runs, what one does."""
    if not runs:
        does = (("organise", organised), ("judge answers on", judged))
        said = " and ".join(f"{verb} {list_names(list(boards), NAMED_BOARDS)}" for verb, boards in does if boards)
        return f"You {said}." if said else NO_RUN
    said = "; ".join(_say_parts(runs))
    return f"{said[0].upper()}{said[1:]}."


def _say_parts(runs: Sequence[OwnRun]) -> Iterator[str]:
    n_scored = sum(run.state is OwnState.SCORED for run in runs)
    yield _say_best(sum(run.may_be_best for run in runs), n_scored)
    for state, one, many in WENT_WRONG:
        if n := sum(run.state is state and run.needs_you for run in runs):
            yield f"{count_in_words(n)} {one if n == 1 else many}"
    if n := sum(run.is_running for run in runs):
        yield f"{count_in_words(n)} {'is on its way' if n == 1 else 'are on their way'}"


def _say_best(n_best: int, n_scored: int) -> str:
    if not n_scored:
        return NONE_SCORED
    if not n_best:
        return (
            "none of your runs is among those that may be best" if n_scored > 1 else "other runs do better than yours"
        )
    if n_scored == 1:
        return "your run may be best on its board"
    return f"{count_in_words(n_best)} of your runs may be best on {'its board' if n_best == 1 else 'their boards'}"
