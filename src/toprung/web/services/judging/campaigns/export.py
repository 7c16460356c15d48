"""What leaves the server? Judgments without identities, in the formats of other tools, and a sheet that tells of them.

Assessors are called as in the records: by digests that are others in each campaign, so that two campaigns cannot be
joined. The folder of an effort holds all that the commands of `toprung labels` need to come to the same labels.
"""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from toprung.data.formats.judgments.rows import JudgmentFormat
from toprung.data.formats.judgments.source_tsv import SourceTsv, to_source_tsv
from toprung.data.formats.judgments.writing import WRITERS, write_judgments
from toprung.data.judgments import Judgments
from toprung.errors import InputError
from toprung.labels.best.challenges import best_answers
from toprung.labels.best.upkeep import CHALLENGES
from toprung.labels.effort.effort import Effort
from toprung.labels.effort.store import JUDGMENTS
from toprung.labels.pools.store import POOLS
from toprung.labels.tasks.desk_records import ASSIGNMENTS, GOLDS, TASKS
from toprung.web.core.models.judging import Campaign
from toprung.web.core.models.people import User
from toprung.web.core.store import texts
from toprung.web.core.store.audit import record
from toprung.web.core.store.columns import labels_of
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.core.store.locks import lock_board
from toprung.web.services.data.opening import note_organiser
from toprung.web.services.judging.answers import HIGHLIGHTS
from toprung.web.services.judging.campaigns.standing import CampaignStanding
from toprung.web.services.judging.seats import CONSENTS

FOLDER, SHEET = "folder", "sheet"
SOURCE = str(JudgmentFormat.ARABZADEH)
"""The label against another answer, with texts."""
FORMATS = (*(str(each) for each in WRITERS), SOURCE, FOLDER, SHEET)
ENDINGS = {
    JudgmentFormat.JSONL: "jsonl",
    JudgmentFormat.LABEL_STUDIO: "json",
    JudgmentFormat.WATERLOO: "txt",
}
KINDS = (POOLS, GOLDS, TASKS, ASSIGNMENTS, JUDGMENTS, CHALLENGES, HIGHLIGHTS)


@dataclass(frozen=True, kw_only=True)
class ExportedFile:
    """A file to send."""

    name: str
    content: bytes
    content_type: str = "application/octet-stream"


def export_campaign(campaign: Campaign, as_format: str, *, by: User) -> ExportedFile:
    """On record: golds and hidden labels can be read from it."""
    with lock_board(campaign.board_id) as board:
        record(board, by, f"Exported the judgments of {campaign.slug} as {as_format}")
    if as_format == SHEET:
        content = json.dumps(data_sheet(campaign), indent=2, ensure_ascii=False).encode()
        return ExportedFile(name=f"{campaign.slug}-sheet.json", content=content, content_type="application/json")
    if as_format == FOLDER:
        return ExportedFile(name=f"{campaign.slug}.zip", content=_folder(campaign), content_type="application/zip")
    judgments = CampaignRecords(campaign).read_judgments()
    if as_format == SOURCE:
        content = source_tsv(campaign, judgments, by=by).text.encode()
        return ExportedFile(name=f"{campaign.slug}.tsv", content=content)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "judgments"
        write_judgments(judgments, path, format=as_format)
        ending = ENDINGS.get(JudgmentFormat(as_format), "csv")
        return ExportedFile(name=f"{campaign.slug}.{ending}", content=path.read_bytes())


def export_folder(campaign: Campaign, effort: Effort, *, by: User) -> Judgments:
    """To the folder of an effort on this machine, which has to be new; on record, as any other export."""
    if any(effort.read(kind) for kind in KINDS):
        raise InputError(f"{effort.folder}: found the records of an effort; expected a new folder.")
    with lock_board(campaign.board_id) as board:
        record(board, by, f"Exported the judgments of {campaign.slug} as {FOLDER}")
    copy_records(CampaignRecords(campaign), effort)
    return effort.read_judgments()


def source_tsv(campaign: Campaign, judgments: Judgments, *, by: User) -> SourceTsv:
    """Against the labels that the campaign looks into; that texts of hidden queries leave is on record."""
    asked = sorted({each.query_id for each in judgments.current})
    named = {doc_id for each in judgments.current for doc_id in (each.left, each.right)}
    note_organiser(campaign.board, asked, reason=f"Exported the judgments of {campaign.slug} with texts", by=by)
    return to_source_tsv(
        judgments,
        labels=best_answers(labels_of(campaign.label_set)),
        queries=texts.queries(campaign.board, asked),
        documents=texts.passages(campaign.board, named),
    )


def _folder(campaign: Campaign) -> bytes:
    """The folder of a judging effort, packed, with the sheet beside it."""
    packed = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        place = Path(folder) / campaign.slug
        copy_records(CampaignRecords(campaign), Effort.open_or_create(place))
        for path in sorted(place.iterdir()):
            if not path.name.startswith("."):
                archive.write(path, f"{campaign.slug}/{path.name}")
        archive.writestr(f"{campaign.slug}/sheet.json", json.dumps(data_sheet(campaign), indent=2, ensure_ascii=False))
    return packed.getvalue()


def copy_records(store: CampaignRecords, effort: Effort) -> None:
    """All that decides labels, as it stands; and which answers were given with words marked."""
    effort.note({key: value for key, value in store.manifest.items() if key != "layout"})
    for kind in KINDS:
        if records := store.read(kind):
            effort.append(kind, records)


def data_sheet(campaign: Campaign) -> dict[str, Any]:
    """Who judged, how many, what they were paid, under which consent, by which rule, with which golds."""
    standing = CampaignStanding.read(campaign)
    design = campaign.design
    judgments = standing.judgments
    return {
        "campaign": campaign.title,
        "board": campaign.board.slug,
        "labels": {"digest": campaign.label_set.digest, "version": campaign.label_set.version},
        "started": None if campaign.started_at is None else campaign.started_at.isoformat(),
        "closed": None if campaign.closed_at is None else campaign.closed_at.isoformat(),
        "access": campaign.access,
        "assessors": len({each.assessor for each in judgments.rows if each.kind == "human"}),
        "judgments": len(judgments),
        "judgments_digest": judgments.digest,
        "votes_in_use": sum(outcome.n for outcome in standing.outcomes.values()),
        "queries": len(standing.several),
        "golds": len(standing.sitting.golds),
        "golds_per_task": design.golds_per_task,
        "missed_golds_that_void": design.misses,
        "pairs_per_task": design.pairs_per_task,
        "reward": str(campaign.reward),
        "currency": campaign.currency,
        "fee": str(campaign.fee),
        "spent": str(standing.spent),
        "judgments_by_consent_version": _count_by_consent(campaign),
        "guidelines_version": campaign.guidelines_version,
        "ties_allowed": campaign.allows_ties,
        "words_may_be_marked": campaign.allows_highlighting,
        "judgments_with_words_marked": len(standing.store.read(HIGHLIGHTS)),
        "plan": standing.plan.say(),
        "rule": "strength",
        "at_least": design.at_least,
        "penalty": standing.prior.penalty,
        "challenge_rule": design.challenge_rule,
        "seed": design.seed,
        "names": "digests by a secret of the server, others in each campaign",
    }


def _count_by_consent(campaign: Campaign) -> dict[str, int]:
    """How many judgments were made under which consent text; under none are those that came from a folder."""
    agreed: dict[str | None, list[tuple[datetime, int]]] = {}
    for content, at in _with_times(campaign, CONSENTS):
        agreed.setdefault(content["assessor"], []).append((at, content["version"]))
    found = Counter(
        next((version for since, version in reversed(agreed.get(content.get("assessor"), [])) if since <= at), 0)
        for content, at in _with_times(campaign, JUDGMENTS)
    )
    return {str(version or "none"): found[version] for version in sorted(found)}


def _with_times(campaign: Campaign, kind: str) -> Iterator[tuple[dict[str, Any], datetime]]:
    return campaign.records.filter(kind=kind).order_by("number").values_list("content", "at").iterator()
