"""What is the one sentence about a team? Its runs, how many may be best, the rungs it holds: of what may be shown."""

from __future__ import annotations

from collections.abc import Sequence

from toprung.web.core.models.people import Team
from toprung.web.core.models.runs import Submission
from toprung.web.services.results.words import count_in_words
from toprung.words.wording import list_names, say_count


def say_team(team: Team, runs: Sequence[Submission], n_best: int) -> str:
    """Only of the runs given, of which ``n_best`` may be best: what a viewer may not see is not counted either."""
    end = _say_end(team)
    if not runs:
        return f"{team} has submitted nothing yet.{end}"
    boards = say_count(len({run.board_id for run in runs}), "board")
    held = [str(run.board) for run in runs if run.board.holder_id == run.pk]
    rungs = f", and is the holder on {list_names(held)}" if held else ""
    return f"{team} has {say_count(len(runs), 'run')} on {boards}{_say_best(n_best, len(runs))}{rungs}.{end}"


def _say_best(n_best: int, n_runs: int) -> str:
    if not n_best:
        return ""
    return ", which may be best" if n_runs == 1 else f", of which {count_in_words(n_best)} may be best"


def _say_end(team: Team) -> str:
    return "" if team.closed_at is None else f" It was closed on {team.closed_at:%Y-%m-%d}; its runs stay on record."
