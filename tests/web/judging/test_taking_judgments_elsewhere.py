"""Judgments leave in every format, by page and by program, without who gave them; two campaigns cannot be joined."""

from __future__ import annotations

import io
import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core import serializers
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from tests.web.api.calling import Program
from tests.web.cast import Cast
from tests.web.judging.campaigns import draft, work
from tests.web.judging.walking import Walker
from tests.web.judging.world import make_campaign

from toprung.data.formats.judgments.files import read_judgments
from toprung.web.core.models.campaigns import CampaignDesign, LabelOrigin
from toprung.web.core.models.judging import AssessorSeat, Campaign, CampaignAccess
from toprung.web.core.models.people import Scope
from toprung.web.core.store.judging_records import CampaignRecords
from toprung.web.services.judging.campaigns.change import change_texts
from toprung.web.services.judging.campaigns.export import FOLDER, FORMATS, SHEET, data_sheet, export_campaign
from toprung.web.services.judging.campaigns.live import watch
from toprung.web.services.judging.campaigns.start import start
from toprung.web.services.judging.prolific import assessor_of
from toprung.web.services.judging.seats import CONSENTS
from toprung.web.services.people.tokens import make_token

PID, STUDY = "5f3c2a1b9d8e7f6a5b4c3d2e", "study-0123456789"
READ_BACK = [each for each in FORMATS if each not in (FOLDER, SHEET)]


@pytest.fixture
def campaign(cast: Cast) -> Campaign:
    made = start(
        draft(cast, access=CampaignAccess.PROLIFIC, study_id=STUDY, codes={"complete": "C0DE1"}), by=cast.organiser
    )
    work(made, assessor_of(made, PID))
    watch(made.pk)
    return made


@pytest.mark.django_db
def test_every_format_is_read_back_with_the_same_votes(cast: Cast, campaign: Campaign, tmp_path: Path) -> None:
    """Ten votes on the label against another answer; formats of single votes have those on three golds, too."""
    kept = CampaignRecords(campaign).read_judgments()
    own = {(each.query_id, each.winner) for each in kept.current if not each.is_gold}
    assert len(own) == 10
    client = Client()
    client.force_login(cast.organiser)
    for as_format in READ_BACK:
        sent = client.get(reverse("export_judgments", args=[cast.board.slug, campaign.slug, as_format]))
        assert sent.status_code == 200, as_format
        assert PID.encode() not in sent.content
        path = tmp_path / as_format
        path.write_bytes(sent.content)
        found = read_judgments(path, format=as_format).judgments
        won = {(each.query_id, each.winner) for each in found.current}
        if any(query for query, _ in won):  # some formats of other tools have no place for the query
            assert own <= won, as_format
        assert len(found) in (10, 13), as_format


@pytest.mark.django_db
def test_the_page_of_a_campaign_links_every_format(cast: Cast, campaign: Campaign) -> None:
    client = Client()
    client.force_login(cast.organiser)
    page = client.get(reverse("campaign", args=[cast.board.slug, campaign.slug])).text
    for as_format in FORMATS:
        link = reverse("export_judgments", args=[cast.board.slug, campaign.slug, as_format])
        assert page.count(f'href="{link}"') == 1, as_format


@pytest.mark.django_db
def test_a_program_gets_what_the_page_gives_and_how_far_the_campaign_is(cast: Cast, campaign: Campaign) -> None:
    _, secret = make_token(cast.organiser, name="export", scopes=(Scope.READ, Scope.ORGANISE), days=3)
    program, here = Program(secret=secret), f"/boards/{cast.board.slug}/campaigns"
    listed = program.ask("GET", here).json()
    assert [(each["name"], each["state"], each["budget"]) for each in listed["items"]] == [
        ("second-look", "running", "400.00")
    ]
    told = program.ask("GET", f"{here}/second-look").json()
    assert (told["live"]["n_votes"], told["live"]["n_people"], len(told["quality"]["rows"])) == (10, 1, 1)
    lines = program.ask("GET", f"{here}/second-look/export/jsonl").content
    assert lines == export_campaign(campaign, "jsonl", by=cast.organiser).content
    assert program.ask("GET", f"{here}/second-look/export/exe").status_code == 422


@pytest.mark.django_db
def test_the_sheet_says_who_how_many_paid_what_and_by_which_rules(cast: Cast, campaign: Campaign) -> None:
    sheet = json.loads(export_campaign(campaign, SHEET, by=cast.organiser).content)
    assert (sheet["assessors"], sheet["judgments"], sheet["votes_in_use"]) == (1, 13, 10)
    assert (sheet["reward"], sheet["spent"]) == ("2.00", "2.00")
    assert (sheet["rule"], sheet["golds"], sheet["golds_per_task"]) == ("strength", 12, 3)
    assert sheet["judgments_digest"] == CampaignRecords(campaign).read_judgments().digest
    packed = export_campaign(campaign, FOLDER, by=cast.organiser).content
    with ZipFile(io.BytesIO(packed)) as archive:
        assert json.loads(archive.read("second-look/sheet.json"))["judgments"] == 13
        assert not any(PID.encode() in archive.read(name) for name in archive.namelist())


@pytest.mark.django_db
def test_which_answers_were_given_with_words_marked_leaves_with_the_folder(cast: Cast) -> None:
    world = make_campaign(cast, allows_highlighting=True)
    CampaignDesign.objects.create(campaign=world.campaign)
    walker = Walker(world.campaign)
    walker.begin()
    task = walker.task()["assignment"]
    marked, _ = (walker.send(assignment=task, slot=slot, highlighted=str(1 - slot)).json()["kept"] for slot in (0, 1))
    packed = export_campaign(world.campaign, FOLDER, by=cast.organiser).content
    with ZipFile(io.BytesIO(packed)) as archive:
        assert json.loads(archive.read("best-answers/highlights.jsonl")) == {"judgment_id": marked}
        sheet = json.loads(archive.read("best-answers/sheet.json"))
    assert (sheet["words_may_be_marked"], sheet["judgments_with_words_marked"]) == (True, 1)


@pytest.mark.django_db
def test_the_sheet_counts_judgments_by_the_consent_text_they_were_made_under(cast: Cast) -> None:
    world = make_campaign(cast)
    CampaignDesign.objects.create(campaign=world.campaign)
    first, second = Walker(world.campaign), Walker(world.campaign)
    first.begin()
    second.choose("left", second.begin())
    first.judge_all(world)
    first.post("hand-in/")
    change_texts(world.campaign, by=cast.organiser, guidelines="", consent="Anew.")
    world.campaign.refresh_from_db()

    def by_consent() -> dict[str, int]:
        counts: dict[str, int] = data_sheet(world.campaign)["judgments_by_consent_version"]
        return counts

    assert by_consent() == {"1": 14}, "none was made under the text of today"
    second.post("consent/", {"agree": "1"})
    second.post("consent/", {"agree": "1"})
    second.choose("left")
    assert by_consent() == {"1": 14, "2": 1}
    seats = AssessorSeat.objects.order_by("pk").values_list("assessor", flat=True)
    agreed = [(each["assessor"], each["version"]) for each in world.store.read(CONSENTS)]
    assert agreed == [(seats[0], 1), (seats[1], 1), (seats[1], 2)], "each is kept, and once"
    work(world.campaign, "someone from a folder")
    assert by_consent() == {"none": 13, "1": 14, "2": 1}

    made = {"manifest": {}, "sureness": {}, "counted_until": timezone.now()}
    LabelOrigin.objects.create(label_set=world.campaign.label_set, campaign=world.campaign, **made)
    first.post("delete/")
    assert by_consent() == {"none": 13, "1": 14, "2": 1}, "votes that stay, stay under their text"
    second.post("delete/")
    assert by_consent() == {"none": 13, "1": 13}
    assert [each["version"] for each in world.store.read(CONSENTS)] == [1]


@pytest.mark.django_db
def test_one_person_has_another_name_in_each_campaign(cast: Cast) -> None:
    sent = {"access": CampaignAccess.PROLIFIC, "study_id": STUDY}
    words = {"PROLIFIC_PID": PID, "STUDY_ID": STUDY, "SESSION_ID": "session-0123456789"}
    names = []
    for slug in ("first", "second"):
        world = make_campaign(cast, slug=slug, with_texts=slug == "first", **sent)
        walker = Walker(world.campaign)
        walker.begin(**words)
        walker.judge_all(world)
        walker.post("hand-in/")
        lines = export_campaign(world.campaign, "jsonl", by=cast.organiser).content.decode().splitlines()
        names.append({json.loads(line)["assessor"] for line in lines})
    assert [len(each) for each in names] == [1, 1]
    assert names[0].isdisjoint(names[1])


@pytest.mark.django_db
def test_nothing_of_browser_network_or_clock_is_kept(cast: Cast) -> None:
    """Whatever a browser says of itself: no table of judging has it."""
    world = make_campaign(cast, allows_highlighting=True)
    told = {"User-Agent": "zq-browser/7", "Accept-Language": "zq-language", "Referer": "http://zq-referer.example/"}
    browser = Client(headers=told, REMOTE_ADDR="203.0.113.77")
    browser.cookies["timezone"] = "zq/zone"
    walker = Walker(world.campaign, browser)
    walker.begin()
    task = walker.task()
    walker.send(assignment=task["assignment"], slot=0, timezone="zq/zone", screen="zq-wide")
    walker.judge_all(world)
    walker.post("tell/", {"text": "A note."})
    walker.post("hand-in/")
    campaign = Campaign.objects.get(pk=world.campaign.pk)
    related = [each.related_model for each in Campaign._meta.related_objects]
    kept = serializers.serialize("json", [campaign, *(row for model in related for row in model.objects.all())])
    kept += serializers.serialize("json", campaign.board.audit.all())
    assert "A note." in kept
    assert [word for word in ("zq", "203.0.113", "Agent") if word in kept] == []
