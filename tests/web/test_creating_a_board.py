"""A board is made in the browser: everything checked together, stored in one transaction, or nothing is."""

from __future__ import annotations

import gzip
from html import unescape
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from tests.web.cast import Cast

from toprung.web.core.models.audit import AuditEntry
from toprung.web.core.models.boards import Board, BoardRole, Role
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.store.audit import find_break
from toprung.web.core.store.plan import BoardPlan, find_faults
from toprung.web.services.boards import create as creating
from toprung.web.services.boards.defaults import complete

HOSTILE = "<script>alert('x')</script>"
SETTINGS = {
    "slug": "harbour",
    "title": "Harbour questions",
    "task": "Rank passages.",
    "description": "",
    "is_public": "on",
    "opens_at": "2026-12-01T12:00",
    "closes_at": "",
    "official_measure": "RR@10",
    "cutoff": "10",
    "other_measures": "nDCG@10, R@100",
    "depth": "100",
    "rule": "no_harm",
    "answered_margin": "0.02",
    "ranking_margin": "",
    "alpha": "0.05",
    "gamma": "planned:20",
    "release": "ladder:0.01",
    "quota": "2",
    "quota_days": "30",
    "embargo_months": "9",
    "seed": "7",
    "is_hidden": "on",
    "extra_name": "graded",
}


def qrels(*query_ids: str, grade: int = 1) -> bytes:
    return "".join(f"{query_id} 0 doc-{query_id} {grade}\n" for query_id in query_ids).encode()


def post(client: Client, labels: dict[str, bytes] | None = None, **changes: str | None) -> Any:
    """What the form sends; a setting that is None is not sent."""
    files = {"official": qrels("a", "b", "c"), "private": qrels("d", "e"), "dev": qrels("f", "g")}
    files |= labels or {}
    sent = {f"{use}_file": SimpleUploadedFile(f"{use}.txt", content) for use, content in files.items() if content}
    fields = {key: value for key, value in (SETTINGS | changes).items() if value is not None}
    return client.post("/boards/new/", fields | sent)


def stored() -> tuple[int, ...]:
    """How much there is of everything that a board is made of."""
    n_files = len(default_storage.listdir("labels")[1]) if default_storage.exists("labels") else 0
    return (*(rows.objects.count() for rows in (Board, LabelSet, BoardRole, AuditEntry)), n_files)


@pytest.fixture
def organiser(client: Client, cast: Cast) -> Client:
    client.force_login(cast.organiser)
    return client


def test_only_who_may_make_boards_finds_the_page(client: Client, cast: Cast) -> None:
    assert client.get("/boards/new/").status_code == 302, "anonymous: sign in first"
    before = stored()
    for person in (cast.participant, cast.other_organiser, cast.assessor):
        client.force_login(person)
        assert client.get("/boards/new/").status_code == 404
        assert post(client).status_code == 404
    assert stored() == before


def test_the_form_asks_for_every_setting(organiser: Client) -> None:
    page = organiser.get("/boards/new/").content.decode()
    for key in BoardPlan.__dataclass_fields__:
        assert f'name="{key}"' in page
    assert "Who submits often learns hidden labels from every score." in page
    assert "What an attacker gains in RR by 1,000 submissions on hidden labels" in page
    assert "0.038, 0.055, 0.120" in page, "ladder:0.01 on 200 queries, with 1, 10 and 100 accounts"


def test_a_board_is_made_with_its_labels_and_its_organiser(organiser: Client, cast: Cast) -> None:
    response = post(organiser)
    assert response.status_code == 302, response.content.decode()
    board = Board.objects.get(slug="harbour")
    assert (board.official_measure, board.cutoff, board.other_measures) == ("RR@10", 10, ["nDCG@10", "R@100"])
    assert (board.answered_margin, board.ranking_margin) == (0.02, None)
    assert (board.rule, board.gamma, board.release, board.seed) == ("no_harm", "planned:20", "ladder:0.01", 7)
    assert board.opens_at.isoformat() == "2026-12-01T12:00:00+00:00"
    assert board.closes_at is None
    assert board.roles.get(user=cast.organiser).role == Role.ORGANISER
    sets = {each.use: each for each in board.label_sets.all()}
    assert {use: (each.n_queries, each.is_hidden, each.version) for use, each in sets.items()} == {
        "official": (3, True, 1),
        "private": (2, True, 1),
        "dev": (2, False, 1),
    }
    with sets["official"].file.open("rb") as file:
        assert file.read() == qrels("a", "b", "c")
    entry = board.audit.get()
    assert (entry.who, entry.what) == (cast.organiser.reference, "Created the board")
    assert entry.details["settings"]["gamma"] == "planned:20"
    assert find_break(board) is None


def test_packed_and_graded_labels_are_read(organiser: Client) -> None:
    packed = gzip.compress(qrels("a", "b", "c"))
    extra = b"a 0 x 0\na 0 y 3\nb 0 x 2\nc 0 x 0\n"
    assert post(organiser, {"official": packed, "extra": extra}).status_code == 302
    graded = LabelSet.objects.get(use="extra", board__slug="harbour")
    assert (graded.name, graded.is_graded, graded.is_hidden) == ("graded", True, True)
    assert graded.n_queries == 2, "nobody can answer c: no document of it is relevant"
    assert not LabelSet.objects.get(use="official", board__slug="harbour").is_graded


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"slug": "Harbour Questions"}, "Found &#x27;Harbour Questions&#x27;; expected small letters, digits"),
        ({"slug": "web-docs"}, "which another board has"),
        ({"title": ""}, "Found nothing; expected some text."),
        ({"title": "t" * 121}, "Found 121 characters; expected at most 120."),
        ({"task": "two\x0blines"}, "Found a control character; expected one line of text."),
        ({"official_measure": "RRR@10"}, "Found measure &#x27;RRR@10&#x27;, which is not known"),
        ({"official_measure": "ESL@10"}, "expected a mean over all queries"),
        ({"cutoff": "100"}, "Found 100; expected 10 as in RR@10"),
        ({"cutoff": "ten"}, "Found no whole number; expected one."),
        ({"other_measures": "nDCG@10, nDCG@10"}, "Found nDCG@10 twice; expected each measure once."),
        ({"depth": "0"}, "Found 0; expected from 1 to 10,000."),
        ({"rule": "luck"}, "Found “luck”; expected another choice."),
        ({"rule": "no_harm", "official_measure": "nDCG@10"}, "Found &#x27;no_harm&#x27; with nDCG@10; expected"),
        ({"rule": "both", "official_measure": "AP"}, "Found &#x27;both&#x27; with AP; expected &#x27;measure&#x27;"),
        ({"official_measure": "RR"}, "Found 10; expected 100 as in RR: claims are tested on the ranks"),
        ({"official_measure": "RR(rel=2)@20"}, "Found 10; expected 20 as in RR(rel=2)@20"),
        ({"answered_margin": "0"}, "Found 0; expected from 0.0001 to 1."),
        ({"ranking_margin": "1.5"}, "Found 1.5; expected from 0.0001 to 1."),
        ({"ranking_margin": "little"}, "Found no number; expected one such as 0.02."),
        ({"alpha": "0.6"}, "Found 0.6; expected from 0.0001 to 0.5."),
        ({"alpha": "nan"}, "Found no number; expected one such as 0.05."),
        ({"gamma": "planned:0"}, "expected a planned number of at least 1"),
        ({"gamma": "linear"}, "expected quadratic, or such as steady:10, planned:20 or power:1.5."),
        ({"release": "rounded:99"}, "expected from 0 to"),
        ({"release": "all"}, "expected full, or such as rounded:3, ladder:0.01"),
        ({"quota": "0"}, "Found 0; expected from 1 to 1,000."),
        ({"embargo_months": "10"}, "Found 10; expected from 0 to 9."),
        ({"closes_at": "2026-11-01T00:00"}, "Found 2026-11-01 00:00; expected a time after opens_at."),
        ({"opens_at": "soon"}, "Found no time; expected one such as 2026-12-01 12:00, in UTC."),
    ],
)
def test_a_setting_that_cannot_be_stores_nothing(organiser: Client, changes: dict[str, str], says: str) -> None:
    before = stored()
    response = post(organiser, **changes)
    assert response.status_code == 422
    assert says in response.content.decode()
    assert stored() == before


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        ({"official": b""}, "Found no file; expected one."),
        ({"official": b"a doc high\n"}, "official.txt, line 1: found grade"),
        ({"official": b"a 0 d 1\na 0 d 1\n"}, "official.txt, line 2: found document"),
        ({"official": b"a 0 d 1\nb 0 d 0\n"}, "found 1 query with a relevant document; expected 2 or more"),
        ({"official": b"\x00\x01\x02"}, "official.txt"),
        ({"private": qrels("a", "x")}, "found 1 query of official.txt in private.txt too"),
        ({"dev": qrels("b", "c", "x")}, "found 2 queries of official.txt in dev.txt too"),
        ({"dev": qrels("d", "x")}, "found 1 query of private.txt in dev.txt too"),
        ({"extra": qrels("d", "x")}, "found 1 query of private.txt in extra.txt too"),
    ],
)
def test_labels_that_cannot_be_store_nothing(organiser: Client, labels: dict[str, bytes], says: str) -> None:
    before = stored()
    response = post(organiser, labels)
    assert response.status_code == 422
    page = response.content.decode()
    assert says.replace("found ", "Found ", 1) in page or says in page
    assert "/tmp" not in page, "an upload is called by the name its sender gave it"
    assert stored() == before


def test_every_fault_is_said_at_once(organiser: Client) -> None:
    page = post(organiser, {"private": qrels("a", "x")}, slug="No!", gamma="linear").content.decode()
    assert "expected small letters" in page
    assert "expected quadratic" in page
    assert "of official.txt in private.txt too" in page


def test_faults_beside_a_field_that_cannot_be_read_are_said_too(organiser: Client) -> None:
    page = post(organiser, cutoff="ten", gamma="linear").content.decode()
    assert "Found no whole number" in page
    assert "expected quadratic" in page


def test_graded_labels_may_be_on_the_official_queries(organiser: Client) -> None:
    assert post(organiser, {"extra": qrels("a", "b", "c", grade=3)}).status_code == 302


def test_public_official_labels_cannot_stand_beside_hidden_ones_on_the_same_queries(organiser: Client) -> None:
    response = post(organiser, {"dev": qrels("a", "b")}, is_hidden=None)
    assert response.status_code == 302, "both are public"
    response = post(organiser, {"private": qrels("a", "b")}, is_hidden=None, slug="another")
    assert response.status_code == 422
    assert "public labels would tell hidden ones" in response.content.decode()


def test_hostile_words_come_out_as_text(organiser: Client) -> None:
    response = post(organiser, title=HOSTILE, task=HOSTILE, description=HOSTILE, extra_name=HOSTILE)
    assert response.status_code == 302
    for page in ("organise/policy/", "organise/labels/", "organise/audit/", "about/"):
        shown = organiser.get(f"/b/harbour/{page}").content.decode()
        assert "<script>alert" not in shown, page
    response = post(organiser, slug=HOSTILE, title=HOSTILE)
    assert response.status_code == 422
    assert "<script>alert" not in response.content.decode()


def test_a_failure_half_way_leaves_nothing_behind(
    organiser: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last thing of the transaction fails, when all files are written."""

    def fail(*args: object, **kwargs: object) -> None:
        raise OSError("the disk is full")

    before = stored()
    monkeypatch.setattr(creating, "record", fail)
    with pytest.raises(OSError, match="the disk is full"):
        post(organiser)
    assert stored() == before


def test_every_default_of_a_plan_can_be() -> None:
    completed = complete(BoardPlan(slug="a", title="A", task="Rank."), ())
    assert find_faults(completed.plan) == []
    assert completed.plan.gamma == "steady:10"


ONE_ANSWER = qrels(*"abcdefghij")
GRADED = b"".join(qrels("a", "b", "c", grade=grade).replace(b" doc", b" d%d" % grade) for grade in (1, 2, 3))
MANY = b"".join(qrels("a", "b", "c").replace(b"doc", b"d%d" % number) for number in range(12))
CHOSEN = {
    "one answer": (ONE_ANSWER, {}, ("RR@10", "no_harm", 10)),
    "several grades": (GRADED, {}, ("nDCG@10", "measure", 10)),
    "many of one grade": (MANY, {}, ("AP", "measure", 100)),
    "documents": (ONE_ANSWER, {"official_measure": "RR@100"}, ("RR@100", "no_harm", 100)),
    "another measure": (ONE_ANSWER, {"official_measure": "nDCG@20"}, ("nDCG@20", "measure", 20)),
    "another rule": (ONE_ANSWER, {"rule": "both"}, ("RR@10", "both", 10)),
    "ranks of graded labels": (GRADED, {"official_measure": "RR(rel=2)@5"}, ("RR(rel=2)@5", "measure", 5)),
}


@pytest.mark.parametrize("name", CHOSEN)
def test_what_is_left_empty_is_chosen_from_the_labels_and_said(organiser: Client, name: str) -> None:
    labels, given, (measure, rule, cutoff) = CHOSEN[name]
    empty = {"official_measure": "", "rule": "", "cutoff": "", "other_measures": ""}
    response = post(organiser, {"official": labels, "private": b"", "dev": b""}, **empty | given)
    assert response.status_code == 302, response.content.decode()
    board = Board.objects.get(slug="harbour")
    assert (board.official_measure, board.rule, board.cutoff) == (measure, rule, cutoff)
    why = board.audit.get().details["chosen_from_labels"]
    assert measure in why
    page = unescape(organiser.get(response.url).content.decode())
    assert f"Chosen from the labels: {why}." in page


def test_what_was_chosen_by_hand_needs_no_reason(organiser: Client) -> None:
    assert post(organiser).status_code == 302
    assert "chosen_from_labels" not in Board.objects.get(slug="harbour").audit.get().details


def test_labels_that_cannot_be_read_are_the_only_fault(organiser: Client) -> None:
    """Of settings that would be chosen from them nothing is said."""
    page = post(organiser, {"official": b"a doc high\n"}, official_measure="", rule="", cutoff="").content.decode()
    assert "official.txt, line 1: found grade" in page
    assert "expected one of measure" not in page
    assert "expected a name such as" not in page
