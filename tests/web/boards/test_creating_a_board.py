"""A board is made in the browser: everything checked together, stored in one transaction, or nothing is."""

from __future__ import annotations

import gzip
import re
from html import unescape
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from tests.web.cast import Cast

from toprung.web.core.models.audit import AuditEntry
from toprung.web.core.models.boards import Board, BoardRole, Role
from toprung.web.core.models.drafts import BoardDraft
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.store.audit import find_break
from toprung.web.core.store.plan import BoardPlan, find_faults
from toprung.web.services.boards import create as creating
from toprung.web.services.boards.defaults import complete

HOSTILE = "<script>alert('x')</script>"
LABELS = {
    "title": "Harbour questions",
    "task": "Rank passages.",
    "slug": "harbour",
    "description": "",
    "is_hidden": "yes",
    "extra_name": "graded",
}
MEASURE = {
    "official_measure": "RR@10",
    "cutoff": "10",
    "other_measures": "nDCG@10, R@100",
    "depth": "100",
    "rule": "no_harm",
    "answered_margin": "0.02",
    "ranking_margin": "",
}
POLICY = {
    "gamma": "planned",
    "claims": "20",
    "alpha": "0.05",
    "release": "ladder:0.01",
    "who_may_submit": "approved",
    "quota": "2",
    "quota_days": "30",
    "embargo_months": "9",
    "opens_at": "2026-12-01T12:00",
    "closes_at": "",
    "seed": "7",
}
CHECK = {"is_public": "on", "has_read": "on"}
STEPS = {"labels": LABELS, "measure": MEASURE, "policy": POLICY, "check": CHECK}


def qrels(*query_ids: str, grade: int = 1) -> bytes:
    return "".join(f"{query_id} 0 doc-{query_id} {grade}\n" for query_id in query_ids).encode()


def files_of(labels: dict[str, bytes] | None = None) -> dict[str, SimpleUploadedFile]:
    files = {"official": qrels("a", "b", "c"), "private": qrels("d", "e"), "dev": qrels("f", "g")} | (labels or {})
    return {f"{use}_file": SimpleUploadedFile(f"{use}.txt", content) for use, content in files.items() if content}


def post(client: Client, labels: dict[str, bytes] | None = None, **changes: str | None) -> Any:
    """What the steps send, one after another; the answer of the last that was reached. None is not sent."""
    address = "/boards/new/"
    for step, usual in STEPS.items():
        fields = {key: changes.get(key, value) for key, value in usual.items()}
        sent: dict[str, Any] = {key: value for key, value in fields.items() if value is not None}
        sent |= files_of(labels) if step == "labels" else {"seen": str(BoardDraft.objects.latest("pk").edition)}
        answer = client.post(address, sent)
        if answer.status_code != 302:
            return answer
        address = answer.url
    return answer


def stored() -> tuple[int, ...]:
    """How much there is of everything that a board is made of."""
    n_files = (len(default_storage.listdir(each)[1]) for each in ("labels", "drafts") if default_storage.exists(each))
    return (*(rows.objects.count() for rows in (Board, LabelSet, BoardRole, AuditEntry)), *n_files)


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


def test_the_steps_ask_for_every_setting_in_words(organiser: Client) -> None:
    first = organiser.post("/boards/new/", LABELS | files_of()).url
    base = first.removesuffix("measure/")
    pages = {step: unescape(organiser.get(f"{base}{step}/").content.decode()) for step in STEPS}
    everything = "".join(pages.values())
    for key in BoardPlan.__dataclass_fields__:
        assert f'name="{key}"' in everything, key
    assert "By 1,000 submissions an attacker gains about" in pages["policy"]
    assert "with 1, 10 or 100 accounts in RR@10" in pages["policy"]
    assert "Of fewer than 50 hidden queries nobody but you is shown a score, until you open them." in pages["policy"]
    assert "With 3 queries no claim can pass:" in pages["policy"]
    assert "No claim can pass on so few queries." in pages["policy"]
    assert "inf" not in re.sub(r"<[^>]*>", "", pages["policy"]).split()
    assert "proposed" in pages["measure"]
    assert "as many as come; any false one passes in at most 5% of cases" in pages["check"]
    words = re.sub(r"<pre.*?</pre>|<[^>]*>", "", everything, flags=re.DOTALL)
    for code in ("steady:10", "board-ladder:auto", "rounded:3", "planned:", "no_harm"):
        assert code not in words, "codes are values of buttons, and stand in the file; nobody reads or types them"


def test_a_board_is_made_with_its_labels_and_its_organiser(organiser: Client, cast: Cast) -> None:
    response = post(organiser)
    assert response.status_code == 302, response.content.decode()
    page = organiser.get(response.url)
    assert "The board is made;" in page.text
    assert not list(page.context["messages"]), "that it is there is said once"
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


FAULTS: dict[str, list[tuple[dict[str, str | None], str]]] = {
    "labels": [
        ({"slug": "Harbour_Questions"}, "Found &#x27;Harbour_Questions&#x27;; expected small letters, digits"),
        ({"slug": "web-docs"}, "which another board has"),
        ({"title": ""}, "Found nothing; expected some text."),
        ({"title": "t" * 121}, "Found 121 characters; expected at most 120."),
        ({"task": "two\x0blines"}, "Found a control character; expected one line of text."),
    ],
    "measure": [
        ({"official_measure": "RRR@10"}, "Found measure &#x27;RRR@10&#x27;, which is not known"),
        ({"official_measure": "alpha_nDCG@20"}, "which needs labels for the subtopics of a query"),
        ({"other_measures": "nDCG@10, ERR_IA@20"}, "which needs labels for the subtopics of a query"),
        ({"official_measure": "ESL@10"}, "expected a mean over all queries"),
        ({"cutoff": "100"}, "Found 100; expected 10 as in RR@10"),
        ({"cutoff": "ten"}, "Found no whole number; expected one."),
        ({"other_measures": "nDCG@10, nDCG@10"}, "Found nDCG@10 twice; expected each measure once."),
        ({"depth": "0"}, "Found 0; expected from 1 to 10,000."),
        ({"rule": "luck"}, "Found &#x27;luck&#x27;; expected one of measure"),
        ({"official_measure": "another"}, "Found no name; expected that of a measure"),
        ({"another_measure": "RR@100"}, "Found &#x27;RR@100&#x27; typed beside a choice that is not made; expected"),
        ({"rule": "no_harm", "official_measure": "nDCG@10"}, "Found &#x27;no_harm&#x27; with nDCG@10; expected"),
        ({"rule": "both", "official_measure": "AP"}, "Found &#x27;both&#x27; with AP; expected &#x27;measure&#x27;"),
        ({"official_measure": "RR"}, "Found 10; expected 100 as in RR: claims are tested on the ranks"),
        ({"official_measure": "RR(rel=2)@20"}, "Found 10; expected 20 as in RR(rel=2)@20"),
        ({"answered_margin": "0"}, "Found 0; expected from 0.0001 to 1."),
        ({"ranking_margin": "1.5"}, "Found 1.5; expected from 0.0001 to 1."),
        ({"ranking_margin": "little"}, "Found no number; expected one such as 0.02."),
    ],
    "policy": [
        ({"release": "closed"}, "Found no day; expected the one from which scores are shown."),
        ({"closes_at": "2026-01-01T00:00", "opens_at": ""}, "Found 2026-01-01 00:00; expected a time to come."),
        ({"alpha": "0.6"}, "Found 0.6; expected from 0.0001 to 0.5."),
        ({"alpha": "nan"}, "Found no number; expected one such as 0.05."),
        ({"claims": "0"}, "expected a planned number of at least 1"),
        ({"gamma": "steady:10", "claims": "200"}, "Found &#x27;200&#x27; typed beside a choice that is not made"),
        ({"closed_until": "2199-03-01"}, "Found &#x27;2199-03-01&#x27; typed beside a choice that is not made"),
        ({"gamma": "linear", "claims": ""}, "expected quadratic, or such as steady:10, planned:20 or power:1.5."),
        ({"release": "rounded:99"}, "expected from 0 to"),
        ({"release": "all"}, "expected full, or such as rounded:3, ladder:0.01"),
        ({"quota": "0"}, "Found 0; expected from 1 to 1,000."),
        ({"embargo_months": "10"}, "Found 10; expected from 0 to 9."),
        ({"closes_at": "2026-11-01T00:00"}, "Found 2026-11-01 00:00; expected a time after opens_at."),
        ({"opens_at": "soon"}, "Found no time; expected one such as 2026-12-01 12:00, in UTC."),
    ],
    "check": [
        ({"has_read": None}, "Found no tick; expected one before the board opens."),
    ],
}
"""By step: what is sent, and what is said of it."""


@pytest.mark.parametrize("step", FAULTS)
def test_a_setting_that_cannot_be_stores_nothing(organiser: Client, step: str) -> None:
    address = organiser.post("/boards/new/", LABELS | files_of()).url.replace("measure", step)
    draft, before = BoardDraft.objects.get(), stored()
    chosen = draft.settings
    for changes, says in FAULTS[step]:
        fields = {key: value for key, value in (STEPS[step] | changes).items() if value is not None}
        response = organiser.post(address, fields | {"seen": str(BoardDraft.objects.get().edition)})
        assert response.status_code == 422, changes
        assert says in response.content.decode(), changes
        draft.refresh_from_db()
        assert draft.settings == chosen | ({"is_public": True} if step == "check" else {}), changes
    assert stored() == before


def test_what_was_typed_beside_a_choice_before_may_stay_there(organiser: Client) -> None:
    """The pages show it again: who makes another choice then has typed nothing."""
    base = organiser.post("/boards/new/", LABELS | files_of()).url.removesuffix("measure/")
    day = {"release": "closed", "closed_until": "2199-03-01"}
    other = {"official_measure": "another", "another_measure": "RR@100", "cutoff": "100"}
    for step, first, then, key in (
        ("measure", MEASURE | other, other | {"official_measure": "AP", "rule": "", "cutoff": ""}, "official_measure"),
        ("policy", POLICY | day, day | {"release": "full"}, "release"),
        ("policy", POLICY | {"claims": "70"}, {"claims": "70", "gamma": "steady:10", "release": "full"}, "gamma"),
    ):
        for sent in (first, first | then):
            seen = {"seen": str(BoardDraft.objects.get().edition)}
            assert organiser.post(f"{base}{step}/", sent | seen).status_code == 302, sent
        assert BoardDraft.objects.get().settings[key] == then[key]


LABEL_FAULTS: list[tuple[dict[str, bytes], str]] = [
    ({"official": b""}, "Found no file; expected one."),
    ({"official": b"a doc high\n"}, "official.txt, line 1: found grade"),
    ({"official": b"a 0 d 1\na 0 d 1\n"}, "official.txt, line 2: found document"),
    ({"official": b"a 0 d 1\nb 0 d 0\n"}, "found 1 query with a relevant document; expected 2 or more"),
    ({"official": b"\x00\x01\x02"}, "official.txt"),
    ({"private": qrels("a", "x")}, "found 1 query of official.txt in private.txt too"),
    ({"dev": qrels("b", "c", "x")}, "found 2 queries of official.txt in dev.txt too"),
    ({"dev": qrels("d", "x")}, "found 1 query of private.txt in dev.txt too"),
    ({"extra": qrels("d", "x")}, "found 1 query of private.txt in extra.txt too"),
    ({"official": b"a 0 d 0\nb 0 e 0\n"}, "found 0 queries with a relevant document; expected 2 or more"),
    ({"official": "a 0 d 1\nb 0 é 1\n".encode("latin-1")}, "official.txt"),
]


def test_labels_that_cannot_be_store_nothing(organiser: Client) -> None:
    before = stored()
    for labels, says in LABEL_FAULTS:
        response = organiser.post("/boards/new/", LABELS | files_of(labels))
        assert response.status_code == 422, labels
        page = response.content.decode()
        assert says.replace("found ", "Found ", 1) in page or says in page, labels
        assert "/tmp" not in page, "an upload is called by the name its sender gave it"
    assert stored() == before
    assert not BoardDraft.objects.exists(), "nothing half made"


def test_every_fault_of_a_step_is_said_at_once(organiser: Client) -> None:
    address = organiser.post("/boards/new/", LABELS | files_of()).url
    page = organiser.post(address, MEASURE | {"depth": "0", "official_measure": "RRR@10"}).content.decode()
    assert "expected from 1 to 10,000" in page
    assert "which is not known" in page


def test_graded_labels_may_be_on_the_official_queries(organiser: Client) -> None:
    assert post(organiser, {"extra": qrels("a", "b", "c", grade=3)}).status_code == 302


def test_public_official_labels_cannot_stand_beside_hidden_ones_on_the_same_queries(organiser: Client) -> None:
    response = post(organiser, {"dev": qrels("a", "b")}, is_hidden="no")
    assert response.status_code == 302, "both are public"
    response = post(organiser, {"private": qrels("a", "b")}, is_hidden="no", slug="another")
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
    assert stored()[:5] == before[:5]
    assert BoardDraft.objects.latest("pk").label_sets.count() == 3, "the draft is kept, to be opened again"


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


def test_what_was_chosen_by_hand_needs_no_reason(organiser: Client) -> None:
    assert post(organiser).status_code == 302
    assert "chosen_from_labels" not in Board.objects.get(slug="harbour").audit.get().details
