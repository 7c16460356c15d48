"""Who submitted how often, and within the policy? A row for each team, a mark for each submission, month by month."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from toprung.analyses.holdout.find import Holdout
from toprung.analyses.policy.find import PolicyAudit
from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.setting import PLAIN, ChartSetting
from toprung.report.charts.team_grid import TeamDays, TeamGrid, say_more
from toprung.words.wording import list_names, say_count


def draw(result: PolicyAudit | Holdout, setting: ChartSetting = PLAIN) -> Figure | None:
    """Of an audit against its policy; of public and private scores the submissions alone, None without any."""
    return _draw_audit(result, setting) if isinstance(result, PolicyAudit) else _draw_teams(result, setting)


def _draw_audit(result: PolicyAudit, setting: ChartSetting) -> Figure:
    days: dict[str, tuple[list[date], list[date]]] = {}
    for each in result.submissions:
        kept, broke = days.setdefault(each.submission.team, ([], []))
        (broke if each.breaks_policy else kept).append(each.submission.date)
    teams = [TeamDays(team=team, kept=tuple(kept), broke=tuple(broke)) for team, (kept, broke) in days.items()]
    window = result.policy.window
    # A calendar month stands for a window of about its length; for another there is no number of places to draw.
    grid = TeamGrid.of(teams, places=window.limit if 28 <= window.days <= 31 else 0)
    empty = ", an empty one a place not used" if grid.has_places else ""
    return Figure(
        kind="teams",
        title="Submissions against the policy",
        finding=result.sentence,
        caption=(
            f"At most {say_count(window.limit, 'submission')} of a team in any {window.days} days, shown by "
            f"{grid.say_columns()}. A filled square is a submission within the policy{empty}, a cross one that broke "
            f"it.{say_more(teams, grid)}"
        ),
        drawing=grid.draw(setting, counts_breaches=True),
    )


def _draw_teams(result: Holdout, setting: ChartSetting) -> Figure | None:
    if not result.teams:
        return None
    teams = [
        TeamDays(team=each.team, kept=tuple(month for month, count in each.per_month for _ in range(count)))
        for each in result.teams
    ]
    grid = TeamGrid.of(teams)
    return Figure(
        kind="private-teams",
        title="Submissions of each team",
        finding=_say_most(teams),
        caption=f"A square is a submission, shown by {grid.say_columns()}.{say_more(teams, grid)}",
        drawing=grid.draw(setting, counts_breaches=False),
    )


def _say_most(teams: Sequence[TeamDays]) -> str:
    if len(teams) == 1:
        return f"{teams[0].team} made the only {say_count(teams[0].n, 'submission')}."
    most = max(each.n for each in teams)
    busiest = [each.team for each in teams if each.n == most]
    made = f"{say_count(sum(each.n for each in teams), 'submission')} by {say_count(len(teams), 'team')}"
    return f"Of {made}, {list_names(busiest)} made most: {most:,}{' each' if len(busiest) > 1 else ''}."
