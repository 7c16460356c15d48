"""How does each team use the board? Its runs, what it withdrew, how often it used up its quota, what was refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

from toprung.analyses.policy.find import PolicyAudit
from toprung.web.core.models.boards import Board
from toprung.web.core.models.runs import RunState, Upload, UploadState


def follow_teams(board: Board, audit: PolicyAudit | None) -> list[dict[str, Any]]:
    """A record for each team that submitted or sent a file, the busiest first."""
    made = board.submissions.exclude(state=RunState.FAILED).exclude(team=None).select_related("team")
    runs = Counter(each.team.name for each in made if each.team is not None)
    withdrawn = Counter(each.team.name for each in made if each.team is not None and each.withdrawn_at is not None)
    refused = _refused_files(board)
    used_up, close = _from_audit(audit)
    return [
        {
            "team": team,
            "runs": runs[team],
            "withdrawn": withdrawn[team],
            "used_up": used_up[team],
            "close": close[team],
            "refused": refused[team],
        }
        for team in sorted({*runs, *refused}, key=lambda team: (-runs[team], team))
    ]


def _refused_files(board: Board) -> Counter[str]:
    """Files that failed their check; nothing was counted against a quota for them."""
    refused = Upload.objects.filter(board=board, state=UploadState.REFUSED).exclude(team=None)
    return Counter(refused.values_list("team__name", flat=True))


def _from_audit(audit: PolicyAudit | None) -> tuple[Counter[str], Counter[str]]:
    """How often a team took the last place of its window, and how many of its runs are near an earlier one."""
    if audit is None:
        return Counter(), Counter()
    limit = audit.policy.window.limit
    used_up = Counter(each.submission.team for each in audit.submissions if each.n_in_window == limit)
    close = Counter(each.submission.team for each in audit.submissions if each.is_small_change)
    return used_up, close
