"""Can this board be trusted? For organisers: public against private, teams against the policy, the audit chain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from toprung.analyses.holdout.find import Holdout, holdout
from toprung.analyses.holdout.sets import PrivateSet
from toprung.analyses.policy.find import PolicyAudit, audit_policy
from toprung.boards.engine.top_group import find_top_group
from toprung.boards.policy import Policy
from toprung.data.matrices import ScoreTable
from toprung.data.submissions import Submissions, SubmittedRun
from toprung.errors import InputError, ToprungError
from toprung.web.core.access.labels import has_labels
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.models.results import Audience
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.store.audit import find_break
from toprung.web.core.store.columns import official_labels, score_table
from toprung.web.core.store.rules import embargo, small_changes, window
from toprung.web.services.claims.records import settled_submissions
from toprung.web.services.results.content import show_explanation, show_figures, show_provenance
from toprung.web.services.results.snapshot import store_unless_newer
from toprung.web.services.results.team_records import follow_teams
from toprung.web.services.results.validity_words import say_because, say_top, say_validity, show_flag
from toprung.web.services.runs.tops import read_tops
from toprung.words.wording import say_count

KIND = "validity"
CONFIDENCE = 0.95
MOST_HELD_OUT = 60
"""Runs whose gains are tested: the latest, and the holder. Every one more takes a part of a second, and a part of the
level."""
MOST_LOOKED_AT = 40
"""Runs, the latest, that are looked through for near-duplicates: every pair of a team is read and compared."""
MOST_TEAMS = 50
"""On the page, the busiest."""
FEWEST_RUNS = 2
FIRST = 3
"""Runs at the public top whose private ranks are told."""


def examine_board(board_pk: int) -> None:
    """Compute its validity, unless the labels that it needs are elsewhere."""
    if has_labels(board_pk):
        compute_validity(board_pk)


def compute_validity(board_pk: int) -> None:
    """What the page shows, unless it was computed for the board as it stands."""
    board = Board.objects.select_related("holder").get(pk=board_pk)
    stored = board.results.filter(kind=KIND, audience=Audience.ORGANISERS).first()
    if stored is not None and stored.generation >= board.results_due:
        return
    store_unless_newer(board, KIND, Audience.ORGANISERS, show_validity(board), generation=board.results_due)


def show_validity(board: Board) -> dict[str, Any]:
    """Each part with what was found, or with the reason why there is nothing."""
    submissions = settled_submissions(board)
    private = _attempt(lambda: _hold_out(board, submissions))
    audit = _attempt(lambda: _audit(board))
    found = private if isinstance(private, Holdout) else None
    audited = audit if isinstance(audit, PolicyAudit) else None
    teams = follow_teams(board, audited)
    bold, rest = say_validity(board, found, teams, _teams_of(submissions))
    return {
        "bold": bold,
        "rest": rest,
        "because": say_because(found),
        "n_runs": len(submissions),
        "private": {"omitted": private} if isinstance(private, str) else _show_private(board, private, submissions),
        "policy": {"omitted": audit} if isinstance(audit, str) else _show_policy(audit),
        "teams": teams[:MOST_TEAMS],
        "n_more_teams": max(0, len(teams) - MOST_TEAMS),
        "chain": {"broken_at": find_break(board), "n_entries": board.audit.count()},
    }


def _attempt[Found](part: Callable[[], Found]) -> Found | str:
    try:
        return part()
    except ToprungError as error:
        return str(error)


def _hold_out(board: Board, submissions: Sequence[Submission]) -> Holdout:
    chosen = _chosen(board, submissions)
    sets = list(board.label_sets.filter(use=LabelUse.PRIVATE, is_current=True).order_by("pk"))
    if not sets:
        raise InputError("found no private labels; expected some, on queries of their own.")
    if len(chosen) < FEWEST_RUNS:
        raise InputError(f"found {say_count(len(chosen), 'run')}; expected {FEWEST_RUNS} at least.")
    public, measure = official_labels(board), board.official_measure
    baselines = [each.run_id for each in chosen if each.is_baseline]
    return holdout(
        score_table(public, chosen, measure),
        {each.name: score_table(each, chosen, measure) for each in sets},
        reference=baselines[0] if baselines else None,
        submissions=to_submissions(chosen),
        seed=board.seed,
    )


def _chosen(board: Board, submissions: Sequence[Submission]) -> list[Submission]:
    """The latest runs, the holder, and the first baseline, which gains are counted from."""
    latest = set(submissions[-MOST_HELD_OUT:])
    first_baseline = next((each for each in submissions if each.is_baseline), None)
    return [each for each in submissions if each in latest or each == first_baseline or each.pk == board.holder_id]


def _show_private(board: Board, found: Holdout, submissions: Sequence[Submission]) -> dict[str, Any]:
    from toprung.report.charts.kinds import private_scatter

    by_label = {each.run_id: each for each in submissions}
    flags = [show_flag(found, each, row, by_label[row.run]) for each in found.sets for row in each.runs if row.diverges]
    return {
        "figures": show_figures(found, [private_scatter.draw]),
        "flags": flags,
        "top": [say_top(found, each, _private_ranks(board, each, submissions), FIRST) for each in found.sets],
        "order": [note for note in found.notes if note.startswith("Order")],
        "n_left_out": len(submissions) - max(len(each.runs) for each in found.sets),
        "explanation": show_explanation(found.explanation),
        "provenance": show_provenance(found, Audience.ORGANISERS),
    }


def _private_ranks(board: Board, private: PrivateSet, submissions: Sequence[Submission]) -> dict[str, tuple[int, int]]:
    """The ranks that each run may have on the private queries, for all at once."""
    labels = board.label_sets.get(use=LabelUse.PRIVATE, name=private.name, is_current=True)
    runs = {row.run for row in private.runs}
    table: ScoreTable = score_table(
        labels, [each for each in submissions if each.run_id in runs], board.official_measure
    )
    found = find_top_group(table, alpha=board.alpha, seed=board.seed)
    ranks = zip(found.intervals.low.tolist(), found.intervals.high.tolist(), strict=True)
    return dict(zip(found.runs, ranks, strict=True))


def _audit(board: Board) -> PolicyAudit:
    """Withdrawn runs count; files that were refused were never submitted."""
    made = board.submissions.exclude(state=RunState.FAILED).exclude(team=None).select_related("team", "upload")
    submissions = list(made.order_by("number"))
    recent = submissions[-MOST_LOOKED_AT:]
    teams = [each.team_id for each in recent]
    rule = small_changes()
    compared = [each for each in recent if teams.count(each.team_id) > 1]  # runs are compared within a team
    runs = read_tops(compared, depth=rule.depth)
    rules = Policy(window=window(board), small_changes=rule, embargo=embargo(board))
    return audit_policy(to_submissions(submissions), runs=runs or None, policy=rules)


def _show_policy(found: PolicyAudit) -> dict[str, Any]:
    from toprung.report.charts.kinds import team_submissions

    header, rows = found.table.header, [list(row) for row in found.table.rows if row[-1]]
    return {
        "sentence": found.sentence,
        "figures": show_figures(found, [team_submissions.draw]),
        "header": list(header),
        "broken": rows,
        "notes": list(found.notes),
        "explanation": show_explanation(found.explanation),
    }


def _teams_of(submissions: Sequence[Submission]) -> dict[str, str]:
    return {each.run_id: each.team.name for each in submissions if each.team is not None}


def to_submissions(submissions: Sequence[Submission]) -> Submissions:
    return Submissions(
        entries=tuple(
            SubmittedRun(
                run=each.run_id,
                team=each.team.name,
                date=each.submitted_at.date(),
                embargo_until=each.anonymous_until,
            )
            for each in submissions
            if each.team is not None
        )
    )
