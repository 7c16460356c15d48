"""How do votes become labels? As the next version of the set, with the rule, λ and the digest of the judgments."""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from toprung.boards.disclosure.disclosure import nearest_ten
from toprung.data.formats.qrels_writing import write_qrels
from toprung.labels.pools.store import read_pools
from toprung.web.core.access.reasons import check_reason
from toprung.web.core.models.campaigns import LabelOrigin, RefusedLabel
from toprung.web.core.models.judging import Campaign
from toprung.web.core.models.labels import LabelSet, LabelSource
from toprung.web.core.models.people import User
from toprung.web.core.queue import enqueue_once, review_campaign
from toprung.web.core.store.audit import record
from toprung.web.core.store.columns import labels_of
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.core.store.locks import lock_board
from toprung.web.core.store.provenance import shorten
from toprung.web.services.judging.campaigns.new_labels import AS_GIVEN, NewLabels
from toprung.web.services.judging.campaigns.plan import CampaignRefusedError
from toprung.web.services.judging.campaigns.review import current_labels, new_labels_of
from toprung.web.services.labels.publish import plan_version, publish

BINS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)


def refuse_label(campaign: Campaign, query_id: str, *, reason: str, by: User) -> RefusedLabel:
    """A query keeps its old label, whatever the votes say."""
    reason = check_reason(reason)
    if not _is_asked_or_labelled(campaign, query_id):
        raise CampaignRefusedError("Found no such query; expected one of this campaign. Nothing was changed.")
    with lock_board(campaign.board_id) as board:
        refused, _ = RefusedLabel.objects.update_or_create(
            campaign=campaign, query_id=query_id, defaults={"reason": reason, "by": by, "at": timezone.now()}
        )
        record(board, by, f"Refused the new label of a query in {campaign.slug}", reason=reason)
    enqueue_once(review_campaign, campaign.pk)
    return refused


def _is_asked_or_labelled(campaign: Campaign, query_id: str) -> bool:
    if any(pool.query_id == query_id for pool in read_pools(CampaignRecords(campaign))):
        return True
    return query_id in labels_of(current_labels(campaign)).query_ids


def accept_label(campaign: Campaign, query_id: str, *, by: User) -> None:
    """Take a refusal back."""
    with lock_board(campaign.board_id) as board:
        deleted, _ = RefusedLabel.objects.filter(campaign=campaign, query_id=query_id).delete()
        if deleted:
            record(board, by, f"Accepted the new label of a query in {campaign.slug} after all")
    enqueue_once(review_campaign, campaign.pk)


def publish_labels(campaign: Campaign, *, changes: str, by: User, digest: str = "") -> LabelSet:
    """The next version of the set, prepared as any other; ``digest`` is that of the labels that were reviewed.

    Queries that are not sure enough, or were refused, keep their old label.
    """
    found = new_labels_of(campaign)
    if not found.changed:
        raise CampaignRefusedError("Found no label that would change; expected at least one. Judge more pairs first.")
    if digest and digest != found.qrels.digest:
        raise CampaignRefusedError(
            "Found votes or labels that came after this was reviewed; expected to look at them first."
        )
    return publish_found(campaign, found, changes=changes, by=by)


def publish_found(campaign: Campaign, found: NewLabels, *, changes: str, by: User) -> LabelSet:
    """Labels that were computed, as the next version."""
    with tempfile.TemporaryDirectory(dir=settings.ENVIRONMENT.incoming) as folder:
        path = Path(folder) / "labels.txt"
        write_qrels(found.qrels, path)
        name = f"{campaign.slug}-v{found.current.version + 1}.txt"
        plan = plan_version(found.current, path, name)
        made = {"manifest": found.version.manifest.to_record(), "sureness": _sureness(found), "doubt": found.doubt}
        with transaction.atomic():  # whoever computes results of the version knows where it comes from
            labels = publish(campaign.board, found.current, plan, changes=changes, by=by, source=LabelSource.PREFERENCE)
            counted_until = found.standing.read_at
            LabelOrigin.objects.create(label_set=labels, campaign=campaign, counted_until=counted_until, **made)
    return labels


def _sureness(found: NewLabels) -> dict[str, Any]:
    """How sure the labels are, in counts."""
    sure = [found.standing.posteriors[query].confidence for query in found.judged if query in found.standing.posteriors]
    bins = [[low, high, sum(low <= p < high or p == high == 1.0 for p in sure)] for low, high in pairwise(BINS)]
    judged = len(found.standing.several)
    return {
        "n_judged": judged,
        "n_decided": len(found.judged),
        "n_changed": len(found.changed),
        "n_kept_old": judged - len(found.judged),
        "n_refused": len(found.refused),
        "mean": round(sum(sure) / len(sure), 4) if sure else None,
        "expected_wrong": round(sum(1 - p for p in sure), 1),
        "bins": bins,
        "n_votes": sum(outcome.n for outcome in found.standing.outcomes.values()),
        "n_people": len({each.assessor for each in found.judgments.rows}),
        "at_least": found.standing.design.at_least,
    }


def say_sureness(labels: LabelSet, *, is_exact: bool) -> str:
    """How labels that votes made are sure; nothing of others. Counts are about where labels are hidden."""
    origin = LabelOrigin.objects.filter(label_set=labels).first()
    if origin is None:
        return ""
    told = origin.sureness
    mean = "" if told["mean"] is None else f", {told['mean']:.2f} in the mean"
    wrong = f" About {told['expected_wrong']:g} of the new ones are expected to be wrong." if is_exact else ""
    decided, judged = (f"{told[key]:,}" if is_exact else _about(told[key]) for key in ("n_decided", "n_judged"))
    return (
        f"{told['n_votes']:,} votes of {told['n_people']:,} people decided {decided} of {judged} judged queries: their "
        f"labels are best with P(best) of at least {told['at_least']:g}{mean}. The others kept their label.{wrong}"
        f"{_say_manifest(origin.manifest)}"
    )


def _say_manifest(manifest: dict[str, Any]) -> str:
    """By which rule, with which prior, from which judgments: what whoever has these needs to find the same labels."""
    rule, penalty, digest = (manifest.get(name) for name in ("rule", "penalty", "judgments_digest"))
    if rule == AS_GIVEN:  # of challenges alone
        rule = manifest.get("policy")
    if not (isinstance(rule, str) and isinstance(digest, str)):
        return ""
    prior = f" (λ = {penalty:.2f})" if isinstance(penalty, float) else ""
    return f" Found by {rule}{prior} from judgments {shorten(digest)}."


def _about(n: int) -> str:
    return f"about {nearest_ten(n):,}"
