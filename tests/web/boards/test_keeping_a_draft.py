"""A draft of a board is kept between its steps: for its maker alone, and no window overwrites what it has not seen."""

from __future__ import annotations

from html import unescape

import pytest
from django.core.files.storage import default_storage
from django.test import Client
from tests.web.boards.test_creating_a_board import CHECK, LABELS, MEASURE, POLICY, files_of, qrels, stored
from tests.web.cast import Cast, make_board, make_user
from tests.web.reading import folded

from toprung.web.core.models.boards import Board
from toprung.web.core.models.drafts import BoardDraft
from toprung.web.services.boards.draft_plan import propose


@pytest.fixture
def maker(client: Client, cast: Cast) -> Client:
    client.force_login(cast.organiser)
    return client


def start(client: Client, labels: bytes | None = None, **changes: str) -> str:
    """The address of the draft, whose first step is done."""
    files = files_of() if labels is None else files_of({"official": labels, "private": b"", "dev": b""})
    answer = client.post("/boards/new/", LABELS | files | changes)
    assert answer.status_code == 302, answer.content.decode()
    return answer.url.removesuffix("measure/")


def seen() -> dict[str, str]:
    return {"seen": str(BoardDraft.objects.get().edition)}


def test_only_its_maker_finds_it_and_goes_on_another_day(maker: Client, cast: Cast) -> None:
    base = start(maker)
    maker.post(f"{base}measure/", MEASURE | seen() | {"leave": "1", "depth": "77"})
    other = Client()
    other.force_login(make_user("another", may_create_boards=True))
    for page in ("labels/", "measure/", "policy/", "check/", "board.toml"):
        assert other.get(f"{base}{page}").status_code == 404, page
    assert other.post(f"{base}drop/").status_code == 404
    assert "Harbour questions" not in other.get("/boards/new/").content.decode()
    listed = maker.get("/boards/new/").content.decode()
    assert f'href="{base}labels/">Harbour questions</a>' in listed
    assert 'value="77"' in maker.get(f"{base}measure/").content.decode()
    assert maker.post(f"{base}drop/").status_code == 302
    assert not BoardDraft.objects.exists()


def test_a_second_window_does_not_overwrite_what_it_has_not_seen(maker: Client) -> None:
    base = start(maker)
    both = seen()
    assert maker.post(f"{base}policy/", POLICY | both | {"quota": "5"}).url == f"{base}check/"
    answer = maker.post(f"{base}policy/", POLICY | both | {"quota": "9"}, follow=True)
    assert "Found a draft that another window changed at" in answer.content.decode()
    assert BoardDraft.objects.get().settings["quota"] == 5
    before = stored()
    maker.post(f"{base}check/", CHECK | both)
    assert (Board.objects.filter(slug="harbour").exists(), stored()) == (False, before)
    gone = seen()
    maker.post(f"{base}drop/")
    assert maker.post(f"{base}check/", CHECK | gone).status_code == 404, "dropped in another window"


def test_an_address_that_was_taken_meanwhile_is_said_and_nothing_is_made(maker: Client, cast: Cast) -> None:
    others = set(default_storage.listdir("drafts")[1]) if default_storage.exists("drafts") else set()
    base = start(maker)
    make_board("harbour", cast.organiser)
    before = stored()
    answer = maker.post(f"{base}check/", CHECK | seen())
    assert answer.status_code == 422
    page = unescape(answer.content.decode())
    assert "slug: found 'harbour', which another board has; expected a new one." in page
    assert f'href="{base}labels/">Change it' in page
    assert stored() == before
    fields = LABELS | seen() | {"slug": "harbour-2"}
    assert maker.post(f"{base}labels/", fields).status_code == 302
    assert maker.post(f"{base}check/", CHECK | seen()).url == "/b/harbour-2/organise/"
    assert not BoardDraft.objects.exists()
    assert set(default_storage.listdir("drafts")[1]) <= others, "its files went with it"


def test_who_opened_it_and_comes_back_to_it_comes_to_the_board(maker: Client, cast: Cast) -> None:
    """By the button pressed twice, or by the one that goes back; nobody else learns of it."""
    base = start(maker)
    fields = CHECK | seen()
    assert maker.post(f"{base}check/", fields).url == "/b/harbour/organise/"
    before = stored()
    assert maker.post(f"{base}check/", fields).url == "/b/harbour/organise/"
    assert maker.get(f"{base}policy/").url == "/b/harbour/organise/"
    assert stored() == before
    other = Client()
    other.force_login(make_user("another", may_create_boards=True))
    assert other.get(f"{base}policy/").status_code == 404


def test_the_address_follows_the_name_until_another_is_given(maker: Client) -> None:
    base = start(maker, slug="", title="Häfen & Manuals 2027!")
    assert BoardDraft.objects.get().settings["slug"] == "hafen-manuals-2027"
    answer = maker.post(f"{base}labels/", LABELS | seen() | {"title": "港湾", "slug": ""})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Found no letter from a to z in the name; expected an address." in page
    assert "Found &#x27;&#x27;" not in page, "one fault, said once"
    assert "This step is not saved yet: 1 field below needs another value." in folded(page), "the labels are kept"


def test_labels_without_a_name_are_read_and_kept(maker: Client) -> None:
    """As the button beside the file does it; what is in them is said, and what is odd in them too."""
    labels = b"".join(qrels(f"q{n}", grade=2 if n % 2 else 1) + qrels(f"q{n}").replace(b"doc", b"e") for n in range(9))
    labels += b"q1 0 spam -2\nx 0 nothing 0\n"
    answer = maker.post("/boards/new/", files_of({"official": labels}) | {"is_hidden": "yes", "stay": "1"}, follow=True)
    page = folded(unescape(answer.content.decode()))
    assert "10 queries, 2 labels each; grades -2, 0, 1 and 2" in page
    assert "1 query without any relevant document: nobody is scored on them" in page
    assert "1 label with a grade below 0, which count as not relevant" in page
    assert propose(BoardDraft.objects.get()).official_measure == "nDCG@10"


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        (1, ("4 queries, 1 label each; grade 1", "1 relevant document for each query in the mean")),
        (11, ("4 queries, 11 labels each; grade 1", "11 relevant documents for each query in the mean")),
    ],
)
def test_what_is_in_the_labels_is_counted_in_words(maker: Client, documents: int, said: tuple[str, ...]) -> None:
    labels = b"".join(qrels(*"wxyz").replace(b"doc", b"d%d" % number) for number in range(documents))
    answer = maker.post("/boards/new/", files_of({"official": labels}) | {"is_hidden": "yes", "stay": "1"}, follow=True)
    page = folded(unescape(answer.content.decode()))
    assert [each for each in said if each not in page] == []


def test_other_labels_are_proposed_for_anew_unless_a_choice_was_made(maker: Client) -> None:
    base = start(maker, labels=qrels(*"abcdef"))
    maker.post(f"{base}measure/", {"official_measure": "RR@10", "depth": "1000", "rule": ""} | seen())
    graded = b"".join(qrels(*"abcdef", grade=grade).replace(b"doc", b"d%d" % grade) for grade in (1, 2, 3))
    files = files_of({"official": graded, "private": b"", "dev": b""})
    assert maker.post(f"{base}labels/", LABELS | seen() | files).status_code == 302
    assert propose(BoardDraft.objects.get()).official_measure == "nDCG@10", "it was as proposed, so it is again"
    maker.post(f"{base}measure/", {"official_measure": "AP", "depth": "1000", "rule": ""} | seen())
    files = files_of({"official": qrels(*"abcdef"), "private": b"", "dev": b""})
    maker.post(f"{base}labels/", LABELS | seen() | files)
    assert propose(BoardDraft.objects.get()).official_measure == "AP", "it was chosen"
    maker.post(f"{base}labels/", LABELS | seen() | {"is_hidden": "no"})
    assert propose(BoardDraft.objects.get()).release == "full"
