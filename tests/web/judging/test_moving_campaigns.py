"""A board moves with its campaigns: every judgment and nobody's name; texts only if asked for; people go on judging."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from pytest_django import DjangoDbBlocker
from tests.web.bundles.test_exporting_a_board import members_of, rows_of
from tests.web.bundles.test_importing_hostile_bundles import change_row
from tests.web.cast import make_cast
from tests.web.drawing import figures_left_out
from tests.web.judging.campaigns import draft, work
from tests.web.judging.world import answers_of
from tests.web.moving import export, import_from, make_newcomer

from toprung.boards.archive.rows import Row
from toprung.boards.archive.verifying import verify_bundle
from toprung.errors import InputError
from toprung.web.core.models.boards import Board
from toprung.web.core.models.campaigns import LabelOrigin
from toprung.web.core.models.data import FileKind
from toprung.web.core.models.judging import AssessorSeat, Campaign, CampaignAccess, CampaignState, JudgingNote
from toprung.web.core.models.labels import LabelUse
from toprung.web.core.store import texts
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.bundle.campaigns_in import read_records
from toprung.web.services.bundle.campaigns_out import RECORDED
from toprung.web.services.data.give import FileSaid, give_file, give_link
from toprung.web.services.data.terms import set_terms
from toprung.web.services.following.announce import announce
from toprung.web.services.judging.campaigns.change import change_texts, pause, resume
from toprung.web.services.judging.campaigns.start import start
from toprung.web.services.judging.identity import draw_id
from toprung.web.services.judging.prolific import Arrival, assessor_of
from toprung.web.services.judging.seats import consent, take_place, take_seat

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

PLATFORM_ID = "5f3c0ffee5f3c0ffee5f3c0f"
SURENESS = {
    "n_judged": 3,
    "n_decided": 2,
    "mean": 0.95,
    "expected_wrong": 0.1,
    "n_votes": 9,
    "n_people": 3,
    "at_least": 0.9,
}
CODES = {"complete": "C0DE1", "left_early": "C0DE2"}
NOTE = "My name is Quokka, and I would like more of these."
"""What an assessor wrote to the organisers."""


@dataclass(frozen=True, kw_only=True)
class Moved:
    """Bundles of a board with a running campaign on hidden labels, and what it held."""

    full: Path
    again: Path
    """The same once more."""
    plain: Path
    without_texts: Path
    assessors: list[str]
    n_records: dict[str, int]
    answers: list[list[str]]


def _answers_of(campaign: Campaign) -> list[list[str]]:
    """Without who gave them."""
    return [[an_id, *pair] for an_id, _, *pair in answers_of(campaign)]


@pytest.fixture(scope="module")
def moved(django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory) -> Moved:
    folder = tmp_path_factory.mktemp("campaigns")
    paths = {name: folder / f"{name}.toprung" for name in ("full", "again", "plain", "without_texts")}
    with django_db_blocker.unblock(), transaction.atomic(), figures_left_out():
        cast = make_cast(is_hidden=True)
        campaign = draft(
            cast,
            access=CampaignAccess.PROLIFIC,
            shows_hidden_to_strangers=True,
            study_id="study-12345",
            codes=CODES,
        )
        start(campaign, by=cast.organiser)
        change_texts(campaign, by=cast.organiser, guidelines="Read both.", consent="It is your choice.")
        campaign.refresh_from_db()
        assessors = [assessor_of(campaign, PLATFORM_ID), assessor_of(campaign, PLATFORM_ID[::-1])]
        take_seat(campaign, draw_id())  # who left again
        for name in assessors:
            consent(take_place(campaign, AnonymousUser(), arrival=Arrival(assessor=name, session=draw_id())))
            assert work(campaign, name) is not None
        JudgingNote.objects.create(campaign=campaign, assessor=assessors[0], text=NOTE)
        LabelOrigin.objects.create(
            label_set=cast.board.label_sets.get(use=LabelUse.OFFICIAL),
            campaign=campaign,
            manifest={},
            sureness=SURENESS,
            doubt={"chances": {"q01": {"rel-q01": 75, "other-q01-1": 25}}, "same_text": {}},
        )
        announce(cast.board, "It begins", "In *May*.", by=cast.organiser)
        set_terms(cast.board, "For research.", by=cast.organiser)
        (folder / "kit.txt").write_text("Read this first.\n")
        give_file(cast.board, FileSaid(kind=FileKind.KIT, name="kit.txt"), folder / "kit.txt", by=cast.organiser)
        said = FileSaid(kind=FileKind.CORPUS, name="corpus.tar")
        give_link(cast.board, said, "https://data.example.org/corpus.tar", "a" * 64, by=cast.organiser)
        for name, reason, with_texts in (
            ("full", "The board moves.", True),
            ("again", "The board moves.", True),
            ("plain", None, True),
            ("without_texts", "The board moves.", False),
        ):
            export(cast.board, paths[name], by=cast.organiser, reason=reason, with_texts=with_texts)
        store = CampaignRecords(campaign)
        made = Moved(
            **paths,
            assessors=assessors,
            n_records={kind: len(store.read(kind)) for kind in RECORDED},
            answers=_answers_of(campaign),
        )
        transaction.set_rollback(True)
    return made


def test_a_campaign_comes_back_with_every_judgment(moved: Moved) -> None:
    board = import_from(moved.full, by=make_newcomer()).board
    campaign = board.campaigns.get()
    assert _answers_of(campaign) == moved.answers
    assert len(moved.answers) == 2 * 13
    store = CampaignRecords(campaign)
    assert {kind: len(store.read(kind)) for kind in RECORDED} == moved.n_records
    assert (campaign.consent, campaign.consent_version) == ("It is your choice.", 2)
    assert (campaign.guidelines, campaign.guidelines_version) == ("Read both.", 2)
    assert (campaign.codes, campaign.study_id, str(campaign.budget)) == (CODES, "study-12345", "400.00")
    assert campaign.proposed_golds.filter(verdict="kept").exists()
    assert [(each.headline, each.text) for each in board.announcements.all()] == [("It begins", "In *May*.")]
    assert board.data_terms.get().text == "For research."


def test_it_is_paused_and_goes_on_from_there(moved: Moved) -> None:
    campaign = import_from(moved.full, by=(newcomer := make_newcomer())).board.campaigns.get()
    assert campaign.state == CampaignState.PAUSED
    assert campaign.seats.count() == 2  # whose work can still be taken out of use
    assert not campaign.seats.exclude(user=None).exists()
    assert sorted(each.code for each in campaign.seats.all()) == ["a-04", "a-05"], "the audit log tells of a-01 to a-03"
    resume(campaign, by=newcomer)
    assert work(campaign, "someone new") is not None
    assert len(CampaignRecords(campaign).read_judgments()) == 3 * 13
    pause(campaign, by=newcomer)


def test_texts_are_shown_again(moved: Moved) -> None:
    board = import_from(moved.full, by=make_newcomer()).board
    assert texts.query(board, "q01") == "What is known of q01?"
    assert list(texts.passages(board, ["rel-q02", "nothing"])) == ["rel-q02"]
    files = {each.name: each for each in board.data_files.all()}
    assert set(files) == {"queries.tsv", "passages.tsv", "kit.txt", "corpus.tar"}
    assert files["queries.tsv"].is_hidden
    assert files["corpus.tar"].link == "https://data.example.org/corpus.tar"
    with files["kit.txt"].file.open() as kit:
        assert kit.read() == b"Read this first.\n"


def test_texts_stay_here_unless_they_are_asked_for(moved: Moved) -> None:
    content = moved.without_texts.read_bytes()
    assert b"What is known of" not in content
    assert {row["name"] for row in rows_of(moved.without_texts, "data_files.jsonl")} == {"kit.txt", "corpus.tar"}
    board = import_from(moved.without_texts, by=make_newcomer()).board
    assert _answers_of(board.campaigns.get()) == moved.answers
    assert not texts.has_texts(board, FileKind.QUERIES)


def test_what_is_hidden_stays_here_without_a_reason(moved: Moved) -> None:
    """Pools, golds, judgments and chances of hidden labels tell them; hidden texts are those of hidden queries."""
    assert [row["doubt"] for row in rows_of(moved.plain, "label_origins.jsonl")] == [{}]
    assert list(rows_of(moved.full, "label_origins.jsonl")[0]["doubt"]["chances"]) == ["q01"]
    assert rows_of(moved.plain, "campaigns.jsonl") == rows_of(moved.plain, "judging_records.jsonl") == []
    assert b"rel-q01" not in b"".join(data for name, data in members_of(moved.plain).items() if "runs/" not in name)
    assert b"What is known of" not in moved.plain.read_bytes()
    found = verify_bundle(moved.plain).to_dict()
    assert (found["campaigns"], found["data_files"], found["announcements"]) == (0, 2, 1)
    assert import_from(moved.plain, by=make_newcomer()).board.announcements.count() == 1


def test_nobody_is_in_it_and_two_bundles_cannot_be_joined(moved: Moved) -> None:
    names = []
    for path in (moved.full, moved.again):
        content = path.read_bytes()
        assert NOTE.encode() not in content
        assert not [each for each in (*moved.assessors, PLATFORM_ID) if each.encode() in content]
        rows = [row["content"] for row in rows_of(path, "judging_records.jsonl")]
        names.append({row["assessor"] for row in rows if "assessor" in row})
    assert [len(each) for each in names] == [2, 2]
    assert names[0].isdisjoint(names[1])


def test_verify_tells_of_them(moved: Moved) -> None:
    said = str(verify_bundle(moved.full))
    assert f"Judging  1 campaign with {sum(moved.n_records.values())} records; no assessor is named" in said
    assert "Data     4 files; texts included" in said


type Change = Callable[[dict[str, Any]], object]

HOSTILE: dict[str, tuple[str, Change, str]] = {
    "a state that is none": ("campaigns.jsonl", lambda row: row.update(state="winning"), "not a valid choice"),
    "money that is none": ("campaigns.jsonl", lambda row: row.update(reward="NaN"), "reward that cannot be used"),
    "money that is no text": ("campaigns.jsonl", lambda row: row.update(reward=2.0), "reward is no text"),
    "a key of another's link": ("campaigns.jsonl", lambda row: row.update(key="stolen"), "a field 'key'"),
    "codes that are none": ("campaigns.jsonl", lambda row: row.update(codes={"cash": "x"}), "codes of another kind"),
    "examples that are none": ("campaigns.jsonl", lambda row: row.update(examples=["x"]), "examples of another kind"),
    "a manifest that is none": ("campaigns.jsonl", lambda row: row.update(manifest=[]), "a manifest that is no object"),
    "a plan that is none": (
        "campaigns.jsonl",
        lambda row: row["manifest"].update(plan={"kind": "votes", "votes": "x"}),
        "which is no plan",
    ),
    "other judgments": ("campaigns.jsonl", lambda row: row.update(judgments_digest="x"), "other judgments than those"),
    "a number of seats that is none": ("campaigns.jsonl", lambda row: row.update(n_seats=-1), "-1 seats"),
    "a platform that is none": ("campaign_designs.jsonl", lambda row: row.update(platform="x"), "cannot go on"),
    "a record that is none": ("judging_records.jsonl", lambda row: row.update(content={}), "cannot go on"),
    "a pool of strange queries": (
        "judging_records.jsonl",
        lambda row: row["content"].update(query_id="elsewhere"),
        "found a pool of query 'elsewhere'",
    ),
    "a name that leads out": ("data_files.jsonl", lambda row: row.update(name="../x"), "that cannot be given"),
    "a note with a line break": ("data_files.jsonl", lambda row: row.update(note="a\nb"), "that cannot be given"),
    "a link that is a script": (
        "data_files.jsonl",
        lambda row: row.update(link="javascript:x"),
        "that cannot be given",
    ),
    "remarks that are none": ("data_files.jsonl", lambda row: row.update(remarks=[1]), r"remarks \[1\]"),
    "a number of remarks": ("data_files.jsonl", lambda row: row.update(remarks=1), "remarks 1"),
    "a sureness that lacks a figure": (
        "label_origins.jsonl",
        lambda row: row["sureness"].pop("expected_wrong"),
        "a sureness of another form",
    ),
    "a doubt of another form": ("label_origins.jsonl", lambda row: row["doubt"].update(chances=[1]), "another form"),
    "a doubt that is no chances": (
        "label_origins.jsonl",
        lambda row: row["doubt"].update(chances={"q01": {"rel-q01": "most"}}),
        "a doubt that is no chances",
    ),
    "a doubt without a chance": (
        "label_origins.jsonl",
        lambda row: row["doubt"].update(chances={"q01": {"rel-q01": 0}}),
        "a doubt that is no chances",
    ),
    "an announcement without end": (
        "announcements.jsonl",
        lambda row: row.update(headline="x" * 500),
        "at most 120 characters",
    ),
}


@pytest.mark.parametrize(("table", "change", "says"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_parts_are_refused_in_words(
    table: str, change: Change, says: str, moved: Moved, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=says):
        import_from(change_row(moved.full, table, change, tmp_path / "bad.toprung"), by=make_newcomer())
    assert not Board.objects.exists()
    assert not AssessorSeat.objects.exists()


@pytest.mark.parametrize(
    ("kind", "content", "says"),
    [
        ("visits", {}, "records of the kind visits"),
        ("judgments", {"judgment_id": "x" * 65}, "judgment_id is none"),
        ("assignments", {"assessor": 7}, "assessor is none"),
        ("consents", {"assessor": "a", "version": "1"}, "a consent that is none"),
        ("consents", {"version": 1}, "assessor is none"),
        ("payments", {"assignment_id": "a", "amount": "-1", "n_answered": 3}, "a payment that is none"),
        ("payments", {"assignment_id": "a", "amount": "Infinity", "n_answered": 3}, "a payment that is none"),
    ],
)
def test_records_that_no_desk_writes_are_refused(kind: str, content: dict[str, Any], says: str) -> None:
    values = {"campaign": "c", "kind": kind, "number": 1, "content": content, "at": "2026-01-01T00:00:00+00:00"}
    rows = [Row(source="a.toprung, judging_records.jsonl", line=1, values=values)]
    with pytest.raises(InputError, match=says):
        list(read_records(rows, {"campaigns.jsonl": {"c": Campaign()}}))
