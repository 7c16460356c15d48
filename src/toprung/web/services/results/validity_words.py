"""What does the validity page say? What was seen, as a reason to ask; what could not be seen, as clearly."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from toprung.analyses.holdout.find import Holdout
from toprung.analyses.holdout.sets import HeldOutRun, PrivateSet
from toprung.stats.models.divergence import LEVEL
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.runs import Submission
from toprung.web.services.results.words import count_in_words
from toprung.words.wording import list_names, say_count, say_queries, show_interval, show_number, show_p

NOT_VISIBLE = "Nothing on this page is visible to participants."
DECIMALS = 3


def say_validity(
    board: Board, found: Holdout | None, teams: Sequence[Mapping[str, Any]], team_of: Mapping[str, str]
) -> tuple[str, str]:
    """What is bold, and what follows it."""
    if found is None:
        has_private = board.label_sets.filter(use=LabelUse.PRIVATE, is_current=True).exists()
        if not has_private:
            return (
                "Do the scores of this board hold elsewhere? It has no private queries, so nothing here can tell.",
                "",
            )
        return "Do the scores of this board hold elsewhere? There are too few runs to tell.", ""
    flagged = list(dict.fromkeys(row.run for each in found.sets for row in each.runs if row.diverges))
    n_runs = len({row.run for each in found.sets for row in each.runs})
    expected = "public score leads one to expect."
    if not flagged:
        bold = f"None of {count_in_words(n_runs)} runs does worse on the private queries than its {expected}"
        return bold, _say_unseen(found)
    does, their = ("does", "its") if len(flagged) == 1 else ("do", "their")
    many = count_in_words(len(flagged)).capitalize()
    bold = f"{many} of {count_in_words(n_runs)} runs {does} worse on the private queries than {their} {expected}"
    return bold, _say_teams(flagged, teams, team_of)


def _say_unseen(found: Holdout) -> str:
    """What the test could not have seen: else "none" would say too much."""
    seen = [(each.smallest_seen, each.n_queries) for each in found.sets]
    smallest, n = min(seen)
    if math.isinf(smallest):
        return f"But {say_queries(n)} are too few to tell anything."
    return f"But {say_queries(n)} cannot show less than about {show_number(smallest, 2)} {found.measure}."


def _say_teams(flagged: Sequence[str], teams: Sequence[Mapping[str, Any]], team_of: Mapping[str, str]) -> str:
    whose = list(dict.fromkeys(team_of[run] for run in flagged if run in team_of))
    if not whose:
        return ""
    subject = {1: "It is", 2: "Both are"}.get(len(flagged), "All are")
    if len(whose) > 1:
        return f"They are from {list_names(whose)}."
    record = next((each for each in teams if each["team"] == whose[0]), None)
    habits = [] if record is None else list(_say_habits(record))
    return f"{subject} from {whose[0]}{f', which {list_names(habits)}' if habits else ''}."


def _say_habits(record: Mapping[str, Any]) -> list[str]:
    said = []
    if record["used_up"]:
        said.append(f"used its full quota {_say_times(record['used_up'])}")
    if record["refused"]:
        said.append(f"had {say_count(record['refused'], 'file')} refused")
    if record["withdrawn"]:
        said.append(f"withdrew {count_in_words(record['withdrawn'])} of its {count_in_words(record['runs'])} runs")
    return said


def _say_times(n: int) -> str:
    return {1: "once", 2: "twice"}.get(n, f"{count_in_words(n)} times")


def say_because(found: Holdout | None) -> str:
    if found is None:
        return f"Private labels on queries of their own would show tuning to the public ones. {NOT_VISIBLE}"
    boards = f"where nothing is wrong, about one board in {round(1 / LEVEL)} shows a flag"
    if any(row.diverges for each in found.sets for row in each.runs):
        return f"That is a reason to ask, not a finding of misconduct: {boards}. {NOT_VISIBLE}"
    return f"That is no proof that nobody tuned a run to the public labels; {boards}. {NOT_VISIBLE}"


def show_flag(found: Holdout, private: PrivateSet, row: HeldOutRun, submission: Submission) -> dict[str, Any]:
    """One run that falls further in private than chance lets it."""
    expected = private.private_score(row.public.estimate, higher_is_better=found.higher_is_better)
    test = row.divergence
    return {
        "run": row.run,
        "name": submission.name,
        "team": submission.team.name if submission.team is not None else "",
        "date": f"{submission.submitted_at:%Y-%m-%d}",
        "set": private.name,
        "public": show_number(row.public.estimate, DECIMALS),
        "private": show_number(row.private.estimate, DECIMALS),
        "expected": show_number(expected, DECIMALS),
        "below": "" if test is None else show_number(test.estimate, DECIMALS),
        "interval": "" if test is None else show_interval(test.low, test.high, DECIMALS),
        "errors": "" if test is None or not test.error > 0 else f"{show_number(test.estimate / test.error, 1)} s.e.",
        "p": "" if row.p_holm is None else show_p(row.p_holm),
    }


def say_top(found: Holdout, private: PrivateSet, ranks: Mapping[str, tuple[int, int]], n: int) -> str:
    """Whether the private queries contradict the public top: the ranks they cannot rule out, for the first runs."""
    first = private.runs[:n]
    intervals = list_names([f"{row.run} {_show_ranks(*ranks[row.run])}" for row in first])
    outside = [row.run for row in first if not ranks[row.run][0] <= row.public_rank <= ranks[row.run][1]]
    where = "the private queries" if len(found.sets) == 1 else private.name
    verdict = (
        "They do not contradict the public order"
        if not outside
        else f"For {list_names(outside)} they rule out the rank that the public queries give"
    )
    return (
        f"With {say_queries(private.n_queries)}, {where} leave these ranks open, all at once with 95% confidence "
        f"(Mogstad et al. 2024): {intervals}. {verdict}."
    )


def _show_ranks(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low}–{high}"
