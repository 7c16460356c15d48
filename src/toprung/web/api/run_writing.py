"""How is a run told? From its row on the board, its claim and its card, for the one who looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toprung.data.run_card import RunCard, card_fields
from toprung.web.api.boards import to_range
from toprung.web.api.looks import version_of
from toprung.web.api.schemas.results import ClaimOut
from toprung.web.api.schemas.runs import RunOut
from toprung.web.core.access.rights import Person, teams_of
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.addresses import address_of
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.results import Standing
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.services.judging.campaigns.upkeep_words import ScoreRange, find_ranges
from toprung.web.services.results.label_doubt import doubt_of_runs
from toprung.web.services.shown.board.listing import EVERYTHING, find_standings
from toprung.web.services.shown.history.ledger import find_claims, to_entries
from toprung.web.services.shown.run.words import say_run


@dataclass(frozen=True, kw_only=True)
class RunWriter:
    """Writes the runs of a board for one person: what they have in common is asked once."""

    viewer: Viewer
    person: Person

    def write(self, runs: Sequence[Submission]) -> list[RunOut]:
        pks = [each.pk for each in runs]
        rows = find_standings(self.viewer, EVERYTHING).filter(submission__in=pks)
        standings = {each.submission_id: each for each in rows}
        claims = {each.submission_id: each for each in find_claims(self.viewer).filter(submission__in=pks)}
        own = {team.pk for team in teams_of(self.person)}
        version = version_of(self.viewer.result("board"))
        ranges, doubt = find_ranges(self.viewer, standings), doubt_of_runs(self.viewer)
        return [
            self._write(
                each,
                standings.get(each.pk),
                claims.get(each.pk),
                is_own=each.team_id in own,
                version=version,
                until_judged=ranges.get(each.pk),
                label_doubt=doubt.get(each.run_id) if each.pk in standings else None,
            )
            for each in runs
        ]

    def _write(
        self,
        run: Submission,
        standing: Standing | None,
        claim: Claim | None,
        *,
        is_own: bool,
        version: int | None,
        until_judged: ScoreRange | None,
        label_doubt: float | None,
    ) -> RunOut:
        identity = self.viewer.namer.name(run)
        content: Mapping[str, float] = {} if standing is None else standing.content
        row, shown = None if standing is None else standing.content, self.viewer.result("board")
        said = say_run(run, row, claim, shown, called=identity.name)
        return RunOut(
            label=run.run_id,
            name="" if identity.is_hidden else identity.name,
            team=identity.team,
            is_own=is_own,
            is_baseline=run.is_baseline,
            state=run.state,
            failure=run.failure if run.state == RunState.FAILED else "",
            sentence=f"{said.verdict} {said.rest}".rstrip(),
            is_behind=self._is_behind(run),
            submitted_at=run.submitted_at,
            withdrawn_at=run.withdrawn_at,
            score=content.get("score"),
            interval=[content["score_low"], content["score_high"]] if content else None,
            until_judged=to_range(until_judged),
            label_doubt=label_doubt,
            rank_low=None if standing is None else standing.content["rank_low"],
            rank_high=None if standing is None else standing.content["rank_high"],
            place=None if standing is None else standing.place,
            top_group=None if standing is None else standing.top_group,
            proved_since=None if standing is None else standing.content["proved_since"],
            status="" if standing is None else standing.content["status"],
            labels_version=None if standing is None else version,
            claim=None if claim is None else ClaimOut(**to_entries([claim], self.viewer)[0].record()),
            url=address_of("run", self.viewer.board.slug, run.run_id),
            **_tell(run.card, is_hidden=identity.is_hidden),
        )

    def _is_behind(self, run: Submission) -> bool:
        if run.state in (RunState.DONE, RunState.FAILED):
            return self.viewer.is_behind
        return True


def _tell(card: RunCard, *, is_hidden: bool) -> dict[str, Any]:
    """What the team says beside the name; what would tell whose a hidden run is stays empty."""
    said = card.to_json()
    told = {each.name: each.nothing if is_hidden and each.tells_team else said[each.name] for each in card_fields()}
    del told["name"]
    return told
