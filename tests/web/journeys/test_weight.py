"""What does a first visit weigh, and does the page stand still? Counted over a real server, with its static files."""

from __future__ import annotations

import gzip
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page
from tests.browser.looking import PHONE
from tests.web.busy_boards import slug_of
from tests.web.journeys.conftest import Enter
from tests.web.journeys.site import Site

pytestmark = pytest.mark.django_db  # for the world that the served folder is filled with

MOST_ON_THE_WIRE = 150_000
ROWS = 50
BOARD = slug_of("rounded:3")
LINKED = re.compile(r'<(?:link|script)[^>]*? (?:href|src)="(/static/[^"]+)"')
SHIFTS = """() => new Promise(done => {
  let sum = 0;
  new PerformanceObserver(list => { for (const each of list.getEntries()) sum += each.value; })
    .observe({type: "layout-shift", buffered: true});
  setTimeout(() => done(sum), 300);
})"""


class Wire:
    """Asks as a browser does, and counts every byte of the answers: headers too."""

    def __init__(self, site: Site) -> None:
        self.connection = HTTPConnection(urlsplit(site.url).netloc, timeout=300)
        self.n_bytes = 0

    def close(self) -> None:
        self.connection.close()

    def get(self, path: str, **headers: str) -> tuple[dict[str, str], bytes]:
        self.connection.request("GET", path, headers={"Accept-Encoding": "gzip, br", **headers})
        response = self.connection.getresponse()
        body = response.read()
        assert response.status == 200, path
        told = {name.lower(): value for name, value in response.getheaders()}
        self.n_bytes += len(body) + sum(len(name) + len(value) + 4 for name, value in told.items())
        return told, body


@contextmanager
def many_rows(site: Site, slug: str) -> Iterator[None]:
    """The board with fifty rows more: copies of its first, on all that a row needs; gone afterwards."""
    with closing(sqlite3.connect(site.folder / "toprung.sqlite3", timeout=300)) as database:
        database.row_factory = sqlite3.Row
        first = database.execute(
            "SELECT s.*, s.id AS own FROM web_standing s JOIN web_board b ON b.id = s.board_id WHERE b.slug = ? "
            "AND s.audience = 'public' AND s.labels_version = b.shown_version ORDER BY s.place LIMIT 1",
            [slug],
        ).fetchone()
        run = _one(database, "web_submission", first["submission_id"])
        made: list[tuple[str, int]] = []
        for number in range(ROWS):
            upload = _copy(database, "web_upload", _one(database, "web_upload", run["upload_id"]))
            label = f"R{9000 + number}"
            words = {"number": 9000 + number, "run_id": label, "name": f"a-run-with-a-name-{number}", "attempt_key": ""}
            copied = _copy(database, "web_submission", run | words | {"upload_id": upload})
            standing = _one(database, "web_standing", first["own"]) | {"submission_id": copied}
            made += [
                ("web_standing", _copy(database, "web_standing", standing)),
                ("web_submission", copied),
                ("web_upload", upload),
            ]
        database.commit()
        try:
            yield
        finally:
            for table, pk in made:
                database.execute(f"DELETE FROM {table} WHERE id = ?", [pk])
            database.commit()


def _one(database: sqlite3.Connection, table: str, pk: int) -> dict[str, object]:
    return dict(database.execute(f"SELECT * FROM {table} WHERE id = ?", [pk]).fetchone())


def _copy(database: sqlite3.Connection, table: str, row: dict[str, object]) -> int:
    fields = {name: value for name, value in row.items() if name != "id"}
    names, marks = ", ".join(f'"{name}"' for name in fields), ", ".join("?" * len(fields))
    made = database.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(fields.values()))
    assert made.lastrowid is not None
    return made.lastrowid


def test_a_first_visit_to_fifty_rows_is_light(site: Site) -> None:
    with closing(Wire(site)) as wire, many_rows(site, BOARD):
        _measure_first_visit(wire)


def _measure_first_visit(wire: Wire) -> None:
    headers, packed = wire.get(f"/b/{BOARD}/")
    assert headers["content-encoding"] == "gzip"
    page = gzip.decompress(packed).decode()
    assert page.count("<tr") > ROWS
    linked = sorted(set(LINKED.findall(page)))
    assert len(linked) >= 4  # two stylesheets, the script, the icon
    for path in linked:
        told, _ = wire.get(path)
        assert "immutable" in told["cache-control"], path
        assert path.endswith(".svg") or told["content-encoding"] in ("gzip", "br"), path
    print(f"first visit: {wire.n_bytes:,} bytes, the page {len(packed):,} of {len(page):,}")
    assert wire.n_bytes <= MOST_ON_THE_WIRE


def test_pages_drawings_and_feeds_are_packed_and_files_are_not_packed_twice(site: Site) -> None:
    here = f"/b/{BOARD}"
    with closing(Wire(site)) as wire:
        for path in ("/", "/methods/", f"{here}/feed.atom", f"{here}/export.csv", f"{here}/badge.svg"):
            told, body = wire.get(path)
            assert told["content-encoding"] == "gzip", path
            assert "Accept-Encoding" in told["vary"], path
            assert gzip.decompress(body)
        assert "content-encoding" not in wire.get(f"{here}/card.png")[0]
        assert "content-encoding" not in wire.get("/", **{"Accept-Encoding": "identity"})[0]


@pytest.mark.parametrize("path", ["/", f"/b/{BOARD}/", "/me/", f"/b/{BOARD}/runs/R1/"])
def test_nothing_moves_while_a_page_loads(enter: Enter, path: str) -> None:
    for width in (1280, PHONE):
        seen = enter(path, "participant", width=width)

        def measure(page: Page) -> float:
            moved: float = page.evaluate(SHIFTS)
            return moved

        assert seen.run(measure) < 0.01
