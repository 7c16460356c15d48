"""Can someone judge with plain forms? From the link to the thanks, with undo, skip, exit and what is refused."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from tests.web.cast import Cast
from tests.web.judging.walking import Walker
from tests.web.judging.world import JudgingWorld, make_campaign

from toprung.labels.tasks.assignments import AssignmentStage
from toprung.labels.tasks.sitting import Sitting
from toprung.web.core.models.data import FileKind
from toprung.web.core.models.judging import AssessorSeat, Ending, JudgingNote, JudgingVisit
from toprung.web.services.data.give import FileSaid, give_file
from toprung.web.services.judging import showing
from toprung.web.services.judging.answers import HIGHLIGHTS
from toprung.web.services.judging.money import pay_due


@pytest.fixture
def world(cast: Cast) -> JudgingWorld:
    return make_campaign(cast, reward=Decimal("2.00"))


def test_a_whole_task(world: JudgingWorld) -> None:
    walker = Walker(world.campaign)
    assert "Before you start" in walker.get().text
    assert AssessorSeat.objects.count() == 0, "a link that is only opened, or previewed, takes no seat"
    assert "Try one" in walker.post("consent/", {"agree": "1"}).text
    tried = walker.post("guidelines/", {"choice": "left"}).text
    assert "Most would choose the other one" in tried
    assert "13 pairs, paid $2.00" in walker.get("ready/").text
    page = walker.post("ready/")
    assert "1 of 13" in page.text
    page = walker.choose("left", page)
    assert "2 of 13" in page.text
    walker.judge_all(world)
    page = walker.get()
    assert "That was the last pair" in page.text
    page = walker.post("hand-in/")
    assert "13 of 13 pairs judged" in page.text
    assert "$2.00" in page.text
    [assignment] = Sitting(world.store).assignments
    assert assignment.stage is AssignmentStage.ACCEPTED
    assert walker.visit().ended == Ending.COMPLETE


def test_each_passage_has_the_language_that_its_file_says_else_that_of_the_campaign(
    world: JudgingWorld, tmp_path: Path
) -> None:
    """A second file, in German, of every first passage; the newest file counts, text and language."""
    path = tmp_path / "german.jsonl"
    german = [doc for doc in world.passages if doc.endswith("-0")]
    path.write_text("".join(f'{{"id": "{doc}", "text": "Auf Deutsch: {doc}.", "lang": "de"}}\n' for doc in german))
    said = FileSaid(kind=FileKind.PASSAGES, name="german.jsonl", is_hidden=True)
    give_file(world.cast.board, said, path, by=world.cast.organiser)
    walker = Walker(world.campaign)
    walker.begin()
    pairs = walker.task()["pairs"]
    sides = [(pair[side], pair[f"{side}_lang"]) for pair in pairs for side in ("left", "right")]
    assert {lang for text, lang in sides if text.startswith("Auf Deutsch")} == {"de"}
    assert {lang for text, lang in sides if not text.startswith("Auf Deutsch")} == {"en"}
    assert {pair["question_lang"] for pair in pairs} == {"en"}
    page = walker.get("pairs/").text
    first = pairs[walker.task()["open"][0]]
    for side in ("left", "right"):
        assert f'<p dir="auto" lang="{first[f"{side}_lang"]}" tabindex="0">{first[side]}' in page


def test_undo_skip_and_reload(world: JudgingWorld) -> None:
    walker = Walker(world.campaign)
    first = walker.begin()
    second = walker.choose("right", first)
    assert walker.texts(walker.get("pairs/")) == walker.texts(second), "a reload shows the same pair"
    undone = walker.post(
        "undo/", {"assignment": walker.fields()["assignment"], "answer_id": walker.task()["done"][-1]["id"]}
    )
    assert walker.texts(undone) == walker.texts(first)
    skipped = walker.choose("skip", undone)
    assert walker.texts(skipped) == walker.texts(second)
    assert walker.task()["open"][-1] == 0, "it is offered again at the end"
    assert "1 of 13" in skipped.text


def test_exit_pays_the_share_and_gives_the_pairs_to_someone_else(world: JudgingWorld) -> None:
    walker = Walker(world.campaign)
    page = walker.begin()
    for _ in range(5):
        page = walker.choose("left", page)
    assert "$0.77" in walker.get("exit/").text
    assert "5 of 13 pairs judged" in walker.post("exit/").text
    assert "$0.77" in walker.get("thanks/").text
    desk = Sitting(world.store)
    [left] = desk.assignments
    assert (left.stage, pay_due(world.campaign, desk, left)) == (AssignmentStage.EXITED, Decimal("0.77"))
    other = Walker(world.campaign)
    other.begin()
    assert [each.task_id for each in Sitting(world.store).assignments] == [left.task_id, left.task_id]


def test_a_failed_check_is_paid_and_thanked_like_any_other(world: JudgingWorld) -> None:
    good, bad = Walker(world.campaign), Walker(world.campaign)
    pages = []
    for walker, fails in ((good, False), (bad, True)):
        walker.begin()
        walker.judge_all(world, fails_golds=fails)
        pages.append(walker.post("hand-in/").text)
    assert pages[0].replace(" main", "").count("$2.00") >= 1
    assert "13 of 13 pairs judged" in pages[1]
    assert "$2.00" in pages[1]
    endings = list(JudgingVisit.objects.order_by("pk").values_list("ended", flat=True))
    assert endings == [Ending.COMPLETE, Ending.FAILED_CHECKS]
    stages = [each.stage for each in Sitting(world.store).assignments]
    assert stages == [AssignmentStage.ACCEPTED, AssignmentStage.EXCLUDED]


def test_who_does_not_agree_is_asked_nothing(world: JudgingWorld) -> None:
    walker = Walker(world.campaign)
    assert "nothing is kept" in walker.post("consent/", {"decline": "1"}).text
    assert AssessorSeat.objects.count() == 0
    assert "Before you start" in walker.get("pairs/").text


def test_a_new_consent_text_asks_again_and_the_task_goes_on(world: JudgingWorld) -> None:
    walker = Walker(world.campaign)
    walker.choose("left", walker.begin())
    world.campaign.consent_version = 2
    world.campaign.save()
    assert "Before you start" in walker.get("pairs/").text
    assert "2 of 13" in walker.post("consent/", {"agree": "1"}).text


def test_judging_more_and_telling_the_organiser(world: JudgingWorld) -> None:
    walker = Walker(world.campaign)
    walker.begin()
    walker.judge_all(world)
    walker.post("hand-in/")
    assert "13 pairs" in walker.post("more/").text
    assert JudgingVisit.objects.count() == 2
    assert AssessorSeat.objects.count() == 1
    assert walker.post("tell/", {"text": "a"}).status_code == 422
    assert walker.post("tell/", {"text": "Pair 3 <script>"}).status_code == 200
    assert JudgingNote.objects.get().text == "Pair 3 <script>"


def test_a_last_task_is_short_and_says_so_before_it_starts(cast: Cast) -> None:
    world = make_campaign(cast, n_queries=4, n_items=2, reward=Decimal("2.00"))
    walker = Walker(world.campaign)
    walker.learn()
    ready = walker.get("ready/").text
    assert "7 pairs, paid $1.08" in ready, "7 of 13 of two dollars, rounded up to the cent"
    assert "shorter than others" in ready


def test_nothing_left_is_said_with_thanks(cast: Cast) -> None:
    world = make_campaign(cast, n_queries=4, n_items=2)
    first, second = Walker(world.campaign), Walker(world.campaign)
    first.begin()
    assert "nothing left to judge" in second.begin().text
    assert second.visit().ended == Ending.NOTHING_LEFT


def test_the_server_counts_the_time_where_no_script_does(world: JudgingWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its own clock, from showing to choosing; what was shown for another pair, or days ago, counts for nothing."""
    now = 1_800_000_000_000
    monkeypatch.setattr(showing, "_now", lambda: now)
    walker = Walker(world.campaign)
    page = walker.begin()
    first = walker.fields(page)
    now += 4_250
    page = walker.choose("left", page)
    now += 1_000
    page = walker.choose("right", page, shown=first["shown"])
    page = walker.choose("right", page, shown="1800000000000:forged")
    now += showing.LONGEST_MS + 1
    page = walker.choose("left", page)
    now += 7_000
    walker.choose("left", page, ms="1300")
    taken = [each.ms for each in Sitting(world.store).desk.judgments.values()]
    assert taken == [4_250, None, None, None, 1_300], "what the script measured is taken as it is"


def test_marked_words_are_noted_per_answer_where_the_campaign_allows_them(cast: Cast) -> None:
    allowed = make_campaign(cast, slug="marks", allows_highlighting=True)
    plain = make_campaign(cast, slug="plain", with_texts=False)
    for world, n in ((allowed, 1), (plain, 0)):
        walker = Walker(world.campaign)
        page = walker.begin()
        assert ('id="highlight"' in page.text) == (world is allowed)
        assert "checked" not in page.text, "off until someone turns it on"
        task = walker.task()["assignment"]
        kept = walker.send(assignment=task, slot=0, highlighted="1").json()["kept"]
        walker.send(assignment=task, slot=1, highlighted="0")
        noted = list(world.store.read(HIGHLIGHTS))
        assert [each["judgment_id"] for each in noted] == [kept][:n]
