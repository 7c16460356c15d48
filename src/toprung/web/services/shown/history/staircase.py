"""How is the history of a board drawn? From what was stored of its runs, and its claims as they are on record.

It is drawn when it is looked at, for runs are called there as each person may know them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
from django.urls import reverse

from toprung.analyses.timeline.find import DatedRun, Timeline
from toprung.boards.engine.claims import TestedClaim
from toprung.data.matrices import ScoreTable
from toprung.report.charts.figure import Figure
from toprung.report.charts.kinds import timeline
from toprung.report.charts.svg.setting import Address, ChartSetting, Subject
from toprung.web.core.access.claims_shown import claim_for
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.store.label_versions import shown_versions
from toprung.web.core.store.rules import claim_policy, online_state
from toprung.web.services.shown.history.ledger import find_claims, is_claim_shown_to
from toprung.web.services.shown.naming import identities_of


def draw_staircase(viewer: Viewer, content: Mapping[str, Any], finding: str, *, is_on_page: bool = True) -> Figure:
    """``content``: of the stored timeline; ``finding``: what it shows, in a sentence; marks of a file lead nowhere."""
    names = identities_of(viewer, [each["run"] for each in content["marks"]])
    claims = _claims_by_run(viewer)

    def address_of(subject: Subject) -> Address | None:
        if not is_on_page:
            return None
        claim = claims.get(subject.key)
        row = "" if claim is None else f"claim-{claim.t}"
        return Address(reverse("run", args=[viewer.board.slug, subject.key]), row=row)

    def name_of(run: str) -> str:
        return names[run].name if run in names else run

    setting = ChartSetting(name_of=name_of, address_of=address_of)
    drawn = timeline.draw(_to_timeline(viewer, content, claims), setting, changes=_label_changes(viewer))
    return replace(drawn, finding=finding, caption=f"{drawn.caption} {content['left_out']}".rstrip())


def _label_changes(viewer: Viewer) -> list[tuple[date, str]]:
    """Since when each version of the labels holds, but the first, up to the one that is looked at."""
    versions = shown_versions(viewer.board).filter(version__gt=1, version__lte=viewer.version)
    return [(each.current_since.date(), f"labels v{each.version}") for each in versions if each.current_since]


def _to_timeline(viewer: Viewer, content: Mapping[str, Any], claims: Mapping[str, TestedClaim]) -> Timeline:
    board = viewer.board
    nothing = ScoreTable(query_ids=(), runs=(), values=np.empty((0, 0)), measure=content["measure"])
    return Timeline(
        matrix=nothing,
        submissions=tuple(_to_run(each, claims.get(each["run"])) for each in content["marks"]),
        policy=claim_policy(board),
        state=online_state(board),
        seed=board.seed,
        score_decimals=content["decimals"],
        shown_effects={},
    )


def _to_run(mark: Mapping[str, Any], claim: TestedClaim | None) -> DatedRun:
    return DatedRun(
        run=mark["run"],
        date=None if mark["date"] is None else date.fromisoformat(mark["date"]),
        score=mark["score"],
        is_baseline=mark["is_baseline"],
        claim=claim,
        holder=mark["holder"],
        leader=mark["leader"],
        tags=tuple(mark["tags"]),
    )


def _claims_by_run(viewer: Viewer) -> dict[str, TestedClaim]:
    """As this person may see them; one that was voided has not passed, whatever its figures say."""
    shown = (each for each in find_claims(viewer) if is_claim_shown_to(each, viewer.audience))
    tested = ((each, claim_for(each, viewer.board, viewer.audience)) for each in shown)
    return {
        each.submission.run_id: claim if each.voided_at is None else replace(claim, passed=False)
        for each, claim in tested
    }
