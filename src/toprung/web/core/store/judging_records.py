"""Where do the records of a campaign lie? In the server's database: the same store of records that a folder is.

One transaction at a time writes to a campaign: it locks the row of its book. The book knows how many records there are
of each kind, so that who has read all of them asks for none. Sittings, plans, quality and resolution of the library
run on it as they do in a folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db import transaction

from toprung.errors import InputError
from toprung.labels.effort.effort import LAYOUT
from toprung.labels.effort.manifest_check import check_manifest
from toprung.labels.effort.store import JUDGMENTS, RecordStore
from toprung.web.core.models.judging import Campaign, JudgingBook, JudgingRecord

INSERTED_AT_ONCE = 500


class CampaignRecords(RecordStore):
    """The records of one campaign. Each thread has a store of its own; what an exception left is taken back."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign_pk = campaign.pk
        self._name = campaign.slug
        self._held: JudgingBook | None = None
        """The book while it is locked here."""

    @contextmanager
    def alone(self, *, durable: bool = False) -> Iterator[None]:
        """``durable``: it is all of a transaction, and kept when this is left."""
        if self._held is not None:
            yield
            return
        with transaction.atomic(durable=durable):
            self._held = self._lock_book()
            try:
                yield
            finally:
                self._held = None

    def _lock_book(self) -> JudgingBook:
        book = JudgingBook.objects.select_for_update(no_key=True).filter(campaign_id=self._campaign_pk).first()
        if book is None:
            raise InputError(f"Campaign {self._name}: found no records; expected those it was made with.")
        return book

    def _book(self) -> JudgingBook:
        return self._held or JudgingBook.objects.get(campaign_id=self._campaign_pk)

    @property
    def generation(self) -> int:
        """Counts how often records were taken out or changed."""
        return self._book().generation

    @property
    def manifest(self) -> dict[str, Any]:
        return dict(self._book().manifest)

    def note(self, entries: Mapping[str, Any]) -> None:
        with self.alone():
            book = self._book()
            manifest = {**book.manifest, **entries}
            check_manifest(manifest, self._name)
            book.manifest = manifest
            book.save(update_fields=["manifest"])

    def read(self, kind: str, *, after: int = 0) -> list[dict[str, Any]]:
        if self._held is not None and self._held.counts.get(kind, 0) <= after:
            return []
        records = JudgingRecord.objects.filter(campaign_id=self._campaign_pk, kind=kind, number__gt=after)
        return list(records.order_by("number").values_list("content", flat=True))

    def append(self, kind: str, records: Iterable[Mapping[str, Any]]) -> None:
        with self.alone():
            book = self._book()
            first = book.counts.get(kind, 0) + 1
            rows = [self._row(kind, number, dict(each)) for number, each in enumerate(records, start=first)]
            JudgingRecord.objects.bulk_create(rows, batch_size=INSERTED_AT_ONCE)
            book.counts = {**book.counts, kind: first - 1 + len(rows)}
            book.save(update_fields=["counts"])

    def _row(self, kind: str, number: int, content: dict[str, Any]) -> JudgingRecord:
        answer_id = content.get("judgment_id") if kind == JUDGMENTS else None
        return JudgingRecord(
            campaign_id=self._campaign_pk, kind=kind, number=number, content=content, answer_id=answer_id
        )

    def rewrite(self, kind: str, change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> None:
        """Change records of a kind, or take them out where nothing is given back; those that stay are counted anew.

        Nothing else changes a record: people may ask that theirs be forgotten.
        """
        with self.alone():
            book = self._book()
            rows = list(JudgingRecord.objects.filter(campaign_id=self._campaign_pk, kind=kind).order_by("number"))
            kept = [(row, content) for row in rows if (content := change(row.content)) is not None]
            JudgingRecord.objects.filter(campaign_id=self._campaign_pk, kind=kind).delete()
            again = [self._again(row, number, content) for number, (row, content) in enumerate(kept, start=1)]
            JudgingRecord.objects.bulk_create(again, batch_size=INSERTED_AT_ONCE)
            book.counts = {**book.counts, kind: len(again)}
            book.generation += 1
            book.save(update_fields=["counts", "generation"])

    def _again(self, row: JudgingRecord, number: int, content: dict[str, Any]) -> JudgingRecord:
        made = self._row(row.kind, number, content)
        made.at = row.at
        return made

    def name_of(self, kind: str) -> str:
        return f"{self._name}, {kind}"


def start_records(campaign: Campaign, manifest: Mapping[str, Any] | None = None) -> CampaignRecords:
    """The empty book of a new campaign."""
    JudgingBook.objects.create(campaign=campaign, manifest={"layout": LAYOUT, **(manifest or {})})
    return CampaignRecords(campaign)
