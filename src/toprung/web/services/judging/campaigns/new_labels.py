"""What would the labels be? Best answers that are sure enough in the place of the old ones; all else stays."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from toprung.analyses.best_answers.find import derive_labels
from toprung.analyses.best_answers.rows import LabelReport
from toprung.data.judgments import Judgments
from toprung.data.qrels import Qrels
from toprung.data.qrels_difference import find_losses
from toprung.errors import InputError
from toprung.labels.best.next_version import changed_queries, next_version
from toprung.labels.best.preference_qrels import PreferenceQrels, to_preference_qrels
from toprung.labels.best.resolution import ResolutionRule
from toprung.labels.best.upkeep import Upkeep, rule_in, rule_name_in, settle_challenges
from toprung.labels.votes.outcomes import merge_same_texts, resolve_pairs
from toprung.web.core.models.campaigns import LabelOrigin
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.store.columns import labels_of
from toprung.web.services.judging.campaigns.standing import CampaignStanding

AS_GIVEN = "as given"
"""In a manifest: the rule is that of challenges, which is its policy."""


@dataclass(frozen=True, eq=False, kw_only=True)
class NewLabels:
    """The labels of a set as they are, and as the votes of a campaign make them."""

    standing: CampaignStanding
    current: LabelSet
    refused: Collection[str] = ()
    """Queries that keep the old label because an organiser says so."""

    @cached_property
    def old(self) -> Qrels:
        return labels_of(self.current)

    @cached_property
    def judgments(self) -> Judgments:
        """Those of work that is handed in, or was imported."""
        open_works = {(each.task_id, each.assessor) for each in self.standing.sitting.desk.open_assignments()}
        rows = self.standing.judgments.rows
        kept = [each for each in rows if (each.task_id, each.assessor) not in open_works]
        return self.standing.judgments if len(kept) == len(rows) else Judgments.of(kept)

    @cached_property
    def report(self) -> LabelReport | None:
        """By strength, as the command does it on the folder of an effort; None where nothing is decided."""
        try:
            return derive_labels(
                self.judgments,
                self.standing.pooled,
                parent=self.old,
                rule=ResolutionRule.STRENGTH,
                at_least=self.standing.design.at_least,
                challenges=self.standing.challenges,
                challenge_rule=rule_name_in(self.standing.store),
            )
        except InputError:
            return None

    @cached_property
    def doubt(self) -> dict[str, Any]:
        """Of queries with votes, what may be the best answer in percent; of others as the version before says."""
        origin = LabelOrigin.objects.filter(label_set=self.current).first()
        before = {} if origin is None else origin.doubt
        chances, same_text = self._soft
        return {
            "chances": before.get("chances", {}) | chances,
            "same_text": before.get("same_text", {}) | same_text,
        }

    @property
    def _soft(self) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, str]]]:
        voted = {each.query_id for each in self.judgments.rows if each.is_vote}
        pools = [pool for pool in self.standing.pooled if pool.query_id in voted]
        try:
            found = derive_labels(
                self.judgments,
                pools,
                parent=self.old,
                soft=True,
                challenges=self.standing.challenges,
                challenge_rule=rule_name_in(self.standing.store),
            ).version
        except InputError:  # no votes
            return {}, {}
        same_text = {query_id: dict(same) for query_id, same in found.manifest.same_text.items()}
        return {query_id: dict(docs) for query_id, docs in found.qrels.to_dict().items()}, same_text

    @cached_property
    def judged(self) -> Mapping[str, tuple[str, ...]]:
        """The best answers of queries that are decided by votes."""
        report = self.report
        if report is None:
            return {}
        by_query = {pool.query_id: pool for pool in self.standing.pooled}
        return {
            query_id: by_query[query_id].with_twins(result.best)
            for query_id, result in report.results.items()
            if result.best and report.p_best.get(query_id)
        }

    @cached_property
    def version(self) -> PreferenceQrels:
        """What votes decided, by itself: of pools, or of challenges where no pool is decided."""
        if self.report is not None:
            return self.report.version
        return to_preference_qrels(
            self.upkeep.results,
            parent=self.old,
            judgments=self.judgments,
            policy=rule_name_in(self.standing.store),
            pools=self.standing.pooled,
            rule=AS_GIVEN,
        )

    @cached_property
    def upkeep(self) -> Upkeep:
        """Challenges of the labels that are in force where the pools are not decided themselves."""
        counted = merge_same_texts(resolve_pairs(self.judgments), self.standing.pooled)
        rule = rule_in(self.standing.store)
        return settle_challenges(self.old, self.standing.challenges, counted, rule=rule, pools=self.standing.pooled)

    @cached_property
    def best(self) -> dict[str, tuple[str, ...]]:
        """New best answers, by query, where they are decided and nobody refused them."""
        won = {each.query_id: self.upkeep.results[each.query_id].best for each in self.upkeep.won}
        found = {**self.judged, **{query: best for query, best in won.items() if query not in self.judged}}
        return {query_id: best for query_id, best in found.items() if query_id not in self.refused}

    @cached_property
    def changed(self) -> list[str]:
        """Queries whose best answers would be others."""
        return changed_queries(self.old, self.best)

    @cached_property
    def qrels(self) -> Qrels:
        """All labels of the version: as they were but for the queries that change."""
        return next_version(self.old, self.best)

    @cached_property
    def losses(self) -> str:
        """What the version would do to judgments, empty where it loses none: else it is not published."""
        found = find_losses(self.old, self.qrels)
        return found.say() if found else ""
