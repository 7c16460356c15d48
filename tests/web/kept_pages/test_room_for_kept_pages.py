"""However many addresses are made up, a process keeps so many bytes of pages, and the ones that people ask for."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import resolve
from tests.web.viewing import Viewed

from toprung.web.core.models.boards import Board
from toprung.web.ops.kept_pages import middleware
from toprung.web.ops.kept_pages.middleware import MADE_AT_ONCE, KeepPages, address_of
from toprung.web.ops.kept_pages.reading import CannotTellError, PageReading, digest_of
from toprung.web.ops.kept_pages.shelf import OVERHEAD, KeptPage, Shelf

pytestmark = pytest.mark.postgres  # rows are noted as the driver gives them
BOARD = "/b/web-docs/"
PATIENCE = 300.0


def page_of(size: int) -> KeptPage:
    """That takes so many bytes."""
    return KeptPage(body=b"x" * (size - OVERHEAD), headers={}, match=resolve("/"), reading=PageReading())


def test_what_was_not_asked_for_longest_makes_room() -> None:
    shelf = Shelf(room=100_000)
    for number in range(10):
        shelf.keep((str(number),), page_of(10_000))
    assert shelf.find(("0",)) is not None
    shelf.keep(("one more",), page_of(10_000))
    assert (shelf.taken, len(shelf.pages)) == (100_000, 10)
    assert shelf.find(("1",)) is None
    assert shelf.find(("0",)) is not None


def test_a_page_in_the_place_of_another_takes_its_room() -> None:
    shelf = Shelf(room=100_000)
    for size in (10_000, 12_000, 8_000):
        shelf.keep(("one",), page_of(size))
        assert shelf.taken == size
    shelf.keep(("one",), page_of(50_000))
    assert (shelf.taken, len(shelf.pages)) == (0, 0), "too large, and what stood there is out of date"


def test_made_up_queries_push_out_no_page_without_one(viewed: Viewed, monkeypatch: pytest.MonkeyPatch) -> None:
    shelves: list[Shelf] = []

    def noted(*, room: int) -> Shelf:
        shelves.append(Shelf(room=min(room, 1_000_000)))
        return shelves[-1]

    monkeypatch.setattr(middleware, "Shelf", noted)
    reader = Client()
    reader.get(BOARD)
    plain, with_query = shelves
    (kept,) = plain.pages.values()
    for number in range(60):
        reader.get(BOARD, {"q": f"nothing {number}"})
        assert with_query.taken == sum(each.size for each in with_query.pages.values()) <= 1_000_000
    assert 1 < len(with_query.pages) < 60
    assert list(plain.pages.values()) == [kept]


def test_a_page_that_many_ask_for_at_once_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """And each gets it: who comes while it is made waits, and another page is made meanwhile."""
    monkeypatch.setattr(PageReading, "is_answered_so", lambda _: True)
    begun, may_end, made = Event(), Event(), []

    def make(request: HttpRequest) -> HttpResponse:
        made.append(request.path)
        request.resolver_match = resolve(request.path)
        if request.path == "/":
            begun.set()
            may_end.wait(PATIENCE)
        return HttpResponse(f"the page {request.path}")

    keep_pages, asking = KeepPages(make), RequestFactory()
    with ThreadPoolExecutor(max_workers=4) as threads:
        first = threads.submit(keep_pages, asking.get("/"))
        assert begun.wait(PATIENCE)
        others = [threads.submit(keep_pages, asking.get("/")) for _ in range(3)]
        another = next(path for path in (f"{BOARD}{name}" for name in ("history/", "about/")) if not _shares_lock(path))
        assert keep_pages(asking.get(another)).content == f"the page {another}".encode()
        may_end.set()
        found = [each.result(PATIENCE).content for each in (first, *others)]
    assert found == [b"the page /"] * 4
    assert made == ["/", another]


def _shares_lock(path: str) -> bool:
    """Whether by chance it would wait for the front page."""
    here, there = (hash(address_of(RequestFactory().get(each))) % MADE_AT_ONCE for each in ("/", path))
    return here == there


def test_what_is_not_there_is_not_kept(viewed: Viewed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Shelf, "keep", lambda *_: pytest.fail("kept"))
    for path in ("/b/nowhere/", f"{BOARD}runs/R99/", f"{BOARD}?labels=7", "/nowhere/", f"{BOARD}export.csv?cols=none"):
        assert Client().get(path).status_code >= 400


@pytest.mark.django_db
def test_rows_are_told_apart_by_every_value() -> None:
    some = [(1, "a"), (1.0, "a"), (True, "a"), ("1", "a"), (None, "a"), (b"1", "a"), (-1, "a"), (-2, "a"), (1, "a ")]
    assert len({digest_of([row]) for row in some}) == len(some)
    assert digest_of([(1,), (2,)]) != digest_of([(2,), (1,)]) != digest_of([])
    with pytest.raises(CannotTellError):
        digest_of([(memoryview(b"an address in memory"),)])


@pytest.mark.parametrize(("page", "tells"), [("", True), ("runs/R1/", True), ("history/", False), ("embed/", False)])
def test_a_run_more_on_a_board_that_is_behind_changes_no_page(
    viewed: Viewed, monkeypatch: pytest.MonkeyPatch, page: str, tells: bool
) -> None:
    board, reader, keep, made = Board.objects.filter(pk=viewed.board.pk), Client(), Shelf.keep, []

    def noted(shelf: Shelf, address: tuple[str, ...], kept: KeptPage) -> None:
        made.append(kept)
        keep(shelf, address, kept)

    monkeypatch.setattr(Shelf, "keep", noted)
    board.update(results_due=8, results_done=7)
    behind = reader.get(f"{BOARD}{page}").content
    board.update(results_due=9)
    assert reader.get(f"{BOARD}{page}").content == behind
    assert len(made) == 1
    board.update(results_done=9)
    assert (reader.get(f"{BOARD}{page}").content != behind) == tells
    assert len(made) == 1 + tells


def test_who_writes_is_not_kept(viewed: Viewed) -> None:
    reading = PageReading()
    with reading.noting():
        assert Board.objects.get(pk=viewed.board.pk).title == "Web Docs"
        assert reading.is_only_reading
        Board.objects.filter(pk=viewed.board.pk).update(title="Written")
    assert not reading.is_only_reading


def test_rows_come_as_they_would_however_they_are_fetched(viewed: Viewed) -> None:
    asked = "SELECT run_id FROM web_submission WHERE board_id = %s ORDER BY run_id"
    reading = PageReading()
    with reading.noting(), connection.cursor() as cursor:
        cursor.execute(asked, [viewed.board.pk])
        assert [cursor.fetchone(), *cursor.fetchmany(2), *cursor.fetchall()] == [
            *(("B1",), ("R1",), ("R2",)),
            *(("R3",), ("R4",)),
        ]
        assert (cursor.fetchone(), cursor.fetchmany(2), list(cursor.fetchall())) == (None, [], [])
        cursor.execute(asked, [viewed.ladder.pk])
        assert [label for (label,) in cursor] == ["B1", "R1", "R2", "R3", "R4"]
        assert cursor.description[0][0] == "run_id"
    assert len(reading.questions) == 2
    assert reading.is_answered_so()
    viewed.ladder.submissions.filter(run_id="R4").update(run_id="R5")
    assert not reading.is_answered_so()
