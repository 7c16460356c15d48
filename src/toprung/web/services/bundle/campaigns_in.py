"""How do the campaigns of a bundle come back? As they stood, paused, with seats at which nobody can sit.

All that a desk would read is read once, so that records which do not fit are refused and not met by an assessor.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from itertools import chain
from typing import Any

from toprung.boards.archive import tables
from toprung.boards.archive.bundle import Bundle
from toprung.boards.archive.references import REFERENCES
from toprung.boards.archive.rows import Row
from toprung.errors import FormatError, InputError
from toprung.labels.best.preference_qrels import PERCENT
from toprung.labels.best.upkeep import read_challenges
from toprung.labels.effort.manifest_check import check_manifest
from toprung.labels.effort.store import JUDGMENTS
from toprung.labels.plans.plan import read_plan
from toprung.labels.pools.store import read_pools
from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.models.boards import Board
from toprung.web.core.models.campaigns import CampaignDesign, LabelOrigin
from toprung.web.core.models.judging import (
    GIVES_OUT_WORK,
    AssessorSeat,
    Campaign,
    CampaignState,
    Ending,
    JudgingBook,
    JudgingRecord,
)
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.bundle.campaigns_out import NAMING_ASSESSORS, RECORDED
from toprung.web.services.bundle.fields import decode
from toprung.web.services.bundle.stored_tables import Here, find_named
from toprung.web.services.judging.campaigns.importing import check_queries
from toprung.web.services.judging.campaigns.plan import check
from toprung.web.services.judging.examples import examples_of
from toprung.web.services.judging.money import PAYMENTS
from toprung.web.services.judging.seats import CONSENTS
from toprung.words.visible import in_one_line

BESIDE = ("manifest", "judgments_digest", "n_seats")
LONGEST_ID = 64
MOST_SEATS = 1_000_000_000
COUNTS = frozenset({"n_judged", "n_decided", "n_votes", "n_people", "at_least", "mean", "expected_wrong"})


def add_campaign(row: Row, board: Board, here: Here) -> Campaign:
    """Paused where it gave out work: who imports it looks at it first."""
    named = find_named(row, tables.CAMPAIGNS, here)
    others = (*REFERENCES[tables.CAMPAIGNS], *BESIDE)
    labels, creator = named["labels"], named["created_by"]
    campaign = decode(Campaign, row, others=others, board=board, label_set=labels, created_by=creator)
    _check_written(row, campaign)
    if campaign.state in GIVES_OUT_WORK:
        campaign.state = CampaignState.PAUSED
    if not isinstance(row["manifest"], dict):
        row.refuse("a manifest that is no object", "one")
    check_manifest(row["manifest"], f"{row.source}, {campaign.slug}")
    campaign.save(force_insert=True)
    JudgingBook.objects.create(campaign=campaign, manifest=row["manifest"], n_seats=_read_seats(row))
    return campaign


def _read_seats(row: Row) -> int:
    n_seats = row.whole("n_seats")
    if not 0 <= n_seats <= MOST_SEATS:
        row.refuse(f"{n_seats} seats", f"from 0 to {MOST_SEATS:,}")
    return n_seats


def _check_written(row: Row, campaign: Campaign) -> None:
    """What pages and platforms are told by it."""
    codes = campaign.codes.items()
    if not all(key in Ending.values and isinstance(code, str) and len(code) <= LONGEST_ID for key, code in codes):
        row.refuse("codes of another kind", "a text for each ending")
    try:
        examples = examples_of(campaign)
        is_readable = len(examples) == 3 and all(
            isinstance(text, str) for each in examples for text in vars(each).values()
        )
    except TypeError:
        is_readable = False
    if not is_readable:
        row.refuse("examples of another kind", "three, each a question, two passages, which is better and why")


def read_origins(rows: Iterable[Row], here: Here) -> Iterator[LabelOrigin]:
    for row in rows:
        named = find_named(row, tables.ORIGINS, here)
        _check_sureness(row)
        _check_doubt(row)
        given = {"label_set": named["labels"], "campaign": named["campaign"]}
        yield decode(LabelOrigin, row, others=tuple(REFERENCES[tables.ORIGINS]), **given)


def _check_sureness(row: Row) -> None:
    """Pages say it in words: counts, a mean where there is one, and bins of three numbers."""
    told = row["sureness"]
    if not isinstance(told, dict) or not COUNTS.issubset(told):
        row.refuse("a sureness of another form", "counts of queries, votes and people")
    numbers = [each for key, each in told.items() if key != "bins" and not (key == "mean" and each is None)]
    bins = told.get("bins", [])
    is_fine = isinstance(bins, list) and all(isinstance(each, list) and len(each) == 3 for each in bins)
    if not is_fine or not all(type(each) in (int, float) for each in (*numbers, *chain.from_iterable(bins))):
        row.refuse("a sureness that is no numbers", "counts of queries, votes and people")


def _check_doubt(row: Row) -> None:
    """Results are computed from it: answers with chances in percent, by query, and which of them have one text."""
    told = row["doubt"]
    chances, same_text = (_by_query(told, name) for name in ("chances", "same_text"))
    if chances is None or same_text is None:
        row.refuse("a doubt of another form", "chances and same_text, by query")
    is_percent = all(
        any(docs.values()) and all(type(each) is int and 0 <= each <= PERCENT for each in docs.values())
        for docs in chances.values()
    )
    if not is_percent or not all(isinstance(each, str) for docs in same_text.values() for each in docs.values()):
        row.refuse("a doubt that is no chances", "whole percentages of answers, and which of these have one text")


def _by_query(told: Any, name: str) -> dict[str, dict[str, Any]] | None:
    """None where it is something else."""
    found = told.get(name, {}) if isinstance(told, dict) else None
    is_fine = isinstance(found, dict) and all(isinstance(docs, dict) for docs in found.values())
    return found if is_fine else None


def read_records(rows: Iterable[Row], here: Here) -> Iterator[JudgingRecord]:
    for row in rows:
        campaign = find_named(row, tables.RECORDS, here)["campaign"]
        if row.text("kind") not in RECORDED:
            row.refuse(f"records of the kind {row.text('kind')[:40]}", f"one of {', '.join(RECORDED)}")
        made = decode(JudgingRecord, row, others=("campaign",), campaign=campaign)
        if made.kind == JUDGMENTS:
            made.answer_id = _an_id(row, made.content, "judgment_id")
        if made.kind in NAMING_ASSESSORS and "assessor" in made.content:
            _an_id(row, made.content, "assessor")
        if made.kind == CONSENTS:
            _check_consent(row, made.content)
        if made.kind == PAYMENTS:
            _check_payment(row, made.content)
        yield made


def _an_id(row: Row, content: dict[str, Any], name: str) -> str:
    value = content.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_ID:
        row.refuse(f"a record whose {name} is none", f"a text of at most {LONGEST_ID} characters")
    return value


def _check_consent(row: Row, content: dict[str, Any]) -> None:
    _an_id(row, content, "assessor")
    if type(content.get("version")) is not int or content["version"] < 1:
        row.refuse("a consent that is none", "the version that an assessor agreed to")


def _check_payment(row: Row, content: dict[str, Any]) -> None:
    _an_id(row, content, "assignment_id")
    try:
        amount = Decimal(_an_id(row, content, "amount"))
        is_money = amount.is_finite() and amount >= 0
    except InvalidOperation:
        is_money = False
    if not is_money or type(content.get("n_answered")) is not int:
        row.refuse("a payment that is none", "an amount for so many answers")


def take_up(bundle: Bundle, campaigns: dict[str, Campaign]) -> None:
    """Once all rows are stored: count the records, read them as a desk does, and give their assessors seats."""
    for row in bundle.rows(tables.CAMPAIGNS):
        campaign = campaigns[row.text("slug")]
        _count_records(campaign)
        try:
            digest = _read_all(campaign)
        except (InputError, AttributeError, KeyError, TypeError, ValueError) as error:
            raise FormatError(
                source=bundle.source,
                found=f"a campaign {campaign.slug} that cannot go on ({in_one_line(str(error))[:300]})",
                expected="the records of a desk",
            ) from None
        if digest != row.text("judgments_digest"):
            row.refuse(f"other judgments than those of {campaign.slug} once they were stored here", "the same")


def _count_records(campaign: Campaign) -> None:
    counts = Counter(campaign.records.order_by().values_list("kind", flat=True))
    JudgingBook.objects.filter(campaign=campaign).update(counts=dict(counts))


def _read_all(campaign: Campaign) -> str:
    """The digest of its judgments; an InputError says what does not fit."""
    design = CampaignDesign.objects.filter(campaign=campaign).first()
    if design is None:
        raise InputError("found no design; expected how it asks")
    check(campaign, design)
    store = CampaignRecords(campaign)
    digest = store.read_judgments().digest
    read_plan(store)
    read_challenges(store)
    for pool in read_pools(store):
        if not pool.items:
            raise InputError(f"found an empty pool of {pool.query_id}; expected answers")
    if campaign.label_set.file:
        check_queries(campaign, store)
    sitting = Sitting(store)
    _seat(campaign, sitting)
    return digest


def _seat(campaign: Campaign, sitting: Sitting[CampaignRecords]) -> None:
    """So that organisers can still take somebody's work out of use; no cookie and no account leads there.

    They are numbered on: what the audit log of the other host says of a number is said of nobody here.
    """
    names = dict.fromkeys(
        [each.assessor for each in sitting.assignments] + [each.assessor for each in sitting.desk.judgments.values()]
    )
    first = campaign.book.n_seats + 1
    seats = [
        AssessorSeat(campaign=campaign, assessor=name, number=number)
        for number, name in enumerate(filter(None, names), start=first)
    ]
    AssessorSeat.objects.bulk_create(seats)
    JudgingBook.objects.filter(campaign=campaign).update(n_seats=first - 1 + len(seats))
