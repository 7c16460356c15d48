"""What do a bundle's tables say of campaigns? All that decides labels, with assessors under names drawn for it alone.

Seats, what a platform calls a person, and notes to organisers stay here. No two bundles call anybody the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from toprung.boards.archive import tables
from toprung.data.judgments import AssessorKind, Judgment, Judgments
from toprung.labels.effort.store import JUDGMENTS
from toprung.labels.tasks.desk_records import ASSIGNMENTS
from toprung.web.core.models.boards import Board
from toprung.web.core.models.campaigns import LabelOrigin
from toprung.web.core.models.judging import Campaign, JudgingBook, JudgingRecord
from toprung.web.services.bundle.fields import encode
from toprung.web.services.bundle.people import Mentioned
from toprung.web.services.bundle.stored_tables import BATCH, CAMPAIGN_TABLES, Rows, StoredTable, name_labels
from toprung.web.services.judging.campaigns.export import KINDS
from toprung.web.services.judging.identity import draw_id
from toprung.web.services.judging.money import PAYMENTS
from toprung.web.services.judging.seats import CONSENTS

RECORDED = (*KINDS, PAYMENTS, CONSENTS)
"""Kinds of records that come along."""
NAMING_ASSESSORS = (JUDGMENTS, ASSIGNMENTS, CONSENTS)


class CampaignTables:
    """The campaigns of a board on their way into a bundle; those on hidden labels only with what is hidden."""

    def __init__(self, board: Board, people: Mentioned, *, with_hidden: bool) -> None:
        self._board, self._people, self._with_hidden = board, people, with_hidden
        found = board.campaigns.select_related("label_set", "book").order_by("pk")
        self._campaigns = [each for each in found if with_hidden or not each.label_set.is_hidden]
        self._names: defaultdict[tuple[int, str], str] = defaultdict(draw_id)
        """By campaign and assessor: drawn anew for each bundle."""

    def write(self) -> Iterator[tuple[str, Rows]]:
        yield tables.CAMPAIGNS, self._rows()
        for table in CAMPAIGN_TABLES:
            yield table.name, self._rows_of(table)
        yield tables.ORIGINS, self._origins()
        yield tables.RECORDS, self._records()

    def _rows(self) -> Rows:
        for each in self._campaigns:
            judgments = [self._to_record(row)["content"] for row in _records_of(each, JUDGMENTS)]
            book = JudgingBook.objects.get(campaign=each)
            yield encode(each) | {
                "labels": name_labels(each.label_set),
                "created_by": self._people.call(each.created_by_id),
                "manifest": book.manifest,
                "n_seats": book.n_seats,
                "judgments_digest": Judgments.of(map(Judgment.from_record, judgments)).digest,
            }

    def _rows_of(self, table: StoredTable) -> Rows:
        for each in self._campaigns:
            yield from table.write(each, self._people)

    def _origins(self) -> Rows:
        """Of every version; by which campaign, and which answers may be best, only where that may come along."""
        known = {each.pk: each.slug for each in self._campaigns}
        for each in LabelOrigin.objects.filter(label_set__board=self._board).select_related("label_set").order_by("pk"):
            yield encode(each) | {
                "labels": name_labels(each.label_set),
                "campaign": None if each.campaign_id is None else known.get(each.campaign_id),
                "doubt": each.doubt if self._with_hidden or not each.label_set.is_hidden else {},
            }

    def _records(self) -> Rows:
        for campaign in self._campaigns:
            for kind in RECORDED:
                for each in _records_of(campaign, kind):
                    yield self._to_record(each) | {"campaign": campaign.slug}

    def _to_record(self, record: JudgingRecord) -> dict[str, Any]:
        content = record.content
        is_person = record.kind in NAMING_ASSESSORS and content.get("kind") != AssessorKind.LLM
        if is_person and content.get("assessor"):
            content = {**content, "assessor": self._names[record.campaign_id, content["assessor"]]}
        return encode(record) | {"content": content}


def _records_of(campaign: Campaign, kind: str) -> Iterator[JudgingRecord]:
    return campaign.records.filter(kind=kind).order_by("number").iterator(chunk_size=BATCH)
